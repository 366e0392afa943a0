"""Rulesets in, a measure out: lines of YAML of every ruleset and module, and rule texts that stand in two places."""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.diagnostics import Report
from interpreter.loader.forms import SECTIONS, expand_section, name_of
from interpreter.loader.library import rulesets_in
from interpreter.loader.reader import Mapping, Node, Scalar, Sequence, list_files, read_text

ROOT = Path(__file__).resolve().parent.parent
WORDS = {"title", "about", "because", "note", "assumed", "ref"}  # text and citations: no rules
RULES = ("quantities", "procedures", "windows", "phases", "rules", "components", "kinds", "networks", "scoring")
VALUES = ("to", "with", "value", "step", "option")
SHORTEST = 25  # characters; a shorter text is a phrase of the language, not a rule
KNOWN: dict[str, str] = {}  # with the reason why it has to be so


@dataclass
class Measure:
    """What one folder holds."""

    name: str
    what: str
    base: str
    lines: int = 0
    patches: int = 0
    texts: list[tuple[str, str, str]] = field(default_factory=list)  # path, text, place


def measure(folder: Path) -> Measure:
    found = Measure(folder.name, "", "")
    for name in list_files(folder):
        if name.startswith("text/") or name == "sources.yaml" or Path(name).name.startswith("catalogue"):
            continue
        path = folder / name
        shown = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()
        text = path.read_text(encoding="utf-8")
        node = read_text(text, shown, Report())
        if not isinstance(node, Mapping):
            continue
        if name == "ruleset.yaml":
            found.what = "module" if "module" in node.entries else "ruleset"
            bases = node.entries.get("extends") or node.entries.get("fits")
            found.base = ", ".join(_names(bases.node)) if bases else ""
        found.lines += _count(text, node)
        found.texts += _texts(node)
        patches = node.entries.get("patches")
        found.patches += len(patches.node.items) if patches and isinstance(patches.node, Sequence) else 0
    return found


def repeated(measures: list[Measure]) -> dict[str, list[str]]:
    """Rule texts of some length that stand in two rulesets of one family, with their places."""
    bases = {one.name: one.base.split(", ")[0] for one in measures}
    places: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for one in measures:
        for path, text, place in one.texts:
            if len(text) >= SHORTEST:
                places[_family(one.name, bases), text].setdefault(one.name, f"{place}: {path}")
    return {text: list(found.values()) for (_, text), found in places.items() if len(found) > 1}


def _family(name: str, bases: dict[str, str]) -> str:
    """The ruleset at the bottom of what a ruleset extends or a module fits."""
    for _ in bases:
        name = bases.get(name) or name
    return name


def _count(text: str, node: Mapping) -> int:
    """Lines that are neither empty nor a comment nor only text for people."""
    lines = text.splitlines()
    aside = {number for first, last in _asides(node, lines) for number in range(first, last + 1)}
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in aside
        for number, line in enumerate(lines, 1)
    )


def _asides(node: Node, lines: list[str]) -> Iterator[tuple[int, int]]:
    """First and last line of every entry that is text for people and begins its line."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _asides(item, lines)
    elif isinstance(node, Mapping):
        for name, entry in node.entries.items():
            key, value = entry.key.span, entry.node.span
            if name not in WORDS:
                yield from _asides(entry.node, lines)
            elif not lines[key.line - 1][: key.col - 1].strip("- "):
                last = value.end_line if value.end_col > 1 else value.end_line - 1
                yield key.line, max(key.line, last)


def _texts(node: Mapping) -> list[tuple[str, str, str]]:
    """Every formula, sequence and effect of a file by its path: what it defines, and what its patches bring."""
    found: list[tuple[str, str, str]] = []
    for section in RULES:
        entry = node.entries.get(section)
        if entry is not None and isinstance(entry.node, Mapping):
            found += _walk(expand_section(section, entry.node), section)
    patches = node.entries.get("patches")
    for patch in patches.node.items if patches and isinstance(patches.node, Sequence) else ():
        if isinstance(patch, Mapping):
            head = next(entry.node for name, entry in patch.entries.items() if name not in WORDS)
            path = head.text if isinstance(head, Scalar) else ""
            if set(path.split(".")) & {*WORDS, "when", "pick"} or path.split(".")[0] in set(SECTIONS) - set(RULES):
                continue  # a citation, a condition, a number or a table
            for name in VALUES:
                if name in patch.entries:
                    found += _walk(patch.entries[name].node, path)
    return found


def _walk(node: Node, path: str) -> Iterator[tuple[str, str, str]]:
    match node:
        case Scalar(value=str()):
            yield path, " ".join(node.text.split()), f"{node.span.file}:{node.span.line}"
        case Sequence(items=items):
            for number, item in enumerate(items, 1):
                yield from _walk(item, f"{path}.{number}")
        case Mapping(entries=entries):
            for name, entry in entries.items():
                if name not in (*WORDS, "facts", "when", "pick"):
                    yield from _walk(entry.node, f"{path}.{name_of(name)}")


def _names(node: Node) -> list[str]:
    match node:
        case Scalar():
            return [node.text]
        case Sequence(items=items):
            return [item.text for item in items if isinstance(item, Scalar)]
    return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "rulesets", help="a folder of rulesets")
    parser.add_argument("--json", action="store_true", help="as JSON")
    args = parser.parse_args()
    measures = [measure(folder) for folder in rulesets_in(args.folder)]
    twice = repeated(measures)
    if args.json:
        rows = [{key: getattr(one, key) for key in ("name", "what", "base", "lines", "patches")} for one in measures]
        print(json.dumps({"rulesets": rows, "repeated": twice}, indent=2))
        return 1 if twice.keys() - KNOWN else 0
    print(f"{'lines':>6} {'patches':>8}  name")
    for one in measures:
        print(f"{one.lines:6} {one.patches:8}  {one.name}" + (f" ({one.what} of {one.base})" if one.base else ""))
    for text, found in twice.items():
        print(f"\nstands in {len(found)} places: {text}" + (f"\n  known: {KNOWN[text]}" if text in KNOWN else ""))
        for place in found:
            print(f"  {place}")
    print(f"\n{len(twice)} rule texts stand in two rulesets of one family, {len(twice.keys() & KNOWN)} of them known")
    return 1 if twice.keys() - KNOWN else 0


if __name__ == "__main__":
    sys.exit(main())
