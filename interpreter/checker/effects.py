"""Order of modifiers: a checked ruleset in, findings about modifiers whose order would matter out."""

from __future__ import annotations

from itertools import combinations

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.flow import parts_of
from interpreter.diagnostics import Finding, Report


def check_order(checked: c.Checked, report: Report) -> None:
    for quantity in checked.quantities.values():
        for first, second in combinations(quantity.modifiers, 2):
            if first.stage == second.stage and _origin(first) != _origin(second) and not _commute(first, second):
                names = f"'{first.source.label}' or '{second.source.label}'"
                message = f"it matters whether {names} bends '{quantity.name}' first"
                hint = f"give '{quantity.name}' stages, and say in the effects: 'modify {quantity.name} in STAGE …'"
                report.add(Finding("E101", second.at, message, hint, ((first.at, "the other one"),)))


def _origin(modifier: c.Modifier) -> tuple[str | None, str]:
    return modifier.source.component_kind, modifier.source.label


def _commute(first: c.Modifier, second: c.Modifier) -> bool:
    a, b = _manner(first), _manner(second)
    if a is None or b is None:
        return False
    if a == b == "set":
        return _plain(first.to) is not None and _plain(first.to) == _plain(second.to)
    if {a, b} == {"and", "set"} or {a, b} == {"or", "set"}:
        setter = first if a == "set" else second
        return _plain(setter.to) == (0 if "and" in (a, b) else 1)
    return a == b


def _plain(value: t.Value) -> int | None:
    return value.value if isinstance(value, t.Plain) else None


def _uses(value: t.Value, variable: t.Variable) -> bool:
    return any(isinstance(part, t.Local) and part.variable is variable for part in parts_of(value))


def _is(value: t.Value, variable: t.Variable) -> bool:
    return isinstance(value, t.Local) and value.variable is variable


def _manner(modifier: c.Modifier) -> str | None:
    """How a modifier changes what came before: add, times, min, max, and, or, set; None if by none of these."""
    before = modifier.before
    if modifier.when is not None and _uses(modifier.when, before):
        return None
    match modifier.to:
        case to if not _uses(to, before):
            return "set"
        case t.Arithmetic(op="+" | "-" as op, left=left, right=right):
            if _is(left, before) and not _uses(right, before):
                return "add"
            return "add" if op == "+" and _is(right, before) and not _uses(left, before) else None
        case t.Arithmetic(op="*", left=left, right=right):
            one = _is(left, before) and not _uses(right, before)
            return "times" if one or (_is(right, before) and not _uses(left, before)) else None
        case t.Function(name="min" | "max" as name, args=args):
            rest = [arg for arg in args if not _is(arg, before)]
            return name if len(rest) == len(args) - 1 and not any(_uses(arg, before) for arg in rest) else None
        case t.Logical(op=op, left=left, right=right):
            one = _is(left, before) and not _uses(right, before)
            return op if one or (_is(right, before) and not _uses(left, before)) else None
    return None
