"""RULESET and perhaps a path in, the layer, file and line each part comes from out, with the reason of every patch."""

import argparse
import json
from typing import Any

from interpreter.cli.arguments import add_ruleset
from interpreter.cli.documents import find_node, open_document
from interpreter.cli.terminal import paint, width
from interpreter.loader.document import Document, Touch, blame
from interpreter.loader.reader import Mapping
from interpreter.views.tables import Table, draw_table

EXAMPLES = """examples:
  cromford blame my_game                   every entry
  cromford blame my_game constants.most    one value, with its history"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_ruleset(parser)
    parser.add_argument("path", metavar="PATH", nargs="?", help="a section or a path such as constants.most")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    document = open_document(args)
    entries = {path: blame(document, path) for path in _paths(document, args.path)}
    if args.json:
        print(
            json.dumps(
                {path: [_data(touch) for touch in touches] for path, touches in entries.items()},
                indent=2,
                ensure_ascii=False,
            )
        )
        return 0
    rows = [row for path, touches in entries.items() for row in _rows(path, touches)]
    print(draw_table(Table("", ("part", "layer", "place", "because"), tuple(rows)), max(width(), 200), paint))
    return 0


def _rows(path: str, touches: list[Touch]) -> list[tuple[str, str, str, str]]:
    """One row for each line that made the part what it is; the path stands in the first."""
    places = dict.fromkeys(
        (touch.layer, f"{touch.span.file}:{touch.span.line}", touch.because or "") for touch in touches
    )
    return [(path if index == 0 else "", *place) for index, place in enumerate(places)]


def _paths(document: Document, path: str | None) -> list[str]:
    """The entries of the whole, of a section, of the things of one kind, or the one path itself."""
    if path is not None:
        full, node = find_node(document, path)
        section, _, kind = full.partition(".")
        if section == "components" and kind and "." not in kind and isinstance(node, Mapping):
            return [f"{full}.{thing}" for thing in node.entries]
        if full not in document.sections:
            return [full]
        assert isinstance(node, Mapping)
        return _entries(full, node)
    return [entry for name, section in document.sections.items() for entry in _entries(name, section)]


def _entries(section: str, node: Mapping) -> list[str]:
    names = []
    for name, entry in node.entries.items():
        if section == "components" and isinstance(entry.node, Mapping):
            names += [f"{section}.{name}.{thing}" for thing in entry.node.entries]
        else:
            names.append(f"{section}.{name}")
    return names


def _data(touch: Touch) -> dict[str, Any]:
    return {"layer": touch.layer, "file": touch.span.file, "line": touch.span.line, "because": touch.because}
