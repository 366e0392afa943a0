"""Two rulesets (or one and its base, or one with and without modules) in, every value that differs out."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.cli.arguments import add_ruleset, split_modules
from interpreter.cli.documents import merge, open_document
from interpreter.cli.terminal import CannotRun, counted, paint
from interpreter.loader.document import Document, blame, node_at
from interpreter.loader.reader import Mapping, Node, Scalar, Sequence

EXAMPLES = """examples:
  cromford diff my_variant                 what it changes in its base
  cromford diff my_variant other_ruleset   two rulesets
  cromford diff my_game --with my_module   what a module changes"""


@dataclass(frozen=True, slots=True)
class Change:
    """One value that differs; none means it does not exist there."""

    path: str
    old: str | None
    new: str | None
    because: str | None


def configure(parser: argparse.ArgumentParser) -> None:
    add_ruleset(parser)
    parser.add_argument(
        "other", metavar="OTHER", nargs="?", help="compare with this one (default: the base, or itself without modules)"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    new = open_document(args)
    old = _other(args, new)
    changes = compare(old, new)
    if args.json:
        rows = [
            {"path": change.path, "old": change.old, "new": change.new, "because": change.because} for change in changes
        ]
        print(
            json.dumps(
                {"old": list(old.layers), "new": list(new.layers), "changes": rows}, indent=2, ensure_ascii=False
            )
        )
    else:
        print(f"{' -> '.join(old.layers)}  =>  {' -> '.join(new.layers)}: {counted(len(changes), 'change')}")
        for change in changes:
            print(_show(change))
    return 0


def _other(args: argparse.Namespace, new: Document) -> Document:
    if args.other:
        return merge(args.other)
    if split_modules(args):
        return open_document(args, modules=())
    base = new.meta.get("extends")
    if not isinstance(base, Scalar) or base.value is None:
        raise CannotRun(
            f"'{new.id}' extends nothing; name a second ruleset to compare it with, or a module with --with"
        )
    return merge(base.text)


def compare(old: Document, new: Document) -> list[Change]:
    """Every leaf that is not the same, in the order of the new document; what has gone comes last."""
    before, after = leaves(old), leaves(new)
    paths = [*after, *(path for path in before if path not in after)]
    values = [
        Change(path, before.get(path), after.get(path), _reason(new, path))
        for path in paths
        if before.get(path) != after.get(path)
    ]
    return [*values, *_moved(old, new)]


def _moved(old: Document, new: Document) -> Iterator[Change]:
    """Steps and options that both have, in another order."""
    before = _orders(old)
    for path, names in _orders(new).items():
        was = [name for name in before.get(path, ()) if name in names]
        now = [name for name in names if name in was]
        if was != now:
            yield Change(path, ", ".join(was), ", ".join(now), _reason(new, path))


def _orders(document: Document) -> dict[str, list[str]]:
    """The names in every map whose order a game can see."""
    names = {name: node.entries for name, node in document.sections.items() if name in ("phases", "windows")}
    paths = [f"phases.{name}" for name in names.get("phases", ())]
    paths += [f"windows.{name}.options" for name in names.get("windows", ())]
    found = {path: node_at(document, path) for path in paths}
    return {path: list(node.entries) for path, node in found.items() if isinstance(node, Mapping)}


def _reason(document: Document, path: str) -> str | None:
    reasons = [touch.because for touch in blame(document, path) if touch.because]
    return reasons[-1] if reasons else None


def leaves(document: Document) -> dict[str, str]:
    """Full path -> text of every value of the rules."""
    found: dict[str, str] = {}
    for name, section in document.sections.items():
        _gather(name, section, found)
    return found


def _gather(path: str, node: Node, found: dict[str, str]) -> None:
    match node:
        case Mapping(entries=entries) if entries:
            for name, entry in entries.items():
                _gather(f"{path}.{name}", entry.node, found)
        case Sequence(items=items) if items and not all(isinstance(item, Scalar) for item in items):
            for number, item in enumerate(items, start=1):
                _gather(f"{path}.{number}", item, found)
        case Sequence(items=items):
            found[path] = "[" + ", ".join(item.text for item in items if isinstance(item, Scalar)) + "]"
        case Scalar(text=text):
            found[path] = text.strip()
        case _:
            found[path] = "{}"


def _show(change: Change) -> str:
    head = f"\n{paint(change.path, 'bold')}" + (paint(f"  # {change.because}", "dim") if change.because else "")
    lines = [head]
    if change.old is not None:
        lines += [paint(f"  - {line}", "red") for line in change.old.split("\n")]
    if change.new is not None:
        lines += [paint(f"  + {line}", "green") for line in change.new.split("\n")]
    return "\n".join(lines)
