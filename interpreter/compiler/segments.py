"""Segments and the cells that survive a decision: made one by one in, joined into as few as possible out."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass, field

from interpreter.compiler import pyast as py
from interpreter.diagnostics import Span

GAME_OVER = -1
SHORT = 5  # statements of a segment that is written out at every place that leads to it
DEEP = 12  # segments that are written out one inside the other


def decision(window: int) -> int:
    return -2 - window


@dataclass(slots=True)
class Segment:
    number: int
    at: Span
    body: list[ast.stmt] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a routine that asks keeps its parameters and whence it was called."""

    entry: int
    params: tuple[int, ...]
    back: int


class Segments:
    """All segments and frame cells of a program."""

    def __init__(self, first_cell: int) -> None:
        self.made: list[Segment] = []
        self.next_cell = first_cell
        self.pinned: set[int] = set()  # segments that are entered from outside
        self._addresses: dict[int, ast.Constant] = {}  # identity of a node -> the node
        self._uses: Counter[int] = Counter()

    def open(self, at: Span) -> Segment:
        segment = Segment(len(self.made), at)
        self.made.append(segment)
        return segment

    def follow(self, count: int, next_cell: int) -> None:
        """Go on after the segments and cells of a program that was compiled before."""
        nowhere = Span("", 1, 1, 1, 1)
        self.made += [Segment(number, nowhere) for number in range(len(self.made), count)]
        self.next_cell = next_cell

    def cells(self, count: int = 1) -> int:
        start = self.next_cell
        self.next_cell += count
        return start

    def address(self, number: int) -> ast.expr:
        """The number of a segment where code names it, so that it can be changed when segments are joined."""
        node = ast.Constant(number)
        self._addresses[id(node)] = node
        return node

    def frame(self, params: int, at: Span) -> tuple[Frame, Segment]:
        entry = self.open(at)
        self.pinned.add(entry.number)
        return Frame(entry.number, tuple(self.cells() for _ in range(params)), self.cells()), entry

    # ------------------------------------------------------------ fewer, longer segments
    def join(self) -> None:
        """Skip segments that only pass on, and write short or unshared segments out where they are gone to."""
        forward = {
            s.number: goal for s in self.made if len(s.body) == 1 and (goal := self._goal(s.body[0])) is not None
        }
        for node in self._addresses.values():
            seen: set[int] = set()
            while (number := _number(node)) in forward and number not in seen:
                seen.add(number)
                node.value = forward[number]
        self._uses = Counter(_number(node) for node in self._addresses.values())
        plain = {s.number: s.body for s in self.made}
        for segment in self.made:
            segment.body = self._expand(plain[segment.number], plain, segment.at.file, (segment.number,))

    def _goal(self, statement: ast.stmt) -> int | None:
        """The segment a statement goes to, if that is all it does."""
        if isinstance(statement, ast.Return) and id(statement.value) in self._addresses:
            return _number(self._addresses[id(statement.value)])
        return None

    def _expand(
        self, body: list[ast.stmt], plain: dict[int, list[ast.stmt]], file: str, way: tuple[int, ...]
    ) -> list[ast.stmt]:
        done: list[ast.stmt] = []
        for statement in body:
            goal = self._goal(statement)
            if goal is not None and self._worth(goal, file, way, plain):
                done += self._expand(plain[goal], plain, file, (*way, goal))
            elif isinstance(statement, ast.If):
                then, otherwise = (self._expand(part, plain, file, way) for part in (statement.body, statement.orelse))
                again = ast.If(statement.test, then, otherwise)
                done.append(ast.copy_location(again, statement) if hasattr(statement, "lineno") else again)
            else:
                done.append(statement)
        return done

    def _worth(self, number: int, file: str, way: tuple[int, ...], plain: dict[int, list[ast.stmt]]) -> bool:
        if number in way or len(way) > DEEP or not plain[number]:
            return False
        if self.made[number].at.file != file and not all(py.needs_no_place(s) for s in plain[number]):
            return False
        alone = self._uses[number] == 1 and number not in self.pinned
        return alone or len(plain[number]) <= SHORT


def _number(node: ast.Constant) -> int:
    assert isinstance(node.value, int)
    return node.value


def count_up(cell: int) -> ast.stmt:
    return py.set_cell(py.number(cell), py.binary(py.cell(py.number(cell)), "+", py.number(1)))
