"""The README and the pages that show commands: every command in them runs, and what they print is what is shown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def cromford(folder: Path, *words: str, text: str | None = None) -> tuple[int, str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder), "NO_COLOR": "1", "COLUMNS": "120"}
    command = [sys.executable, "-m", "interpreter.cli.main", *words]
    done = subprocess.run(command, cwd=folder, env=environment, input=text, capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, done.stdout + done.stderr


def shown_after(command: str) -> str:
    """What the README shows below a command, up to the next command or the end of the block."""
    for _, block in BLOCK.findall(README):
        if f"$ {command}\n" in block:
            return str(block.split(f"$ {command}\n", 1)[1].split("\n$ ", 1)[0]).strip()
    raise AssertionError(f"the README does not show '{command}'")


def test_a_house_rule_is_made_as_the_readme_shows(tmp_path: Path) -> None:
    assert "cromford new my_jenny --extends spinning_jenny" in README
    assert cromford(tmp_path, "new", "my_jenny", "--extends", "spinning_jenny")[0] == 0
    patch = next(block for language, block in BLOCK.findall(README) if language == "yaml")
    file = tmp_path / "my_jenny" / "ruleset.yaml"
    written = file.read_text(encoding="utf-8").splitlines()
    kept = [line for line in written if line.strip() and not line.startswith(("#", "patches"))]
    assert kept[0].startswith("ruleset: my_jenny")
    found = shown_after("cromford validate my_jenny")
    line = int(re.search(r"ruleset\.yaml:(\d+):", found).group(1))  # type: ignore[union-attr]
    header = [*kept, *([""] * (line - 2 - len(kept)))]
    file.write_text("\n".join(header) + "\n" + patch, encoding="utf-8")
    code, printed = cromford(tmp_path, "validate", "my_jenny")
    assert code == 1 and found in printed
    file.write_text(file.read_text(encoding="utf-8").replace("starting_shars", "starting_shares"), encoding="utf-8")
    code, printed = cromford(tmp_path, "diff", "my_jenny")
    assert code in (0, 1) and shown_after("cromford diff my_jenny") in printed
    code, printed = cromford(tmp_path, "simulate", "my_jenny", "--games", "20", "--jobs", "2")
    assert code == 0 and "20 games of my_jenny" in printed


def test_the_game_of_the_readme_is_played(tmp_path: Path) -> None:
    assert "cromford play spinning_jenny --players 2 --bots red" in README
    answers = "explain wage\n1\nq\n"
    code, printed = cromford(tmp_path, "play", "spinning_jenny", "--players", "2", "--bots", "red", text=answers)
    assert code == 0 and "Factories" in printed and "arkwright/quantities.yaml" in printed
    assert cromford(tmp_path, "sources", "spinning_jenny", "--assumed")[0] == 0


def test_every_link_of_the_readme_leads_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(targets) > 5
    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))])
def test_every_command_a_page_names_exists(page: Path) -> None:
    named = set(re.findall(r"(?:`|\$ )cromford ([a-z][a-z-]+)", page.read_text(encoding="utf-8")))
    assert named <= set(COMMANDS)
