"""Nodes of a YAML document: plain values that know the place they came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value: `value` is what it means, `text` what the rule language reads."""

    value: str | int | bool | None
    text: str
    span: Span
    block: bool = False
    quoted: bool = False
    flow: bool = False
    indent: int = 0
    """(blocks) how many spaces stand before every line"""
    columns: tuple[int, ...] = ()
    """(quoted with escapes) the column of every character and of the end"""

    def locate(self, offset: int) -> tuple[int, int]:
        """Line and column, in the file, of the offset-th character of `text`."""
        offset = max(0, min(offset, len(self.text)))
        if self.block:
            offset = min(offset, len(self.text.rstrip("\n")))
            start = self.text.rfind("\n", 0, offset) + 1
            return self.span.line + 1 + self.text.count("\n", 0, offset), self.indent + offset - start + 1
        if self.columns:
            return self.span.line, self.columns[offset]
        return self.span.line, self.span.col + offset + (1 if self.quoted else 0)


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and what stands under it; the key keeps the letters that its name in the map has lost."""

    key: Scalar
    node: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    entries: dict[str, Entry]
    span: Span
    flow: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[Node, ...]
    span: Span
    flow: bool = False


Node = Scalar | Mapping | Sequence


def plain(node: Node) -> Any:
    """The same as dicts, lists and values."""
    match node:
        case Scalar(value=value):
            return value
        case Mapping(entries=entries):
            return {name: plain(entry.node) for name, entry in entries.items()}
        case Sequence(items=items):
            return [plain(item) for item in items]
