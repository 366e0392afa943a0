"""What is looked up instead of worked out: printed tables, networks by what they are made of, answers that are kept."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from interpreter import Game, GameStopped, Ruleset, load
from interpreter.pipeline import compiler_for
from interpreter.runtime.dice import shuffled
from interpreter.runtime.networks import FAR, MAX_KEPT, Graph, Networks, distance, neighbours, reach

ORDER = [3, 4, 6, 2, 5, 0, 7, 1]  # of eight cards with seed 12345
TOWNS = ["ash", "birch", "cedar", "elm", "fir", "gorse", "hazel"]
ENDS = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 0), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 0), (6, 1)]
ROADS = "\n".join(
    f"    r{number}: {{a: {TOWNS[a]}, b: {TOWNS[b]}, cost: {1 + number % 3}, steep: {str(number % 4 == 0).lower()}}}"
    for number, (a, b) in enumerate(ENDS)
)

MAP = f"""\
ruleset: roads
players: {{seats: [ann, bob], counts: [2]}}
names: {{player: [p, q], town: [x, y], road: [r, s], number: [n]}}
constants: {{fares: [3, 4, 5]}}
kinds:
  player: {{state: {{cash: 0..99 starting 9, blocked: flag, steps: 1..3}}}}
  town: {{facts: {{size: number}}}}
  road: {{facts: {{a: town, b: town, cost: number, steep: flag}}, state: {{owner: player or none}}}}
components:
  town: {{{", ".join(f"{town}: {{size: {place % 3}}}" for place, town in enumerate(TOWNS))}}}
  road:
{ROADS}
networks:
  own(p): {{nodes: town, edges: r in roads where r.owner is p, ends: [r.a, r.b]}}
  roads_of_all: {{nodes: town, edges: r in roads where r.owner is not none, ends: [r.a, r.b]}}
quantities:
  fare(n): fares[n]
  next_fare(p): fare(p.steps)
  fare_after(p, n): fare(p.steps + n)
  touches(r, x): r.a is x or r.b is x
  crossing(x): count(r in roads where touches(r, x))
  steep_roads(x): sum(r.cost for r in roads where touches(r, x) and r.steep)
  busy(x): crossing(x) + steep_roads(x) > 6
  starts(p, x): any(r in roads of p where touches(r, x))
  ends_at(p, x): count(r in roads of p where touches(r, x) and r.cost < 3)
  area(p, x): those(y in towns where y in reach(own(p), x) and y.size > 0)
  value(p, x): sum(y.size for y in area(p, x)) + distance(roads_of_all, x, elm)
  shares_town(r, s): r.a is s.a or r.a is s.b or r.b is s.a or r.b is s.b
  can_pay(p): any(r in roads where r.cost <= p.cash and r.owner is p)
  poor_or_alone(p): p.cash < 7 or not any(r in roads where r.owner is not none and r.owner is not p)
procedures:
  gain(p, n): |
    if can_pay(p) then p.cash += n
    else p.cash += 1
    announce gained(p)
moments:
  gained(p): {{}}
rules: {{thanks: {{effects: ["on gained(p) do p.blocked = false"]}}}}
windows:
  turn(p):
    choose: may
    options:
      lay:
        pick: {{r: roads}}
        when:
          cheap: r.cost < 3
          free: r.owner is none
          touches: not any(roads of p) or starts(p, r.a) or starts(p, r.b)
          affordable: r.cost <= p.cash
        do: |
          r.owner = p
          p.cash -= r.cost
      join:
        pick: {{r: roads, s: roads}}
        when:
          side_by_side: r is not s and shares_town(r, s)
          mine: r.owner is p
          free: s.owner is none and not p.blocked
          worth_it: value(p, s.a) + value(p, s.b) > value(p, r.a)
        do: |
          s.owner = p
          p.blocked = true
      sell:
        pick: {{r: roads of p}}
        when: {{busy: "busy(r.a) or ends_at(p, r.b) > 1"}}
        do: |
          r.owner = none
          p.cash += 2
          p.blocked = false
      beg:
        when: {{poor: poor_or_alone(p)}}
        do: gain(p, 1)
phases:
  game: {{rounds: "for n in 1..15 do for p in players do ask turn(p)"}}
