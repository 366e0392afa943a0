"""Parsed quantities in, their names out, each after those its formula names: so none waits for many others."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from interpreter.dsl import nodes as n
from interpreter.loader import model as m
from interpreter.memory import Memory

_WORDS: Memory[list[str]] = Memory()
SHOWN = 6  # names of a ring that are worth reading


def ordered_quantities(quantities: dict[str, m.Quantity]) -> list[str]:
    needs = {name: [word for word in words(q.formula) if word in quantities] for name, q in quantities.items()}
    done: dict[str, None] = {}
    opened: set[str] = set()
    for first in quantities:
        waiting = [first]
        while waiting:
            name = waiting[-1]
            fresh = [] if name in opened else [word for word in needs[name] if word not in opened]
            opened.add(name)
            waiting += fresh
            if not fresh:
                done.setdefault(waiting.pop())
    return list(done)


def words(formula: n.Formula) -> list[str]:
    """Every word of a formula that could be the name of a quantity."""
    known = _WORDS.get("", formula)
    if known is not None:
        return known
    found: list[str] = []
    waiting: list[object] = [formula]
    while waiting:
        node = waiting.pop()
        if isinstance(node, n.Name):
            found.append(node.id)
        elif isinstance(node, n.Call):
            found.append(node.name)
        if isinstance(node, tuple):
            waiting += node
        elif isinstance(node, n.Node):
            waiting += [getattr(node, field.name) for field in dataclasses.fields(node)]
    return _WORDS.keep("", formula, found)


def ring(names: Iterable[str]) -> str:
    """The way round, with a long middle left out."""
    way = list(names)
    shown = way if len(way) <= SHOWN + 1 else [*way[: SHOWN // 2], "…", *way[-SHOWN // 2 :]]
    return " -> ".join(shown)
