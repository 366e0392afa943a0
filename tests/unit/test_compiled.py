"""Code that is rearranged while compiling does the same as before: each step by itself, then together in a game."""

from __future__ import annotations

import ast
import dis
import random
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from interpreter import Game, load
from interpreter.compiler import pyast as py
from interpreter.compiler.cells import fetched
from interpreter.compiler.grids import Slices
from interpreter.compiler.hoist import Hoist, assigned
from interpreter.compiler.searches import searched
from interpreter.compiler.shared import SharedLists
from interpreter.runtime.intrinsics import MAX_KEPT, Members, grid, hand_over
from interpreter.runtime.trace import Describe, Tracer

Body = list[ast.stmt]


def parsed(text: str) -> Body:
    return ast.parse(text).body


def run(body: Body, state: list[int], **names: Any) -> Any:
    """What the body leaves in `out`, with the state as S."""
    module = ast.fix_missing_locations(ast.Module(body, []))
    space = {"S": state, **names}
    exec(compile(module, "<test>", "exec"), space)
    return space.get("out")


def same_on_random_states(text: str, change: Callable[[Body], Body], **names: Any) -> str:
    """Both forms give the same on many states; the changed one as a text."""
    for seed in range(200):
        dice = random.Random(seed)
        state = [dice.randrange(-1, 6) for _ in range(40)]
        other = state.copy()
        assert run(parsed(text), state, **names) == run(change(parsed(text)), other, **names), (seed, text)
        assert state == other
    return "\n".join(ast.unparse(ast.fix_missing_locations(node)) for node in change(parsed(text)))


# ---------------------------------------------------------------- questions
def test_a_question_becomes_a_loop_that_stops() -> None:
    text = "out = 0\nif S[0] > 1 and [1 for x in (1, 2, 3) if S[x] > 2 and S[x] < 5] and S[4]:\n    out = 7"
    assert "break" in same_on_random_states(text, searched)
    text = "out = []\nfor y in (1, 2, 3):\n    if not [1 for x in (4, 5) if S[x] == S[y]]:\n        out.append(y)"
    assert "else:" in same_on_random_states(text, searched)


def test_a_question_with_two_ways_and_one_inside_of_another() -> None:
    text = "if not [1 for x in (1, 2) if S[x] == 3]:\n    out = 'none'\nelse:\n    out = 'some'"
    assert "[1" not in same_on_random_states(text, searched)
    text = "out = 0\nif [1 for x in (1, 2) if not [1 for y in (3, 4) if S[y] > S[x]]]:\n    out = 1"
    assert "[1" not in same_on_random_states(text, searched)


def test_a_question_that_leaves_the_loop_around_it_is_settled_before() -> None:
    text = "out = 0\nfor y in range(5):\n    if [1 for x in (1, 2) if S[x] > y]:\n        break\n    out += 1"
    made = same_on_random_states(text, searched)
    assert "[1" not in made and "if settled_" in made
    text = text.replace("if [1", "if S[3] > y and [1").replace("S[x] > y]", "S[x] > y] and S[4] < 4")
    assert "[1" not in same_on_random_states(text, searched)
    text = "out = 0\nfor y in range(5):\n    if not [1 for x in (1, 2) if S[x] > y]:\n        break\n    out += 1"
    assert "[1" not in same_on_random_states(text, searched)


def test_an_answer_is_given_on_the_way_that_leads_to_it() -> None:
    question = "[1 for x in (1, 2, 3) if S[x] > 3]"
    for answer in (
        question,
        f"not {question}",
        f"S[0] > 3 or {question}",
        f"S[0] > 1 and ({question} or S[4] == 2) and S[5] > 0",
        f"not (S[0] > 3 or not {question})",
        f"{question} if S[6] > 2 else S[7] > 1 and {question}",
    ):
        assert "[1" not in same_on_random_states(f"out = {answer}\nout = True if out else False", searched)
        body = f"out = 1\nif S[9] > 0 and ({answer}) and S[8] > 1:\n    out = 2"
        assert "[1" not in same_on_random_states(body, searched)


# ---------------------------------------------------------------- cells
def test_a_cell_is_fetched_once_where_it_is_needed() -> None:
    body = parsed("if S[0] > 2:\n    out = cell_5 + cell_5\nelse:\n    out = 0")
    made = "\n".join(ast.unparse(node) for node in map(ast.fix_missing_locations, fetched(body)))
    assert made.count("cell_5 = S[5]") == 1 and made.index("if") < made.index("cell_5 = S[5]")
    assert run(fetched(body), [3, 0, 0, 0, 0, 4]) == 8


