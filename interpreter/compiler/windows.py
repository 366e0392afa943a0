"""Windows: where an open one keeps its values, and what its options and the effects on it come from."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.types import Flag, Thing
from interpreter.compiler import pyast as py
from interpreter.compiler.cells import in_cell
from interpreter.compiler.values import Env, Values

REPEATING = ("many", "up to")


@dataclass(frozen=True, slots=True)
class Cells:
    """Where an open window keeps its own values."""

    number: int
    params: tuple[int, ...]
    keeps: tuple[int, ...]
    chosen: int
    limit: int
    once: dict[int, int]  # option number -> cell of a bit set
    exit: int  # segment that closes the window

    def env(self, window: c.Window) -> Env:
        found: Env = {}
        for variable, cell in zip(
            (*window.params, *(k for k, _ in window.keeps)), (*self.params, *self.keeps), strict=True
        ):
            found[variable] = in_cell(cell)
        return found


def things_of(values: Values, source: c.Source) -> list[int]:
    """Positions of the things that carry an effect."""
    assert source.carrier is not None and source.component_kind is not None
    layout = values.layout
    if source.carrier == source.component_kind:
        return [layout.positions[source.carrier][source.label]]
    types = layout.coordinate(source.carrier, "type")
    assert types is not None
    wanted = layout.positions[source.component_kind][source.label]
    return [place for place, type_ in enumerate(types) if type_ == wanted]


def applies(values: Values, source: c.Source, when: t.Value | None, env: Env) -> ast.expr:
    """Whether any thing with this effect is in force and its condition holds."""
    if source.me is None:
        tests = [values.emit(source.in_force.value, env)] if source.in_force is not None else []
        tests += [values.emit(when, env)] if when is not None else []
        return py.both(tests, "and") if tests else ast.Constant(True)
    cases = []
    for thing in things_of(values, source):
        inner: Env = {**env, source.me: lambda thing=thing: py.number(thing)}  # type: ignore[misc]
        tests = [values.emit(source.in_force.value, inner)] if source.in_force is not None else []
        tests += [values.emit(when, inner)] if when is not None else []
        cases.append(py.both(tests, "and") if tests else ast.Constant(True))
    return py.both(cases, "or") if cases else ast.Constant(False)


def pick_names(option: c.Option) -> list[tuple[str, str | None]]:
    """Names of the picks of an option with the kind each comes from (None: numbers; 'flag': yes or no)."""
    names: list[tuple[str, str | None]] = []
    if option.source is not None and option.source.carrier != option.source.component_kind and option.source.carrier:
        names.append(("by", option.source.carrier))
    for variable, _ in option.picks:
        match variable.type:
            case Thing(kind):
                names.append((variable.name, kind))
            case Flag():
                names.append((variable.name, "flag"))
            case _:
                names.append((variable.name, None))
    return names
