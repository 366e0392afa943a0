"""Sets, clauses and folds: parsed nodes in, typed values out."""

from __future__ import annotations

from dataclasses import replace

from interpreter.checker import arithmetic
from interpreter.checker import typed as t
from interpreter.checker.lookups import GET_SET, Lookups, first_word, last_word
from interpreter.checker.scope import Scope, known_if
from interpreter.checker.types import (
    FLAG,
    NUMBER,
    UNKNOWN,
    Empty,
    Flag,
    Num,
    SetOf,
    Table,
    Thing,
    Type,
    Unknown,
    describe,
    join,
    one,
)
from interpreter.checker.world import option_kind
from interpreter.dsl import nodes as n
from interpreter.dsl.vocabulary import MAX_ROUNDS


class SetExpressions(Lookups):
    """The part of the expression checker that deals with many things at once."""

    def _set(self, node: n.Expr, scope: Scope, expected: Type | None = None) -> t.Value:
        value = self.value(node, scope, expected)
        if not isinstance(value.type, SetOf | Unknown):
            self.world.add("T114", node.at, f"expected a set, found {describe(value.type)}", GET_SET)
            return replace(value, type=UNKNOWN)
        return value

    def _kind_of(self, node: n.Of | n.Rotated) -> str | None:
        """The kind whose plural stands at the beginning."""
        kind = self.world.plurals.get(node.plural)
        if kind is None:
            at, hint = first_word(node.at, node.plural), self.world.near(node.plural, self.world.plurals)
            self.world.add("N101", at, f"no kind has the plural '{node.plural}'", hint)
        return kind

    def _of(self, node: n.Of, scope: Scope) -> t.Value:
        kind = self._kind_of(node)
        owner = self.value(node.owner, scope)
        if kind is None:
            return t.Plain(node.at, UNKNOWN, 0)
        type_ = SetOf(Thing(kind))
        if isinstance(owner.type, Unknown) or not isinstance(owner.type, Thing):
            if not isinstance(owner.type, Unknown):
                message = f"'{node.plural} of' needs a thing, but this is {describe(owner.type)}"
                self.world.add("T107", node.owner.at, message)
            return t.Plain(node.at, UNKNOWN, 0)
        info = self.world.kinds[kind]
        fields = [name for name in self.fields_of(info) if _is_of(self._field_type(info, name), owner.type.kind)]
        if len(fields) > 1:  # what a later layer adds does not change what `of` means
            early = [name for name in fields if not self.world.is_late(kind, name)]
            fields = early if len(early) == 1 else fields
        if len(fields) != 1:
            owner_kind = owner.type.kind
            message = f"{one(kind)} has no field that is {one(owner_kind)}"
            if fields:
                message = f"{one(kind)} has several fields that are {one(owner_kind)}: {', '.join(fields)}"
            hint = f"write 'x in {node.plural} where x.{fields[0] if fields else '…'} is …'"
            self.world.add("N116", node.at, message, hint)
            return t.Plain(node.at, UNKNOWN, 0)
        return t.OfField(node.at, type_, kind, fields[0], owner)

    def _rotated(self, node: n.Rotated, scope: Scope) -> t.Value:
        kind = self._kind_of(node)
        if kind is None:
            return t.Plain(node.at, UNKNOWN, 0)
        return t.Rotation(node.at, SetOf(Thing(kind)), kind, self.wanted(node.start, scope, Thing(kind)))

    def _option(self, node: n.OptionValue) -> t.Value:
        values = self.world.options.get(node.name)
        if values is None:
            self.world.add(
                "N101",
                last_word(node.at, node.name),
                f"this game has no option '{node.name}'",
                self.world.near(node.name, self.world.options) or "options of the game are listed under 'options:'",
            )
            return t.Plain(node.at, UNKNOWN, 0)
        if all(type(value) is int for value in values):
            numbers = [value for value in values if isinstance(value, int)]
            return t.OptionChoice(node.at, Num(min(numbers), max(numbers), soft=True), node.name)
        return t.OptionChoice(node.at, Thing(option_kind(node.name)), node.name)

    def _listed(self, node: n.Listed, scope: Scope, expected: Type | None) -> t.Value:
        item: Type | None = expected.item if isinstance(expected, SetOf) else None
        values = tuple(self.value(i, scope, item) for i in node.items)
        joined: Type | None = values[0].type
        for value in values[1:]:
            joined = None if joined is None else join(joined, value.type)
        if not isinstance(joined, Num | Flag | Thing | Empty):
            if joined is None:
                ways = list(dict.fromkeys(describe(value.type) for value in values))
                message = f"{ways[0]} and {ways[1]} cannot be members of one set"
                self.world.add("T115", node.at, message)
            return t.Plain(node.at, UNKNOWN, 0)
        return t.Listing(node.at, SetOf(joined), values)

    def _range(self, node: n.Range, scope: Scope) -> t.Value:
        low, high = self.wanted(node.low, scope, NUMBER), self.wanted(node.high, scope, NUMBER)
        a, b = low.type, high.type
        if not isinstance(a, Num) or not isinstance(b, Num):
            return t.Plain(node.at, UNKNOWN, 0)
        if a.low > b.high and not (a.soft or b.soft):
            self.world.add("T116", node.at, "this range is always empty", "backwards is written reversed(1..3)")
        if a.high < b.low and b.low - a.high >= MAX_ROUNDS:
            self.world.add("T117", node.at, f"this range has more than {MAX_ROUNDS} numbers", "shorten it")
        return t.Numbers(node.at, SetOf(Num(a.low, max(a.low, b.high), a.soft or b.soft)), low, high)

    def clause(self, clause: n.Clause, scope: Scope) -> tuple[t.Clause, Scope]:
        source = self._set(clause.source, scope)
        item = source.type.item if isinstance(source.type, SetOf) else UNKNOWN
        variable = (
            t.Variable("it", item)
            if clause.variable is None
            else self.variable(clause.variable, item, first_word(clause.at, clause.variable))
        )
        inner = scope.with_variable(variable) if clause.variable is not None else scope
        where = None
        if clause.where is not None:
            where = self.condition(clause.where, inner.formula())
            inner = inner.having(known_if(where, True))
        random = any(key.order == "random" for key in clause.keys)
        if random and not scope.may_draw:
            self.world.add(
                "T121",
                next(key.at for key in clause.keys if key.order == "random"),
                "a formula gives the same answer each time, so it cannot draw by random",
                "draw in a statement, and keep what was drawn in a field",
            )
        keys = tuple(
            t.Key(key.order == "highest", self.wanted(key.value, inner.formula(), NUMBER))
            for key in clause.keys
            if key.value is not None
        )
        return t.Clause(clause.at, variable, source, where, keys, random), inner

    def _fold(self, node: n.Fold, scope: Scope) -> t.Value:
        clause, inner = self.clause(node.clause, scope)
        body = None
        item = clause.variable.type
        if node.body is not None:
            body = self.wanted(node.body, inner.formula(), FLAG if node.how == "all" else NUMBER)
        size = self._size(clause.source)
        match node.how:
            case "count":
                type_: Type = Num(0, size)
            case "any" | "all":
                type_ = FLAG
            case "sum" | "min" | "max":
                assert body is not None
                type_ = arithmetic.of_fold(node.how, body.type, size)
            case "first":
                type_ = replace(item, optional=True) if isinstance(item, Thing) else item
                if isinstance(item, Num | Flag):
                    self.world.add(
                        "T122",
                        node.at,
                        "`first` may find nothing, and no number stands for nothing",
                        "take `the(…)` where there must be one, or `min` or `max`",
                    )
            case "the":
                type_ = item
            case _:
                type_ = SetOf(item) if not isinstance(item, Unknown | SetOf | Table) else UNKNOWN
        if isinstance(item, Unknown) and node.how in ("first", "the", "those", "best"):
            type_ = UNKNOWN
        return t.Fold(node.at, type_, node.how, body, clause)

    def _size(self, source: t.Value) -> int:
        match source:
            case t.AllOf(kind=kind) | t.OfField(kind=kind) | t.Rotation(kind=kind):
                return self.world.largest(kind)
            case t.Listing(items=items):
                return len(items)
            case _:
                return MAX_ROUNDS


def _is_of(type_: Type, kind: str) -> bool:
    return isinstance(type_, Thing) and type_.kind == kind
