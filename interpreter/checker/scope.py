"""What a rule text can see at one point: its variables, and which values are known not to be none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from interpreter.checker import typed as t
from interpreter.checker.types import Empty, Num, SetOf, Thing, Type


@dataclass(slots=True)
class Scope:
    variables: dict[str, t.Variable] = field(default_factory=dict)
    aliases: dict[str, t.Value] = field(default_factory=dict)  # names that stand for a longer value
    known: frozenset[str] = frozenset()  # keys of values that are not none here
    may_draw: bool = False  # `by random` is for statements only

    def having(self, known: Iterable[str]) -> Scope:
        return Scope(self.variables, self.aliases, self.known | frozenset(known), self.may_draw)

    def with_variable(self, variable: t.Variable) -> Scope:
        return Scope({**self.variables, variable.name: variable}, self.aliases, self.known, self.may_draw)

    def formula(self) -> Scope:
        return Scope(self.variables, self.aliases, self.known, False)

    def copy(self) -> Scope:
        return Scope(dict(self.variables), self.aliases, self.known, self.may_draw)


def scope_of(variables: tuple[t.Variable, ...]) -> Scope:
    return Scope(variables={variable.name: variable for variable in variables})


def key_of(value: t.Value) -> str | None:
    """A name for a value that stays the same as long as nothing changes; None where there is no simple one."""
    match value:
        case t.Local(variable=variable):
            return f"#{id(variable)}"
        case t.Named(kind=kind, id=id_):
            return f"{kind}:{id_}"
        case t.Plain(value=number):
            return str(number)
        case t.State(kind=kind, field=name, owner=None):
            return f"{kind}.{name}"
        case t.State(field=name, owner=owner) | t.Fact(field=name, owner=owner) if owner is not None:
            key = key_of(owner)
            return None if key is None else f"{key}.{name}"
        case t.Asked(quantity=name, args=args) | t.Make(kind=name, args=args):
            keys = [key_of(arg) for arg in args]
            return None if None in keys else f"?{name}({','.join(k for k in keys if k)})"
        case _:
            return None


def known_if(value: t.Value, holds: bool) -> frozenset[str]:
    """Keys of values that cannot be none when the condition holds (or does not)."""
    match value:
        case t.Negation(value=inner):
            return known_if(inner, not holds)
        case t.Logical(op=op, left=left, right=right):
            a, b = known_if(left, holds), known_if(right, holds)
            return a | b if (op == "and") is holds else a & b
        case t.Comparison(op="is" | "is not" as op, left=left, right=right):
            for one, other in ((left, right), (right, left)):
                key = key_of(one)
                if key is None:
                    continue
                if isinstance(other, t.Plain) and other.value == -1 and not is_number(other.type):
                    return frozenset({key}) if (op == "is not") is holds else frozenset()
                if op == "is" and holds and not is_optional(other.type) and is_optional(one.type):
                    return frozenset({key})
        case t.Comparison(op="in", left=left) if holds:
            key = key_of(left)
            return frozenset({key}) if key is not None and _excludes_none(value.right) else frozenset()
    return frozenset()


def _excludes_none(value: t.Value) -> bool:
    return isinstance(value.type, SetOf) and not is_optional(value.type.item)


def is_optional(type_: Type) -> bool:
    return isinstance(type_, Empty) or (isinstance(type_, Thing) and type_.optional)


def is_number(type_: Type) -> bool:
    return isinstance(type_, Num)


def forget_field(known: frozenset[str], name: str) -> frozenset[str]:
    """After a field was changed: what was known through it, or through a quantity, is known no more."""
    return frozenset(k for k in known if "?" not in k and f".{name}" not in k)


def forget_state(known: frozenset[str]) -> frozenset[str]:
    """After something ran that may change anything: only variables keep what is known of them."""
    return frozenset(k for k in known if k.startswith("#") and "." not in k and "?" not in k)


def forget_variable(known: frozenset[str], variable: t.Variable) -> frozenset[str]:
    return frozenset(k for k in known if f"#{id(variable)}" not in k)
