"""Statements that ask: typed blocks in, segments of Python between the decisions out.

A segment is a function that runs to the next decision, call or return and gives the number of the segment that follows;
negative numbers stand for decisions. What must survive a decision lives in cells of the state, never in Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from interpreter.checker import typed as t
from interpreter.checker.types import Num, SetOf, Thing
from interpreter.compiler import pyast as py
from interpreter.compiler.cells import in_cell
from interpreter.compiler.segments import Frame, Segment, Segments, count_up
from interpreter.compiler.statements import Leaving, Statements
from interpreter.compiler.values import Env, Values
from interpreter.diagnostics import Span
from interpreter.dsl.vocabulary import MAX_ROUNDS

LONG_LIST = 200  # members of a loop that asks, where nothing else bounds it


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
                    here.body += silent.said(statement, env)[0]
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
            env[statement.variable] = in_cell(cell)
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
        env[statement.variable] = lambda: py.call("kept", py.name("S"), py.number(start), py.number(room))

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
        inner: Env = {**env, clause.variable: in_cell(variable)}
        head, after = self.segments.open(statement.at), self.segments.open(statement.at)
        if isinstance(clause.source, t.Numbers) and clause.where is None and not clause.keys and not clause.random:
            last = self.segments.cells()
            low = py.binary(self.values.emit(clause.source.low, env), "-", py.number(1))
            here.body += [
                py.set_cell(py.number(variable), low),
                py.set_cell(py.number(last), self.values.emit(clause.source.high, env)),
            ]
            done = py.compare(py.cell(py.number(variable)), ">=", py.cell(py.number(last)))
            step = count_up(variable)
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
                count_up(place),
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
            count_up(rounds),
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
