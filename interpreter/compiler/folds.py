"""Folds and clauses: `count`, `sum`, `first` and their like in, plain expressions or comprehensions out."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from interpreter.checker import typed as t
from interpreter.checker.flow import clauses, parts_of
from interpreter.checker.types import Flag, SetOf, Thing
from interpreter.compiler import pyast as py

if TYPE_CHECKING:
    from interpreter.compiler.values import Env, Values

UNROLL = 6  # sets up to this size become plain expressions instead of loops
LARGE = 60  # nodes of a fold beyond which it is not written out member by member


@dataclass(frozen=True, slots=True)
class Filtered:
    """A set as its innermost source and all the conditions on the way to it."""

    source: t.Value
    env: Env  # what the source reads
    variables: tuple[tuple[t.Variable, Env], ...]  # every name a member has on the way, with what is known there
    tests: tuple[tuple[t.Value, int], ...]  # conditions, each with the place of its variable
    bits: ast.expr | None = None  # the members as the bits of a number, where they are had as such

    def domain(self, values: Values) -> ast.expr:
        """What to go over."""
        if self.bits is not None:
            return py.item(py.name("MEMBERS"), self.bits)
        return values.set(self.source, self.env)

    def env_at(self, place: int, member: Callable[[], ast.expr]) -> Env:
        variable, env = self.variables[place]
        return {**env, variable: member}

    def emit_tests(self, values: Values, member: Callable[[], ast.expr]) -> list[ast.expr]:
        """The conditions, one after the other; what an earlier one makes sure need not be asked again."""
        done = []
        for test, place in self.tests:
            env = self.env_at(place, member)
            done.append(values.emit(test, env))
            values.positive |= values.above_zero(test, env)
        return done


def filtered(values: Values, clause: t.Clause, env: Env) -> Filtered:
    """Look through quantities and `those` that only narrow a set, so that no list is made on the way."""
    variables: list[tuple[t.Variable, Env]] = [(clause.variable, env)]
    tests: list[tuple[t.Value, int]] = [] if clause.where is None else [(clause.where, 0)]
    source, inner = clause.source, env
    while not values.traced:
        if isinstance(source, t.Asked):
            opened = values.opened(source, inner)
            if opened is None or not isinstance(opened[0], t.Fold | t.OfField | t.AllOf | t.Rotation | t.Numbers):
                break
            source, inner = opened
        elif (
            isinstance(source, t.Fold) and source.how == "those" and not source.clause.keys and not source.clause.random
        ):
            variables.append((source.clause.variable, inner))
            if source.clause.where is not None:
                tests.insert(0, (source.clause.where, len(variables) - 1))
            source = source.clause.source
        elif _remembered(values, source, inner):
            assert isinstance(source, t.OfField)
            member = t.Variable("x", Thing(source.kind))
            here = t.Local(source.at, member.type, member)
            field = t.State(source.at, source.owner.type, source.kind, source.field, here)
            variables.append((member, inner))
            tests.insert(0, (t.Comparison(source.at, Flag(), "is", field, source.owner), len(variables) - 1))
            source = t.AllOf(source.at, source.type, source.kind)
        else:
            break
    return _masked(values, Filtered(source, inner, tuple(variables), tuple(tests)))


def _masked(values: Values, flat: Filtered) -> Filtered:
    """What an owner has is known by its bits: those a printed condition leaves out go at one stroke."""
    source = flat.source
    if values.traced or not isinstance(source, t.OfField):
        return flat
    bits = values.held_bits(source, flat.env)
    if bits is None:
        return flat
    left: list[tuple[t.Value, int]] = []
    for test, place in flat.tests:
        variable, env = flat.variables[place]
        mask = values.printed.mask(variable, source.kind, test, env)
        if mask is None:
            left.append((test, place))
        else:
            bits = py.binary(bits, "&", mask)
    return replace(flat, tests=tuple(left), bits=bits)


def _remembered(values: Values, source: t.Value, env: Env) -> bool:
    """`PLURAL of x` by a field that changes, where x is at hand."""
    if not isinstance(source, t.OfField) or values.tables.members(source.kind, source.field) is not None:
        return False
    return (source.kind, source.field) not in values.layout.held and py.is_simple(values.emit(source.owner, env))


class Folds:
    def __init__(self, values: Values) -> None:
        self.values = values

    def emit(self, value: t.Fold, env: Env) -> ast.expr:
        clause = value.clause
        flat = filtered(self.values, clause, env)
        if value.how in ("any", "count") and not self.values.traced:
            if flat.bits is not None and not flat.tests:
                return self.counted(value.how, flat.bits)
            searched = self.searched(value, flat)
            if searched is not None:
                return searched
        if not clause.keys and not clause.random and not self.values.traced:
            members = self.members(flat.source, flat.env)
            if members is not None:
                unrolled = self.unrolled(value, members, flat, env)
                if unrolled is not None:
                    return unrolled
        if clause.keys and value.how in ("first", "the") and not self.values.traced:
            unrolled = self.ordered(value, flat, env)
            if unrolled is not None:
                return unrolled
        if value.how == "any" and not self.values.traced:
            return self.guarded(flat, self.looped(value, flat, env))
        return self.looped(value, flat, env)

    def guarded(self, flat: Filtered, loop: ast.expr) -> ast.expr:
        """A loop that is not begun if one look shows that nothing can be found."""
        for test, place in flat.tests:
            look = next(filter(None, (self.look((part, place), flat) for part in clauses(test))), None)
            if look is not None and py.is_safe(look[0]):
                return py.both([py.compare(look[0], "in", look[1]), loop], "and")
        return loop

    def counted(self, how: str, bits: ast.expr) -> ast.expr:
        """How many bits there are, or whether there are any."""
        return py.compare(bits, "!=", py.number(0)) if how == "any" else py.method(bits, "bit_count")

    def searched(self, value: t.Fold, flat: Filtered) -> ast.expr | None:
        """`any(x in … where x.field is E)` over neighbouring cells is one look into a slice of the state."""
        look = self.look(flat.tests[0], flat) if len(flat.tests) == 1 else None
        if look is None:
            return None
        return py.compare(look[0], "in", look[1]) if value.how == "any" else py.method(look[1], "count", look[0])

    def look(self, asked: tuple[t.Value, int], flat: Filtered) -> tuple[ast.expr, ast.expr] | None:
        """`x.field is E` for the members of a set that lie side by side: E, and the slice to find it in."""
        test, place = asked
        variable, env = flat.variables[place]
        if not isinstance(test, t.Comparison) or test.op != "is" or isinstance(test.left.type, Flag):
            return None
        for field, wanted in ((test.left, test.right), (test.right, test.left)):
            if not isinstance(field, t.State) or not isinstance(field.owner, t.Local):
                continue
            free = not any(isinstance(p, t.Local) and p.variable is variable for p in parts_of(wanted))
            if field.owner.variable is not variable or not free:
                continue
            cells = self.neighbours(flat, self.values.layout.columns[field.kind, field.field].start)
            if cells is not None:
                return self.values.emit(wanted, env), py.cell(ast.Slice(*cells, None))
        return None

    def neighbours(self, flat: Filtered, start: int) -> tuple[ast.expr, ast.expr] | None:
        """The first cell and the one after the last, where the members of a set lie side by side."""
        tables = self.values.tables
        match flat.source:
            case t.AllOf(kind=kind) if self.values.layout.size(kind) > UNROLL:
                return py.number(start), py.number(start + self.values.layout.size(kind))
            case t.OfField(kind=kind, field=field, owner=owner):
                name, whose = tables.members(kind, field), self.values.emit(owner, flat.env)
                if name is None or not (py.is_simple(whose) or py.is_printed(whose)):
                    return None
                rows = tables.values[name]
                if any(row and row != tuple(range(row[0], row[-1] + 1)) for row in rows):
                    return None
                first = tuple(start + row[0] if row else 0 for row in rows)
                low = tables.table(f"low_{kind}_{field}_{start}", first)
                last = tuple(start + row[-1] + 1 if row else 0 for row in rows)
                high = tables.table(f"high_{kind}_{field}_{start}", last)
                return py.item(py.name(low), whose), py.item(py.name(high), py.copier(whose)())
        return None

    def ordered(self, value: t.Fold, flat: Filtered, env: Env) -> ast.expr | None:
        """Where the key only says the order the members have anyway, or its reverse, nothing is sorted."""
        key, members = value.clause.keys[0], self.members(flat.source, flat.env)
        printed = key.value
        if len(value.clause.keys) > 1 or members is None or not isinstance(printed, t.Fact):
            return None
        if not isinstance(printed.owner, t.Local) or printed.owner.variable is not value.clause.variable:
            return None
        column = self.values.tables.values[self.values.tables.fact(printed.kind, printed.field)]
        match flat.source:
            case t.AllOf():
                rows = [tuple(range(len(members)))]
            case t.OfField(kind=kind, field=field):
                rows = self.values.tables.values[self.values.tables.members(kind, field) or ""]
            case _:
                return None
        if any(column[a] >= column[b] for row in rows for a, b in pairwise(row)):
            return None
        return self.unrolled(value, members[::-1] if key.highest else members, flat, env)

    # ------------------------------------------------------------ member by member
    def members(self, value: t.Value, env: Env) -> list[ast.expr] | None:
        """The single members of a small set whose size is known now."""
        layout, tables = self.values.layout, self.values.tables
        match value:
            case t.AllOf(kind=kind) if layout.size(kind) <= UNROLL:
                return [py.number(place) for place in range(layout.size(kind))]
            case t.Listing(items=items) if len(items) <= UNROLL:
                return [self.values.emit(i, env) for i in items]
            case t.Numbers(low=t.Plain(value=low), high=t.Plain(value=high)) if high - low < UNROLL:
                return [py.number(number) for number in range(low, high + 1)]
            case t.OfField(kind=kind, field=field, owner=owner):
                steps = tables.stride(kind, field)
                whose = self.values.emit(owner, env)
                if steps is not None and len(steps[1]) <= UNROLL and py.is_simple(whose):
                    factor, offsets = steps
                    base = py.binary(whose, "*", py.number(factor))
                    return [py.binary(py.copier(base)(), "+", py.number(offset)) for offset in offsets]
        return None

    def unrolled(self, value: t.Fold, members: list[ast.expr], flat: Filtered, env: Env) -> ast.expr | None:
        parts = [p for v in (value.body, *(test for test, _ in flat.tests)) if v is not None for p in parts_of(v)]
        if len(parts) * len(members) > LARGE or not all(py.is_simple(m) or _is_sum(m) for m in members):
            return None
        if any(isinstance(p, t.Fold) for p in parts) and not all(py.is_simple(m) for m in members):
            return None
        ways = [py.copier(member) for member in members]
        before = self.values.positive
        tests = [py.both(found, "and") if (found := flat.emit_tests(self.values, way)) else None for way in ways]
        bodies: list[ast.expr] = []
        if value.body is not None:
            plain = self.slice(value, members, flat) if value.how == "sum" else None
            if plain is not None:
                self.values.positive = before
                return plain
            bodies = [self.values.emit(value.body, {**env, value.clause.variable: way}) for way in ways]
        self.values.positive = before
        free = not flat.tests
        match value.how:
            case "count":
                ones = [py.choose(test, py.number(1), py.number(0)) for test in tests if test is not None]
                return py.number(len(members)) if free else _summed(ones)
            case "any":
                return (
                    ast.Constant(bool(members)) if free else py.both([test for test in tests if test is not None], "or")
                )
            case "all":
                cases = [
                    body if test is None else py.both([py.negate(test), body], "or")
                    for body, test in zip(bodies, tests, strict=True)
                ]
                return py.both(cases, "and")
            case "sum":
                terms = [
                    body if test is None else py.choose(test, body, py.number(0))
                    for body, test in zip(bodies, tests, strict=True)
                ]
                return _summed(terms)
            case "max" | "min" if free and len(members) > 1:
                return py.call(value.how, *bodies)
            case "first" | "the":
                return self.first(value, members, tests)
        return None

    def slice(self, value: t.Fold, members: list[ast.expr], flat: Filtered) -> ast.expr | None:
        """`sum(x.field for x in …)` over neighbouring cells is one slice."""
        body, source = value.body, flat.source
        if flat.tests or len(members) < 3 or not isinstance(body, t.State) or not isinstance(body.owner, t.Local):
            return None
        if body.owner.variable is not value.clause.variable:
            return None
        start = self.values.layout.columns[body.kind, body.field].start
        size = len(members)
        match source:
            case t.AllOf():
                low: ast.expr = py.number(start)
            case t.OfField(kind=kind, field=field, owner=owner):
                steps = self.values.tables.stride(kind, field)
                if steps is None or steps[0] != size or steps[1] != tuple(range(size)):
                    return None
                place = py.binary(self.values.emit(owner, flat.env), "*", py.number(size))
                low = py.binary(place, "+", py.number(start))
            case _:
                return None
        high = py.binary(py.copier(low)(), "+", py.number(size))
        return py.call("sum", py.cell(ast.Slice(low, high, None)))

    def first(self, value: t.Fold, members: list[ast.expr], tests: list[ast.expr | None]) -> ast.expr | None:
        if not isinstance(value.clause.variable.type, Thing):
            return None
        node: ast.expr = py.number(-1)
        for member, test in zip(reversed(members), reversed(tests), strict=True):
            node = member if test is None else py.choose(test, py.copier(member)(), node)
        if value.how == "the":
            return py.call("the", node, ast.Constant(self.values.tables.site(value.at)))
        return node

    # ------------------------------------------------------------ in a loop
    def looped(self, value: t.Fold, flat: Filtered, env: Env) -> ast.expr:
        clause = value.clause
        x = self.values.fresh(f"v_{clause.variable.name}")
        inner: Env = {**env, clause.variable: lambda: py.name(x)}
        domain = flat.domain(self.values)
        before = self.values.positive
        conditions = flat.emit_tests(self.values, lambda: py.name(x))
        conditions = [py.both(conditions, "and")] if conditions else []
        site = ast.Constant(self.values.tables.site(value.at))
        body = None if value.body is None else self.values.emit(value.body, inner)
        self.values.positive = before

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
        if value.how == "those" and not conditions and self.counts_down(clause):
            return py.item(domain, ast.Slice(None, None, py.number(-1)))
        found = listed(py.name(x)) if conditions else domain
        if value.how == "best":
            return py.call("best", found, py.lambda_(x, self.key(clause, inner)))
        if clause.random:
            found = py.call("shuffled", py.name("S"), found)
        elif clause.keys and value.how == "first":
            key = ast.keyword("key", py.lambda_(x, self.key(clause, inner)))
            return ast.Call(py.name("min"), [found], [key, ast.keyword("default", py.number(-1))])
        elif clause.keys:
            found = ast.Call(py.name("sorted"), [found], [ast.keyword("key", py.lambda_(x, self.key(clause, inner)))])
        match value.how:
            case "first":
                return py.call("first", found)
            case "the":
                return py.call("only", found, site)
            case _:
                return py.call("list", found) if not conditions and not clause.keys and not clause.random else found

    def counts_down(self, clause: t.Clause) -> bool:
        """`n in a..b by highest n`."""
        if not isinstance(clause.source, t.Numbers) or len(clause.keys) != 1:
            return False
        key = clause.keys[0]
        return key.highest and isinstance(key.value, t.Local) and key.value.variable is clause.variable

    def key(self, clause: t.Clause, env: Env) -> ast.expr:
        """Sorting is always from low to high, so what shall be highest is negated."""
        keys = []
        for key in clause.keys:
            node = self.values.emit(key.value, env)
            keys.append(ast.UnaryOp(ast.USub(), node) if key.highest else node)
        return keys[0] if len(keys) == 1 else ast.Tuple(list(keys), py.LOAD)

    def clause(self, clause: t.Clause, env: Env) -> ast.expr:
        """The members of a clause as a list that does not change while a loop goes over it."""
        fold = t.Fold(clause.at, SetOf(clause.variable.type), "those", None, clause)  # type: ignore[arg-type]
        flat = filtered(self.values, clause, env)
        simple = not flat.tests and not clause.keys and not clause.random
        return flat.domain(self.values) if simple else self.looped(fold, flat, env)


def _is_sum(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and py.is_simple(node.right) and (py.is_simple(node.left) or _is_sum(node.left))


def _summed(terms: list[ast.expr]) -> ast.expr:
    if not terms:
        return py.number(0)
    total = terms[0]
    for term in terms[1:]:
        total = py.binary(total, "+", term)
    return total
