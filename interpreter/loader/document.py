"""The merged ruleset as one value: what the layer algebra makes and every later stage reads."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from interpreter.diagnostics import Report, Sources, Span
from interpreter.loader.reader import Mapping, Node, Scalar, Sequence, read_file
from interpreter.records import dataclass

Letters = dict[str, list[Scalar]]
"""Kind -> the letters that stand for one of it."""


class Touch(NamedTuple):
    """Who made something what it is: a definition has no reason, a patch has one."""

    layer: str
    span: Span
    because: str | None


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """One file as it was read: `kind` is rules, text or sources."""

    layer: str
    kind: str
    file: str
    node: Mapping


@dataclass(frozen=True, slots=True)
class Document:
    """Base, layers, own files and chosen modules as one; every node keeps the place it came from."""

    id: str
    main: str
    """ruleset.yaml of this ruleset, as its spans name it"""
    meta: dict[str, Node]
    sections: dict[str, Mapping]
    letters: dict[str, Letters]
    """file -> the letters that hold in it, inherited ones included"""
    text: dict[str, Mapping]
    catalogues: dict[str, Path]
    """file -> path of the catalogues of rules, which are read only when asked for"""
    parsed: tuple[ParsedFile, ...]
    files: tuple[Path, ...]
    folders: tuple[Path, ...]
    layers: tuple[str, ...]
    """ids of everything applied, in order"""
    modules: tuple[str, ...]
    """ids of the chosen modules"""
    owners: dict[str, str]
    """file -> id of the layer it belongs to"""
    touched: dict[str, list[Touch]]
    """path -> its history: where it was defined, then each patch"""

    @property
    def inherited_files(self) -> frozenset[str]:
        """The files that neither this ruleset nor a chosen module has brought."""
        return frozenset(file for file, owner in self.owners.items() if owner not in (self.id, *self.modules))

    @property
    def sources_files(self) -> dict[str, Mapping]:
        """What is known about the rules but is none: sources.yaml of every layer, and the catalogues."""
        known = {file.file: file.node for file in self.parsed if file.kind == "sources"}
        return {**known, **read_catalogues(self, Report(), Sources())}


def read_catalogues(document: Document, report: Report, sources: Sources) -> dict[str, Mapping]:
    """The catalogues of all layers; they are long, and no rule depends on them."""
    read = {file: read_file(path, file, report, sources) for file, path in document.catalogues.items()}
    return {file: node for file, node in read.items() if isinstance(node, Mapping)}


def node_at(document: Document, path: str) -> Node | None:
    """What stands at a full path such as `constants.NAME.is`."""
    first, *rest = path.split(".")
    node: Node | None = document.sections.get(first, document.meta.get(first))
    for part in rest:
        match node:
            case Mapping(entries=entries):
                entry = entries.get(part)
                node = None if entry is None else entry.node
            case Sequence(items=items) if part.isdecimal() and 1 <= int(part) <= len(items):
                node = items[int(part) - 1]
            case _:
                return None
    return node


def added_later(document: Document, section: str, name: str, part: str, inner: str) -> bool:
    """Whether another layer than the one that made an entry has added this to one of its parts."""
    entry = document.sections[section].entries.get(name) if section in document.sections else None
    node = entry.node.entries.get(part) if entry is not None and isinstance(entry.node, Mapping) else None
    found = node.node.entries.get(inner) if node is not None and isinstance(node.node, Mapping) else None
    if entry is None or found is None:
        return False
    return document.owners.get(found.key.span.file) != document.owners.get(entry.key.span.file)


def blame(document: Document, path: str) -> list[Touch]:
    """Who made what stands at a path: its definition, then every patch on it, above it and below it."""
    touches: dict[Touch, None] = {}
    node = node_at(document, path)
    history = document.touched.get(path, [])
    if node is not None and not history:
        touches[Touch(document.owners.get(node.span.file, document.id), node.span, None)] = None
    for touched, steps in document.touched.items():
        if f"{touched}.".startswith(f"{path}.") or f"{path}.".startswith(f"{touched}."):
            touches.update(dict.fromkeys(steps))
    return list(touches)
