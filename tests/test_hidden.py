"""Nobody can learn from any view what is hidden: other values in its place look the same to every seat."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter import Game, load
from interpreter.bots.roster import make_bot
from interpreter.views.board import draw_board
from interpreter.views.choices import draw_options
from interpreter.views.log import tell_game
from interpreter.views.observe import observe_data
from interpreter.views.text import draw_state
from interpreter.views.words import words_for

ROOT = Path(__file__).resolve().parent.parent
GAMES = [
    (ROOT / "rulesets/waterframe", 2, {"setup": "advanced"}),
    (ROOT / "rulesets/waterframe", 4, {"setup": "advanced"}),
    (ROOT / "rulesets/waterframe", 3, {"starred_events": "shuffled"}),
    (ROOT / "tests/minis/hidden_hands", 3, {}),
]
ROUNDS = 9


def hidden_cells(game: Game, seats: list[str | None]) -> list[list[int]]:
    """For every field the cells that none of these seats may see."""
    info = game.machine.info
    seen = [game.observe(seat) for seat in seats]
    found = []
    for kind, field in info["hidden"]:
        start = next(column[2] for column in info["columns"] if column[:2] == [kind, field])
        things = info["kinds"][kind]["things"]
        hidden = [all(view[kind][thing][field] == "?" for view in seen) for thing in things]
        found.append([start + place for place, is_hidden in enumerate(hidden) if is_hidden])
    return found


def swapped(game: Game, seats: list[str | None], dice: random.Random) -> Game:
    """The same game with the values of hidden cells changed among each other."""
    other = game.copy()
    for cells in hidden_cells(game, seats):
        values = [game.state[cell] for cell in cells]
        dice.shuffle(values)
        for cell, value in zip(cells, values, strict=True):
            other.state[cell] = value
    other.choices = other.machine.options(other.state)
    return other


def everything_shown(game: Game, seat: str | None) -> object:
    """All a seat can get to see of a game: as data, as text, and as options."""
    words = words_for(game, "en")
    board = draw_board(game, words, seat, 100, 60)
    asked = game.decision
    options = draw_options(asked, words) if asked is not None and seat == asked.seat else ""
    return observe_data(game, seat), draw_state(game, words, seat), board, options


@pytest.mark.parametrize(("folder", "players", "options"), GAMES)
def test_other_hidden_values_look_the_same(folder: Path, players: int, options: dict[str, str]) -> None:
    dice = random.Random(3)
    changed = 0
    game = load(folder).new_game(players=players, seed=2, options=options)
    bot = make_bot("random", 2)
    for _ in range(ROUNDS):
        for group in ([None, *game.seats], [dice.choice(game.seats)]):
            other = swapped(game, list(group), dice)
            changed += other.state != game.state
            for seat in group:
                assert everything_shown(other, seat) == everything_shown(game, seat)
        for _ in range(dice.randint(1, 60)):
            if game.decision is not None:
                game.choose(bot.pick(game))
    assert changed


@pytest.mark.parametrize("players", [2, 4])
def test_the_log_names_no_event_before_it_is_revealed(players: int) -> None:
    """Nor an economy marker: what is told has been turned over."""
    game = load(ROOT / "rulesets/waterframe").new_game(players=players, seed=4, options={"setup": "advanced"})
    words, bot = words_for(game, "en"), make_bot("random", 9)
    events = {words.thing(event, "event"): event for event in game.machine.info["kinds"]["event"]["things"]}
    revealed: set[str] = set()
    while game.decision is not None:
        seen = game.observe(None)
        for line in tell_game(game, words, changes=True):
            told = {event for name, event in events.items() if f"Event: {name}." == line.text}
            assert not line.text.startswith("Event: ") or told
            revealed |= told
        for change in game.events:
            thing, _, field = change.path.rpartition(".")
            kind = next((kind for kind in ("event", "economy_marker") if thing in seen[kind]), None)
            if kind is not None and change.kind == "change" and not change.hidden_from:
                assert seen[kind][thing][field] != "?", change
        assert {event for event, known in seen["event"].items() if known["face_up"]} >= revealed
        game.choose(bot.pick(game))
    assert len(revealed) >= 5
