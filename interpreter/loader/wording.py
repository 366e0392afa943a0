"""Rule texts in, the text made of them out; every part of it still knows where it was written."""

from __future__ import annotations

import re

from interpreter.loader.tree import Piece, Scalar


def edited(old: Scalar, wanted: Scalar, new: Scalar) -> Scalar | int:
    """The text with other words in one place; or how often the wanted words stand in it, if that is not once."""
    matches = list(_pattern(wanted.text).finditer(old.text))
    if len(matches) != 1:
        return len(matches)
    start, end = matches[0].span()
    line = old.text[old.text.rfind("\n", 0, start) + 1 : start]
    indent = line[: len(line) - len(line.lstrip())]
    return _compose(_cut(old, 0, start), _indented(new, indent), _cut(old, end, len(old.text)))


def joined(first: Scalar, second: Scalar) -> Scalar:
    """The statements of one text, then those of another."""
    return _compose(
        _cut(first, 0, len(first.text.rstrip())),
        [("\n", Piece(0, first, len(first.text)))],
        [(second.text, Piece(0, second, 0))],
    )


def _pattern(words: str) -> re.Pattern[str]:
    """These words, however they are spaced, and no part of a longer word."""
    parts = words.split()
    text = r"\s+".join(re.escape(part) for part in parts)
    begins, ends = (
        r"(?<!\w)" if parts and parts[0][0].isalnum() else "",
        r"(?!\w)" if parts and parts[-1][-1].isalnum() else "",
    )
    return re.compile(f"{begins}{text}{ends}")


Part = tuple[str, Piece]


def _cut(scalar: Scalar, start: int, end: int) -> list[Part]:
    """A stretch of a text, which may have been put together before."""
    pieces = scalar.pieces or (Piece(0, scalar, 0),)
    ends = [piece.start for piece in pieces[1:]] + [len(scalar.text)]
    parts = []
    for piece, stop in zip(pieces, ends, strict=True):
        low, high = max(start, piece.start), min(end, stop)
        if low < high:
            parts.append((scalar.text[low:high], Piece(0, piece.source, piece.at + low - piece.start)))
    return parts


def _indented(scalar: Scalar, indent: str) -> list[Part]:
    """Each line of it, those after the first one as far in as the place where it goes."""
    parts: list[Part] = []
    at = 0
    for number, line in enumerate(scalar.text.rstrip("\n").split("\n")):
        if number:
            parts.append((f"\n{indent}", Piece(0, scalar, at)))
        parts.append((line, Piece(0, scalar, at)))
        at += len(line) + 1
    return parts


def _compose(*groups: list[Part]) -> Scalar:
    text, pieces = "", []
    for part, piece in (item for group in groups for item in group):
        pieces.append(Piece(len(text), piece.source, piece.at))
        text += part
    span = pieces[0].source.span if pieces else None
    assert span is not None
    return Scalar(text, text, span, pieces=tuple(pieces))
