"""Nodes of a YAML document: plain values that know the place they came from."""

from __future__ import annotations

from typing import Any

from interpreter.diagnostics import Span
from interpreter.records import dataclass


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
    pieces: tuple[Piece, ...] = ()
    """(put together by patches) the texts it is made of"""

    def locate(self, offset: int) -> tuple[int, int]:
        """Line and column, in the file, of the offset-th character of `text`."""
        offset = max(0, min(offset, len(self.text)))
        if self.pieces:
            piece = self._piece_at(offset)
            return piece.source.locate(piece.at + offset - piece.start)
        if self.block:
            offset = min(offset, len(self.text.rstrip("\n")))
            start = self.text.rfind("\n", 0, offset) + 1
            return self.span.line + 1 + self.text.count("\n", 0, offset), self.indent + offset - start + 1
        if self.columns:
            return self.span.line, self.columns[offset]
        return self.span.line, self.span.col + offset + (1 if self.quoted else 0)

    def file_at(self, offset: int) -> str:
        """The file in which the offset-th character of `text` was written."""
        return self._piece_at(offset).source.span.file if self.pieces else self.span.file

    def _piece_at(self, offset: int) -> Piece:
        return next((piece for piece in reversed(self.pieces) if piece.start <= offset), self.pieces[0])


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text: from `start` on it is what `source` says from `at` on."""

    start: int
    source: Scalar
    at: int


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
