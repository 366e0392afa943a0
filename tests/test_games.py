"""Whole random games of the real rulesets: invariants hold, all flavours of the code agree, nothing hidden is shown."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from interpreter import Game, Ruleset, load

ROOT = Path(__file__).resolve().parent.parent
GAMES = ("spinning_jenny", "waterframe", "spinning_mule")
WAYS = [(players, setup) for players in (2, 3, 4) for setup in ("predetermined", "advanced")]


@pytest.fixture(scope="module", params=GAMES)
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    return load(ROOT / "rulesets" / request.param)


def play(game: Game, seed: int, each: object = None) -> int:
    """Random choices to the end; `each` is called before every one of them."""
    dice, count = random.Random(seed), 0
    while game.decision is not None:
        if callable(each):
            each(game, count)
        assert game.choose(dice.randrange(len(game.decision.options))) is None
        count += 1
        assert count < 5000
    assert game.finished
    return count


@pytest.mark.parametrize(("players", "setup"), WAYS)
def test_invariants_hold_at_every_decision(ruleset: Ruleset, players: int, setup: str) -> None:
    assert {"workers", "money"} & set(ruleset.new_game(players, options={"setup": setup}).machine.info["invariants"])

    def check(game: Game, _: int) -> None:
        assert game.broken() == []

    for seed in range(3):
        game = ruleset.new_game(players, seed=seed, options={"setup": setup}, told=False)
        assert play(game, seed, check) > 50 * players
        result = game.result
        assert result is not None and len(result.standings) == players


@pytest.mark.parametrize(("players", "setup"), WAYS)
def test_telling_changes_nothing_and_tells_every_change(ruleset: Ruleset, players: int, setup: str) -> None:
    plain = ruleset.new_game(players, seed=7, options={"setup": setup}, told=False)
    told = ruleset.new_game(players, seed=7, options={"setup": setup}, told=True)
    dice = random.Random(7)
    while plain.decision is not None:
        before = told.observe()
        choice = dice.randrange(len(plain.decision.options))
        plain.choose(choice)
        told.choose(choice)
        assert plain.state == told.state
        changed = {
            f"{thing}.{field}"
            for kind, things in told.observe().items()
            for thing, fields in things.items()
            for field, value in fields.items()
            if before[kind][thing][field] not in (value, "?")  # what is revealed has not changed
        }
        spoken = {event.path for event in told.events if event.kind == "change"}
        forgotten = {path for path in changed - spoken if value_of(told, path) == start_of(told, path)}
        assert changed - spoken == forgotten  # fields that live during a phase end with it


def value_of(game: Game, path: str) -> int:
    return game.state[cell_of(game, path)]


def start_of(game: Game, path: str) -> int:
    return game.machine.start[cell_of(game, path)]


def cell_of(game: Game, path: str) -> int:
    thing, _, field = path.rpartition(".")
    info = game.machine.info
    for kind, name, start, *_ in info["columns"]:
        things = info["kinds"][kind]["things"]
        if name == field and thing in things:
            return int(start) + things.index(thing)
    raise AssertionError(path)


def test_reasons_and_values_come_from_one_evaluator(ruleset: Ruleset) -> None:
    """Every quantity of one thing, for every thing, at states all through a game: explained and plain are the same."""
    game = ruleset.new_game(3, seed=3, options={"setup": "advanced"})
    info = game.machine.info
    asked = {
        name: known["params"][0][1]
        for name, known in info["quantities"].items()
        if len(known["params"]) == 1 and known["params"][0][1] in info["kinds"]
    }
    assert len(asked) > 30
    seen = 0

    def compare(game: Game, count: int) -> None:
        nonlocal seen
        if count % 40:
            return
        for name, kind in asked.items():
            for place, thing in list(enumerate(info["kinds"][kind]["things"]))[:4]:
                plain = game.machine.names[f"q_{name}"](game.state, place)
                derived = game.explain(f"{name}({thing})").value if "." not in thing or kind != "row" else None
                if derived is not None and not isinstance(plain, list | tuple):
                    assert derived == game.show(info["quantities"][name]["type"], plain), (name, thing)
                    seen += 1

    play(game, 3, compare)
    assert seen > 300


def test_a_state_goes_through_json_and_plays_on_the_same(ruleset: Ruleset) -> None:
    game = ruleset.new_game(4, seed=11)
    dice = random.Random(11)
    for _ in range(60):
        assert game.decision is not None
        game.choose(dice.randrange(len(game.decision.options)))
    again = ruleset.game_from_json(json.loads(json.dumps(game.to_json())))
    assert again.hash() == game.hash() and again.trail == game.trail
    other = random.Random()
    other.setstate(dice.getstate())
    play(game, 1)
    play(again, 1)
    assert game.state == again.state and game.trail == again.trail


def test_copies_do_not_touch_each_other(ruleset: Ruleset) -> None:
    game = ruleset.new_game(2, seed=5)
    before = game.hash()
    twin = game.copy()
    play(twin, 5)
    assert game.hash() == before and twin.hash() != before


def test_hidden_values_leave_by_no_view() -> None:
    """What another seat holds in secret is in no observation and no event it may see."""
    minis = ROOT / "tests" / "minis"
    cards = load(minis / "hidden_hands", search_path=[minis])

    def check(game: Game, _: int) -> None:
        for seat in game.seats:
            for card, fields in game.observe(seat)["card"].items():
                holder = game.state[cell_of(game, f"{card}.holder")]
                mine = holder >= 0 and game.seats[holder] == seat
                open_ = bool(game.state[cell_of(game, f"{card}.shown")])
                assert (fields["holder"] != "?") == (mine or open_), (seat, card)
                assert fields["place"] == "?"
            for event in game.events:
                if event.kind == "change" and event.name == "place":
                    assert seat in event.hidden_from

    for seed in range(4):
        play(cards.new_game(3, seed=seed), seed, check)