def test_a_cell_that_is_written_is_read_anew() -> None:
    body = parsed("a = cell_5\nif a > 2:\n    S[5] = a - 1\nfor x in (1, 2):\n    S[5] = cell_5 + x\nout = cell_5")
    for value in range(5):
        state = [0] * 6
        state[5] = value
        assert run(fetched(body), state) == state[5] == (value - 1 if value > 2 else value) + 3


# ---------------------------------------------------------------- reads, lists and options of a lister
def hoisted(body: Body) -> Body:
    return Hoist({"T": (3, 1, 2, 0, 4, 5), "EMPTY": ()}).body(body, assigned(body))


def test_what_stays_the_same_leaves_the_loop() -> None:
    text = "out = []\nfor x in (0, 1, 2):\n    for y in (3, 4):\n        if S[x] < S[5] + S[6] and S[y] > T[S[7]]:\n"
    made = same_on_random_states(text + "            out.append((x, y))", hoisted, T=(3, 1, 2, 0, 4, 5))
    assert made.index("S[5] + S[6]") < made.index("for x") < made.index("= S[x]") < made.index("for y")


def test_a_look_into_an_empty_table_stays_behind_its_condition() -> None:
    text = "out = []\nfor x in (0, 1, 2):\n    if S[x] > 99 and EMPTY[S[7]]:\n        out.append(x)"
    made = same_on_random_states(text, hoisted, EMPTY=())
    assert made.index("for") < made.index("EMPTY")


def test_neighbouring_options_are_a_slice() -> None:
    table = grid((9,), (3, 8))
    assert table[2][7] == (9, 2, 7)
    inside = {
        "": "out.append(G[x][n])",
        "if n <= S[3]:": "    out.append(G[x][n])",
        "if n != S[4] and n < S[5]:": "    out.append(G[x][n])",
    }
    for test, add in inside.items():
        loop = f"out = []\nfor x in (0, 1):\n    for n in range(1, S[x] + 1):\n        {test}\n        {add}"
        made = same_on_random_states(loop, Slices({}).body, G=table)
        assert ":last_" in made and "range" not in made
    loop = "out = []\nfor n in range(S[0], 3):\n    out.append(G[n])"
    assert "range" in same_on_random_states(loop, Slices({}).body, G=tuple(range(9)))  # it might start below 0


def test_a_list_is_made_where_it_is_needed() -> None:
    def listed() -> ast.ListComp:
        (node,) = parsed("[x for x in (1, 2, 3) if S[x] > 0]")
        assert isinstance(node, ast.Expr) and isinstance(node.value, ast.ListComp)
        return node.value

    def loop(lists: SharedLists, option: int, always: bool) -> Body:
        body: Body = [ast.For(py.stored("v"), lists.use(listed(), option), parsed("out.append(v)"), [])]
        lists.spot(option, body, always)
        return body

    alone = SharedLists()
    body = loop(alone, 1, True)
    assert alone.place() == [] and run([*parsed("out = []"), *body], [0, 1, 0, 1]) == [1, 3]
    several = SharedLists()
    bodies = [loop(several, 1, True), loop(several, 2, True)]
    first = several.place()
    assert len(first) == 1 and run([*first, *parsed("out = []"), *bodies[0], *bodies[1]], [0, 1, 0, 1]) == [1, 3] * 2
    rare = SharedLists()
    bodies = [loop(rare, 1, False), loop(rare, 2, False)]
    assert rare.place() == [] and all(len(body) == 2 for body in bodies)


# ---------------------------------------------------------------- things that have an owner
def test_what_an_owner_has_is_kept_up() -> None:
    members = Members()
    state = [-1] * 20 + [0, 0]
    dice = random.Random(5)
    for _ in range(300):
        hand_over(state, dice.randrange(20), dice.randrange(-1, 2), 0, 20)
        for owner in (0, 1):
            assert list(members[state[20 + owner]]) == [thing for thing in range(20) if state[thing] == owner]
    for bits in range(MAX_KEPT + 5):
        assert sum(1 << place for place in members[bits]) == bits
    assert len(members) <= MAX_KEPT


