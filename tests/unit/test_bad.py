"""Each folder of tests/bad is the smallest ruleset with one mistake; expected.txt holds what the author is told."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from interpreter import GameStopped, load
from interpreter.diagnostics import CODES, render_finding
from interpreter.loader.composer import MAX_CHARACTERS
from interpreter.pipeline import diagnose

BAD = Path(__file__).parents[1] / "bad"
FOLDERS = sorted(path for path in BAD.iterdir() if path.is_dir())
SHOWN_CODES = {code for code in CODES if code[0] in "RMSPNTFEX"}
RIGHT = "right.yaml"  # the same ruleset without the mistake, for the page that explains the code
RIGHTS = [folder for folder in FOLDERS if (folder / RIGHT).exists()]
MOST_DECISIONS = 50
PADDING = "# PAD\n"  # a file that must be too big is kept short and filled up here


def render_findings(folder: Path) -> str:
    """All findings of the ruleset in the current folder; no part of the project's own rulesets is looked at."""
    report, sources, _ = diagnose(folder, (), ())
    return report.render(sources) + "\n"


def play_until_stopped(folder: Path) -> str:
    """What a game that is stopped by its own rules says; always the first option is chosen."""
    report, sources, _ = diagnose(folder, (), ())
    assert report.ok, report.render(sources)
    try:
        game = load(folder, search_path=()).new_game(seed=1)
        for _ in range(MOST_DECISIONS):
            if game.decision is not None:
                game.choose(game.decision.options[0])
    except GameStopped as stop:
        return render_finding(stop.finding, sources) + "\n"
    return "the game was not stopped\n"


@pytest.fixture(autouse=True)
def _no_cache_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_mistake_is_told_as_expected(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "ruleset"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(RIGHT))
    for path in copy.rglob("*.yaml"):
        if path.read_bytes().endswith(PADDING.encode()):
            path.write_text(path.read_text(encoding="utf-8") + PADDING * (MAX_CHARACTERS // len(PADDING)))
    monkeypatch.chdir(copy)
    code = folder.name.split("_")[0]
    told = play_until_stopped(Path()) if code.startswith("X") else render_findings(Path())
    assert f": {code} " in told
    assert told == (folder / "expected.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_folder_shows_one_code(folder: Path) -> None:
    told = (folder / "expected.txt").read_text(encoding="utf-8")
    assert set(re.findall(r"^\S+:\d+:\d+: ([A-Z]\d{3}) ", told, re.MULTILINE)) == {folder.name.split("_")[0]}


@pytest.mark.parametrize("folder", RIGHTS, ids=lambda folder: folder.name)
def test_a_right_example_is_right(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "ruleset"
    copy.mkdir()
    shutil.copy(folder / RIGHT, copy / "ruleset.yaml")
    monkeypatch.chdir(copy)
    report, sources, _ = diagnose(Path(), (), ())
    assert report.errors == [], report.render(sources)
    if folder.name.startswith("X"):
        assert play_until_stopped(Path()) == "the game was not stopped\n"


def test_every_code_has_a_folder() -> None:
    shown = {folder.name.split("_")[0] for folder in FOLDERS}
    assert sorted(SHOWN_CODES - shown) == []


def test_folders_are_named_after_known_codes() -> None:
    assert [folder.name for folder in FOLDERS if folder.name.split("_")[0] not in CODES] == []
