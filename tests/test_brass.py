"""Whole games of Brass: periods and rounds in order, nothing lost or made, no hidden card in anybody else's view."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from interpreter import Game, Ruleset, load
from interpreter.cli.main import main
from interpreter.views.board import draw_board
from interpreter.views.log import tell_game
from interpreter.views.observe import observe_data
from interpreter.views.text import draw_state
from interpreter.views.words import Words, words_for

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = {3: 10, 4: 8}
HIDDEN = "?"
PRINTED = ("cost", "income", "points", "cubes")
PILES = "count(k in cards where k.discarded or k.aside or k.holder is not none or in_deck(k))"


@pytest.fixture(scope="module")
def brass() -> Ruleset:
    return load(ROOT / "rulesets" / "brass")


def step(game: Game, dice: random.Random) -> str:
    assert game.decision is not None
    option = dice.choice(game.decision.options).id
    assert game.choose(option) is None
    return option


# ---------------------------------------------------------------- the flow of a whole game
@pytest.mark.parametrize("players", [3, 4])
def test_two_periods_of_rounds_and_the_end(brass: Ruleset, players: int) -> None:
    """BR-FLOW-01, BR-FLOW-02, BR-FLOW-04, BR-FLOW-05, BR-FLOW-17, BR-ORDER-04, BR-MAINT-10, BR-END-01."""
    game, dice = brass.new_game(players, seed=players), random.Random(players)
    turns: dict[tuple[str, int], list[str]] = {}
    phases: list[str] = []
    orders: dict[tuple[str, int], list[str]] = {}
    while game.decision is not None:
        now = (game.evaluate("table.period"), game.evaluate("table.round"))
        if game.decision.window == "play_card":
            turns.setdefault(now, []).append(game.decision.seat)
            orders.setdefault(now, game.evaluate("in_order"))
        before = {link for link in game.machine.info["kinds"]["link"]["things"] if owner(game, link) is not None}
        step(game, dice)
        phases += [event.name for event in game.events if event.kind == "phase"]
        if any(event.name == "end_of_canals" for event in game.events):
            assert before and game.evaluate("table.period") == "rail"
            last = [event.args for event in game.events if event.name == "next_in_order"][:players]
            assert [dict(args)["p"] for args in last] == game.evaluate("in_order")  # the order goes on
            game.set("rail_preston_wigan.owner", "red")
    assert list(turns) == [(period, n) for period in ("canal", "rail") for n in range(1, ROUNDS[players] + 1)]
    for now, seats in turns.items():
        asked = [seat for seat, following in zip(seats, [*seats[1:], None], strict=True) if seat != following]
        assert asked == [seat for seat in orders[now] if seat in asked]  # whole turns, in the order of play
    wanted = ["deal", "score_period", "end_of_canals", "deal", "score_period"]
    assert [name for name in phases if name in wanted] == wanted[1:]  # the first deal came before the first choice
    assert game.finished
    assert owner(game, "rail_preston_wigan") == "red"  # there is no maintenance at the end
    assert game.evaluate("count(k in cards where k.holder is not none)") == 0


def owner(game: Game, link: str) -> object:
    return game.observe()["link"][link]["owner"]


@pytest.mark.parametrize("players", [3, 4])
def test_everything_is_kept_at_every_decision(brass: Ruleset, players: int) -> None:
    game = brass.new_game(players, seed=11, told=False)
    assert {"money", "cubes", "counters", "hand_limit"} <= set(game.machine.info["invariants"])
    for seed in range(4):
        dice = random.Random(seed)
        game = brass.new_game(players, seed=seed, told=False)
        while game.decision is not None:
            assert game.broken() == []
            assert game.evaluate(PILES) == 66
            step(game, dice)
        assert game.broken() == []


# ---------------------------------------------------------------- hidden cards
def knows(game: Game, seat: str | None, card: str) -> bool:
    """Whether a seat may know where a card is: it holds it, or the card lies on the discard pile."""
    holder = game.evaluate(f"{card}.holder")
    return (seat is not None and holder == seat) or bool(game.evaluate(f"{card}.discarded"))


@pytest.mark.parametrize("players", [3, 4])
def test_no_observation_and_no_event_shows_a_hidden_card(brass: Ruleset, players: int) -> None:
    for seed in range(3):
        game, dice = brass.new_game(players, seed=seed), random.Random(seed)
        while game.decision is not None:
            step(game, dice)
            for seat in (*game.seats, None):
                for card, fields in game.observe(seat)["card"].items():
                    known = knows(game, seat, card)
                    assert (fields["holder"] != HIDDEN) == known, (seat, card)
                    assert fields["aside"] == HIDDEN
                for event in game.events:
                    thing, _, field = event.path.rpartition(".")
                    secret = field in ("aside", "place") or (field == "holder" and not knows(game, seat, thing))
                    if event.kind == "change" and secret:
                        assert event.hidden_from and seat in (*event.hidden_from, None), (seat, event.path)


@pytest.mark.parametrize("players", [3, 4])
def test_a_view_is_the_same_whatever_the_hidden_cards_are(brass: Ruleset, players: int) -> None:
    """Two cards a seat cannot see change places: the seat sees, reads and may choose exactly the same."""
    for seed in range(2):
        game, dice, count = brass.new_game(players, seed=seed), random.Random(seed), 0
        while game.decision is not None:
            step(game, dice)
            count += 1
            if count % 7 or game.decision is None:
                continue
            for seat in game.seats:
                unseen = [c for c in game.machine.info["kinds"]["card"]["things"] if not knows(game, seat, c)]
                if len(unseen) < 2:
                    continue
                one, two = dice.sample(unseen, 2)
                other = game.copy()
                for field in ("holder", "aside"):
                    first, second = game.evaluate(f"{one}.{field}"), game.evaluate(f"{two}.{field}")
                    other.set(f"{one}.{field}", second)
                    other.set(f"{two}.{field}", first)
                assert observe_data(game, seat) == observe_data(other, seat)
                words = words_for(game, "en")
                assert draw_state(game, words, seat) == draw_state(other, words, seat)


def test_a_log_names_no_card_that_is_still_hidden(brass: Ruleset) -> None:
    game, dice = brass.new_game(3, seed=5), random.Random(5)
    texts = words_for(game, "en").text
    names = {**texts.get("names", {}), "card": "{type} no. {copy}"}
    words = Words({**texts, "names": names}, game.machine.info["kinds"])
    while game.decision is not None:
        step(game, dice)
        for seat in game.seats:
            told = [line.text for line in tell_game(game, words, changes=True) if line.seen_by(seat)]
            for card in game.machine.info["kinds"]["card"]["things"]:
                if not knows(game, seat, card):
                    name = words.thing(card, "card")
                    secrets = [f" · {name} {words.field('card', field)}" for field in ("holder", "aside")]
                    assert not any(secret in f" · {text}" for text in told for secret in secrets), (seat, card)


def test_a_record_names_only_cards_that_were_played(
    brass: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["play", str(ROOT / "rulesets" / "brass"), "--auto", "--players", "3", "--seed", "4"]
    assert main([*command, "--record", "g.jsonl"]) == 0
    lines = [json.loads(line) for line in (tmp_path / "g.jsonl").read_text(encoding="utf-8").splitlines()]
    game = brass.new_game(3, seed=4)
    on_pile = "count(k in cards of {} where k.discarded)"
    types = set(game.machine.info["kinds"]["card_type"]["things"])
    for line in lines[1:]:
        assert set(line) == {"seat", "option", "hash", "chain"}
        named = {part.partition("=")[2] for part in line["option"].split()} & types
        assert all(game.evaluate(f"has_card({line['seat']}, {card})") for card in named)
        before = {card: game.evaluate(on_pile.format(card)) for card in named}
        assert game.choose(line["option"]) is None
        new_period = any(event.name == "end_of_canals" for event in game.events)
        assert new_period or all(game.evaluate(on_pile.format(card)) > before[card] for card in named)
    assert game.finished


def test_telling_changes_nothing(brass: Ruleset) -> None:
    plain, told = (brass.new_game(4, seed=9, told=flag) for flag in (False, True))
    dice = random.Random(9)
    while plain.decision is not None:
        option = step(plain, dice)
        assert told.choose(option) is None
        assert plain.state == told.state
    assert told.finished


# ---------------------------------------------------------------- what is on the screen
@pytest.mark.parametrize(("width", "height"), [(80, 14), (140, 30)])
def test_the_screen_has_money_demand_hand_and_what_is_built(brass: Ruleset, width: int, height: int) -> None:
    game = brass.new_game(4, seed=3)
    for text, value in {"fleetwood_1": "port_1", "wigan_1": "coal_mine_1"}.items():
        game.set(f"{text}.counter", value)
        game.set(f"{text}.owner", game.decision.seat)
    game.set("wigan_1.cubes", 2)
    game.set("canal_preston_wigan.owner", game.decision.seat)
    lines = draw_board(game, words_for(game, "en"), game.decision.seat, width, height)
    board = "\n".join(lines)
    assert len(lines) <= height and max(map(len, lines)) <= width
    for part in (
        "cotton demand marker",
        "The players",
        "Demand",
        "Your hand",
        "Wigan (left) Coal Mine 1",
        "Preston – Wigan",
    ):
        assert part in board
    assert "Cubes on the map  coal: Wigan (left) 2" in board
    assert "Links to build" not in board  # the options say it


def test_what_is_said_of_a_counter_is_what_is_printed_on_it(brass: Ruleset) -> None:
    game = brass.new_game(4)
    words = words_for(game, "en")
    for counter in game.machine.info["kinds"]["counter"]["things"]:
        told = (words.about(counter, "counter") or "").partition(": ")[2]
        cost, income, points, cubes = (game.evaluate(f"{counter}.{name}") for name in PRINTED)
        numbers = [cost, *([cubes] if cubes else []), income, points] if cost else []
        assert [int(number) for number in re.findall(r"\d+", told)] == numbers, counter
        for need in ("coal", "iron"):
            assert (f"and {need}" in told) == game.evaluate(f"{counter}.{need}"), counter
        both = game.evaluate(f"{counter}.canal") == game.evaluate(f"{counter}.rail")
        assert ("only in the" in told) != both, counter


@pytest.mark.parametrize("players", [3, 4])
def test_the_short_game_is_the_canal_period(players: int) -> None:
    game, dice = load(ROOT / "rulesets" / "brass_short").new_game(players, seed=2), random.Random(2)
    rounds = set()
    while game.decision is not None:
        rounds.add((game.evaluate("table.period"), game.evaluate("table.round")))
        step(game, dice)
    assert rounds == {("canal", number) for number in range(1, ROUNDS[players] + 1)}
    assert game.finished
