"""Each folder of tests/bad is the smallest ruleset with one mistake; expected.txt holds what the author is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from interpreter.diagnostics import CODES
from interpreter.loader.composer import MAX_CHARACTERS
from interpreter.pipeline import diagnose

BAD = Path(__file__).parents[1] / "bad"
FOLDERS = sorted(path for path in BAD.iterdir() if path.is_dir())
LOADER_CODES = {code for code in CODES if code[0] in "RMS"} | {"N102"}
PADDING = "# PAD\n"  # a file that must be too big is kept short and filled up here


def render_findings(folder: Path) -> str:
    """All findings of the ruleset in the current folder; no part of the project's own rulesets is looked at."""
    report, sources, _ = diagnose(folder, (), ())
    return report.render(sources) + "\n"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_mistake_is_told_as_expected(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "ruleset"
    shutil.copytree(folder, copy)
    for path in copy.rglob("*.yaml"):
        if path.read_bytes().endswith(PADDING.encode()):
            path.write_text(path.read_text(encoding="utf-8") + PADDING * (MAX_CHARACTERS // len(PADDING)))
    monkeypatch.chdir(copy)
    told = render_findings(Path())
    code = folder.name.split("_")[0]
    assert f": {code} " in told
    assert told == (folder / "expected.txt").read_text(encoding="utf-8")


def test_every_code_of_the_loader_has_a_folder() -> None:
    shown = {folder.name.split("_")[0] for folder in FOLDERS}
    assert sorted(LOADER_CODES - shown) == []


def test_folders_are_named_after_known_codes() -> None:
    assert [folder.name for folder in FOLDERS if folder.name.split("_")[0] not in CODES] == []
