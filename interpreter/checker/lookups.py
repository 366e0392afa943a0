"""Names, fields and table entries: parsed nodes in, resolved values out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Protocol

from interpreter.checker import typed as t
from interpreter.checker.scope import Scope
from interpreter.checker.types import (
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
    fits,
    one,
)
from interpreter.checker.world import World
from interpreter.diagnostics import Span
from interpreter.dsl import nodes as n


class Signatures(Protocol):
    """What can be called from an expression."""

    def quantity_names(self) -> Collection[str]: ...
    def quantity_params(self, name: str) -> tuple[Type, ...]: ...
    def quantity_type(self, name: str) -> Type: ...
    def network_params(self, name: str) -> tuple[Type, ...] | None: ...
    def network_nodes(self, name: str) -> str | None: ...
    def network_names(self) -> list[str]: ...
    def routine_names(self) -> list[str]: ...


NONE_HINT = "say `is not none` before, or take `the(…)` instead of `first(…)`"
LISTED = 8  # names that are worth listing
LEAVING = ("stop", "close", "end")
RUN_HINT = "run it in a line of its own, and read afterwards what it has changed"
GET_SET = "a range is written 1..3, and all of a kind are named by its plural: players"


def dotted(node: n.Expr) -> str:
    """An id that was written with dots."""
    if isinstance(node, n.Field):
        return f"{dotted(node.owner)}.{node.name}"
    return node.id if isinstance(node, n.Name) else ""


class Lookups:
    """The part of the expression checker that finds what a name means."""

    world: World
    signatures: Signatures

    def value(self, node: n.Expr, scope: Scope, expected: Type | None = None) -> t.Value:
        raise NotImplementedError

    def wanted(self, node: n.Expr, scope: Scope, expected: Type | None) -> t.Value:
        raise NotImplementedError

    def condition(self, node: n.Expr, scope: Scope) -> t.Value:
        raise NotImplementedError

    def _fields_hint(self, kind: str, sort: type[Num] | type[Flag]) -> str | None:
        info = self.world.kinds[kind]
        names = [f".{name}" for name in self.fields_of(info) if isinstance(self._field_type(info, name), sort)]
        return f"did you mean a field of it: {' or '.join(names[:3])}?" if names else None

    def is_value(self, name: str) -> bool:
        return name in self.signatures.quantity_names() or name in self.world.constants

    def variable(self, name: str, type_: Type, at: Span) -> t.Variable:
        """A new name. Where its letter is declared for another kind, that is a mix-up."""
        letter = self.world.letter(at.file, name)
        if letter is not None and not isinstance(type_, Unknown | SetOf | Table | Empty):
            meant = self.world.letter_type(letter)
            loose = replace(type_, optional=False) if isinstance(type_, Thing) else type_
            if not fits(loose, meant):
                message = f"'{name}' always means {describe(meant)}, but here it would be {describe(type_)}"
                self.world.add("N112", at, message, "take another letter here")
        return t.Variable(name, type_)

    def _name(self, node: n.Name, scope: Scope, expected: Type | None) -> t.Value:
        word = node.id
        if word in scope.variables:
            variable = scope.variables[word]
            return t.Local(node.at, variable.type, variable)
        if word in scope.aliases:
            return replace(scope.aliases[word], at=node.at)
        world = self.world
        wanted_kind = expected.kind if isinstance(expected, Thing) else None
        found: list[tuple[str, t.Value]] = []
        if word in world.constants:
            found.append(("the constant", t.ConstantValue(node.at, world.constants[word].type, word)))
        if word in self.signatures.quantity_names() and not self.signatures.quantity_params(word):
            type_ = self.signatures.quantity_type(word)
            found.append(("the quantity", t.Asked(node.at, type_, word, ())))
        if word in world.plurals:
            kind = world.plurals[word]
            found.append((f"all {word}", t.AllOf(node.at, SetOf(Thing(kind)), kind)))
        if word in world.kinds and world.kinds[word].form == "one":
            found.append((f"the {word}", t.Named(node.at, Thing(word), word, word)))
        kinds = world.kinds_of_id(word)
        if wanted_kind is not None and word in world.kinds[wanted_kind].ids:
            kinds = [wanted_kind]
        found += [(f"the {kind} '{word}'", t.Named(node.at, Thing(kind), kind, word)) for kind in kinds]
        if len(found) == 1:
            return found[0][1]
        if len(found) > 1:
            ways = " or ".join(what for what, _ in found)
            world.add(
                "N111", node.at, f"'{word}' may be {ways}", "rename one of them, or write it where only one kind fits"
            )
        elif not isinstance(expected, Unknown):  # what stands beside it was not understood either
            self._unknown(node, scope, wanted_kind)
        return t.Plain(node.at, UNKNOWN, 0)

    def _unknown(self, node: n.Name, scope: Scope, wanted_kind: str | None) -> None:
        world, word = self.world, node.id
        if word in self.signatures.quantity_names():
            about = ", ".join(describe(type_) for type_ in self.signatures.quantity_params(word))
            world.add("N113", node.at, f"'{word}' does not say about what", f"write '{word}(…)' with {about}")
            return
        if word in self.signatures.routine_names():
            world.add("N114", node.at, f"'{word}' runs rules, but a formula can only read", RUN_HINT)
            return
        if wanted_kind is not None:
            kind = world.kinds[wanted_kind]
            known = [*kind.ids, *scope.variables, *world.constants]
            message, hint = f"no {wanted_kind} is called '{word}'", self.world.near(word, known)
            if wanted_kind.startswith("option "):
                message = f"the option '{wanted_kind.removeprefix('option ')}' has no value '{word}'"
            if hint is None and 0 < len(kind.ids) <= LISTED:
                hint = f"there is: {', '.join(kind.ids)}"
            world.add("N101", node.at, message, hint)
            return
        known = [
            *scope.variables,
            *world.constants,
            *self.signatures.quantity_names(),
            *world.plurals,
            *world.all_ids(),
        ]
        letter = world.letter(node.at.file, word)
        hint = self.world.near(word, known)
        if letter is not None:
            hint = f"'{word}' is a letter for {letter}, but nothing here says which {letter}"
        elif word in LEAVING:
            hint = f"'{word}' stands alone in its line"
        elif hint is None:
            hint = "constants, quantities, ids, plurals of kinds and the letters of this rule have names"
        world.add("N101", node.at, f"nothing is called '{word}'", hint)

    def _field(self, node: n.Field, scope: Scope, expected: Type | None) -> t.Value:
        owner = self.value(node.owner, scope, self._kind_with(node))
        if isinstance(owner.type, Unknown):
            return t.Plain(node.at, UNKNOWN, 0)
        if not isinstance(owner.type, Thing):
            hint = "only things have fields"
            if isinstance(owner.type, SetOf):
                hint = f"each of them may have one: 'the(…).{node.name}', 'sum(x.{node.name} for x in …)', 'for x in …'"
            message = f"{describe(owner.type)} has no field '{node.name}'"
            self.world.add("T108", last_word(node.at, node.name), message, hint)
            return t.Plain(node.at, UNKNOWN, 0)
        info = self.world.kinds[owner.type.kind]
        known = self.fields_of(info)
        if isinstance(owner, t.Named) and node.name not in known:
            thing = self._path(node, f"{owner.id}.{node.name}", expected)
            if thing is not None:
                return thing
        if owner.type.optional and node.name in known:
            self.world.add(
                "T109",
                node.owner.at,
                f"this {owner.type.kind} may be none here",
                NONE_HINT,
            )
        return self.read(owner, node.name, node.at)

    def _kind_with(self, node: n.Field) -> Thing | None:
        """Of several kinds of things with the same id, the one that has this field, or whose id goes on like this."""
        path = dotted(node.owner)
        kinds = self.world.kinds_of_path(path) if isinstance(node.owner, n.Field) else []
        fitting = [kind for kind in kinds if node.name in self.fields_of(self.world.kinds[kind])]
        if not fitting and kinds and self.world.kinds_of_path(f"{path}.{node.name}"):
            fitting = kinds[:1]
        return Thing(fitting[0]) if len(fitting) == 1 else None

    def _path(self, node: n.Field, path: str, expected: Type | None) -> t.Value | None:
        kinds = self.world.kinds_of_path(path)
        if isinstance(expected, Thing) and expected.kind in kinds:
            kinds = [expected.kind]
        if len(kinds) > 1:
            self.world.add(
                "N111",
                node.at,
                f"'{path}' may be {' or '.join(one(kind) for kind in kinds)}",
                "write it where only one kind fits",
            )
        return t.Named(node.at, Thing(kinds[0]), kinds[0], path) if kinds else None

    def fields_of(self, info: t.KindInfo) -> list[str]:
        names = [axis.name for axis in info.coordinates] + list(info.facts) + list(info.state)
        if info.form == "pieces":
            names += ["type", "copy"]
        if info.form == "seats":
            names.append("seat")
        return names

    def read(self, owner: t.Value, name: str, at: Span) -> t.Value:
        """A field of a thing, whatever sort of field it is."""
        assert isinstance(owner.type, Thing)
        kind = owner.type.kind
        info = self.world.kinds[kind]
        if name in info.state:
            whose = None if info.form == "one" else owner
            return t.State(at, info.state[name].type, kind, name, whose)
        if name in info.facts:
            type_ = info.facts[name].type
            return t.Fact(at, type_, kind, name, owner)
        for axis in info.coordinates:
            if axis.name == name:
                coordinate: Type = Thing(axis.kind) if axis.kind else Num(min(axis.numbers), max(axis.numbers))
                return t.Fact(at, coordinate, kind, name, owner)
        if info.form == "pieces" and name == "type":
            return t.Fact(at, Thing(info.pieces_of) if info.pieces_of else UNKNOWN, kind, name, owner)
        if (info.form, name) in (("pieces", "copy"), ("seats", "seat")):
            return t.Fact(at, Num(1, self.world.largest(kind)), kind, name, owner)
        hint = self.world.near(name, self.fields_of(info))
        if hint is None and info.pieces_of and name in self.world.kinds[info.pieces_of].facts:
            hint = f"what is printed stands on its type: '.type.{name}'"
        if hint is None and 0 < len(self.fields_of(info)) <= LISTED:
            hint = f"it has {', '.join(self.fields_of(info))}"
        self.world.add("N115", last_word(at, name), f"{one(kind)} has no field '{name}'", hint)
        return t.Plain(at, UNKNOWN, 0)

    def _index(self, node: n.Index, scope: Scope) -> t.Value:
        value = self.value(node.table, scope)
        for key_node in node.keys:
            match value.type:
                case Table(index, entry):
                    key = self.wanted(key_node, scope, index if isinstance(index, Thing) else NUMBER)
                    if isinstance(index, Num):
                        self._in_table(key, index)
                    value = t.Entry(node.at, entry, value, key)
                case SetOf(item):
                    value = t.Entry(node.at, item, value, self.wanted(key_node, scope, NUMBER))
                case Unknown():
                    return t.Plain(node.at, UNKNOWN, 0)
                case _:
                    message = f"{describe(value.type)} is not a table and has no entries"
                    self.world.add("T111", node.table.at, message, "only tables and sets can be followed by '[…]'")
                    return t.Plain(node.at, UNKNOWN, 0)
        return value

    def _in_table(self, key: t.Value, index: Num) -> None:
        if isinstance(key.type, Num) and not key.type.soft and (key.type.low > index.high or key.type.high < index.low):
            self.world.add("T112", key.at, f"the table has entries {index.low} to {index.high} only")

    def _field_type(self, info: t.KindInfo, name: str) -> Type:
        stand_in = t.Named(info.at, Thing(info.name), info.name, info.name)
        return self.read(stand_in, name, info.at).type


def first_word(at: Span, word: str) -> Span:
    """The place of a word that stands at the beginning of a text."""
    return Span(at.file, at.line, at.col, at.line, at.col + len(word))


def last_word(at: Span, word: str) -> Span:
    """The place of a word that stands at the end of a text."""
    return Span(at.file, at.end_line, max(1, at.end_col - len(word)), at.end_line, at.end_col)
