"""A field that is set from outside changes everything that is kept about it."""

from pathlib import Path

from interpreter import load

RULESET = """\
ruleset: shelf
title: Things that are owned
players: {seats: [ann, bob], counts: [2]}
names: {player: [p], book: [x], number: [n]}
kinds:
  player: {state: {points: 0..99}}
  title: {ids: [red, green, blue]}
  book: {per: {title: title, number: 1..6}, state: {owner: player or none}}
windows:
  turn(p):
    options:
      give_back: {pick: {x: books of p}, do: x.owner = none}
      rest: {}
      wait: {}
phases:
  game: {turns: for n in 1..3 do for p in players do ask turn(p)}
scoring: {score(p): count(books of p), ranked: p in players by highest score(p)}
"""


def test_what_an_owner_has_follows(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(RULESET)
    game = load(tmp_path).new_game()
    for book, owner in (("red.1", "ann"), ("blue.6", "ann"), ("red.1", "bob"), ("green.2", "bob"), ("green.2", None)):
        game.set(f"{book}.owner", owner)
    assert game.evaluate("books of ann") == ["blue.6"] and game.evaluate("books of bob") == ["red.1"]
    assert game.decision is not None
    assert [option.id for option in game.decision.options] == ["give_back x=blue.6", "rest", "wait"]
