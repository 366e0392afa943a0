"""Rulesets by name and by path."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.diagnostics import RulesetNotFound
from interpreter.loader.library import find_ruleset, home_of, list_rulesets, rulesets_in


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    for name in ("harvest", "market"):
        (folder / name).mkdir(parents=True)
        (folder / name / "ruleset.yaml").write_text(f"ruleset: {name}\n", encoding="utf-8")
    (folder / "empty").mkdir()
    return folder


def test_a_name_is_looked_up_on_the_search_path(shelf: Path) -> None:
    assert find_ruleset("market", (shelf,)) == shelf / "market"


@pytest.mark.parametrize("path", ["market", "market/ruleset.yaml"])
def test_a_path_is_taken_as_it_is(shelf: Path, path: str) -> None:
    assert find_ruleset(shelf / path, ()) == shelf / "market"
    assert find_ruleset(str(shelf / path), ()) == shelf / "market"


def test_a_misspelt_name_is_guessed(shelf: Path) -> None:
    with pytest.raises(RulesetNotFound, match="no ruleset is called 'markt'; did you mean 'market'"):
        find_ruleset("markt", (shelf,))


@pytest.mark.parametrize("path", ["./nowhere", "a\0b", "x" * 5_000, "", "./" + "y" * 5_000])
def test_a_path_that_leads_nowhere_is_told(path: str) -> None:
    with pytest.raises(RulesetNotFound):
        find_ruleset(path, ())


def test_a_folder_without_a_ruleset_is_told(shelf: Path) -> None:
    with pytest.raises(RulesetNotFound, match=r"has no ruleset\.yaml"):
        find_ruleset(shelf / "empty", ())


def test_all_that_can_be_found_is_listed(shelf: Path) -> None:
    assert {"harvest", "market"} <= list_rulesets((shelf,)).keys()
    assert "empty" not in list_rulesets((shelf,))


def test_a_shelf_of_rulesets_may_stand_in_a_folder_of_rulesets(shelf: Path) -> None:
    nested = shelf / "mine" / "fair"
    nested.mkdir(parents=True)
    (nested / "ruleset.yaml").write_text("ruleset: fair\nextends: market\n", encoding="utf-8")
    assert find_ruleset("fair", (shelf,)) == nested == list_rulesets((shelf,))["fair"]
    assert rulesets_in(shelf) == [shelf / "harvest", shelf / "market", nested]
    assert home_of(nested) == (shelf / "mine", shelf)  # what it extends stands beside its shelf
    assert home_of(shelf / "market") == (shelf,)


def test_nothing_is_looked_for_deeper_or_inside_a_ruleset(shelf: Path) -> None:
    for deep in (shelf / "market" / "inside", shelf / "mine" / "far" / "away", shelf / ".hidden" / "gone"):
        deep.mkdir(parents=True)
        (deep / "ruleset.yaml").write_text(f"ruleset: {deep.name}\n", encoding="utf-8")
    assert rulesets_in(shelf) == [shelf / "harvest", shelf / "market"]
    with pytest.raises(RulesetNotFound):
        find_ruleset("away", (shelf,))
