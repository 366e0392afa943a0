"""The laws of the house: imports point one way, outside libraries have one door each, and no game is known inside."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from interpreter.loader.library import list_rulesets
from interpreter.loader.merge import merge_ruleset
from interpreter.loader.reader import plain

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "interpreter").rglob("*.py"))

# A package may import those before it. `pipeline` puts the stages in a line; runtime calls it only on a cold start.
ORDER = [
    "records", "diagnostics", "places", "memory", "dsl", "loader", "checker", "compiler", "pipeline", "runtime", "bots",
    "views", "cli",
]  # fmt: skip
DOORS = {
    "yaml": {"loader/composer.py"},
    "jsonschema": {"loader/shape.py"},
    "networkx": {"checker/graph.py"},
    "lark": {"dsl/parser.py", "dsl/mistakes.py"},
}
# Words of rulesets that are also plain words of any program; each means something else inside the interpreter.
ORDINARY = {
    "action", "afterwards", "ahead", "always", "assign", "at", "better", "build", "built", "call", "capital",
    "closed", "column", "conditions", "counter", "counters", "cycle", "dead", "demand", "event", "events", "extra",
    "fetch", "fits", "found", "frozen", "full", "game", "happens", "imported", "kept", "lasting", "left", "level",
    "limit", "link", "lost", "machines", "made", "named", "new", "number", "offered", "opened", "order", "out",
    "output", "over", "owner", "pending", "place", "places", "player", "points", "refused", "reserve", "resolve",
    "round", "row", "running", "settle", "shown", "size", "slot", "space", "start", "steps", "stored", "table",
    "take", "tied", "touched", "turn", "used", "uses", "value", "won",
}  # fmt: skip


def package(path: Path) -> str:
    inside = path.relative_to(ROOT / "interpreter")
    return inside.parts[0] if len(inside.parts) > 1 else inside.stem


def imports(path: Path) -> list[tuple[str, bool]]:
    """Modules a file imports, each with whether that happens only when a function needs it (or for types)."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    late = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))
        for inner in ast.walk(node)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, node in late) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "interpreter":
            parts = [alias.name if alias.name in ORDER else "runtime" for alias in node.names]
            found += [(f"interpreter.{part}", node in late) for part in parts]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append((node.module, node in late))
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    here = package(path)
    if here == "__init__":
        return
    for module, late in imports(path):
        parts = module.split(".")
        if parts[0] != "interpreter" or late:
            continue
        assert ORDER.index(parts[1]) <= ORDER.index(here), f"{here} must not import {module}"


def test_outside_libraries_have_one_door_each() -> None:
    seen: dict[str, set[str]] = {library: set() for library in DOORS}
    for path in SOURCES:
        for module, _ in imports(path):
            library = module.partition(".")[0]
            if library in seen:
                seen[library].add(path.relative_to(ROOT / "interpreter").as_posix())
    assert seen == DOORS


def words_of_rulesets() -> set[str]:
    words: set[str] = set()
    for name, folder in list_rulesets([ROOT / "rulesets"]).items():
        words.add(name)
        document = merge_ruleset(folder)
        if document is None:
            continue
        for section, mapping in document.sections.items():
            words |= set(mapping.entries) if section != "scoring" else set()
            if section in ("components", "kinds"):
                for entry in mapping.entries.values():
                    inside = plain(entry.node)
                    assert isinstance(inside, dict)
                    words |= set(inside) if section == "components" else set()
                    for part in ("state", "facts", "per"):
                        words |= set(inside.get(part) or {})
    return words | {"arkwright", "jenny", "waterframe", "brass", "worker", "workers", "coal", "share", "shares", "tile"}


def test_the_interpreter_knows_no_game() -> None:
    words = words_of_rulesets()
    assert len(words) > 200
    files = [*SOURCES, ROOT / "interpreter/dsl/grammar.lark", *(ROOT / "schema").glob("*.json")]
    found = {}
    for path in files:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            for word in re.findall(r"[a-z]+(?:_[a-z]+)*", line.lower()):
                if word in words and word not in ORDINARY:
                    found[f"{path.relative_to(ROOT)}:{number}"] = word
    assert found == {}


def test_modules_stay_small() -> None:
    long = {
        str(p.relative_to(ROOT)): n for p in SOURCES if (n := len(p.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        str(p.relative_to(ROOT)) for p in SOURCES if not ast.get_docstring(ast.parse(p.read_text(encoding="utf-8")))
    ]
    assert silent == []
