"""Expressions: typed values in, Python `ast` expressions out. One emitter serves plain and traced code."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from dataclasses import replace

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.flow import parts_of
from interpreter.checker.types import Flag, Num, SetOf, Thing
from interpreter.compiler import pyast as py
from interpreter.compiler.layout import Layout
from interpreter.compiler.tables import Tables
from interpreter.dsl.vocabulary import MAX_ROUNDS

Env = dict[t.Variable, Callable[[], ast.expr]]
UNROLL = 6  # sets up to this size become plain expressions instead of loops
INLINE = 40  # quantities up to this many nodes are written out where they are read


class Values:
    """Emits expressions of one function. `env` says where each variable lives."""

    def __init__(self, checked: c.Checked, layout: Layout, tables: Tables, file: str, traced: bool = False) -> None:
        self.checked = checked
        self.layout = layout
        self.tables = tables
        self.file = file
        self.traced = traced
        self.counter = 0

    def fresh(self, word: str) -> str:
        self.counter += 1
        return f"{word}_{self.counter}"

    def emit(self, value: t.Value, env: Env) -> ast.expr:
        node = self._emit(value, env)
        if value.at.file == self.file:
            py.place(node, value.at)
        if self.traced and not isinstance(value, t.Plain | t.Local):
            return self._traced(value, node)
        return node

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
                return self._thing(kind, id_)
            case t.Local(variable=variable):
                return env[variable]()
            case t.ConstantValue(name=name):
                return self._constant(name)
            case t.OptionChoice(name=name):
                return py.number(self.tables.options[name])
            case t.State(kind=kind, field=field, owner=owner):
                return py.cell(self.index(kind, field, owner, env))
            case t.Fact(kind=kind, field=field, owner=owner):
                return self._lookup(self.tables.fact(kind, field), self.emit(owner, env))
            case t.Entry():
                return self._entry(value, env)
            case t.Asked(quantity=name, args=args):
                return self._quantity(name, args, env)
            case t.Make(kind=kind, args=args):
                return self._make(kind, args, env)
            case t.Arithmetic(op=op, left=left, right=right):
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
                test = self.emit(condition, env)
                return py.choose(test, self.emit(then, env), self.emit(otherwise, env))
            case t.Fold():
                return self._fold(value, env)
            case _:
                return self.set(value, env)

    # ------------------------------------------------------------ things, fields, tables
    def _thing(self, kind: str, id_: str) -> ast.expr:
        place = self.layout.positions[kind].get(id_)
        if place is None:  # a seat that is empty in this game
            return py.number(self.layout.size(kind))
        return py.number(place)

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

    def _lookup(self, table: str, key: ast.expr) -> ast.expr:
        place = py.known(key)
        values = self.tables.values[table]
        if place is not None and 0 <= place < len(values) and isinstance(values[place], int):
            return py.number(values[place])
        return py.item(py.name(table), key)

    def _entry(self, value: t.Entry, env: Env) -> ast.expr:
        table, key = self.emit(value.table, env), self.emit(value.key, env)
        if isinstance(value.table.type, SetOf):
            return py.call("nth", table, key, ast.Constant(self.tables.site(value.at)))
        index = value.table.type.index  # type: ignore[union-attr]
        if isinstance(index, Thing):
            return py.item(table, key)
        shifted = py.binary(key, "-", py.number(index.low))
        bounds = value.key.type
        if isinstance(bounds, Num) and bounds.low >= index.low and bounds.high <= index.high:
            return py.item(table, shifted)
        return py.call("entry", table, shifted, ast.Constant(self.tables.site(value.at)))

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
    def _quantity(self, name: str, args: tuple[t.Value, ...], env: Env) -> ast.expr:
        quantity = self.checked.quantities[name]
        given = [self.emit(arg, env) for arg in args]
        if not self.traced and self._inlines(quantity, given):
            inner: Env = {}
            for variable, node in zip(quantity.params, given, strict=True):
                inner[variable] = _copier(node)
            file, self.file = self.file, ""  # positions inside belong to another text
            body = self.emit(quantity.formula.value, inner)
            self.file = file
            return body
        return py.call(("t_" if self.traced else "q_") + name, py.name("S"), *given)

    def _inlines(self, quantity: c.Quantity, given: list[ast.expr]) -> bool:
        if quantity.modifiers or quantity.formula.lets:
            return False
        parts = list(parts_of(quantity.formula.value))
        if len(parts) > INLINE or any(isinstance(p, t.NetworkQuestion) for p in parts):
            return False
        folds = any(isinstance(p, t.Fold) for p in parts)
        for variable, node in zip(quantity.params, given, strict=True):
            uses = sum(isinstance(p, t.Local) and p.variable is variable for p in parts)
            if not py.is_simple(node) and (uses > 1 or folds):
                return False
        return True

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
                    return py.choose(test, _copier(args[0])(), _copier(args[1])())
                return py.call(name, *args)
            case "abs":
                return py.call("abs", *args)
            case "next" | "previous":
                assert isinstance(value.type, Thing)
                size = self.layout.size(value.type.kind)
                step = py.number(1 if value.name == "next" else size - 1)
                return py.binary(py.binary(args[0], "+", step), "%", py.number(size))
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
        left, right = self.emit(value.left, env), self.emit(value.right, env)
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
            quantity = self.checked.quantities[fold.quantity]
            given = [self.emit(arg, env) for arg in fold.args]
            if not self._inlines(quantity, given):
                return None
            env = {variable: _copier(node) for variable, node in zip(quantity.params, given, strict=True)}
            fold = quantity.formula.value
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
                return py.compare(left, "in", ast.Tuple([self.emit(i, env) for i in items], py.LOAD))
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
            case t.OfField(kind=kind, field=field, owner=owner):
                return self._of(kind, field, owner, env)
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

    def _of(self, kind: str, field: str, owner: t.Value, env: Env) -> ast.expr:
        whose = self.emit(owner, env)
        table = self.tables.members(kind, field)
        if table is not None:
            return py.item(py.name(table), whose)
        start = self.layout.columns[kind, field].start
        x = self.fresh("x")
        same = py.compare(py.cell(py.binary(py.number(start), "+", py.name(x))), "==", whose)
        if not py.is_simple(whose):
            return py.call("owned", py.name("S"), py.number(start), py.number(self.layout.size(kind)), whose)
        return py.comprehension(py.name(x), x, py.name(self.tables.everything(kind)), [same])

    def _numbers(self, value: t.Value, low: t.Value, high: t.Value, env: Env) -> ast.expr:
        first, last = self.emit(low, env), self.emit(high, env)
        a, b = low.type, high.type
        small = isinstance(a, Num) and isinstance(b, Num) and b.high - a.low < MAX_ROUNDS
        if small:
            return py.call("range", first, py.binary(last, "+", py.number(1)))
        return py.call("span", first, last, ast.Constant(self.tables.site(value.at)))

    def members(self, value: t.Value, env: Env) -> list[ast.expr] | None:
        """The single members of a small set whose size is known now."""
        match value:
            case t.AllOf(kind=kind) if self.layout.size(kind) <= UNROLL:
                return [py.number(place) for place in range(self.layout.size(kind))]
            case t.Listing(items=items) if len(items) <= UNROLL:
                return [self.emit(i, env) for i in items]
            case t.Numbers(low=t.Plain(value=low), high=t.Plain(value=high)) if high - low < UNROLL:
                return [py.number(number) for number in range(low, high + 1)]
            case t.OfField(kind=kind, field=field, owner=owner):
                steps = self.tables.stride(kind, field)
                whose = self.emit(owner, env)
                if steps is not None and len(steps[1]) <= UNROLL and py.is_simple(whose):
                    factor, offsets = steps
                    base = py.binary(whose, "*", py.number(factor))
                    return [py.binary(_copier(base)(), "+", py.number(offset)) for offset in offsets]
        return None

    # ------------------------------------------------------------ folds
    def _fold(self, value: t.Fold, env: Env) -> ast.expr:
        clause = value.clause
        if not clause.keys and not clause.random:
            single = None if self.traced else self.members(clause.source, env)
            if single is not None:
                unrolled = self._unrolled(value, single, env)
                if unrolled is not None:
                    return unrolled
        return self._looped(value, env)

    def _unrolled(self, value: t.Fold, members: list[ast.expr], env: Env) -> ast.expr | None:
        variable = value.clause.variable
        uses = self._uses(value, variable)
        if uses > 1 and not all(py.is_simple(m) or _is_sum(m) for m in members):
            return None

        def at(member: ast.expr, inner: t.Value) -> ast.expr:
            return self.emit(inner, {**env, variable: _copier(member)})

        where = value.clause.where
        tests = [at(m, where) if where is not None else None for m in members]
        if value.body is not None and value.how == "sum":
            plain = self._slice(value, members, env)
            if plain is not None:
                return plain
        match value.how:
            case "count":
                if where is None:
                    return py.number(len(members))
                return _summed([py.choose(test, py.number(1), py.number(0)) for test in tests if test is not None])
            case "any":
                if where is None:
                    return ast.Constant(bool(members))
                return py.both([test for test in tests if test is not None], "or")
            case "all":
                assert value.body is not None
                parts = []
                for member, test in zip(members, tests, strict=True):
                    body = at(member, value.body)
                    parts.append(body if test is None else py.both([py.negate(test), body], "or"))
                return py.both(parts, "and") if parts else ast.Constant(True)
            case "sum":
                assert value.body is not None
                terms = []
                for member, test in zip(members, tests, strict=True):
                    body = at(member, value.body)
                    terms.append(body if test is None else py.choose(test, body, py.number(0)))
                return _summed(terms)
            case "max" | "min" if where is None and len(members) > 1 and value.body is not None:
                return py.call(value.how, *(at(m, value.body) for m in members))
            case "first" | "the":
                return self._first(value, members, tests)
        return None

    def _uses(self, value: t.Fold, variable: t.Variable) -> int:
        parts = [p for v in (value.clause.where, value.body) if v is not None for p in parts_of(v)]
        if any(isinstance(p, t.Fold) for p in parts):
            return 2
        return sum(isinstance(p, t.Local) and p.variable is variable for p in parts)

    def _slice(self, value: t.Fold, members: list[ast.expr], env: Env) -> ast.expr | None:
        """`sum(x.field for x in …)` over neighbouring cells is one slice."""
        body, source = value.body, value.clause.source
        if value.clause.where is not None or len(members) < 3:
            return None
        if (
            not isinstance(body, t.State)
            or not isinstance(body.owner, t.Local)
            or body.owner.variable is not value.clause.variable
        ):
            return None
        start = self.layout.columns[body.kind, body.field].start
        size = len(members)
        match source:
            case t.AllOf():
                low: ast.expr = py.number(start)
            case t.OfField(kind=kind, field=field, owner=owner):
                steps = self.tables.stride(kind, field)
                if steps is None or steps[0] != size or steps[1] != tuple(range(size)):
                    return None
                low = py.binary(py.binary(self.emit(owner, env), "*", py.number(size)), "+", py.number(start))
            case _:
                return None
        high = py.binary(_copier(low)(), "+", py.number(size))
        return py.call("sum", py.cell(ast.Slice(low, high, None)))

    def _first(self, value: t.Fold, members: list[ast.expr], tests: list[ast.expr | None]) -> ast.expr | None:
        if not isinstance(value.clause.variable.type, Thing):
            return None
        node: ast.expr = py.number(-1)
        for member, test in zip(reversed(members), reversed(tests), strict=True):
            node = member if test is None else py.choose(test, _copier(member)(), node)
        if value.how == "the":
            return py.call("the", node, ast.Constant(self.tables.site(value.at)))
        return node

    def _looped(self, value: t.Fold, env: Env) -> ast.expr:
        clause = value.clause
        x = self.fresh(f"v_{clause.variable.name}")
        inner: Env = {**env, clause.variable: lambda: py.name(x)}
        conditions = [] if clause.where is None else [self.emit(clause.where, inner)]
        domain = self.set(clause.source, env)
        site = ast.Constant(self.tables.site(value.at))
        body = None if value.body is None else self.emit(value.body, inner)

        def listed(element: ast.expr) -> ast.expr:
            return py.comprehension(element, x, domain, conditions)

        match value.how:
            case "count":
                return py.call("len", listed(py.number(1)) if conditions else domain)
            case "any":
                if not conditions:
                    return py.compare(py.call("len", domain), ">", py.number(0))
                return listed(py.number(1))  # a list is true if it has members
            case "all":
                assert body is not None
                return py.negate(py.comprehension(py.number(1), x, domain, [*conditions, py.negate(body)]))
            case "sum":
                assert body is not None
                return py.call("sum", listed(body))
            case "min" | "max":
                assert body is not None
                return ast.Call(py.name(value.how), [listed(body)], [ast.keyword("default", py.number(0))])
        if value.how == "those" and self._counts_down(clause):
            return self._downwards(clause.source, env)
        found = listed(py.name(x)) if conditions else domain
        if value.how == "best":
            return py.call("best", found, py.lambda_(x, self._key(clause, inner)))
        if clause.random:
            shuffled = py.call("shuffled", py.name("S"), found)
            found = shuffled
        elif clause.keys:
            found = py.call("ranked", found, py.lambda_(x, self._key(clause, inner)))
        match value.how:
            case "first":
                return py.call("first", found)
            case "the":
                return py.call("only", found, site)
            case _:
                return py.call("list", found) if not conditions and not clause.keys and not clause.random else found

    def _counts_down(self, clause: t.Clause) -> bool:
        """`n in a..b by highest n`."""
        if not isinstance(clause.source, t.Numbers) or clause.where is not None or len(clause.keys) != 1:
            return False
        key = clause.keys[0]
        return key.highest and isinstance(key.value, t.Local) and key.value.variable is clause.variable

    def _downwards(self, source: t.Value, env: Env) -> ast.expr:
        return py.item(self.set(source, env), ast.Slice(None, None, py.number(-1)))

    def _key(self, clause: t.Clause, env: Env) -> ast.expr:
        """Sorting is always from low to high, so what shall be highest is negated."""
        keys = []
        for key in clause.keys:
            node = self.emit(key.value, env)
            keys.append(ast.UnaryOp(ast.USub(), node) if key.highest else node)
        return keys[0] if len(keys) == 1 else ast.Tuple(list(keys), py.LOAD)

    def lets_inside(self, formula: t.Formula, env: Env) -> ast.expr:
        """A formula with `let` lines as one expression: each name is written out where it is read."""
        inner = dict(env)
        for let in formula.lets:
            inner[let.variable] = _copier(self.emit(let.value, inner))
        return self.emit(formula.value, inner)

    def clause(self, clause: t.Clause, env: Env) -> ast.expr:
        """The members of a clause as a list that does not change while a loop goes over it."""
        fold = t.Fold(clause.at, SetOf(clause.variable.type), "those", None, clause)  # type: ignore[arg-type]
        simple = clause.where is None and not clause.keys and not clause.random
        return self.set(clause.source, env) if simple else self._looped(fold, env)


def _copier(node: ast.expr) -> Callable[[], ast.expr]:
    """Each use of a variable gets nodes of its own."""
    if isinstance(node, ast.Name):
        word = node.id
        return lambda: py.name(word)
    value = py.known(node)
    if value is not None:
        return lambda: py.number(value)
    return lambda: copy.deepcopy(node)


def _is_sum(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and py.is_simple(node.right) and (py.is_simple(node.left) or _is_sum(node.left))


def _summed(terms: list[ast.expr]) -> ast.expr:
    if not terms:
        return py.number(0)
    total = terms[0]
    for term in terms[1:]:
        total = py.binary(total, "+", term)
    return total
