"""Networks as pictures: every node and link is drawn, the same each time, where the text says or by itself."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from interpreter import Game, load
from interpreter.cli.main import main
from interpreter.views.map import draw_svg, map_of, networks_of
from interpreter.views.words import words_for

ROOT = Path(__file__).resolve().parents[3]
SVG = "{http://www.w3.org/2000/svg}"


def game_of(folder: str) -> Game:
    ruleset = load(ROOT / folder)
    return ruleset.new_game(players=max(ruleset.players))


def drawn(folder: str, network: str) -> ET.Element:
    game = game_of(folder)
    return ET.fromstring(draw_svg(map_of(game, words_for(game, "en"), network)))


def texts(picture: ET.Element) -> set[str]:
    return {"".join(text.itertext()) for text in picture.iter(f"{SVG}text")}


def test_the_map_of_a_real_game_has_every_place_link_and_space() -> None:
    picture = drawn("rulesets/brass", "built")
    assert len(list(picture.iter(f"{SVG}circle"))) == 25
    assert len([line for line in picture.iter(f"{SVG}line") if list(line)]) == 23 + 35
    assert len([box for box in picture.iter(f"{SVG}rect") if list(box)]) == 43
    assert {"Barrow-in-Furness", "The Midlands", "cotton mill", "a rail"} <= texts(picture)


def test_places_lie_where_the_text_says() -> None:
    game = game_of("tests/minis/rails")
    places = map_of(game, words_for(game, "en"), "own").places
    assert places["west"][0] < places["moor"][0] == places["north"][0] < places["east"][0]
    assert places["north"][1] < places["moor"][1] < places["south"][1]


def test_without_a_text_nodes_are_laid_out_apart_and_always_the_same() -> None:
    game = game_of("tests/minis/canals")
    words = words_for(game, "en")
    first, second = map_of(game, words, "canals"), map_of(game, words, "canals")
    assert first == second and draw_svg(first) == draw_svg(second)
    points = list(first.places.values())
    assert min(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a in points for b in points if a is not b) > 40


def test_links_between_the_same_places_lie_side_by_side() -> None:
    picture = drawn("rulesets/brass", "built")
    names = [line for line in picture.iter(f"{SVG}line") if "".join(line.itertext()) == "Lancaster – Preston"]
    assert len(names) == 2 and names[0].get("x1") != names[1].get("x1")
    assert names[0].get("stroke") != names[1].get("stroke")


def test_networks_without_parameters_come_first() -> None:
    assert networks_of(game_of("tests/minis/canals")) == ["canals", "own"]


def test_the_command_draws_and_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", str(ROOT / "tests/minis/canals"), "--map"]) == 0
    assert re.match(r"<svg .*</svg>\n$", capsys.readouterr().out, re.DOTALL)
    assert main(["graph", str(ROOT / "tests/minis/canals"), "--map", "--network", "canal"]) == 2
    assert "did you mean 'canals'?" in capsys.readouterr().err
    assert main(["graph", str(ROOT / "tests/minis/nim"), "--map"]) == 2
    assert "no network" in capsys.readouterr().err
