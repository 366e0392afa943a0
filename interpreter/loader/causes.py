"""Findings in files the author did not write in, the same findings out, each with the author's patch that led to it."""

import re
from collections.abc import Iterator
from dataclasses import replace

from interpreter.diagnostics import Finding, Report, Sources, Span
from interpreter.loader.document import Document
from interpreter.loader.reader import Mapping

_UNUSED = ("F103", "F107")


def name_causes(document: Document, report: Report, sources: Sources) -> None:
    """A variant that breaks its base is told so in the base; say what to do about it in the variant."""
    inherited = document.inherited_files
    if any(finding.span.file in inherited for finding in report.findings):
        keys = {span: path for section, node in document.sections.items() for span, path in _keys(node, section)}
        report.revise(lambda one: _with_cause(one, document, sources, keys) if one.span.file in inherited else one)


def _with_cause(finding: Finding, document: Document, sources: Sources, keys: dict[Span, str]) -> Finding:
    path = keys.get(finding.span) if finding.code in _UNUSED else None
    if path is not None:
        hint = (finding.hint or "").removesuffix(", or remove it")
        return replace(finding, hint=f"{hint}, or remove it with a patch: '- remove: {path}'")
    line = sources.line(finding.span.file, finding.span.line)
    name = re.match(r"\w+", line[finding.span.col - 1 :])
    causes = tuple(_changes_of(name[0], document)) if name and not finding.related else ()
    return replace(finding, related=causes) if causes else finding


def _changes_of(name: str, document: Document) -> Iterator[tuple[Span, str]]:
    """The patches of this ruleset and its modules on the entry of that name."""
    for path, history in document.touched.items():
        if name in path.split(".")[1:3]:
            for touch in history:
                if touch.because is not None and touch.layer in (document.id, *document.modules):
                    yield touch.span, f"'{path}' was changed here"


def _keys(node: Mapping, path: str) -> Iterator[tuple[Span, str]]:
    for name, entry in node.entries.items():
        below = f"{path}.{name.partition('(')[0]}"
        yield entry.key.span, below
        if isinstance(entry.node, Mapping):
            yield from _keys(entry.node, below)