"""


def roads(tmp_path: Path) -> Ruleset:
    (tmp_path / "ruleset.yaml").write_text(MAP, encoding="utf-8")
    return load(tmp_path)


def candidates() -> list[str]:
    names = [f"r{number}" for number in range(len(ENDS))]
    picked = [f"{option} r={name}" for option in ("lay", "sell") for name in names]
    return [*picked, *(f"join r={one} s={other}" for one in names for other in names), "beg"]


def check_listed(game: Game) -> None:
    """The options that are listed are those whose clauses hold one by one, in code that looks nothing up."""
    assert game.decision is not None
    listed = {option.id for option in game.decision.options}
    for text in candidates():
        answer = game.why_not(text)
        holds = bool(answer.clauses) and all(clause.holds for clause in answer.clauses)
        assert holds == (text in listed), text


def test_listed_options_are_those_whose_clauses_hold(tmp_path: Path) -> None:
    ruleset = roads(tmp_path)
    taken = set()
    for seed in range(3):
        game, dice = ruleset.new_game(2, seed=seed, told=False), random.Random(seed)
        while game.decision is not None:
            check_listed(game)
            index = dice.randrange(len(game.choices))
            taken.add(game.decision.options[index].name)
            assert game.choose(index) is None
            for town in TOWNS[:3]:
                for text in (f"value(ann, {town})", f"ends_at(bob, {town})", f"steep_roads({town})", f"busy({town})"):
                    assert game.evaluate(text) == game.explain(text).value, text
    assert taken == {"lay", "join", "sell", "beg", "done"}


def code_of(ruleset: Ruleset, part: str = "rules") -> dict[str, str]:
    """The functions of a part of a program as texts."""
    compiler = compiler_for(ruleset.front, 2, {}, part)
    made = compiler.searched(compiler.rules() if part == "rules" else compiler.steps())
    return {function.name: ast.unparse(ast.fix_missing_locations(function)) for _, function in made}


def test_what_is_printed_is_not_worked_out_again(tmp_path: Path) -> None:
    code = code_of(roads(tmp_path))
    assert "return 4" in code["q_crossing"]  # the same for all towns
    for name in ("steep_roads", "busy"):
        assert "[a_x]" in code[f"q_{name}"] and " for " not in code[f"q_{name}"], code[f"q_{name}"]
    assert "&" in code["q_starts"] and "MEMBERS" not in code["q_starts"]  # one look at the bits of what a player has
    assert "bit_count" in code["q_ends_at"]
    lister = code["o_turn"]
    assert "< 3" not in lister and "q_busy" not in lister  # only cheap roads, only those side by side


def test_an_entry_is_checked_only_where_it_might_be_missing(tmp_path: Path) -> None:
    ruleset = roads(tmp_path)
    code = code_of(ruleset)
    assert "entry(" in code["q_fare"] and "<= 3 else entry(" in code["q_fare_after"]
    assert "entry(" not in code["q_next_fare"]  # a step is one of three, and so is a fare
    game = ruleset.new_game(2)
    assert game.evaluate("next_fare(ann)") == 3 and game.evaluate("fare_after(bob, 2)") == 5
    for place in (-1, 3):
        with pytest.raises(GameStopped, match="X106"):
            game.evaluate(f"fare_after(ann, {place})")


def test_a_lister_remembers_what_takes_long(tmp_path: Path) -> None:
    code = code_of(roads(tmp_path))
    assert "M = {}" in code["o_turn"] and "m_value(S, M, " in code["o_turn"] and "if key in M" in code["m_value"]
    assert "m_starts" not in code  # that is quicker than to remember it
    assert "m_" not in code["q_value"]  # elsewhere things may change between two questions


def test_answers_with_questions_in_them_are_loops(tmp_path: Path) -> None:
    text = code_of(roads(tmp_path))["q_poor_or_alone"]
    assert "[1 for" not in text and "return True" in text and "return False" in text


def test_a_loop_is_not_begun_where_one_look_shows_that_it_finds_nothing(tmp_path: Path) -> None:
    text = code_of(roads(tmp_path))["q_can_pay"]
    assert text.index("a_p in S[") < text.index("for ")


def test_short_procedures_and_reactions_are_written_out(tmp_path: Path) -> None:
    ruleset = roads(tmp_path)
    plain, told = code_of(ruleset, "plain"), code_of(ruleset, "told")
    assert "p_gain" not in plain["d_3"] and "r_gained" not in plain["d_3"] and "S[" in plain["d_3"]
    assert "p_gain" in told["d_3"]  # where changes are told, nobody is in a hurry
    games = [ruleset.new_game(2, told=told) for told in (False, True)]
    for option in ("beg", "beg", "lay r=r0", "lay r=r1"):
        assert [game.choose(option) for game in games] == [None, None]
        assert games[0].state == games[1].state


def test_shuffling_gives_the_same_order_everywhere() -> None:
    state = [0, 12345, 0]
    assert shuffled(state, range(8)) == ORDER and state == [0, 12345, 7]
    assert shuffled(state, range(1)) == [0] and shuffled(state, ()) == [] and state[2] == 7


def test_a_network_is_found_again_by_what_it_is_made_of(tmp_path: Path) -> None:
    ruleset = roads(tmp_path)
    game = ruleset.new_game(2, told=False)
    networks, built = game.machine.names["NETWORKS"], game.machine.names["net_own"]
    for option in ("lay r=r0", "done", "lay r=r1"):
        assert game.choose(option) is None
    networks.clear()
    state = game.state
    mine, other = built(state, 0), built(state, 1)
    assert built(state.copy(), 0) is mine and mine is not other and len(networks) == 2
    assert reach(mine, 0) == (0, 1, 2) and reach(other, 0) == (0,)
    assert game.choose("done") is None and game.choose("lay r=r7") is None
    assert built(game.state, 0) is not mine and game.evaluate("count(reach(own(ann), ash))") == 3
    assert game.evaluate("distance(own(ann), ash, cedar)") == 1


def test_areas_and_distances() -> None:
    for seed in range(30):
        dice = random.Random(seed)
        edges = [(dice.randrange(8), dice.randrange(8)) for _ in range(dice.randrange(9))]
        graph = Graph(8, edges)
        steps = [
            [0 if a == b else 1 if (a, b) in edges or (b, a) in edges else FAR for b in range(8)] for a in range(8)
        ]
        for between in range(8):
            for a in range(8):
                for b in range(8):
                    steps[a][b] = min(steps[a][b], steps[a][between] + steps[between][b])
        for a in range(8):
            assert list(reach(graph, a)) == [b for b in range(8) if steps[a][b] < FAR]
            assert [distance(graph, a, b) for b in range(8)] == steps[a]
            assert neighbours(graph, a) == [b for b in range(8) if (a, b) in edges or (b, a) in edges]


def test_not_all_networks_are_kept_for_ever() -> None:
    networks = Networks()
    for number in range(MAX_KEPT + 3):
        networks.keep((number,), Graph(1, []))
    assert 0 < len(networks) <= MAX_KEPT
