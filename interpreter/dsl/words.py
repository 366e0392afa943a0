"""Rule text in, its words out, each a piece of the text that knows its type and its place; and branches of words."""

from __future__ import annotations

import re
from typing import Any

from interpreter.dsl.layout import Layout

_TOKENS = re.compile(
    r"(?P<skip>[ \t]+|#[^\n]*)"
    r"|(?P<_NL>(?:\r?\n[ \t]*(?:#[^\n]*)?)+)"
    r"|(?P<BY_RANDOM>by[ \t]+random(?![a-z0-9_]))"
    r"|(?P<SEEN_WHEN>seen[ \t]+when(?![a-z0-9_]))"
    r"|(?P<ROUNDED>rounded[ \t]+(?:up|down)(?![a-z0-9_]))"
    r"|(?P<MOVE>move(?:[ \t]+up[ \t]+to)?(?![a-z0-9_]))"
    r"|(?P<NAME>[a-z][a-z0-9_]*)"
    r"|(?P<NUMBER>[0-9]+)"
    r"|(?P<ASSIGN>\+=|-=|=)"
    r"|(?P<COMPARE><=|>=|<|>)"
    r"|(?P<DOTS>\.\.)"
    r"|(?P<sign>[-+*/()\[\],.])"
)
_SIGNS = {
    "+": "PLUS", "-": "MINUS", "*": "TIMES", "/": "SLASH", "(": "LPAR", ")": "RPAR", "[": "LSQB", "]": "RSQB",
    ",": "COMMA", ".": "DOT",
}  # fmt: skip
NAMES = frozenset(
    {"NAME", "AT", "ON", "MODIFY", "FORBID", "WHEN", "CLAMPED", "STARTING", "DURING", "TABLE", "HIGHEST", "LOWEST"}
)
_WORDS = (
    "or", "none", "if", "else", "and", "not", "in", "by", "for", "option", "from", "let", "then", "do", "while",
    "repeat", "to", "clear", "announce", "ask", "modify", "on", "forbid", "at", "when", "where", "clamped",
    "starting", "during", "table", "highest", "lowest", "of", "is", "true", "false", "mod",
)  # fmt: skip
KEYWORDS = {word: word.upper() for word in _WORDS}


Tree = Any  # a Branch or a Word


class Unread(Exception):
    """The text is not right, or too deep."""


class Word(str):
    __slots__ = ("end_pos", "start_pos", "type")
    type: str
    start_pos: int
    end_pos: int


def word(type_: str, text: str, start: int, end: int) -> Word:
    made = Word(text)
    made.type, made.start_pos, made.end_pos = type_, start, end
    return made


def mark(type_: str, text: str | None, place: Word) -> Word:
    if text is None:
        return word(type_, "", place.end_pos, place.end_pos)
    return word(type_, text, place.start_pos, place.end_pos)


class Branch:
    """Part of a tree; `outer` is its place with the parentheses around it, which those above it count from."""

    __slots__ = ("children", "data", "end_pos", "outer_end", "outer_start", "start_pos")

    def __init__(self, data: str, children: list[Tree], first: Tree, last: Tree) -> None:
        self.data, self.children = data, children
        self.start_pos = self.outer_start = first.start_pos if isinstance(first, Word) else first.outer_start
        self.end_pos = self.outer_end = last.end_pos if isinstance(last, Word) else last.outer_end


def words_of(text: str, blocks: bool) -> list[Word]:
    """All words with line breaks and, for statements, blocks marked."""
    return list(Layout(mark, blocks).process(iter(_words(text))))


def _words(text: str) -> list[Word]:
    found = []
    place, size = 0, len(text)
    while place < size:
        match = _TOKENS.match(text, place)
        if match is None:
            raise Unread
        kind, end = match.lastgroup or "", match.end()
        if kind != "skip":
            piece = match[0]
            if kind == "NAME":
                kind = KEYWORDS.get(piece, kind)
            elif kind == "sign":
                kind = _SIGNS[piece]
            found.append(word(kind, piece, place, end))
        place = end
    return found
