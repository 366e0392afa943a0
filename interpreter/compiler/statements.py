"""Statements that ask nobody: typed blocks in, Python `ast` statements out."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.flow import statements_in
from interpreter.checker.types import Flag, Num
from interpreter.compiler import pyast as py
from interpreter.compiler.cells import number_of
from interpreter.compiler.folds import filtered
from interpreter.compiler.layout import Column
from interpreter.compiler.values import Env, Values
from interpreter.compiler.windows import applies, things_of
from interpreter.dsl.vocabulary import MAX_ROUNDS

SHORT = 4  # statements of a procedure that is written out where it runs
DEEP = 2  # procedures that are written out one inside the other
Leaving = Callable[[], list[ast.stmt]]


class Statements:
    """`told` code also tells every change; `leaving` says what stop, close and end mean here."""

    def __init__(self, values: Values, told: bool, leaving: dict[str, Leaving]) -> None:
        self.values = values
        self.tables = values.tables
        self.layout = values.layout
        self.told = told
        self.leaving = leaving
        self.inside: list[str] = []  # procedures and reactions that are being written out

    def block(self, block: t.Block, env: Env) -> list[ast.stmt]:
        env = dict(env)
        done: list[ast.stmt] = []
        for statement in block:
            for node in self.statement(statement, env):
                if statement.at.file == self.values.file and not hasattr(node, "lineno"):
                    py.place(node, statement.at)
                done.append(node)
        return done

    def statement(self, statement: t.Statement, env: Env) -> list[ast.stmt]:
        match statement:
            case t.Let(variable=variable, value=value):
                word = self.values.fresh(f"v_{variable.name}")
                node = self.values.emit(value, env)
                env[variable] = lambda: py.name(word)
                return [py.assign(word, node)]
            case t.SetLocal():
                return [self.set_local(statement, env)]
            case t.SetState():
                return self.set_state(statement, env)
            case t.Move():
                return self.move(statement, env)
            case t.If(branches=branches, otherwise=otherwise):
                rest = self.block(otherwise, env)
                for condition, body in reversed(branches):
                    rest = [py.if_(self.values.emit(condition, env), self.block(body, env), rest)]
                return rest
            case t.For():
                return [self.loop(statement, env)]
            case t.While(condition=condition, body=body):
                test = py.if_(py.negate(self.values.emit(condition, env)), [ast.Break()])
                stuck: ast.stmt = ast.Expr(py.call("endless", self.site(statement)))
                domain = py.call("range", py.number(MAX_ROUNDS))
                count: ast.stmt = ast.Expr(py.call("tick", self.site(statement)))
                return [ast.For(py.stored("_"), domain, [test, count, *self.block(body, env)], [stuck])]
            case t.Repeat(times=times, body=body):
                domain = py.call("span", py.number(1), self.values.emit(times, env), self.site(statement))
                return [ast.For(py.stored("_"), domain, self.block(body, env) or [ast.Pass()], [])]
            case t.Run():
                return self.run(statement, env)
            case t.Announce():
                return self.announce(statement, env)
            case t.Clear(kind=kind, owner=owner):
                return self.clear(kind, owner, env)
            case t.Leave(how=how):
                return self.leaving[how]()
            case _:
                raise AssertionError(statement)

    def loop(self, statement: t.For, env: Env) -> ast.stmt:
        """A condition on the members is asked on the way if nothing in the loop can change its answer."""
        clause = statement.clause
        word = self.values.fresh(f"v_{clause.variable.name}")
        inner: Env = {**env, clause.variable: lambda: py.name(word)}
        body = self.block(statement.body, inner) or [ast.Pass()]
        flat = filtered(self.values, clause, env)
        ordered = clause.keys or clause.random or not flat.tests
        asked = (clause.source, *(test for test, _ in flat.tests))
        if ordered or not self.tables.footprint.untouched(asked, statement.body):
            return ast.For(py.stored(word), self.values.clause(clause, env), body, [])
        before = self.values.positive
        test = py.both(flat.emit_tests(self.values, lambda: py.name(word)), "and")
        self.values.positive = before
        return ast.For(py.stored(word), flat.domain(self.values), [py.if_(test, body)], [])

    def site(self, statement: t.Statement) -> ast.expr:
        return ast.Constant(self.tables.site(statement.at))

    def values_of(self, args: tuple[t.Value, ...], env: Env) -> list[ast.expr]:
        return [self.values.emit(arg, env) for arg in args]

    def whole(self, value: t.Value, env: Env) -> ast.expr:
        """A value as the integer the state holds."""
        node = self.values.emit(value, env)
        if isinstance(value.type, Flag) and not isinstance(value, t.State):
            if isinstance(node, ast.Constant):
                return py.number(int(bool(node.value)))
            return py.choose(node, py.number(1), py.number(0))
        return node

    def set_local(self, statement: t.SetLocal, env: Env) -> ast.stmt:
        target = env[statement.variable]()
        if isinstance(target, ast.Call):  # a list that is kept in cells
            state, start, room = target.args
            members = self.values.emit(statement.value, env)
            return ast.Expr(py.call("keep", state, start, room, members, self.site(statement)))
        value = self.whole(statement.value, env)
        if statement.op != "=":
            value = py.binary(env[statement.variable](), statement.op[0], value)
        if isinstance(statement.variable.type, Num):
            value = py.call("bounded", value, self.site(statement))
        return store(target, value)

    # ------------------------------------------------------------ fields
    def set_state(self, statement: t.SetState, env: Env) -> list[ast.stmt]:
        column = self.layout.columns[statement.target.kind, statement.target.field]
        index = self.values.index(column.kind, column.field, statement.target.owner, env)
        value = self.whole(statement.value, env)
        before: list[ast.stmt] = []
        if not (py.is_simple(index) or _is_offset(index)):
            word = self.values.fresh("i")
            before.append(py.assign(word, index))
            index = py.name(word)
        bounds = statement.value.type
        low, high = (bounds.low, bounds.high) if isinstance(bounds, Num) else (column.low, column.high)
        if statement.op == "=":
            checks = (low < column.low, high > column.high)
        else:
            value = py.binary(py.cell(_again(index)), statement.op[0], value)
            if statement.op == "-=":
                low, high = -high, -low
            checks = (low < 0, high > 0)
        return before + self.put(column, index, value, checks, statement)

    def put(
        self, column: Column, index: ast.expr, value: ast.expr, checks: tuple[bool, bool], statement: t.Statement
    ) -> list[ast.stmt]:
        """Write a cell: clamped or checked where the new value might leave the range, told where changes are told."""
        done: list[ast.stmt] = []
        if any(checks) or self.told:
            word = self.values.fresh("n")
            done.append(py.assign(word, value))
            value = py.name(word)
            tests = []
            if checks[0]:
                tests.append((py.compare(py.name(word), "<", py.number(column.low)), column.low))
            if checks[1]:
                tests.append((py.compare(py.name(word), ">", py.number(column.high)), column.high))
            if column.clamped:
                done += [py.if_(test, [py.assign(word, py.number(end))]) for test, end in tests]
            elif tests:
                stop = ast.Expr(py.call("outside", self.site(statement), _again(index), py.name(word)))
                done.append(py.if_(py.both([test for test, _ in tests], "or"), [stop]))
        if self.told:
            tell = py.call("TELL", self.site(statement), _again(index), py.cell(_again(index)), py.name(word))
            done.append(ast.Expr(tell))
        done.append(self.write(column, _again(index), value))
        return done

    def write(self, column: Column, index: ast.expr, value: ast.expr) -> ast.stmt:
        """Set a cell, and what its old and new owner have where that is kept as well."""
        held = self.layout.held.get((column.kind, column.field))
        if held is None:
            return py.set_cell(index, value)
        return ast.Expr(py.call("hand_over", py.name("S"), index, value, py.number(column.start), py.number(held)))

    def move(self, statement: t.Move, env: Env) -> list[ast.stmt]:
        ends = [self.layout.columns[end.kind, end.field] for end in (statement.source, statement.target)]
        words = [self.values.fresh("i"), self.values.fresh("j")]
        amount = self.values.fresh("n")
        done: list[ast.stmt] = []
        for word, column, end in zip(words, ends, (statement.source, statement.target), strict=True):
            done.append(py.assign(word, self.values.index(column.kind, column.field, end.owner, env)))
        value = self.values.emit(statement.amount, env)
        source, target = py.cell(py.name(words[0])), py.cell(py.name(words[1]))
        if statement.up_to:
            there = py.binary(source, "-", py.number(ends[0].low))
            room = py.binary(py.number(ends[1].high), "-", target)
            value = py.call("max", py.number(0), py.call("min", value, there, room))
        done.append(py.assign(amount, value))
        bounds = statement.amount.type
        if not statement.up_to and not (isinstance(bounds, Num) and bounds.low >= 0):
            negative = ast.Expr(py.call("negative", self.site(statement), py.name(amount)))
            done.append(py.if_(py.compare(py.name(amount), "<", py.number(0)), [negative]))
        free = not statement.up_to
        less = py.binary(py.cell(py.name(words[0])), "-", py.name(amount))
        more = py.binary(py.cell(py.name(words[1])), "+", py.name(amount))
        done += self.put(ends[0], py.name(words[0]), less, (free, False), statement)
        done += self.put(ends[1], py.name(words[1]), more, (False, free), statement)
        return done

    def clear(self, kind: str, owner: t.Value | None, env: Env) -> list[ast.stmt]:
        done: list[ast.stmt] = []
        word = self.values.fresh("x")
        if owner is not None:
            done.append(py.assign(word, self.values.emit(owner, env)))
        for (of, _), column in self.layout.columns.items():
            if of != kind:
                continue
            index: ast.expr = py.number(column.start)
            if owner is not None:
                index = py.binary(index, "+", py.name(word))
            start = py.item(py.name("START"), _again(index))
            if self.told:
                tell = py.call("TELL", py.number(-1), _again(index), py.cell(_again(index)), start)
                done.append(ast.Expr(tell))
            done.append(self.write(column, index, py.item(py.name("START"), _again(index))))
        return done

    # ------------------------------------------------------------ procedures and moments
    def run(self, statement: t.Run, env: Env) -> list[ast.stmt]:
        """A short procedure is written out where it runs."""
        done, given = self.named(statement.args, env)
        routine = self.values.checked.routines[statement.routine]
        body = tuple(step for part in routine.steps for step in part.body)
        if not routine.phase:
            inner = dict(zip(routine.params, given, strict=True))
            written = self.written_out(statement.routine, body, lambda: self.block(body, inner))
            if written is not None:
                return done + written
        return [*done, ast.Expr(py.call(f"p_{statement.routine}", py.name("S"), *(way() for way in given)))]

    def named(self, args: tuple[t.Value, ...], env: Env) -> tuple[list[ast.stmt], list[Callable[[], ast.expr]]]:
        """Values that are worked out once, and how to read them afterwards."""
        done: list[ast.stmt] = []
        ways = []
        for node in self.values_of(args, env):
            if not py.is_simple(node):
                word = self.values.fresh("a")
                done.append(py.assign(word, node))
                node = py.name(word)
            ways.append(py.copier(node))
        return done, ways

    def written_out(self, name: str, block: t.Block, emit: Callable[[], list[ast.stmt]]) -> list[ast.stmt] | None:
        """What a short block does, where it can stand here; where changes are told, nobody is in a hurry."""
        inside = list(statements_in(block))
        if self.told or len(inside) > SHORT or name in self.inside or len(self.inside) > DEEP:
            return None
        if any(isinstance(statement, t.Leave) for statement in inside):
            return None
        self.inside.append(name)
        done = emit()
        self.inside.pop()
        here = all(statement.at.file == self.values.file for statement in block)
        return done if here or all(py.needs_no_place(statement) for statement in done) else None

    def announce(self, statement: t.Announce, env: Env) -> list[ast.stmt]:
        moment = self.values.checked.moments[statement.moment]
        if not moment.reactions and not self.told:
            return []
        done, given = self.said(statement, env)
        for number, reaction in enumerate(moment.reactions):
            known = dict(zip(reaction.params, given, strict=True))
            for thing in things_of(self.values, reaction.source) if reaction.source.me is not None else [-1]:
                done += self.react(f"r_{statement.moment}_{number}", reaction, thing, known)
        return done

    def said(self, statement: t.Announce, env: Env) -> tuple[list[ast.stmt], list[Callable[[], ast.expr]]]:
        """What is told of a moment, and how to read what it is about."""
        done, given = self.named(statement.args, env)
        if self.told:
            told = ast.Tuple([way() for way in given], py.LOAD)
            done.append(ast.Expr(py.call("SAY", self.site(statement), ast.Constant(statement.moment), told)))
        return done, given

    def react(self, word: str, reaction: c.Reaction, thing: int, env: Env) -> list[ast.stmt]:
        def emit() -> list[ast.stmt]:
            plain = replace(reaction.source, me=None)
            test = applies(self.values, plain, reaction.when, inner)
            body = self.block(reaction.body, inner)
            return body if py.decided(test) is True else [py.if_(test, body)]

        given = [env[variable]() for variable in reaction.params]
        inner = dict(env)
        if reaction.source.me is not None:
            inner[reaction.source.me] = lambda: py.number(thing)
        written = self.written_out(word, reaction.body, emit)
        return [ast.Expr(py.call(word, py.name("S"), py.number(thing), *given))] if written is None else written


def store(target: ast.expr, value: ast.expr) -> ast.stmt:
    match target:
        case ast.Name(id=word) if (cell := number_of(word)) is not None:
            return py.set_cell(py.number(cell), value)
        case ast.Name(id=word):
            return py.assign(word, value)
        case ast.Subscript(slice=index):
            return py.set_cell(index, value)
        case _:
            raise AssertionError(target)


def _is_offset(index: ast.expr) -> bool:
    return isinstance(index, ast.BinOp) and py.is_simple(index.left) and py.is_simple(index.right)


def _again(index: ast.expr) -> ast.expr:
    match index:
        case ast.Name(id=word):
            return py.name(word)
        case ast.BinOp(left=left, op=op, right=right):
            return ast.BinOp(_again(left), op, _again(right))
        case _:
            value = py.known(index)
            assert value is not None
            return py.number(value)
