"""What an owner of the game copies to correct assumed numbers is a ruleset that runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from interpreter import load
from interpreter.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "rulesets/waterframe/corrections.example.yaml"


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "my_waterframe"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setenv("CROMFORD_PATH", str(ROOT / "rulesets"))
    monkeypatch.chdir(tmp_path)
    return folder


def assumed(ruleset: str, capsys: Any) -> dict[str, str]:
    capsys.readouterr()
    assert main(["sources", ruleset, "--assumed", "--json"]) == 0
    return {one["path"]: one["value"] for one in json.loads(capsys.readouterr().out)["assumed"]}


def test_the_example_is_no_part_of_the_ruleset() -> None:
    assert EXAMPLE not in load(ROOT / "rulesets/waterframe").files


def test_the_example_is_valid_and_says_what_the_ruleset_says(mine: Path, capsys: Any) -> None:
    assert main(["validate", "my_waterframe", "--strict"]) == 0
    before, after = assumed("waterframe", capsys), assumed("my_waterframe", capsys)
    corrected = {"constants.share_values", "constants.wage_by_line", "components.design.agent"}
    assert set(before) - set(after) == corrected and set(after) < set(before)
    assert all(reason for reason in before)
    one, other = load(ROOT / "rulesets/waterframe"), load(mine)
    games = [ruleset.new_game(players=3, seed=5) for ruleset in (one, other)]
    for _ in range(40):  # copied as it is it changes nothing
        assert games[0].decision is not None and games[1].decision is not None
        assert [option.id for option in games[0].decision.options] == [o.id for o in games[1].decision.options]
        for game in games:
            game.choose(0)


def test_a_corrected_number_counts(mine: Path) -> None:
    file = mine / "ruleset.yaml"
    text = file.read_text(encoding="utf-8")
    text = text.replace("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10,", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 12,", 1)
    text = text.replace("to: [[2, 1, 1, 0]", "to: [[3, 1, 1, 0]", 1)
    file.write_text(
        text.replace("    to: 2\n    because: counted", "    to: 3\n    because: counted"), encoding="utf-8"
    )
    game = load(mine).new_game(players=2, seed=1)
    assert game.evaluate("share_values[10]") == 12 and game.evaluate("share_value(blue)") == 12
    assert game.evaluate("food.output[1, 1]") == 3 and game.evaluate("count(tiles of agent)") == 3
