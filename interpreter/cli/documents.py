"""Command-line words in, a merged document out: for commands that read a ruleset without playing it."""

import argparse
from pathlib import Path

from interpreter.cli.arguments import split_modules
from interpreter.cli.terminal import CannotRun
from interpreter.diagnostics import Report, RulesetInvalid, Sources, Span, did_you_mean
from interpreter.loader.document import Document, node_at
from interpreter.loader.library import find_ruleset
from interpreter.loader.merge import merge_ruleset
from interpreter.loader.paths import Place, find_place, split_path
from interpreter.loader.reader import Entry, Mapping, Node, Scalar


def open_document(args: argparse.Namespace, modules: tuple[str, ...] | None = None) -> Document:
    """The merged document of the ruleset the user named; its mistakes are raised as one."""
    return merge(args.ruleset, split_modules(args) if modules is None else modules)


def merge(name: str | Path, modules: tuple[str, ...] = ()) -> Document:
    report, sources = Report(), Sources()
    document = merge_ruleset(find_ruleset(name), modules, report, sources, None)
    if document is None or not report.ok:
        raise RulesetInvalid(report, sources)
    return document


def find_node(document: Document, path: str) -> tuple[str, Node]:
    """The full path and the node a user means by a path, read as a patch reads it."""
    span = Span(document.main, 1, 1, 1, 1)
    entries = {name: Entry(Scalar(name, name, span), node) for name, node in document.sections.items()}
    found = find_place(Mapping(entries, span), split_path(path))
    if isinstance(found, Place):
        return found.path, found.node
    parts = path.split(".")
    components = document.sections.get("components")
    if parts[0] not in document.sections and components is not None and parts[0] in components.entries:
        parts = ["components", *parts]
    node = node_at(document, path)
    if node is None:
        raise CannotRun(f"'{document.id}' has nothing at '{path}'{_nearest(document, parts)}")
    return path, node


def _nearest(document: Document, parts: list[str]) -> str:
    """What there is at the first part of the path that does not exist."""
    names, before = [*document.sections, *document.meta], ""
    for part in parts:
        if part not in names:
            hint = did_you_mean(part, names)
            place = f" under '{before}'" if before else ""
            some = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
            return f"; {hint}" if hint else f"; there is{place}: {some or 'nothing'}"
        before = f"{before}.{part}" if before else part
        node = document.sections.get(before) or node_at(document, before)
        names = list(node.entries) if isinstance(node, Mapping) else []
    return ""
