"""Line breaks and indentation of rule text: raw tokens in, tokens with blocks marked out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Token = Any  # a word of the text with its `type` and place, whoever has read it

OPENERS = frozenset({"LPAR", "LSQB"})
CLOSERS = frozenset({"RPAR", "RSQB"})
# A line that ends with one of these, or begins with one, belongs to its neighbour.
JOINERS = frozenset(
    {
        "AND",
        "OR",
        "PLUS",
        "MINUS",
        "TIMES",
        "SLASH",
        "MOD",
        "IS",
        "IN",
        "COMPARE",
        "WHERE",
        "BY",
        "BY_RANDOM",
        "ROUNDED",
    }
)
ENDINGS = (JOINERS - {"ROUNDED", "BY_RANDOM"}) | {"COMMA", "NOT", "ASSIGN"}
FORMULA_STARTS = JOINERS | {"IF", "ELSE"}  # in a formula no statement can begin with these


class Layout:
    """What runs after a lexer. `blocks` is set before each parse: only statements have indentation.

    `mark` makes a token of a type and a text: at the place of another one, or, if there is no text, right behind it.
    """

    always_accept = ("_NL",)

    def __init__(self, mark: Callable[[str, str | None, Token], Token], blocks: bool = False) -> None:
        self.mark = mark
        self.blocks = blocks

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        depth = 0
        levels: list[int] = []
        pending: Token | None = None
        last: Token | None = None
        moving = False
        starts = JOINERS if self.blocks else FORMULA_STARTS
        for token in stream:
            if token.type == "_NL":
                if depth == 0:
                    pending = token
                continue
            if pending is not None:
                if not (token.type in starts or (last is not None and last.type in ENDINGS)):
                    yield from self.break_line(pending, levels, first=last is None)
                    moving = False
                pending = None
            elif last is None and self.blocks:
                levels.append(token.start_pos + 1)
            if token.type in OPENERS:
                depth += 1
            elif token.type in CLOSERS:
                depth = max(0, depth - 1)
            elif token.type == "MOVE":
                moving = True
            elif token.type == "FROM" and moving and depth == 0:
                token = self.mark("MOVE_FROM", str(token), token)
                moving = False
            yield token
            last = token
        if last is not None:
            for kind in ["_NL"] + ["_DEDENT"] * len(levels[1:]):
                yield self.mark(kind, None, last)

    def break_line(self, line: Token, levels: list[int], first: bool) -> Iterator[Token]:
        column = len(line) - line.rfind("\n")
        if first:
            levels.append(column)
            return
        yield line
        if not self.blocks:
            return
        if column > levels[-1]:
            levels.append(column)
            yield self.mark("_INDENT", "", line)
            return
        while len(levels) > 1 and column < levels[-1]:
            levels.pop()
            yield self.mark("_DEDENT", "", line)
        if column != levels[-1]:
            # An indentation that matches no open block cannot be right: let the grammar refuse it.
            yield self.mark("_INDENT", "", line)
