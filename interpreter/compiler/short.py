"""Short quantities: a quantity and what it is asked for in, whether it is written out where it is read out."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.flow import parts_of
from interpreter.compiler import pyast as py

if TYPE_CHECKING:
    from interpreter.compiler.values import Values

INLINE = 40  # quantities up to this many nodes are written out where they are read


def is_short(values: Values, quantity: c.Quantity, given: list[ast.expr]) -> bool:
    """Whether a quantity can be written out here without computing anything twice."""
    lets = quantity.formula.lets
    if quantity.modifiers or not all(_is_read(let.value) for let in lets):
        return False
    plain = all(py.is_simple(node) for node in given)
    if values.remembers and (lets or not plain) and values.tables.remembered.takes_long(quantity.name):
        return False
    parts = list(parts_of(quantity.formula.value))
    for let in reversed(lets):  # each is written out where it is read
        parts += [*parts_of(let.value)] * sum(isinstance(p, t.Local) and p.variable is let.variable for p in parts)
    if len(parts) > INLINE or any(isinstance(p, t.NetworkQuestion) for p in parts):
        return False
    again = [p for fold in parts if isinstance(fold, t.Fold) for p in _repeated(fold)]
    for variable, node in zip(quantity.params, given, strict=True):
        uses = sum(isinstance(p, t.Local) and p.variable is variable for p in parts)
        repeated = any(isinstance(p, t.Local) and p.variable is variable for p in again)
        simple = py.is_simple(node) or (values.remembers and py.is_printed(node))  # a lister reads it only once
        if not simple and (uses > 1 or repeated):
            return False
    return True


def _is_read(value: t.Value) -> bool:
    """Whether a value is one field, printed or remembered, of a thing that is at hand."""
    plain = (t.Local, t.Make, t.Fact, t.Named, t.Plain)
    return isinstance(value, t.State) and all(isinstance(part, plain) for part in [*parts_of(value)][1:])


def _repeated(fold: t.Fold) -> list[t.Value]:
    """What a fold computes for every member."""
    inside = [fold.clause.where, fold.body, *(key.value for key in fold.clause.keys)]
    return [part for value in inside if value is not None for part in parts_of(value)]
