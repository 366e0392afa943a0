"""The command, run in an empty home with the minis in reach."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.cli.main import main

ROOT = Path(__file__).resolve().parents[3]
Result = tuple[int, str, str]
Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in; records go below it, and the compile cache is shared by all tests."""
    monkeypatch.setenv("CROMFORD_PATH", str(ROOT / "tests/minis"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:  # noqa: ARG001
    """Run the command in this process: exit code, output, errors."""

    def call(*words: str, typed: str = "") -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            code = main(list(words))
        except SystemExit as end:  # argparse ends --help this way
            code = int(end.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def nim(run: Run, home: Path) -> Path:
    """The record of two choices of nim."""
    run("play", "nim", "--seed", "1", "--record", "nim.jsonl", typed="2\n3\n")
    return home / "nim.jsonl"
