"""Statements: parsed blocks in, typed blocks out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from interpreter.checker import typed as t
from interpreter.checker.expressions import Expressions
from interpreter.checker.lookups import first_word
from interpreter.checker.scope import Scope, forget_field, forget_state, forget_variable, known_if
from interpreter.checker.types import NUMBER, UNKNOWN, Num, Thing, Type, Unknown, describe, one
from interpreter.dsl import nodes as n


class Callables(Protocol):
    """What statements can run, announce and ask."""

    def routine_params(self, name: str) -> tuple[Type, ...] | None: ...
    def moment_params(self, name: str) -> tuple[Type, ...] | None: ...
    def window_params(self, name: str) -> tuple[Type, ...] | None: ...
    def routine_names(self) -> list[str]: ...
    def moment_names(self) -> list[str]: ...
    def window_names(self) -> list[str]: ...


@dataclass(slots=True)
class Flow:
    """Where we are in a block: what is visible now, and whether what follows can be reached."""

    scope: Scope
    left: bool = False


class Statements:
    def __init__(self, expressions: Expressions, callables: Callables) -> None:
        self.expressions = expressions
        self.callables = callables
        self.world = expressions.world

    def body(self, block: n.Block, scope: Scope, in_option: bool = False) -> t.Block:
        flow = Flow(replace(scope.copy(), may_draw=True))
        return self.block(block, flow, in_option)

    def block(self, block: n.Block, flow: Flow, in_option: bool) -> t.Block:
        done = []
        for statement in block:
            if flow.left:
                message = "this is never reached, because what stands before it always leaves"
                self.world.add("F104", statement.at, message, "remove it, or leave under a condition: 'if … then stop'")
                break
            done.append(self.statement(statement, flow, in_option))
        return tuple(done)

    def inner(self, block: n.Block, flow: Flow, known: frozenset[str], in_option: bool) -> tuple[t.Block, Flow]:
        part = Flow(flow.scope.having(known).copy())
        return self.block(block, part, in_option), part

    def statement(self, node: n.Stmt, flow: Flow, in_option: bool) -> t.Statement:
        match node:
            case n.Let():
                return self.let(node, flow)
            case n.Assign():
                return self.assign(node, flow)
            case n.Move():
                return self.move(node, flow)
            case n.If():
                return self.condition(node, flow, in_option)
            case n.For():
                clause, inside = self.expressions.clause(node.clause, flow.scope)
                self.forget_assigned(node.body, flow)
                lasting = forget_state(inside.known) & self.lasting(node.body, inside)
                inside = replace(inside, known=lasting | known_if_clause(clause))
                body = self.block(node.body, Flow(inside.copy()), in_option)
                self.forget(flow)
                return t.For(node.at, clause, body)
            case n.While():
                self.forget(flow)
                self.forget_assigned(node.body, flow)
                condition = self.expressions.condition(node.condition, flow.scope.formula())
                if isinstance(condition, t.Plain) and condition.value == 1 and not _leaves(node.body):
                    message = "this loop never ends: its condition always holds and nothing leaves it"
                    self.world.add("F105", node.condition.at, message, "give it a condition, or leave it with `stop`")
                body, _ = self.inner(node.body, flow, known_if(condition, True), in_option)
                self.forget(flow)
                return t.While(node.at, condition, body)
            case n.Repeat():
                times = self.expressions.wanted(node.times, flow.scope, NUMBER)
                self.forget(flow)
                self.forget_assigned(node.body, flow)
                body, _ = self.inner(node.body, flow, frozenset(), in_option)
                return t.Repeat(node.at, times, body)
            case n.Run():
                return t.Run(node.at, node.name, self.call(node, flow, "routine"))
            case n.Announce():
                return t.Announce(node.at, node.name, self.call(node, flow, "moment"))
            case n.Ask():
                return t.Ask(node.at, node.name, self.call(node, flow, "window"))
            case n.Clear():
                return self.clear(node, flow)
            case n.Stop():
                flow.left = True
                return t.Leave(node.at, "stop")
            case n.Close():
                if not in_option:
                    message = "`close` closes a window, so it stands only in the `do` of an option"
                    self.world.add("F106", node.at, message, "a procedure or phase is left with `stop`")
                flow.left = True
                return t.Leave(node.at, "close")
            case n.End():
                flow.left = True
                return t.Leave(node.at, "end")

    def forget(self, flow: Flow) -> None:
        flow.scope = replace(flow.scope, known=forget_state(flow.scope.known))

    def lasting(self, body: n.Block, scope: Scope) -> frozenset[str]:
        """What is known at the start of every round of a loop: nothing of the names the loop itself changes."""
        known = scope.known
        for name in _assigned(body):
            if name in scope.variables:
                known = forget_variable(known, scope.variables[name])
        return known

    def forget_assigned(self, body: n.Block, flow: Flow) -> None:
        flow.scope = replace(flow.scope, known=self.lasting(body, flow.scope))

    def let(self, node: n.Let, flow: Flow) -> t.Statement:
        value = self.expressions.value(node.value, flow.scope)
        type_ = value.type
        if isinstance(type_, Num):
            type_ = NUMBER  # a let may be changed later
        variable = replace(self.expressions.variable(node.name, type_, node.at), changes=True)
        flow.scope = flow.scope.with_variable(variable)
        return t.Let(node.at, variable, value)

    def assign(self, node: n.Assign, flow: Flow) -> t.Statement:
        target = self.expressions.value(node.target, flow.scope)
        wanted = target.type
        if isinstance(wanted, Thing) and isinstance(target, t.State):
            wanted = self.world.kinds[target.kind].state[target.field].type
        elif isinstance(target, t.Local):
            wanted = target.variable.type
        if node.op != "=" and not isinstance(wanted, Num | Unknown):
            message = f"'{node.op}' changes numbers, but this is {describe(wanted)}"
            self.world.add("T123", node.target.at, message, "write '=' to give it another value")
            wanted = UNKNOWN
        value = self.expressions.wanted(node.value, flow.scope, NUMBER if isinstance(wanted, Num) else wanted)
        match target:
            case t.State():
                clamped = self.world.kinds[target.kind].state[target.field].clamped
                self._in_range(node, wanted, value, clamped)
                flow.scope = replace(flow.scope, known=forget_field(flow.scope.known, target.field))
                return t.SetState(node.at, target, node.op, value)
            case t.Local(variable=variable) if variable.changes:
                known = forget_variable(flow.scope.known, variable)
                if isinstance(value.type, Thing) and not value.type.optional:
                    known |= {f"#{id(variable)}"}
                flow.scope = replace(flow.scope, known=known)
                return t.SetLocal(node.at, variable, node.op, value)
        if not isinstance(target.type, Unknown):
            message, hint = f"{_sort(target)} cannot be changed", "only fields under `state` and names of `let` can"
            self.world.add("T124", node.target.at, message, hint)
        return t.SetLocal(node.at, t.Variable("_", UNKNOWN), node.op, value)

    def _in_range(self, node: n.Assign, wanted: Type, value: t.Value, clamped: bool) -> None:
        if node.op != "=" or clamped or not isinstance(wanted, Num):
            return
        if not isinstance(value.type, Num) or value.type.soft:
            return
        if value.type.low > wanted.high or value.type.high < wanted.low:
            found = value.type.low if value.type.low == value.type.high else f"every value from {value.type.low} on"
            if value.type.high < wanted.low and value.type.low != value.type.high:
                found = f"every value up to {value.type.high}"
            message = f"{found} lies outside {wanted.low}..{wanted.high}, the range of this field"
            self.world.add("T104", node.value.at, message, "give it another value, or declare a wider range")

    def move(self, node: n.Move, flow: Flow) -> t.Statement:
        amount = self.expressions.wanted(node.amount, flow.scope, NUMBER)
        ends = [self.expressions.wanted(end, flow.scope, NUMBER) for end in (node.source, node.target)]
        for end, place in zip(ends, (node.source, node.target), strict=True):
            if not isinstance(end, t.State) and not isinstance(end.type, Unknown):
                message = f"`move` goes between two fields that are remembered, and this is {_sort(end)}"
                self.world.add("T124", place.at, message, "declare it under `state`")
        states = [end for end in ends if isinstance(end, t.State)]
        if len(states) < 2:
            return t.Let(node.at, t.Variable("_", NUMBER), amount)
        return t.Move(node.at, amount, states[0], states[1], node.up_to)

    def condition(self, node: n.If, flow: Flow, in_option: bool) -> t.Statement:
        branches = []
        ends: list[Flow] = []
        scope = flow.scope
        for condition_node, body in node.branches:
            condition = self.expressions.condition(condition_node, scope.formula())
            done, end = self.inner(body, Flow(scope), known_if(condition, True), in_option)
            branches.append((condition, done))
            ends.append(end)
            scope = scope.having(known_if(condition, False))
        otherwise, last = self.inner(node.otherwise, Flow(scope), frozenset(), in_option)
        ends.append(last)
        going = [end.scope.known for end in ends if not end.left]
        flow.left = not going
        known = frozenset.intersection(*going) if going else frozenset()
        flow.scope = replace(flow.scope, known=known)
        return t.If(node.at, tuple(branches), otherwise)

    def call(self, node: n.Run | n.Announce | n.Ask, flow: Flow, sort: str) -> tuple[t.Value, ...]:
        callables = self.callables
        params, known = {
            "routine": (callables.routine_params, callables.routine_names),
            "moment": (callables.moment_params, callables.moment_names),
            "window": (callables.window_params, callables.window_names),
        }[sort]
        wanted = params(node.name)
        if wanted is None:
            word = {"routine": "procedure or phase", "moment": "moment", "window": "window"}[sort]
            hint = self._other_sort(node.name, sort) or self.world.near(node.name, known())
            section = {"routine": "procedures", "moment": "moments", "window": "windows"}[sort]
            at = first_word(node.called, node.name)
            message = f"no {word} is called '{node.name}'"
            self.world.add("N101", at, message, hint or f"add it under '{section}:'")
            return ()
        args = self.expressions.arguments(node.name, wanted, node.args, flow.scope, node.at)
        self.forget(flow)
        return args

    def _other_sort(self, name: str, sort: str) -> str | None:
        if sort != "window" and name in self.callables.window_names():
            return f"it is a window, so write 'ask {name}(…)'"
        if sort != "moment" and name in self.callables.moment_names():
            return f"it is a moment, so write 'announce {name}(…)'"
        if sort != "routine" and name in self.callables.routine_names():
            return f"it is a procedure or phase, so write '{name}' without a word before it"
        if sort == "routine" and self.expressions.is_value(name):
            return f"'{name}' is a value, and a value alone does nothing"
        return None

    def clear(self, node: n.Clear, flow: Flow) -> t.Statement:
        target = self.expressions.value(node.target, flow.scope)
        self.forget(flow)
        if not isinstance(target.type, Thing) or target.type.optional:
            if not isinstance(target.type, Unknown):
                message = f"`clear` needs a thing, but this is {describe(target.type)}"
                self.world.add("T107", node.target.at, message, "a single field is set: '… = 0'")
            return t.Let(node.at, t.Variable("_", UNKNOWN), target)
        kind = self.world.kinds[target.type.kind]
        if not kind.state:
            message = f"{one(kind.name)} has nothing that could be cleared"
            self.world.add("T125", node.target.at, message, "only fields under `state` are cleared")
        return t.Clear(node.at, kind.name, None if kind.form == "one" else target)


def known_if_clause(clause: t.Clause) -> frozenset[str]:
    return frozenset() if clause.where is None else known_if(clause.where, True)


def _leaves(block: n.Block) -> bool:
    for statement in block:
        match statement:
            case n.Stop() | n.Close() | n.End():
                return True
            case n.If(branches=branches, otherwise=otherwise):
                if any(_leaves(body) for _, body in branches) or _leaves(otherwise):
                    return True
            case n.For(body=body) | n.While(body=body) | n.Repeat(body=body):
                if _leaves(body):
                    return True
    return False


def _assigned(block: n.Block) -> set[str]:
    """Names that are given another value somewhere in a block."""
    names: set[str] = set()
    for statement in block:
        match statement:
            case n.Assign(target=n.Name(id=name)):
                names.add(name)
            case n.If(branches=branches, otherwise=otherwise):
                for _, body in branches:
                    names |= _assigned(body)
                names |= _assigned(otherwise)
            case n.For(body=body) | n.While(body=body) | n.Repeat(body=body):
                names |= _assigned(body)
    return names


def _sort(value: t.Value) -> str:
    """What a value is, where it stands for something that cannot change."""
    match value:
        case t.Fact():
            return "what is printed"
        case t.ConstantValue():
            return "a constant"
        case t.Asked():
            return "a quantity"
        case t.Local(variable=variable):
            return f"the letter '{variable.name}'"
        case t.Named() | t.Make():
            return "a thing itself"
        case _:
            return "a computed value"
