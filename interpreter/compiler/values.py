"""Expressions: typed values in, Python `ast` expressions out. One emitter serves plain and traced code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.arithmetic import overflows
from interpreter.checker.types import Flag, Num, SetOf, Thing, Type
from interpreter.compiler import pyast as py
from interpreter.compiler.folds import Folds
from interpreter.compiler.layout import Layout
from interpreter.compiler.printed import Printed
from interpreter.compiler.short import is_short
from interpreter.compiler.tables import Tables
from interpreter.diagnostics import Span

Env = dict[t.Variable, Callable[[], ast.expr]]
MANY = 64  # things of a kind whose rotations are not laid out beforehand
SMALL = 128  # ranges up to this size are not counted against endless loops in loops
# What is worked out beforehand where it depends on nothing but what is printed.
WORKED_OUT = (t.Fold, t.Arithmetic, t.Function, t.Comparison, t.Logical, t.Negation, t.Choice)


@dataclass(frozen=True, slots=True)
class Given:
    """How a parameter is read where its quantity is written out, and what it can be there."""

    way: Callable[[], ast.expr]
    type: Type

    def __call__(self) -> ast.expr:
        return self.way()


class Values:
    """Emits expressions of one function. `env` says where each variable lives."""

    def __init__(self, checked: c.Checked, layout: Layout, tables: Tables, file: str, traced: bool = False) -> None:
        self.checked = checked
        self.layout = layout
        self.tables = tables
        self.file = file
        self.traced = traced
        self.counter = 0
        self.folds = Folds(self)
        self.printed = Printed(self)
        self.tabling = False
        self.remembers = False  # nothing changes meanwhile: what takes long is worked out once
        self.positive: frozenset[str] = frozenset()  # cells that are above 0 here

    def fresh(self, word: str) -> str:
        self.counter += 1
        return f"{word}_{self.counter}"

    def emit(self, value: t.Value, env: Env) -> ast.expr:
        node = self._emit(value, env) if self.traced or not isinstance(value, WORKED_OUT) else self._quick(value, env)
        if value.at.file == self.file:
            py.place(node, value.at)
        if self.traced and not isinstance(value, t.Plain | t.Local):
            return self._traced(value, node)
        return node

    def _quick(self, value: t.Value, env: Env) -> ast.expr:
        return self.printed.table(value, env) or self._emit(value, env)

    def _traced(self, value: t.Value, node: ast.expr) -> ast.expr:
        """Only what an explanation shows: fields, constants, tables and choices (quantities tell of themselves)."""
        shown = isinstance(value, t.State | t.Fact | t.ConstantValue | t.Entry) and isinstance(value.type, Num | Flag)
        return py.call("NOTE", ast.Constant(self.tables.site(value.at)), node) if shown else node

    def _emit(self, value: t.Value, env: Env) -> ast.expr:
        match value:
            case t.Plain(value=number):
                if isinstance(value.type, Flag):
                    return ast.Constant(bool(number))
                return py.number(number)
            case t.Named(kind=kind, id=id_):
                return self._thing(kind, id_, value.at)
            case t.Local(variable=variable):
                return env[variable]()
            case t.ConstantValue(name=name):
                return self._constant(name)
            case t.OptionChoice(name=name):
                return py.number(self.tables.options[name])
            case t.State(kind=kind, field=field, owner=owner):
                return py.cell(self.index(kind, field, owner, env))
            case t.Fact(kind=kind, field=field, owner=owner):
                return self.printed.chain(value, env) or self.lookup(
                    self.tables.fact(kind, field), self.emit(owner, env)
                )
            case t.Entry():
                return self.printed.chain(value, env) or self.entry(value, env)
            case t.Asked():
                return self._quantity(value, env)
            case t.Make(kind=kind, args=args):
                return self._make(kind, args, env)
            case t.Arithmetic(op=op, left=left, right=right):
                if op == "*" and overflows(left.type, right.type):
                    factors = self.emit(left, env), self.emit(right, env)
                    return py.call("times", *factors, ast.Constant(self.tables.site(value.at)))
                return self._arithmetic(op, self.emit(left, env), self.emit(right, env))
            case t.Function():
                return self._function(value, env)
            case t.Comparison():
                return self._comparison(value, env)
            case t.Logical(op=op, left=left, right=right):
                return py.both([self.emit(left, env), self.emit(right, env)], op)
            case t.Negation(value=inner):
                return py.negate(self.emit(inner, env))
            case t.Choice(condition=condition, then=then, otherwise=otherwise):
                needed = self.above_zero(condition, env)
                if needed and needed <= self.positive and not self.traced and self.only_above_zero(condition, env):
                    return self.emit(then, env)
                test = self.emit(condition, env)
                before, self.positive = self.positive, self.positive | needed
                chosen = self.emit(then, env)
                self.positive = before
                return py.choose(test, chosen, self.emit(otherwise, env))
            case t.Fold():
                return self.folds.emit(value, env)
            case _:
                return self.set(value, env)

    # ------------------------------------------------------------ things, fields, tables
    def _thing(self, kind: str, id_: str, at: Span) -> ast.expr:
        place = self.layout.positions[kind].get(id_)
        if place is None:  # a seat that is empty in this game, a piece there is not with so few players
            return py.call("absent", ast.Constant(self.tables.site(at)))
        return py.number(place)

    def _compared(self, value: t.Value, env: Env) -> ast.expr:
        """A value that is only compared: what is not in this game is like nothing that is."""
        if isinstance(value, t.Named) and value.id not in self.layout.positions[value.kind]:
            return py.number(self.layout.size(value.kind))
        return self.emit(value, env)

    def index(self, kind: str, field: str, owner: t.Value | None, env: Env) -> ast.expr:
        start = self.layout.columns[kind, field].start
        if owner is None:
            return py.number(start)
        return py.binary(py.number(start), "+", self.emit(owner, env))

    def _constant(self, name: str) -> ast.expr:
        value = self.layout.plain(self.checked.world.constants[name].value)
        if isinstance(value, int):
            return py.number(value)
        return py.name(self.tables.table(f"k_{name}", value))

    def lookup(self, table: str, key: ast.expr) -> ast.expr:
        place = py.known(key)
        values = self.tables.values[table]
        if place is not None and 0 <= place < len(values) and isinstance(values[place], int):
            return py.number(values[place])
        return py.item(py.name(table), key)

    def entry(self, value: t.Entry, env: Env) -> ast.expr:
        table, key = self.emit(value.table, env), self.emit(value.key, env)
        if isinstance(value.table.type, SetOf):
            return py.call("nth", table, key, ast.Constant(self.tables.site(value.at)))
        index = value.table.type.index  # type: ignore[union-attr]
        if isinstance(index, Thing):
            return py.item(table, key)
        shifted = py.binary(key, "-", py.number(index.low))
        bounds = self.range(value.key, env)
        if isinstance(bounds, Num) and bounds.high <= index.high:
            low = 1 if bounds.low == 0 and ast.dump(key) in self.positive else bounds.low
            if low >= index.low:
                return py.item(table, shifted)
        checked = py.call("entry", table, shifted, ast.Constant(self.tables.site(value.at)))
        if self.traced or not (py.is_short(table) and py.is_short(key)):
            return checked
        inside = py.between(py.number(index.low), py.copier(key)(), py.number(index.high))
        return py.choose(inside, py.item(py.copier(table)(), py.copier(shifted)()), checked)

    def only_above_zero(self, condition: t.Value, env: Env) -> bool:
        """Whether a condition asks for nothing but one cell to be above 0."""
        if isinstance(condition, t.Asked):
            opened = self.opened(condition, env)
            return opened is not None and self.only_above_zero(*opened)
        return isinstance(condition, t.Comparison)

    def above_zero(self, condition: t.Value, env: Env) -> frozenset[str]:
        """Cells that must be above 0 where a condition holds."""
        if isinstance(condition, t.Asked) and not self.traced:
            opened = self.opened(condition, env)
            return frozenset() if opened is None else self.above_zero(*opened)
        match condition:
            case t.Logical(op="and", left=left, right=right):
                return self.above_zero(left, env) | self.above_zero(right, env)
            case t.Comparison(op=">", left=t.State() as field, right=t.Plain(value=0)):
                return frozenset({ast.dump(self.emit(field, env))})
            case _:
                return frozenset()

    def _make(self, kind: str, args: tuple[t.Value, ...], env: Env) -> ast.expr:
        node: ast.expr = py.number(0)
        for axis, arg in zip(self.checked.world.kinds[kind].coordinates, args, strict=True):
            if axis.kind is not None:
                place, size = self.emit(arg, env), self.layout.size(axis.kind)
            else:
                size, low = len(axis.numbers), axis.numbers[0]
                place = self.emit(arg, env)
                bounds = arg.type
                inside = isinstance(bounds, Num) and bounds.low >= low and bounds.high <= axis.numbers[-1]
                if axis.numbers == tuple(range(low, low + size)) and inside:
                    place = py.binary(place, "-", py.number(low))
                else:
                    table = self.tables.table(f"n_{kind}_{axis.name}", axis.numbers)
                    place = py.call("place_of", py.name(table), place, ast.Constant(self.tables.site(arg.at)))
            node = py.binary(py.binary(node, "*", py.number(size)), "+", place)
        return node

    # ------------------------------------------------------------ quantities
    def _quantity(self, asked: t.Asked, env: Env) -> ast.expr:
        quantity = self.checked.quantities[asked.quantity]
        given = [self.emit(arg, env) for arg in asked.args]
        if self.tabling or (not self.traced and is_short(self, quantity, given)):
            inner = self.known(quantity, asked, given, env)
            file, self.file = self.file, ""  # positions inside belong to another text
            body = self.lets_inside(quantity.formula, inner)
            self.file = file
            return body
        if not self.traced and (printed := self.printed.table(asked, env)) is not None:
            return printed
        if self.remembers and self.tables.remembered.takes_long(quantity.name):
            return self.tables.remembered.call(quantity.name, given)
        return py.call(("t_" if self.traced else "q_") + quantity.name, py.name("S"), *given)

    def known(self, quantity: c.Quantity, asked: t.Asked, given: list[ast.expr], env: Env) -> Env:
        """What is known inside of a quantity that is written out: its parameters, with the range of what is given."""
        ways = [Given(py.copier(node), self.range(arg, env)) for node, arg in zip(given, asked.args, strict=True)]
        return dict(zip(quantity.params, ways, strict=True))

    def range(self, value: t.Value, env: Env) -> Type:
        way = env.get(value.variable) if isinstance(value, t.Local) else None
        return way.type if isinstance(way, Given) else value.type

    def opened(self, asked: t.Asked, env: Env) -> tuple[t.Value, Env] | None:
        """What a quantity stands for, if it can be written out, and what is known there."""
        quantity = self.checked.quantities[asked.quantity]
        given = [self.emit(arg, env) for arg in asked.args]
        if not is_short(self, quantity, given):
            return None
        inner = self.known(quantity, asked, given, env)
        for let in quantity.formula.lets:
            inner[let.variable] = py.copier(self.emit(let.value, inner))
        return quantity.formula.value, inner

    # ------------------------------------------------------------ operators
    def _arithmetic(self, op: str, left: ast.expr, right: ast.expr) -> ast.expr:
        match op:
            case "/ down":
                return py.binary(left, "//", right)
            case "/ up":
                return ast.UnaryOp(ast.USub(), py.binary(ast.UnaryOp(ast.USub(), left), "//", right))
            case "mod":
                return py.binary(left, "%", right)
            case _:
                return py.binary(left, op, right)

    def _function(self, value: t.Function, env: Env) -> ast.expr:
        args = [self.emit(arg, env) for arg in value.args]
        match value.name:
            case "min" | "max" as name:
                if len(args) == 2 and all(py.is_simple(arg) for arg in args):
                    test = py.compare(args[0], "<" if name == "min" else ">", args[1])
                    return py.choose(test, py.copier(args[0])(), py.copier(args[1])())
                return py.call(name, *args)
            case "abs":
                return py.call("abs", *args)
            case "next" | "previous":
                assert isinstance(value.type, Thing)
                size = self.layout.size(value.type.kind)
                step = py.number(1 if value.name == "next" else size - 1)
                return py.binary(py.binary(args[0], "+", step), "%", py.number(size))
            case _ if isinstance(value.args[1], t.AllOf):
                return py.binary(args[0], "+", py.number(1))
            case _:
                return py.call("position", args[0], py.call("list", args[1]))

    def _comparison(self, value: t.Comparison, env: Env) -> ast.expr:
        words = {"is": "==", "is not": "!="}
        found = self._found(value, env)
        if found is not None:
            return found
        if value.op in ("in", "not in"):
            test = self._member(value.left, value.right, env)
            return test if value.op == "in" else py.negate(test)
        left, right = self._compared(value.left, env), self._compared(value.right, env)
        if isinstance(value.left.type, Flag):
            for one, other in ((left, right), (right, left)):
                if isinstance(other, ast.Constant):
                    return one if bool(other.value) == (value.op == "is") else py.negate(one)
            left, right = py.call("bool", left), py.call("bool", right)
        return py.compare(left, words.get(value.op, value.op), right)

    def _found(self, value: t.Comparison, env: Env) -> ast.expr | None:
        """`first(…) is none` only asks whether there is one."""
        fold, nothing = value.left, value.right
        if self.traced or value.op not in ("is", "is not") or not isinstance(nothing, t.Plain) or nothing.value != -1:
            return None
        if isinstance(fold, t.Asked):
            opened = self.opened(fold, env)
            if opened is None:
                return None
            fold, env = opened
        if not isinstance(fold, t.Fold) or fold.how != "first" or fold.clause.random:
            return None
        file, self.file = self.file, ""
        there = self.emit(t.Fold(fold.at, Flag(), "any", None, replace(fold.clause, keys=())), env)
        self.file = file
        return there if value.op == "is not" else py.negate(there)

    def _member(self, thing: t.Value, whole: t.Value, env: Env) -> ast.expr:
        left = self.emit(thing, env)
        match whole:
            case t.Numbers(low=low, high=high):
                return py.between(self.emit(low, env), left, self.emit(high, env))
            case t.Listing(items=items):
                return py.compare(left, "in", ast.Tuple([self._compared(i, env) for i in items], py.LOAD))
            case t.AllOf():
                return py.compare(left, ">=", py.number(0))
            case _:
                return py.compare(left, "in", self.set(whole, env))

    # ------------------------------------------------------------ sets
    def set(self, value: t.Value, env: Env) -> ast.expr:
        """Something that can be iterated: a table, a range or a list."""
        match value:
            case t.AllOf(kind=kind):
                return py.name(self.tables.everything(kind))
            case t.OfField():
                return self._of(value, env)
            case t.Rotation(kind=kind, start=start) if self.layout.size(kind) > MANY:
                return py.call("rotated", py.number(self.layout.size(kind)), self.emit(start, env))
            case t.Rotation(kind=kind, start=start):
                return py.item(py.name(self.tables.rotations(kind)), self.emit(start, env))
            case t.Listing(items=items):
                return ast.Tuple([self.emit(i, env) for i in items], py.LOAD)
            case t.Numbers(low=low, high=high):
                return self._numbers(value, low, high, env)
            case t.SetFunction(name="reversed", args=(whole,)):
                return py.item(py.call("list", self.set(whole, env)), ast.Slice(None, None, py.number(-1)))
            case t.SetFunction(name=name, args=(left, right)):
                return py.call("joined" if name == "+" else "without", self.set(left, env), self.set(right, env))
            case t.NetworkQuestion(name=name, network=network, network_args=net_args, args=args):
                graph = py.call(f"net_{network}", py.name("S"), *(self.emit(a, env) for a in net_args))
                return py.call(name, graph, *(self.emit(a, env) for a in args))
            case t.Fold() | t.Asked() | t.Local() | t.Choice():
                return self.emit(value, env)
            case _:
                raise AssertionError(value)

    def held_bits(self, value: t.OfField, env: Env) -> ast.expr | None:
        """The cell whose bits say which things an owner has."""
        held, type_ = self.layout.held.get((value.kind, value.field)), value.owner.type
        if held is None or not isinstance(type_, Thing) or type_.optional:
            return None
        return py.cell(py.binary(py.number(held), "+", self.emit(value.owner, env)))

    def _of(self, value: t.OfField, env: Env) -> ast.expr:
        bits = self.held_bits(value, env)
        if bits is not None:
            return py.item(py.name("MEMBERS"), bits)
        kind, field, owner = value.kind, value.field, value.owner
        whose = self.emit(owner, env)
        if (table := self.tables.members(kind, field)) is not None:
            return py.item(py.name(table), whose)
        start = py.number(self.layout.columns[kind, field].start)
        if not py.is_simple(whose):
            return py.call("owned", py.name("S"), start, py.number(self.layout.size(kind)), whose)
        x = self.fresh("x")
        same = py.compare(py.cell(py.binary(start, "+", py.name(x))), "==", whose)
        return py.comprehension(py.name(x), x, py.name(self.tables.everything(kind)), [same])

    def _numbers(self, value: t.Value, low: t.Value, high: t.Value, env: Env) -> ast.expr:
        first, last = self.emit(low, env), self.emit(high, env)
        a, b = low.type, high.type
        if isinstance(a, Num) and isinstance(b, Num) and b.high - a.low < SMALL:
            return py.call("range", first, py.binary(last, "+", py.number(1)))
        return py.call("span", first, last, ast.Constant(self.tables.site(value.at)))

    # ------------------------------------------------------------ formulas and clauses
    def lets_inside(self, formula: t.Formula, env: Env) -> ast.expr:
        """A formula with `let` lines as one expression: each name is written out where it is read."""
        inner = dict(env)
        for let in formula.lets:
            inner[let.variable] = py.copier(self.emit(let.value, inner))
        return self.emit(formula.value, inner)

    def clause(self, clause: t.Clause, env: Env) -> ast.expr:
        return self.folds.clause(clause, env)
