"""Expressions: parsed nodes in, typed values with every name resolved out; mistakes become findings."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from interpreter.checker import arithmetic
from interpreter.checker import typed as t
from interpreter.checker.scope import Scope, key_of, known_if
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
    fits,
    join,
    one,
)
from interpreter.checker.world import World, option_kind
from interpreter.diagnostics import Span
from interpreter.dsl import nodes as n
from interpreter.dsl.vocabulary import FOLDS, FUNCTIONS, MAX_ROUNDS


class Signatures(Protocol):
    """What can be called from an expression."""

    def quantity_names(self) -> list[str]: ...
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


class Expressions:
    def __init__(self, world: World, signatures: Signatures) -> None:
        self.world = world
        self.signatures = signatures

    # ------------------------------------------------------------ entry points
    def formula(self, formula: n.Formula, scope: Scope, expected: Type | None = None) -> t.Formula:
        scope = scope.copy()
        lets = []
        for let in formula.lets:
            value = self.value(let.value, scope)
            variable = self.variable(let.name, value.type, let.at)
            lets.append(t.Let(let.at, variable, value))
            scope = scope.with_variable(variable)
        return t.Formula(tuple(lets), self.wanted(formula.value, scope, expected))

    def condition(self, node: n.Expr, scope: Scope) -> t.Value:
        return self.wanted(node, scope, FLAG)

    def wanted(self, node: n.Expr, scope: Scope, expected: Type | None) -> t.Value:
        return self.fitting(self.value(node, scope, expected), expected)

    def fitting(self, value: t.Value, expected: Type | None) -> t.Value:
        if expected is not None and not fits(value.type, expected):
            message = f"expected {describe(expected)}, found {describe(value.type)}"
            self.world.add("T107", value.at, message, self._conversion(value.type, expected))
            return replace(value, type=UNKNOWN)
        return value

    def _conversion(self, found: Type, wanted: Type) -> str | None:
        """How one might come from what was found to what is wanted."""
        match found, wanted:
            case Thing(kind, True), Thing(wanted_kind) if kind == wanted_kind:
                return NONE_HINT
            case SetOf(Thing(kind)), Thing(wanted_kind) if kind == wanted_kind:
                return "take one of them: the(…) or first(…)"
            case Num(), Flag():
                return "compare it: '… > 0', '… is 1'"
            case Flag(), Num():
                return "write '1 if … else 0'"
            case SetOf(), Num():
                return "count them: count(…)"
            case Thing(kind), Num():
                return self._fields_hint(kind, Num)
            case Thing(kind), Flag():
                return self._fields_hint(kind, Flag)
            case _:
                return None

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

    # ------------------------------------------------------------ values
    def value(self, node: n.Expr, scope: Scope, expected: Type | None = None) -> t.Value:
        value = self._value(node, scope, expected)
        if isinstance(value.type, Thing) and value.type.optional and key_of(value) in scope.known:
            return replace(value, type=Thing(value.type.kind))
        return value

    def _value(self, node: n.Expr, scope: Scope, expected: Type | None) -> t.Value:
        match node:
            case n.Number(value=number):
                return t.Plain(node.at, Num(number, number), number)
            case n.Truth(value=truth):
                return t.Plain(node.at, FLAG, int(truth))
            case n.Nothing():
                return t.Plain(node.at, Empty(), -1)
            case n.Name():
                return self._name(node, scope, expected)
            case n.Field():
                return self._field(node, scope, expected)
            case n.Index():
                return self._index(node, scope)
            case n.Call():
                return self._call(node, scope)
            case n.Of():
                return self._of(node, scope)
            case n.Rotated():
                return self._rotated(node, scope)
            case n.OptionValue():
                return self._option(node)
            case n.Listed():
                return self._listed(node, scope, expected)
            case n.Range():
                return self._range(node, scope)
            case n.Binary():
                return self._binary(node, scope)
            case n.Negate():
                inner = self.wanted(node.value, scope, NUMBER)
                zero = t.Plain(node.at, Num(0, 0), 0)
                return t.Arithmetic(node.at, arithmetic.combine("-", zero.type, inner.type), "-", zero, inner)
            case n.Compare():
                return self._compare(node, scope)
            case n.Logic():
                left = self.condition(node.left, scope)
                right = self.condition(node.right, scope.having(known_if(left, node.op == "and")))
                return t.Logical(node.at, FLAG, node.op, left, right)
            case n.Not():
                return t.Negation(node.at, FLAG, self.condition(node.value, scope))
            case n.Choose():
                return self._choose(node, scope, expected)
            case n.Fold():
                return self._fold(node, scope)

    # ------------------------------------------------------------ names and fields
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
        owner = self.value(node.owner, scope)
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

    # ------------------------------------------------------------ calls
    def _call(self, node: n.Call, scope: Scope) -> t.Value:
        name = node.name
        world, signatures = self.world, self.signatures
        if name in signatures.quantity_names():
            args = self.arguments(name, signatures.quantity_params(name), node.args, scope, node.at)
            return t.Asked(node.at, signatures.quantity_type(name), name, args)
        if name in world.kinds and world.kinds[name].form == "per":
            axes = world.kinds[name].coordinates
            wanted = tuple(Thing(a.kind) if a.kind else Num(min(a.numbers), max(a.numbers)) for a in axes)
            args = self.arguments(name, wanted, node.args, scope, node.at)
            return t.Make(node.at, Thing(name), name, args)
        if name in FUNCTIONS:
            return self._function(node, scope)
        if name in signatures.routine_names():
            world.add("N114", first_word(node.at, name), f"'{name}' runs rules, but a formula can only read", RUN_HINT)
        else:
            known = [
                *signatures.quantity_names(),
                *FUNCTIONS,
                *FOLDS,
                *(k for k, i in world.kinds.items() if i.form == "per"),
            ]
            hint = world.near(name, known) or "only quantities, functions and kinds with `per` are written with '(…)'"
            world.add("N101", first_word(node.at, name), f"no quantity or function is called '{name}'", hint)
        for arg in node.args:
            self.value(arg, scope)
        return t.Plain(node.at, UNKNOWN, 0)

    def arguments(
        self, name: str, wanted: tuple[Type, ...], given: tuple[n.Expr, ...], scope: Scope, at: Span
    ) -> tuple[t.Value, ...]:
        if len(wanted) != len(given):
            takes = "nothing" if not wanted else _values(len(wanted)) + f" ({', '.join(describe(w) for w in wanted)})"
            self.world.add("T113", at, f"'{name}' takes {takes}, but {len(given) or 'nothing'} is given")
            return tuple(t.Plain(at, UNKNOWN, 0) for _ in wanted)
        return tuple(self.wanted(arg, scope, type_) for arg, type_ in zip(given, wanted, strict=True))

    def _function(self, node: n.Call, scope: Scope) -> t.Value:
        name, at = node.name, node.at
        function = FUNCTIONS[name]
        many = function.args[-1] == "..."
        least = len(function.args) - many
        if len(node.args) < least or (len(node.args) > least and not many):
            words = ", ".join(f"a {word}" for word in function.args[:least])
            takes = f"{_values(least)}{' or more' if many else ''} ({words})"
            self.world.add("T113", at, f"'{name}' takes {takes}, but {len(node.args) or 'nothing'} is given")
            return t.Plain(at, UNKNOWN, 0)
        if function.args[0] == "network":
            return self._network(node, scope)
        if function.args[0] == "number":
            numbers = tuple(self.wanted(a, scope, NUMBER) for a in node.args)
            return t.Function(at, arithmetic.of_function(name, [v.type for v in numbers]), name, numbers)
        if name == "reversed":
            (whole,) = (self._set(a, scope) for a in node.args)
            return t.SetFunction(at, whole.type, name, (whole,))
        thing = self.value(node.args[0], scope)
        if name == "position":
            whole = self._set(node.args[1], scope)
            return t.Function(at, NUMBER, name, (thing, whole))
        if not isinstance(thing.type, Thing | Unknown) or (isinstance(thing.type, Thing) and thing.type.optional):
            self.world.add("T107", node.args[0].at, f"expected a thing, found {describe(thing.type)}")
            return t.Plain(at, UNKNOWN, 0)
        return t.Function(at, thing.type, name, (thing,))

    def _network(self, node: n.Call, scope: Scope) -> t.Value:
        net, *rest = node.args
        name, given = (
            (net.id, ()) if isinstance(net, n.Name) else (net.name, net.args) if isinstance(net, n.Call) else ("", ())
        )
        params = self.signatures.network_params(name)
        if params is None:
            hint = self.world.near(name, self.signatures.network_names())
            if hint is None and self.signatures.network_names():
                hint = f"there is: {', '.join(self.signatures.network_names()[:LISTED])}"
            message = f"no network is called '{name}'" if name else "the name of a network stands here"
            self.world.add("N101", net.at, message, hint or "networks are listed under 'networks:'")
            return t.Plain(node.at, UNKNOWN, 0)
        net_args = self.arguments(name, params, given, scope, net.at)
        kind = self.signatures.network_nodes(name)
        if kind is None:
            return t.Plain(node.at, UNKNOWN, 0)
        things = tuple(self.wanted(a, scope, Thing(kind)) for a in rest)
        type_: Type = Num(0, 9999) if node.name == "distance" else SetOf(Thing(kind))
        return t.NetworkQuestion(node.at, type_, node.name, name, net_args, things)

    # ------------------------------------------------------------ sets
    def _set(self, node: n.Expr, scope: Scope, expected: Type | None = None) -> t.Value:
        value = self.value(node, scope, expected)
        if not isinstance(value.type, SetOf | Unknown):
            self.world.add("T114", node.at, f"expected a set, found {describe(value.type)}", GET_SET)
            return replace(value, type=UNKNOWN)
        return value

    def _of(self, node: n.Of, scope: Scope) -> t.Value:
        kind = self.world.plurals.get(node.plural)
        owner = self.value(node.owner, scope)
        if kind is None:
            self.world.add(
                "N101",
                first_word(node.at, node.plural),
                f"no kind has the plural '{node.plural}'",
                self.world.near(node.plural, self.world.plurals),
            )
            return t.Plain(node.at, UNKNOWN, 0)
        type_ = SetOf(Thing(kind))
        if isinstance(owner.type, Unknown) or not isinstance(owner.type, Thing):
            if not isinstance(owner.type, Unknown):
                message = f"'{node.plural} of' needs a thing, but this is {describe(owner.type)}"
                self.world.add("T107", node.owner.at, message)
            return t.Plain(node.at, UNKNOWN, 0)
        info = self.world.kinds[kind]
        fields = [name for name in self.fields_of(info) if _is_of(self._field_type(info, name), owner.type.kind)]
        if len(fields) != 1:
            owner_kind = owner.type.kind
            message = f"{one(kind)} has no field that is {one(owner_kind)}"
            if fields:
                message = f"{one(kind)} has several fields that are {one(owner_kind)}: {', '.join(fields)}"
            hint = f"write 'x in {node.plural} where x.{fields[0] if fields else '…'} is …'"
            self.world.add("N116", node.at, message, hint)
            return t.Plain(node.at, UNKNOWN, 0)
        return t.OfField(node.at, type_, kind, fields[0], owner)

    def _field_type(self, info: t.KindInfo, name: str) -> Type:
        stand_in = t.Named(info.at, Thing(info.name), info.name, info.name)
        return self.read(stand_in, name, info.at).type

    def _rotated(self, node: n.Rotated, scope: Scope) -> t.Value:
        kind = self.world.plurals.get(node.plural)
        if kind is None:
            self.world.add(
                "N101",
                first_word(node.at, node.plural),
                f"no kind has the plural '{node.plural}'",
                self.world.near(node.plural, self.world.plurals),
            )
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

    # ------------------------------------------------------------ operators
    def _binary(self, node: n.Binary, scope: Scope) -> t.Value:
        left = self.value(node.left, scope)
        if node.op in ("+", "-") and isinstance(left.type, SetOf):
            right = self._set(node.right, scope, left.type)
            type_ = left.type if isinstance(right.type, Unknown) else join(left.type, right.type)
            if type_ is None:
                message = f"{describe(left.type)} and {describe(right.type)} cannot be put together"
                self.world.add("T115", node.at, message)
                type_ = UNKNOWN
            return t.SetFunction(node.at, type_, node.op, (left, right))
        left = self.fitting(left, NUMBER)
        right = self.wanted(node.right, scope, NUMBER)
        if (
            node.op in ("mod", "/ up", "/ down")
            and isinstance(right.type, Num)
            and right.type.low == right.type.high == 0
        ):
            self.world.add("T118", node.right.at, "nothing can be divided by 0", "name another number")
        return t.Arithmetic(node.at, arithmetic.combine(node.op, left.type, right.type), node.op, left, right)

    def _compare(self, node: n.Compare, scope: Scope) -> t.Value:
        if node.op in ("in", "not in"):
            left = self.value(node.left, scope)
            expected = SetOf(left.type) if isinstance(left.type, Num | Thing) else None
            right = self._set(node.right, scope, expected)
            if isinstance(right.type, SetOf) and join(left.type, right.type.item) is None:
                what = f"{describe(left.type)} can never be in {describe(right.type)}"
                self.world.add("T119", node.at, what, self._likeness(left.type, right.type.item))
            return t.Comparison(node.at, FLAG, node.op, left, right)
        if node.op not in ("is", "is not"):
            left, right = self.wanted(node.left, scope, NUMBER), self.wanted(node.right, scope, NUMBER)
        elif isinstance(node.left, n.Name) and node.left.id not in (*scope.variables, *scope.aliases):
            right = self.value(node.right, scope)
            left = self.value(node.left, scope, right.type)
        else:
            left = self.value(node.left, scope)
            right = self.value(node.right, scope, left.type)
        if join(left.type, right.type) is None or isinstance(left.type, SetOf):
            message = f"{describe(left.type)} can never be {describe(right.type)}"
            self.world.add("T119", node.at, message, self._likeness(left.type, right.type))
        elif arithmetic.never(node.op, left.type, right.type):
            sides = f"the left side is {describe(left.type)}, the right side {describe(right.type)}"
            hint = "remove it, or compare with another number"
            self.world.add("T120", node.at, f"this can never hold: {sides}", hint)
        return t.Comparison(node.at, FLAG, node.op, left, right)

    def _likeness(self, left: Type, right: Type) -> str | None:
        """What might be compared instead."""
        if isinstance(left, Empty) or isinstance(right, Empty):
            return "only what is declared as `KIND or none` can be none"
        if isinstance(left, SetOf):
            return "ask whether a thing is in it: 'x in …', or count them: 'count(…) is …'"
        return self._conversion(left, right) or self._conversion(right, left)

    def _choose(self, node: n.Choose, scope: Scope, expected: Type | None) -> t.Value:
        condition = self.condition(node.condition, scope)
        then = self.value(node.then, scope.having(known_if(condition, True)), expected)
        wanted = expected if expected is not None else then.type
        otherwise = self.value(node.otherwise, scope.having(known_if(condition, False)), wanted)
        type_ = join(then.type, otherwise.type)
        if type_ is None:
            self.world.add(
                "T115", node.at, f"this is {describe(then.type)} or {describe(otherwise.type)}, but both must be alike"
            )
            type_ = UNKNOWN
        return t.Choice(node.at, type_, condition, then, otherwise)

    # ------------------------------------------------------------ clauses and folds
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


def _values(number: int) -> str:
    return "1 value" if number == 1 else f"{number} values"


def first_word(at: Span, word: str) -> Span:
    """The place of a word that stands at the beginning of a text."""
    return replace(at, end_line=at.line, end_col=at.col + len(word))


def last_word(at: Span, word: str) -> Span:
    """The place of a word that stands at the end of a text."""
    return replace(at, line=at.end_line, col=max(1, at.end_col - len(word)))
