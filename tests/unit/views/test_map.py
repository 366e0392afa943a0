"""Networks as pictures: every node and link is drawn, the same each time, where the text says or by itself."""

from __future__ import annotations

import re
import shutil
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
    assert len(plates(picture)) == 25
    assert len([line for line in picture.iter(f"{SVG}line") if list(line)]) == 23 + 35 + 1
    assert len([box for box in picture.iter(f"{SVG}rect") if list(box)]) == 43
    assert {"Barrow-in-Furness", "The Midlands", "cotton mill"} <= texts(picture)
    assert {"always a port", "printed circles 2", "only in the Rail Period"} <= texts(picture)


def test_a_legend_calls_the_links_as_the_text_does() -> None:
    assert {"canal", "rail"} <= texts(drawn("rulesets/brass", "built"))
    game = game_of("rulesets/brass")
    words = words_for(game, "en")
    words.text["maps"]["built"].pop("legend")
    assert {"–", "a rail"} <= {edge.sort for edge in map_of(game, words, "built").edges}


def test_a_legend_for_a_flag_that_no_link_has_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "rails"
    shutil.copytree(ROOT / "tests" / "minis" / "rails", folder)
    text = folder / "text" / "en.yaml"
    changed = text.read_text(encoding="utf-8").replace("  own: {", "  own: {legend: {none: road, tarrd: street}, ")
    text.write_text(changed, encoding="utf-8")
    main(["validate", str(folder)])
    told = capsys.readouterr()
    assert "a text for the flag of a link 'tarrd', which does not exist" in told.out + told.err
    assert "'none'" not in told.out + told.err


def test_nodes_that_a_fact_joins_have_one_dotted_line() -> None:
    picture = drawn("rulesets/brass", "built")
    dotted = [line for line in picture.iter(f"{SVG}line") if line.get("stroke-dasharray") and list(line)]
    assert ["".join(line.itertext()) for line in dotted] == ["over the virtual link"]
    assert "over the virtual link" in texts(picture)


def plates(picture: ET.Element) -> list[ET.Element]:
    return [box for box in picture.iter(f"{SVG}rect") if box.get("class") == "node"]


def test_no_name_lies_on_a_link_or_on_another_node() -> None:
    """Every name has a plate of its own above the lines, and no plate covers another one."""
    picture = drawn("rulesets/brass", "built")
    tags = [child.tag for child in picture]
    last_link = max(place for place, child in enumerate(picture) if child.tag == f"{SVG}line" and list(child))
    assert last_link < min(place for place, child in enumerate(picture) if child.get("class") == "node")
    assert tags.count(f"{SVG}text") >= 25
    areas = [[float(box.get(key, "")) for key in ("x", "y", "width", "height")] for box in plates(picture)]
    for number, (x, y, wide, high) in enumerate(areas):
        for x2, y2, wide2, high2 in areas[number + 1 :]:
            assert x + wide < x2 or x2 + wide2 < x or y + high < y2 or y2 + high2 < y


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
