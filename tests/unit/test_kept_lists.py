"""A list that is named between decisions is kept in the state, and can be named anew."""

from pathlib import Path

from interpreter import load

RULESET = """\
ruleset: lists
players: {seats: [ann, bob], counts: [2]}
names: {player: [p], number: [n]}
kinds:
  player: {state: {points: 0..9}}
  card: {ids: [one, two, three], state: {taken: flag}}
windows:
  nod(p): {always: true, options: {nod: {}}}
phases:
  game:
    deal: |
      let left = cards
      ask nod(ann)
      left = those(card in cards where card is not one)
      ask nod(bob)
      if count(left) > 1 then left = left - (two, one)
      ask nod(ann)
      for card in left do card.taken = true
"""


def test_a_kept_list_can_be_named_anew(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
    for told in (False, True):
        game = load(tmp_path).new_game(2, told=told)
        while game.decision is not None:
            game.choose(0)
        assert [game.evaluate(f"{card}.taken") for card in ("one", "two", "three")] == [False, False, True]
