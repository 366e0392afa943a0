"""Statements that ask: typed blocks in, segments of Python between the decisions out.

A segment is a function that runs to the next decision, call or return and gives the number of the segment that follows;
negative numbers stand for decisions. What must survive a decision lives in cells of the state, never in Python.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from interpreter.checker import typed as t
from interpreter.checker.types import Num, SetOf, Thing
from interpreter.compiler import pyast as py
from interpreter.compiler.statements import Leaving, Statements
from interpreter.compiler.values import Env, Values
from interpreter.diagnostics import Span
from interpreter.dsl.vocabulary import MAX_ROUNDS

GAME_OVER = -1
SHORT = 5  # statements of a segment that is written out at every place that leads to it
LONG_LIST = 200  # members of a loop that asks, where nothing else bounds it


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
        self.addresses: list[ast.Constant] = []
        self.uses: Counter[int] = Counter()
        self.pinned: set[int] = set()  # segments that are entered from outside

    def open(self, at: Span) -> Segment:
        segment = Segment(len(self.made), at)
        self.made.append(segment)
        return segment

    def cells(self, count: int = 1) -> int:
        start = self.next_cell
        self.next_cell += count
        return start

    def address(self, number: int) -> ast.expr:
        """The number of a segment where code names it, so that it can be changed when segments are joined."""
        node = ast.Constant(number)
        self.addresses.append(node)
        return node

    def frame(self, params: int, at: Span) -> tuple[Frame, Segment]:
        entry = self.open(at)
        self.pinned.add(entry.number)
        return Frame(entry.number, tuple(self.cells() for _ in range(params)), self.cells()), entry


    # ------------------------------------------------------------ fewer, longer segments
    def join(self) -> None:
        """Skip segments that only pass on, and write short or unshared segments out where they are gone to."""
        known = {id(node): node for node in self.addresses}
        forward = {s.number: known[id(s.body[0].value)].value for s in self.made if _passes(s.body, known)}  # type: ignore[attr-defined]
        for node in self.addresses:
            seen: set[int] = set()
            while node.value in forward and node.value not in seen:
                seen.add(node.value)
                node.value = forward[node.value]
        self.uses = Counter(node.value for node in self.addresses)
        plain = {s.number: s.body for s in self.made}
        for segment in self.made:
            segment.body = self._expand(plain[segment.number], plain, segment.at.file, (segment.number,), known)

    def _expand(
        self, body: list[ast.stmt], plain: dict[int, list[ast.stmt]], file: str, way: tuple[int, ...], known: dict[int, ast.Constant]
    ) -> list[ast.stmt]:
        done: list[ast.stmt] = []
        for statement in body:
            match statement:
                case ast.Return(value=ast.Constant() as node) if id(node) in known and self._worth(node.value, file, way, plain):
                    done += self._expand(plain[node.value], plain, file, (*way, node.value), known)
                case ast.If(test=test, body=then, orelse=otherwise):
                    inner = [self._expand(part, plain, file, way, known) for part in (then, otherwise)]
                    again = ast.If(test, inner[0], inner[1])
                    done.append(ast.copy_location(again, statement) if hasattr(statement, "lineno") else again)
                case _:
                    done.append(statement)
        return done

    def _worth(self, number: int, file: str, way: tuple[int, ...], plain: dict[int, list[ast.stmt]]) -> bool:
        if number in way or len(way) > 12 or self.made[number].at.file != file or not plain[number]:
            return False
        alone = self.uses[number] == 1 and number not in self.pinned
        return alone or len(plain[number]) <= SHORT


def _passes(body: list[ast.stmt], known: dict[int, ast.Constant]) -> bool:
    return len(body) == 1 and isinstance(body[0], ast.Return) and id(body[0].value) in known


class Flow:
    """Builds the segments of one routine, option, reaction or window text."""

    def __init__(
        self,
        values: Values,
        segments: Segments,
        told: bool,
        leaving: dict[str, Leaving],
        asks: Callable[[t.Statement], bool],
        frame_of: Callable[[str, str], Frame],
    ) -> None:
        self.values = values
        self.segments = segments
        self.straight = Statements(values, told, leaving)
        self.leaving = leaving
        self.asks = asks
        self.frame_of = frame_of

    def run(self, block: t.Block, env: Env, here: Segment) -> Segment | None:
        """Append a block; the segment that is open afterwards, or None if the block always leaves."""
        env = dict(env)
        now: Segment | None = here
        for statement in block:
            if now is None:
                break
            now = self.step(statement, env, now)
        return now

    def step(self, statement: t.Statement, env: Env, here: Segment) -> Segment | None:
        if not self.asks(statement):
            return self.plain(statement, env, here)
        match statement:
            case t.Run(routine=name, args=args):
                return self.call(self.frame_of("routines", name), args, env, here, statement.at)
            case t.Ask(window=name, args=args):
                return self.call(self.frame_of("windows", name), args, env, here, statement.at)
            case t.Announce(moment=name, args=args):
                if self.straight.told:
                    silent = Statements(self.values, True, self.leaving)
                    here.body += _only_said(silent.announce(statement, env))
                return self.call(self.frame_of("moments", name), args, env, here, statement.at)
            case t.If():
                return self.condition(statement, env, here)
            case t.For():
                return self.loop(statement, env, here)
            case t.While():
                return self.while_(statement, env, here)
            case t.Repeat():
                return self.repeat(statement, env, here)
            case t.Leave(how=how):
                here.body += self.leaving[how]()
                return None
            case _:
                raise AssertionError(statement)

    def plain(self, statement: t.Statement, env: Env, here: Segment) -> Segment | None:
        if isinstance(statement, t.Let):
            if isinstance(statement.variable.type, SetOf):
                self.keep_list(statement, env, here)
                return here
            cell = self.segments.cells()
            value = self.straight.whole(statement.value, env)
            here.body.append(py.set_cell(py.number(cell), value))
            env[statement.variable] = lambda: py.cell(py.number(cell))
            return here
        here.body += self.straight.block((statement,), env)
        return None if isinstance(statement, t.Leave) else here

    def keep_list(self, statement: t.Let, env: Env, here: Segment) -> None:
        """A list that is named between decisions is kept in cells: its length, then its members."""
        room = self.room(statement.value)
        start = self.segments.cells(room + 1)
        members = self.values.emit(statement.value, env)
        site = ast.Constant(self.values.tables.site(statement.at))
        here.body.append(ast.Expr(py.call("keep", py.name("S"), py.number(start), py.number(room), members, site)))
        env[statement.variable] = lambda: py.call("kept", py.name("S"), py.number(start))

    def room(self, value: t.Value) -> int:
        match value:
            case t.Listing(items=items):
                return len(items)
            case _:
                assert isinstance(value.type, SetOf)
                item = value.type.item
                if isinstance(item, Thing):
                    return self.values.layout.size(item.kind)
                if isinstance(item, Num) and item.high - item.low < LONG_LIST:
                    return item.high - item.low + 1
                return LONG_LIST

    def call(self, frame: Frame, args: tuple[t.Value, ...], env: Env, here: Segment, at: Span) -> Segment:
        after = self.segments.open(at)
        given = [self.straight.whole(arg, env) for arg in args]
        for cell, arg in zip(frame.params, given, strict=True):
            here.body.append(py.set_cell(py.number(cell), arg))
        here.body.append(py.set_cell(py.number(frame.back), self.segments.address(after.number)))
        here.body.append(py.returned(self.segments.address(frame.entry)))
        return after

    def condition(self, statement: t.If, env: Env, here: Segment) -> Segment | None:
        after = self.segments.open(statement.at)
        arms: list[tuple[ast.expr | None, t.Block]] = [(self.values.emit(c, env), b) for c, b in statement.branches]
        arms.append((None, statement.otherwise))
        reached = False
        for test, body in arms:
            if not body:
                target: Segment | None = after
                number = after.number
                reached = True
            else:
                first = self.segments.open(body[0].at)
                number = first.number
                target = self.run(body, env, first)
                if target is not None:
                    target.body.append(py.returned(self.segments.address(after.number)))
                    reached = True
            go = py.returned(self.segments.address(number))
            here.body.append(go if test is None else py.if_(test, [go]))
        return after if reached else None

    # ------------------------------------------------------------ loops
    def loop(self, statement: t.For, env: Env, here: Segment) -> Segment:
        clause = statement.clause
        variable = self.segments.cells()
        inner: Env = {**env, clause.variable: lambda: py.cell(py.number(variable))}
        head, after = self.segments.open(statement.at), self.segments.open(statement.at)
        if isinstance(clause.source, t.Numbers) and clause.where is None and not clause.keys and not clause.random:
            last = self.segments.cells()
            low = py.binary(self.values.emit(clause.source.low, env), "-", py.number(1))
            here.body += [
                py.set_cell(py.number(variable), low),
                py.set_cell(py.number(last), self.values.emit(clause.source.high, env)),
            ]
            done = py.compare(py.cell(py.number(variable)), ">=", py.cell(py.number(last)))
            step = _count_up(variable)
            head.body += [py.if_(done, [py.returned(self.segments.address(after.number))]), step]
        else:
            room = self.room(t.Fold(clause.at, SetOf(clause.variable.type), "those", None, clause))  # type: ignore[arg-type]
            if isinstance(clause.source, t.Listing):
                room = len(clause.source.items)
            place, start = self.segments.cells(), self.segments.cells(room + 1)
            site = ast.Constant(self.values.tables.site(statement.at))
            members = self.values.clause(clause, env)
            here.body += self.keep_members(clause, start, room, members, site)
            here.body.append(py.set_cell(py.number(place), py.number(0)))
            done = py.compare(py.cell(py.number(place)), ">=", py.cell(py.number(start)))
            member = py.cell(py.binary(py.number(start), "+", py.cell(py.number(place))))
            head.body += [
                py.if_(done, [py.returned(self.segments.address(after.number))]),
                _count_up(place),
                py.set_cell(py.number(variable), member),
            ]
        here.body.append(py.returned(self.segments.address(head.number)))
        self.close_loop(self.run(statement.body, inner, head), head)
        return after

    def keep_members(
        self, clause: t.Clause, start: int, room: int, members: ast.expr, site: ast.expr
    ) -> list[ast.stmt]:
        """The members of a loop in cells; how many there are is often known."""
        whole = isinstance(clause.source, t.AllOf | t.Rotation | t.Listing)
        if not whole or clause.where is not None or clause.keys or clause.random:
            return [ast.Expr(py.call("keep", py.name("S"), py.number(start), py.number(room), members, site))]
        bounds = ast.Slice(py.number(start + 1), py.number(start + 1 + room), None)
        return [
            py.set_cell(py.number(start), py.number(room)),
            ast.Assign([ast.Subscript(py.name("S"), bounds, py.STORE)], members),
        ]

    def close_loop(self, end: Segment | None, head: Segment) -> None:
        if end is not None:
            end.body.append(py.returned(self.segments.address(head.number)))

    def while_(self, statement: t.While, env: Env, here: Segment) -> Segment:
        head, after = self.segments.open(statement.at), self.segments.open(statement.at)
        rounds = self.segments.cells()
        here.body += [py.set_cell(py.number(rounds), py.number(0)), py.returned(self.segments.address(head.number))]
        test = py.negate(self.values.emit(statement.condition, env))
        stuck = py.compare(py.cell(py.number(rounds)), ">", py.number(MAX_ROUNDS))
        site = ast.Constant(self.values.tables.site(statement.at))
        head.body += [
            py.if_(test, [py.returned(self.segments.address(after.number))]),
            _count_up(rounds),
            py.if_(stuck, [ast.Expr(py.call("endless", site))]),
        ]
        self.close_loop(self.run(statement.body, env, head), head)
        return after

    def repeat(self, statement: t.Repeat, env: Env, here: Segment) -> Segment:
        head, after = self.segments.open(statement.at), self.segments.open(statement.at)
        left = self.segments.cells()
        site = ast.Constant(self.values.tables.site(statement.at))
        times = py.call("len", py.call("span", py.number(1), self.values.emit(statement.times, env), site))
        here.body += [py.set_cell(py.number(left), times), py.returned(self.segments.address(head.number))]
        done = py.compare(py.cell(py.number(left)), "<=", py.number(0))
        fewer = py.set_cell(py.number(left), py.binary(py.cell(py.number(left)), "-", py.number(1)))
        head.body += [py.if_(done, [py.returned(self.segments.address(after.number))]), fewer]
        self.close_loop(self.run(statement.body, env, head), head)
        return after


def _count_up(cell: int) -> ast.stmt:
    return py.set_cell(py.number(cell), py.binary(py.cell(py.number(cell)), "+", py.number(1)))


def _only_said(nodes: list[ast.stmt]) -> list[ast.stmt]:
    """Of an announcement, what is told; the reactions follow as a call."""
    return [n for n in nodes if not _calls(n, "a_")]


def _calls(node: ast.stmt, prefix: str) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id.startswith(prefix)
    )
