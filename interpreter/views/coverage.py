"""A merged document, scenarios and tests in; which rules of the catalogue are said in YAML and shown by a test out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.diagnostics import Report, Sources, Span
from interpreter.loader.document import Document
from interpreter.loader.reader import Mapping, Node, Scalar, Sequence
from interpreter.runtime.scenario import read_scenarios


@dataclass(slots=True)
class Rule:
    """One rule of the catalogue and everywhere it is cited."""

    id: str
    text: str
    source: str
    reading: str
    elsewhere: str  # why it has no YAML of its own, if sources.yaml says so
    yaml: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Assumed:
    """A value that could not be read from the book."""

    path: str
    value: str
    reason: str
    span: Span


@dataclass(frozen=True, slots=True)
class Coverage:
    edition: str | None
    rules: dict[str, Rule]
    unknown: dict[str, list[str]]  # ids that are cited but stand in no catalogue

    def without_yaml(self) -> list[str]:
        return [rule.id for rule in self.rules.values() if not rule.yaml and not rule.elsewhere]

    def without_test(self) -> list[str]:
        return [rule.id for rule in self.rules.values() if not rule.tests]


def measure_coverage(document: Document, test_folders: list[Path]) -> Coverage:
    """Every rule of the ruleset's edition with the places that cite it."""
    catalogue = _entries(document, "catalogue")
    edition_node = document.meta.get("edition")
    edition = edition_node.text if isinstance(edition_node, Scalar) else None
    elsewhere = {
        key: _text(node, "because") or _plain_text(node) for key, node in _entries(document, "elsewhere").items()
    }
    rules = {
        id_: Rule(id_, _text(node, "rule"), _text(node, "source"), _text(node, "reading"), elsewhere.get(id_, ""))
        for id_, node in catalogue.items()
        if (edition is None or edition in _words(node, "editions"))
        and _text(node, "module") in ("", *document.layers, *document.modules)
    }
    unknown: dict[str, list[str]] = {}
    for id_, span in cited(document):
        place = f"{span.file}:{span.line}"
        if id_ in rules:
            rules[id_].yaml.append(place)
        elif id_ not in catalogue:
            unknown.setdefault(id_, []).append(place)
    for id_, place in _cited_by_tests(document.id, test_folders, catalogue):
        if id_ in rules:
            rules[id_].tests.append(place)
        elif id_ not in catalogue:
            unknown.setdefault(id_, []).append(place)
    return Coverage(edition, rules, unknown)


def cited(document: Document) -> Iterator[tuple[str, Span]]:
    """Every rule id under a `ref` of the merged rules or of a patch, and where it stands."""
    for section in document.sections.values():
        yield from _cited_in(section)
    for file in document.parsed:
        patches = file.node.entries.get("patches") if file.kind == "rules" else None
        for patch in patches.node.items if patches is not None and isinstance(patches.node, Sequence) else ():
            own = patch.entries.get("ref") if isinstance(patch, Mapping) else None
            if own is not None:
                yield from ((scalar.text, scalar.span) for scalar in _scalars(own.node))


def _cited_in(node: Node) -> Iterator[tuple[str, Span]]:
    match node:
        case Mapping(entries=entries):
            for key, entry in entries.items():
                if key == "ref":
                    yield from ((scalar.text, scalar.span) for scalar in _scalars(entry.node))
                else:
                    yield from _cited_in(entry.node)
        case Sequence(items=items):
            for item in items:
                yield from _cited_in(item)


def assumed_values(document: Document) -> list[Assumed]:
    """Every part of the rules that carries `assumed`, with its reason."""
    found: list[Assumed] = []
    for name, section in document.sections.items():
        _find_assumed(name, section, found)
    return found


def _find_assumed(path: str, node: Node, found: list[Assumed]) -> None:
    if not isinstance(node, Mapping):
        return
    for key, entry in node.entries.items():
        if key == "assumed" and isinstance(entry.node, Scalar):
            value = node.entries["is"].node if "is" in node.entries else None
            found.append(Assumed(path, _plain_text(value), entry.node.text.strip(), entry.key.span))
        else:
            _find_assumed(f"{path}.{key}", entry.node, found)


def _cited_by_tests(ruleset: str, folders: list[Path], catalogue: dict[str, Node]) -> Iterator[tuple[str, str]]:
    """Scenarios of this ruleset by their `ref`; test code by any id of the catalogue that it mentions."""
    for folder in folders:
        for path in sorted(folder.rglob("*.yaml")):
            if "scenarios" in path.parts:
                for scenario in read_scenarios(path, Report(), Sources()):
                    if scenario.ruleset == ruleset:
                        yield from ((id_, f"{path}:{scenario.span.line}") for id_ in scenario.refs)
        for path in sorted(folder.rglob("test_*.py")):
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
                for word in re.findall(r"[A-Z][A-Z0-9]+(?:-[A-Z0-9]+)+", line):
                    if word in catalogue:
                        yield word, f"{path}:{number}"


def _entries(document: Document, section: str) -> dict[str, Node]:
    """The entries of one section over all catalogue and sources files."""
    found: dict[str, Node] = {}
    for mapping in document.sources_files.values():
        entry = mapping.entries.get(section)
        if entry is not None and isinstance(entry.node, Mapping):
            found.update({key: inner.node for key, inner in entry.node.entries.items()})
    return found


def _text(node: Node, key: str) -> str:
    entry = node.entries.get(key) if isinstance(node, Mapping) else None
    return _plain_text(entry.node) if entry is not None else ""


def _words(node: Node, key: str) -> list[str]:
    entry = node.entries.get(key) if isinstance(node, Mapping) else None
    return [scalar.text for scalar in _scalars(entry.node)] if entry is not None else []


def _scalars(node: Node) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []


def _plain_text(node: Node | None) -> str:
    match node:
        case Scalar(text=text):
            return text.strip()
        case Sequence(items=items):
            return "[" + ", ".join(_plain_text(item) for item in items) + "]"
        case Mapping(entries=entries):
            return "{" + ", ".join(f"{key}: {_plain_text(entry.node)}" for key, entry in entries.items()) + "}"
        case _:
            return ""
