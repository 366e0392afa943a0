"""Rulesets by name and by path."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.diagnostics import RulesetNotFound
from interpreter.loader.library import find_ruleset, list_rulesets


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    for name in ("harvest", "market"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "ruleset.yaml").write_text(f"ruleset: {name}\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    return tmp_path


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
