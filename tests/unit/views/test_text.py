"""Views of a game: rows a viewer knows nothing about are left out, and rows can be a line of names."""

from __future__ import annotations

from pathlib import Path

from interpreter import Game, load
from interpreter.views.text import draw_state
from interpreter.views.words import Words, words_for

MINIS = Path(__file__).resolve().parents[2] / "minis"


def game_of(name: str, players: int = 2) -> Game:
    return load(MINIS / name).new_game(players=players, seed=1)


def with_views(game: Game, **views: object) -> Words:
    return Words({**words_for(game, "en").text, "views": views}, game.machine.info["kinds"])


def test_a_list_names_its_rows_in_one_line_for_each_group() -> None:
    game = game_of("rails")
    for option in ("lay l=north_east", "lay l=west_moor", "lay l=east_south", "done"):
        assert game.choose(option) is None
    drawn = draw_state(game, words_for(game, "en"), None)
    assert "Lines  ann: north east, west moor · bob: east south" in drawn


def test_rows_that_are_hidden_from_the_viewer_are_left_out() -> None:
    game = game_of("hidden_hands", 3)
    words = with_views(game, hand={"title": "Hand", "rows": "card", "only": "holder", "listed": True})
    for seat in game.seats:
        held = [card.split(".")[0] for card, one in game.observe(seat)["card"].items() if one["holder"] == seat]
        drawn = draw_state(game, words, seat).removeprefix("Hand  ").split(", ")
        shown = [name for part in drawn for name in [part.split(" ")[-2]] * (2 if part.startswith("2 ×") else 1)]
        assert sorted(shown) == sorted(held) and len(held) == 3
    assert draw_state(game, words, None) == ""
