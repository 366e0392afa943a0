"""Nothing in, the rulesets and modules that can be found out."""

import argparse
import json
from pathlib import Path
from typing import Any

from interpreter.cli.terminal import paint, width
from interpreter.diagnostics import Report
from interpreter.loader.library import MAIN_FILE, list_rulesets
from interpreter.loader.reader import Mapping, plain, read_text
from interpreter.views.tables import Table, draw_table

EXAMPLES = """examples:
  cromford list
  CROMFORD_PATH=~/my_rulesets cromford list   look there as well"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    folders = list_rulesets()
    mains = {name: _read_main(folder) for name, folder in folders.items()}
    found = [_describe(name, folder, mains) for name, folder in folders.items()]
    if args.json:
        print(json.dumps({"rulesets": found}, indent=2, ensure_ascii=False))
        return 0
    for title, what in (("Rulesets", "ruleset"), ("Modules", "module"), ("Bases of other rulesets", "base")):
        rows = tuple(
            (one["name"], one["title"], one["players"], one["extends"], one["folder"])
            for one in found
            if one["what"] == what
        )
        if rows:
            print(
                draw_table(
                    Table(title, ("name", "title", "players", "extends or fits", "folder"), rows),
                    max(200, width()),
                    paint,
                )
                + "\n"
            )
    print("cromford play NAME plays one; cromford show NAME tells more.")
    return 0


def _read_main(folder: Path) -> dict[str, Any]:
    """The main file of one ruleset alone; what is wrong in it is validate's business."""
    try:
        node = read_text((folder / MAIN_FILE).read_text(encoding="utf-8"), str(folder / MAIN_FILE), Report())
    except (OSError, UnicodeDecodeError):
        return {}
    return plain(node) if isinstance(node, Mapping) else {}


def _describe(name: str, folder: Path, mains: dict[str, dict[str, Any]]) -> dict[str, Any]:
    data = mains[name]
    what = "module" if "module" in data else "base" if data.get("abstract") else "ruleset"
    base = data.get("extends") or data.get("fits") or ""
    return {
        "name": name,
        "what": what,
        "title": str(data.get("title") or ""),
        "players": ", ".join(map(str, _counts(name, mains, 20))),
        "extends": ", ".join(map(str, base)) if isinstance(base, list) else str(base),
        "folder": _near(folder),
    }


def _counts(name: str, mains: dict[str, dict[str, Any]], depth: int) -> list[Any]:
    """How many may play: its own word, or that of its base."""
    data = mains.get(name, {})
    players = data.get("players")
    if isinstance(players, dict) and isinstance(players.get("counts"), list):
        return list(players["counts"])
    base = data.get("extends")
    return _counts(base, mains, depth - 1) if isinstance(base, str) and depth else []


def _near(folder: Path) -> str:
    """The folder as seen from here, if it lies below."""
    return str(folder.relative_to(Path.cwd())) if folder.is_relative_to(Path.cwd()) else str(folder)
