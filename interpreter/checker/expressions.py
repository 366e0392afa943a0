"""Expressions: parsed nodes in, typed values with every name resolved out; mistakes become findings."""

from __future__ import annotations

from dataclasses import replace

from interpreter.checker import arithmetic
from interpreter.checker import typed as t
from interpreter.checker.lookups import LISTED, NONE_HINT, RUN_HINT, Signatures, first_word
from interpreter.checker.scope import Scope, key_of, known_if
from interpreter.checker.sets import SetExpressions
from interpreter.checker.types import (
    FLAG,
    NUMBER,
    UNKNOWN,
    Empty,
    Flag,
    Num,
    SetOf,
    Thing,
    Type,
    Unknown,
    describe,
    fits,
    join,
)
from interpreter.checker.world import World
from interpreter.diagnostics import Span
from interpreter.dsl import nodes as n
from interpreter.dsl.vocabulary import FOLDS, FUNCTIONS


class Expressions(SetExpressions):
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

    def fitting(self, value: t.Value, expected: Type | None, takes: str | None = None) -> t.Value:
        """The value, if it is what is expected; `takes` says who expects it and what else."""
        if expected is not None and not fits(value.type, expected):
            message = f"expected {describe(expected)}, found {describe(value.type)}"
            if takes is not None:
                message = f"{takes}, but this is {describe(value.type)}"
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
        kinds = "nothing" if not wanted else _values(len(wanted)) + f" ({', '.join(describe(w) for w in wanted)})"
        takes = f"'{name}' takes {kinds}"
        if len(wanted) != len(given):
            self.world.add("T113", at, f"{takes}, but {len(given) or 'nothing'} is given")
            return tuple(t.Plain(at, UNKNOWN, 0) for _ in wanted)
        pairs = zip(given, wanted, strict=True)
        return tuple(self.fitting(self.value(arg, scope, type_), type_, takes) for arg, type_ in pairs)

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


def _values(number: int) -> str:
    return "1 value" if number == 1 else f"{number} values"