CARDS = """\
ruleset: cards
players: {seats: [ann, bob], counts: [2]}
names: {player: [p, q], card: [c, d], number: [n]}
kinds:
  player: {state: {points: 0..99}}
  suit: {}
  card: {pieces: suit, count: 5, state: {owner: player or none, value: 0..9}}
components: {suit: {red: {}, green: {}, blue: {}}}
quantities:
  finest(p): max(c.value for c in cards of p)
  worth(p): sum(c.value for c in cards of p where c.value > 2)
  others(p): count(c in cards where c.owner is not none and c.owner is not p)
windows:
  turn(p):
    options:
      take:
        pick: {c: cards}
        when: {free: c.owner is none}
        do: c.owner = p
      raise:
        pick: {c: cards of p, n: 1..9}
        when: {more: n > c.value, little: n <= c.value + 3, not_own_points: n is not p.points}
        do: c.value = n
      give:
        pick: {c: cards of p}
        when:
          one_of_many: count(cards of p) > 2
          none_like_it: not any(d in cards of next(p) where d.type is c.type)
        do: c.owner = next(p)
      drop:
        pick: {c: cards of p}
        do: clear c
      sweep:
        when: {many: count(cards of p) > 3}
        do: |
          for c in cards of p where c.value < finest(p) do
            c.value = finest(p)
            c.owner = next(p)
phases:
  game: {rounds: for n in 1..12 do for p in players do ask turn(p)}
invariants:
  all_counted: count(cards of ann) + count(cards of bob) <= 15
"""


def by_hand(game: Game, seat: str) -> list[int]:
    """The values of the cards of a player, one by one."""
    table = game.observe()["card"]
    return [table[card]["value"] for card in table if table[card]["owner"] == seat]


def test_sets_by_a_field_that_changes_in_a_game(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(CARDS, encoding="utf-8")
    ruleset = load(tmp_path)
    for seed in range(8):
        dice = random.Random(seed)
        plain, told = (ruleset.new_game(2, seed=seed, told=told) for told in (False, True))
        while plain.decision is not None and told.decision is not None:
            ids = [option.id for option in plain.decision.options]
            assert ids == [option.id for option in told.decision.options]
            index = dice.randrange(len(ids))
            assert plain.choose(index) is None and told.choose(index) is None
            assert plain.state == told.state and not plain.broken()
            for seat in ("ann", "bob"):
                values = by_hand(plain, seat)
                assert plain.evaluate(f"count(cards of {seat})") == len(values)
                assert plain.evaluate(f"worth({seat})") == sum(value for value in values if value > 2)
                assert plain.evaluate(f"finest({seat})") == max(values, default=0)


# ---------------------------------------------------------------- loops whose members depend on what the loop changes
CHAIN = """\
ruleset: chain
players: {seats: [ann, bob], counts: [2]}
names: {player: [p], spot: [s], number: [n]}
kinds:
  player: {}
  spot: {per: {number: 1..6}, state: {lit: flag, seen: flag}}
windows:
  nod(p): {always: true, options: {nod: {}}}
phases:
  game:
    light: |
      spot(1).lit = true
      for s in spots where s.lit do
        if s.number < 6 then spot(s.number + 1).lit = true
      for s in spots where s.lit do s.seen = true
    ask: ask nod(ann)
"""


def test_the_members_of_a_loop_are_settled_before_it(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(CHAIN, encoding="utf-8")
    for told in (False, True):
        game = load(tmp_path).new_game(2, told=told)
        assert [game.evaluate(f"spot({n}).lit") for n in range(1, 7)] == [True, True, False, False, False, False]
        assert [game.evaluate(f"spot({n}).seen") for n in range(1, 7)] == [True, True, False, False, False, False]


# ---------------------------------------------------------------- parts
def read_by(code: CodeType) -> set[str]:
    """Every global name that a code and the functions in it read."""
    found = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return found.union(*(read_by(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


@pytest.mark.parametrize("name", ["waterframe", "brass"])
def test_every_part_finds_the_names_that_its_code_reads(name: str) -> None:
    ruleset = load(name)
    options = ruleset.settle(None)
    for told, traced in ((False, False), (True, False), (True, True)):
        machine = ruleset.machine(max(ruleset.players), options, told)
        names = machine.traced_names if traced else machine.names
        parts = ["rules", "told" if told else "plain", *(["traced"] if traced else [])]
        later = Tracer(Describe()).names().keys() if traced else set()  # given when somebody asks
        for part in parts:
            for code in machine.program.part(part).code:
                assert read_by(code) - names.keys() - later == set(), part


def test_parts_number_places_apart() -> None:
    ruleset = load("waterframe")
    game = ruleset.new_game(players=2)
    game.explain("1 + 1")
    parts = [game.machine.program.part(part).sites for part in ("rules", "told", "traced")]
    assert sum(map(len, parts)) <= len(game.machine.sites)
    for part in parts:
        assert all(game.machine.sites[number] == place for number, place in part.items())


def test_a_text_that_comes_later_finds_the_segments_of_a_program_from_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for _ in ("cold", "warm"):
        game = load("spinning_jenny").new_game(players=2)
        before = len(game.machine.segments)
        game.run("let n = 1")
        assert len(game.machine.segments) > before == game.machine.info["segments"]
