"""The house rules: each is a short patch that some scenario shows, and that scenario fails in the game it changes."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from interpreter import Ruleset, load
from interpreter.cli.test import tell_english
from interpreter.diagnostics import Report, Sources
from interpreter.loader.library import rulesets_in
from interpreter.runtime.rehearsal import rehearse
from interpreter.runtime.scenario import read_scenarios

ROOT = Path(__file__).resolve().parent.parent
SHELF = ROOT / "rulesets" / "house_rules"
RULES = [folder.name for folder in rulesets_in(SHELF)]
MOST_LINES = 30


@cache
def base_of(name: str) -> Ruleset:
    main = (SHELF / name / "ruleset.yaml").read_text(encoding="utf-8")
    return loaded(next(line.split()[1] for line in main.splitlines() if line.startswith("extends:")))


@cache
def loaded(name: str) -> Ruleset:
    return load(ROOT / "rulesets" / name)


def test_there_are_twenty() -> None:
    assert len(RULES) >= 20


@pytest.mark.parametrize("name", RULES)
def test_a_scenario_shows_what_the_base_does_not_do(name: str) -> None:
    report = Report()
    scenarios = read_scenarios(ROOT / "tests" / "scenarios" / "house_rules" / f"{name}.yaml", report, Sources())
    assert report.ok and scenarios
    assert all(scenario.ruleset == name for scenario in scenarios)
    assert any(rehearse(scenario, base_of(name), tell_english) for scenario in scenarios)


def test_house_rules_are_short_and_no_rule_is_written_twice() -> None:
    tool = [sys.executable, str(ROOT / "tools" / "variants.py"), "--json"]
    told = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout
    lines = {one["name"]: one["lines"] for one in json.loads(told.stdout)["rulesets"]}
    assert [name for name in RULES if lines[name] > MOST_LINES] == []
