"""RULESET and perhaps a path in, that part as it is after all layers out, as YAML or JSON."""

import argparse
import json

from interpreter.cli.arguments import add_ruleset
from interpreter.cli.documents import find_node, open_document
from interpreter.cli.terminal import counted, paint
from interpreter.diagnostics import Span
from interpreter.loader.document import Document
from interpreter.loader.reader import Entry, Mapping, Scalar, plain
from interpreter.views.yaml_text import write_yaml

EXAMPLES = """examples:
  cromford show my_game                    an overview
  cromford show my_game constants          one section
  cromford show my_game windows.turn       one entry
  cromford show my_game --all > merged.yaml"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_ruleset(parser)
    parser.add_argument("path", metavar="PATH", nargs="?", help="a section, or a path such as windows.turn")
    parser.add_argument("--all", action="store_true", help="every section")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    document = open_document(args)
    if args.path:
        _, node = find_node(document, args.path)
        print(json.dumps(plain(node), indent=2, ensure_ascii=False) if args.json else write_yaml(node))
    elif args.json:
        whole = {**document.meta, **document.sections}
        print(json.dumps({key: plain(node) for key, node in whole.items()}, indent=2, ensure_ascii=False))
    elif args.all:
        print(_whole(document))
    else:
        print(_overview(document))
    return 0


def _whole(document: Document) -> str:
    nodes = {**document.meta, **document.sections}
    entries = {name: Entry(Scalar(name, name, node.span), node) for name, node in nodes.items()}
    return write_yaml(Mapping(entries, Span(document.main, 1, 1, 1, 1)))


def _overview(document: Document) -> str:
    lines = [f"{paint(document.id, 'bold')}: layers {' -> '.join(document.layers)}"]
    for name, node in document.meta.items():
        lines.append(
            f"  {name}: {write_yaml(node) if isinstance(node, Scalar) else json.dumps(plain(node), ensure_ascii=False)}"
        )
    lines.append("")
    for name, section in document.sections.items():
        names = list(section.entries)
        shown = ", ".join(names[:10]) + (f" … ({len(names)})" if len(names) > 10 else "")
        lines.append(f"{paint(name, 'cyan')}: {shown}")
    lines += ["", f"{counted(len(document.files), 'file')}. One part: cromford show {document.id} SECTION[.NAME]"]
    return "\n".join(lines)
