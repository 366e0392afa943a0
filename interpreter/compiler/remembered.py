"""Quantities that take long, asked while options are listed: each in, a function that remembers its answers out.

Nothing changes while the options of a window are listed, so a quantity that was asked for a thing once need not be
worked out again for the next option. The answers live in a dictionary `M` of the lister and are gone when it is done.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from interpreter.checker import checked as c
from interpreter.checker.types import Thing
from interpreter.compiler import pyast as py
from interpreter.compiler.layout import Layout

MEMORY = "M"


class Remembered:
    """Which quantities of a program take long, and the numbers their answers are kept under."""

    def __init__(self, checked: c.Checked, layout: Layout) -> None:
        self.checked = checked
        self.layout = layout
        self.wanted: dict[str, None] = {}  # asked for in a lister, or by one that is; in the order of asking
        self._functions: dict[str, ast.FunctionDef] = {}
        self._slow: dict[str, bool] = {}
        self._starts: dict[str, int] = {}
        self._end = 0

    def look(self, functions: Iterable[ast.FunctionDef]) -> None:
        """Take the functions of all quantities."""
        self._functions = {function.name: function for function in functions}

    def takes_long(self, name: str) -> bool:
        """Whether a quantity goes through things or asks a network, itself or through others."""
        if name not in self._slow:
            self._slow[name] = False  # a quantity cannot ask for itself
            self._slow[name] = any(self._long(part) for part in py.walk(self._functions[f"q_{name}"]))
        return self._slow[name]

    def _long(self, part: ast.AST) -> bool:
        match part:
            case ast.ListComp():
                return True
            case ast.Call(func=ast.Name(id=word)):
                return word.startswith("net_") or (word.startswith("q_") and self.takes_long(word[2:]))
        return False

    def call(self, name: str, given: list[ast.expr]) -> ast.expr:
        self.wanted.setdefault(name)
        return py.call(f"m_{name}", py.name("S"), py.name(MEMORY), *given)

    def key(self, quantity: c.Quantity, words: list[str]) -> ast.expr:
        """A number of its own for every answer; where the parameters are not only things, a tuple."""
        sizes: list[int] = []
        for variable in quantity.params:
            if not isinstance(variable.type, Thing):
                number = list(self.checked.quantities).index(quantity.name)
                return ast.Tuple([py.number(number), *(py.name(word) for word in words)], py.LOAD)
            sizes.append(self.layout.size(variable.type.kind) + 1)  # nothing at all is -1
        total, node = 1, py.number(0)
        for size, word in zip(sizes, words, strict=True):
            total *= size
            node = py.binary(py.binary(node, "*", py.number(size)), "+", py.name(word))
        if quantity.name not in self._starts:
            self._starts[quantity.name] = self._end + total
            self._end += 2 * total
        return py.binary(node, "+", py.number(self._starts[quantity.name]))

    def function(self, quantity: c.Quantity, words: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
        """The function of a quantity that looks first whether it was asked before."""
        *before, last = body
        assert isinstance(last, ast.Return) and last.value is not None
        known = py.compare(py.name("key"), "in", py.name(MEMORY))
        found = py.item(py.name(MEMORY), py.name("key"))
        kept = ast.Assign([ast.Subscript(py.name(MEMORY), py.name("key"), py.STORE), py.stored("answer")], last.value)
        whole: list[ast.stmt] = [
            py.assign("key", self.key(quantity, words)),
            py.if_(known, [py.returned(found)]),
            *before,
            kept,
            py.returned(py.name("answer")),
        ]
        return py.function(f"m_{quantity.name}", ["S", MEMORY, *words], whole, quantity.at)
