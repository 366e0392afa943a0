"""Derivations as trees: lines are broken between rule ids, and the branches go on beside them."""

from pathlib import Path

from interpreter import Derivation
from interpreter.views.explain import draw_derivation, show_place

PART = Derivation("f.price", 5, ("wool/quantities.yaml", 7, 1), ("BK-PRICE-01", "BK-PRICE-02", "BK-PRICE-03"))
LAST = Derivation("f.level", 1, ("wool/quantities.yaml", 8, 1))
TREE = Derivation("appeal(red.wool)", 3, ("wool/quantities.yaml", 6, 1), ("BK-APPEAL-01",), children=[PART, LAST])


def test_without_an_edge_every_row_is_one_line() -> None:
    assert len(draw_derivation(TREE).split("\n")) == 3


def test_rule_ids_are_broken_below_each_other() -> None:
    lines = draw_derivation(TREE, 80, edge=80).split("\n")
    assert max(map(len, lines)) <= 80
    assert lines[2].split() == ["│", "BK-PRICE-03"]
    assert lines[2].startswith(" │ ")


def test_on_a_narrow_terminal_places_go_below() -> None:
    lines = draw_derivation(TREE, 60, edge=40).split("\n")
    assert max(map(len, lines)) <= 40
    assert lines[0] == "3  appeal(red.wool)"
    assert [line.strip(" │") for line in lines[1:3]] == ["wool/quantities.yaml:6", "BK-APPEAL-01"]


def test_a_place_begins_with_the_ruleset(tmp_path: Path) -> None:
    (tmp_path / "fair/patches").mkdir(parents=True)
    (tmp_path / "fair/ruleset.yaml").touch()
    assert show_place((str(tmp_path / "fair/patches/prices.yaml"), 3, 1)) == "fair/patches/prices.yaml:3"
    assert show_place((str(tmp_path / "gone/prices.yaml"), 3, 1)) == "gone/prices.yaml:3"
