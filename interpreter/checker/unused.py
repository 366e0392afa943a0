"""A checked ruleset in, warnings about what nobody is asked, reads or changes out."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.flow import clause_values, formula_values, parts_of, statements_in, values_in
from interpreter.diagnostics import Finding, Report, Span


def check_unused(checked: c.Checked, report: Report) -> None:
    """Warnings only: a ruleset that is wrong in itself is told that first."""
    if report.ok:
        _check_asked(checked, report)
        _check_read(checked, report)


def _check_asked(checked: c.Checked, report: Report) -> None:
    """A game without any decision is no mistake, but hardly meant; windows nobody asks have been told."""
    if not checked.windows:
        at = checked.routines["game"].at
        message, hint = "nobody is ever asked anything in this game", "ask a window in a phase: 'ask turn(p)'"
        report.add(Finding("F108", at, message, hint, severity="warning"))


def _check_read(checked: c.Checked, report: Report) -> None:
    """Printed numbers and fields that nothing touches are leftovers, or a name was mistyped where it should be read."""
    used = {_name_of(part) for value in _values(checked) for part in parts_of(value) if type(part) in _NAMING}
    used |= {(s.target.kind, s.target.field) for s in _statements(checked) if isinstance(s, t.SetState)}
    for name, constant in checked.world.constants.items():
        if ("", name) not in used:
            _warn(f"constant '{name}'", constant.at, report)
    for kind in checked.world.kinds.values():
        for name, field in kind.state.items():
            if (kind.name, name) not in used:
                _warn(f"field '{kind.name}.{name}'", field.at, report)


def _warn(what: str, at: Span, report: Report) -> None:
    report.add(Finding("F107", at, f"the {what} is never used", "use it, or remove it", severity="warning"))


_NAMING = frozenset({t.ConstantValue, t.State, t.OfField})


def _name_of(value: t.Value) -> tuple[str, str]:
    match value:
        case t.ConstantValue(name=name):
            return ("", name)
        case t.State(kind=kind, field=field) | t.OfField(kind=kind, field=field):
            return (kind, field)
        case _:
            return ("", "")


def _blocks(checked: c.Checked) -> Iterator[t.Block]:
    for routine in checked.routines.values():
        yield from (step.body for step in routine.steps)
    for window in checked.windows.values():
        yield window.after
        yield from (option.do for option in window.options)
    for moment in checked.moments.values():
        yield from (reaction.body for reaction in moment.reactions)


def _statements(checked: c.Checked) -> Iterator[t.Statement]:
    for block in _blocks(checked):
        yield from statements_in(block)


def _values(checked: c.Checked) -> Iterator[t.Value]:
    for block in _blocks(checked):
        yield from values_in(block)
    for formula in _formulas(checked):
        yield from formula_values(formula)
    for quantity in checked.quantities.values():
        for modifier in quantity.modifiers:
            yield from (value for value in (modifier.to, modifier.when) if value is not None)
    for window in checked.windows.values():
        for option in window.options:
            yield from (value for value in (option.once, *(when for _, when, _ in option.forbids)) if value is not None)
    for moment in checked.moments.values():
        yield from (reaction.when for reaction in moment.reactions if reaction.when is not None)
    for network in checked.networks.values():
        yield from (*clause_values(network.edges), *network.ends)
    if checked.scoring.ranked is not None:
        yield from clause_values(checked.scoring.ranked)
    for kind in checked.world.kinds.values():
        yield from (field.starting for field in kind.state.values() if field.starting is not None)


def _formulas(checked: c.Checked) -> Iterator[t.Formula | None]:
    """Every formula of the ruleset, `in_force` of effects among them."""
    for quantity in checked.quantities.values():
        yield quantity.formula
        yield from (modifier.source.in_force for modifier in quantity.modifiers)
    for window in checked.windows.values():
        yield window.limit
        yield from (formula for _, formula in window.keeps)
        for option in window.options:
            yield from (formula for _, formula in (*option.picks, *option.when))
            yield option.source.in_force if option.source is not None else None
    for moment in checked.moments.values():
        yield moment.seen
        yield from (reaction.source.in_force for reaction in moment.reactions)
    yield from (formula for _, formula in checked.invariants.values())
    for kind in checked.world.kinds.values():
        yield from (field.seen for field in kind.state.values())
