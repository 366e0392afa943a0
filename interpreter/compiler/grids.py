"""Options made beforehand: what a lister would put together anew each time in, look-ups and slices of a table out.

An option is a tuple of its number and its picks. Where the picks come from small sets, all tuples there can ever be lie
ready in nested tables, made once when the program is loaded; a loop over neighbouring numbers becomes one slice.
"""

from __future__ import annotations

import ast
from itertools import count
from typing import Any

from interpreter.checker.types import Num, Thing, Type
from interpreter.compiler import pyast as py
from interpreter.compiler.layout import Layout

Body = list[ast.stmt]
MOST = 4096  # tuples made beforehand for one option
BOUNDS = {ast.Lt: 0, ast.LtE: 1}  # what comes after the last number that passes


class Grids:
    """The tables of one program."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.made: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {}  # name -> how all start, size of each pick

    def chosen(self, number: int, picks: list[tuple[ast.expr, Type]]) -> ast.expr:
        """An option with these picks: looked up if it can be, put together otherwise."""
        start, rest = [number], list(picks)
        while rest and (fixed := py.known(rest[0][0])) is not None:
            start.append(fixed)
            rest.pop(0)
        sizes = [self._size(type_) for _, type_ in rest]
        total = 1
        for size in sizes:
            total *= size
        if not rest or not 0 < total <= MOST:
            return ast.Tuple([py.number(number), *(pick for pick, _ in picks)], py.LOAD)
        name = "options_" + "_".join(map(str, start))
        self.made[name] = tuple(start), tuple(sizes)
        node: ast.expr = py.name(name)
        for pick, _ in rest:
            node = py.item(node, pick)
        return node

    def _size(self, type_: Type) -> int:
        match type_:
            case Thing(kind, False):
                return self.layout.size(kind)
            case Num(low, high) if low >= 0:
                return high + 1
        return MOST + 1

    def tables(self) -> Body:
        """Statements that make the tables."""
        done: Body = []
        for name, (start, sizes) in self.made.items():
            done.append(py.assign(name, py.call("grid", py.constant(start), py.constant(sizes))))
        return done


class Slices:
    """Turns loops that add neighbouring entries of a table into slices; `tables` are what the code can look up."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.tables = tables
        self.numbers = count(1)

    def body(self, body: Body) -> Body:
        return [made for statement in body for made in self.statement(statement)]

    def statement(self, statement: ast.stmt) -> Body:
        match statement:
            case ast.If(test=test, body=body, orelse=otherwise):
                return [py.like(ast.If(test, self.body(body), self.body(otherwise)), statement)]
            case ast.For(target=ast.Name(id=word), iter=domain, body=body, orelse=otherwise):
                sliced = self._sliced(word, domain, body) if not otherwise else None
                if sliced is not None:
                    return [py.like(made, statement) for made in sliced]
                return [py.like(ast.For(statement.target, domain, self.body(body), self.body(otherwise)), statement)]
        return [statement]

    def _sliced(self, word: str, domain: ast.expr, body: Body) -> Body | None:
        tests: list[ast.expr] = []
        match body:
            case [ast.If(test=test, body=[inner], orelse=[])]:
                tests = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
            case [inner]:
                pass
            case _:
                return None
        row = _added(inner, word)
        narrowed = [_narrows(test, word) for test in tests]
        match domain:
            case ast.Call(func=ast.Name(id="range"), args=[low, high]) if row is not None and self._not_negative(low):
                limits = [found for found in narrowed if found is not None]
                gaps = [limit for sign, limit in limits if sign is ast.NotEq]
                if len(limits) < len(tests) or len(gaps) > 1:
                    return None
                return self._slices(row, low, high, [(s, e) for s, e in limits if s is not ast.NotEq], gaps)
        return None

    def _slices(
        self,
        row: ast.expr,
        low: ast.expr,
        high: ast.expr,
        limits: list[tuple[type[ast.cmpop], ast.expr]],
        gaps: list[ast.expr],
    ) -> Body:
        number = next(self.numbers)
        first, last, gap = f"first_{number}", f"last_{number}", f"gap_{number}"
        begin = py.copier(low)
        done: Body = [py.assign(last, high)]
        for sign, limit in limits:
            end = f"end_{number}"
            done.append(py.assign(end, py.binary(limit, "+", py.number(BOUNDS[sign]))))
            done.append(py.if_(py.compare(py.name(end), "<", py.name(last)), [py.assign(last, py.name(end))]))
        inside: Body = []
        for limit in gaps:
            hit = ast.Compare(py.name(first), [ast.LtE(), ast.Lt()], [py.name(gap), py.name(last)])
            after = py.assign(first, py.binary(py.name(gap), "+", py.number(1)))
            skip: Body = [_extend(row, py.name(first), py.name(gap)), after]
            inside += [py.assign(first, begin()), py.assign(gap, limit), py.if_(hit, skip)]
            begin = py.copier(py.name(first))
        inside.append(_extend(row, begin(), py.name(last)))
        return [*done, py.if_(py.compare(py.name(last), ">", py.copier(low)()), inside)]

    def _not_negative(self, low: ast.expr) -> bool:
        known = py.known(low)
        if known is not None:
            return known >= 0
        if isinstance(low, ast.Subscript) and isinstance(low.value, ast.Name):
            entries = self.tables.get(low.value.id, ())
            return bool(entries) and all(isinstance(entry, int) and entry >= 0 for entry in entries)
        return False


def _added(statement: ast.stmt, word: str) -> ast.expr | None:
    """The row of a table whose entry with this number is added to the options."""
    match statement:
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(attr="append"), args=[ast.Subscript(value=row, slice=ast.Name(id=name))])
        ):
            return row if name == word and word not in py.names(row) else None
    return None


def _narrows(test: ast.expr, word: str) -> tuple[type[ast.cmpop], ast.expr] | None:
    """`word < limit`, `word <= limit` or `word != limit`: the sign and the limit."""
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt() | ast.LtE() | ast.NotEq() as sign], comparators=[limit]):
            if name == word and word not in py.names(limit) and py.is_safe(limit):
                return type(sign), limit
    return None


def _extend(row: ast.expr, first: ast.expr, last: ast.expr) -> ast.stmt:
    part = ast.Subscript(py.copier(row)(), ast.Slice(first, last, None), py.LOAD)
    return ast.AugAssign(py.stored("out"), ast.Add(), part)
