"""Tables the compiled code reads: facts, coordinates, members and rotations, made once per program and named."""

from __future__ import annotations

import ast
from hashlib import sha256
from typing import Any

from interpreter.checker import typed as t
from interpreter.checker.types import Thing
from interpreter.checker.world import option_kind
from interpreter.compiler.footprint import Footprint
from interpreter.compiler.grids import Grids
from interpreter.compiler.layout import Layout
from interpreter.compiler.remembered import Remembered
from interpreter.diagnostics import Span

ALLOWED = {f.__name__: f for f in (abs, bool, len, list, max, min, range, sorted, sum, tuple)}


class Tables:
    """The tables of one part of a program. A name says what is in a table, so the same name means the same in all."""

    def __init__(self, layout: Layout, options: dict[str, str | int], footprint: Footprint, first_site: int) -> None:
        self.layout = layout
        self.footprint = footprint
        self.grids = Grids(layout)
        self.remembered = Remembered(footprint.checked, layout)
        self.values: dict[str, Any] = {}
        self.first_site = first_site
        self.sites: dict[Span, int] = {}
        self.options: dict[str, int] = {}
        self.printed: dict[int, tuple[t.Value, frozenset[t.Variable] | None]] = {}  # see Printed; by identity
        self._worked_out: dict[str, str | None] = {}
        for name, chosen in options.items():
            values = layout.world.options[name]
            numbers = all(type(value) is int for value in values)
            self.options[name] = int(chosen) if numbers else layout.positions[option_kind(name)][str(chosen)]

    def table(self, name: str, value: object) -> str:
        self.values[name] = value
        return name

    def site(self, at: Span) -> int:
        """A number for a place in the author's files, for messages of a running game."""
        return self.sites.setdefault(at, self.first_site + len(self.sites))

    @property
    def places(self) -> dict[int, list[Any]]:
        """The places that have numbers."""
        return {number: [at.file, at.line, at.col, at.end_line, at.end_col] for at, number in self.sites.items()}

    def everything(self, kind: str) -> str:
        return self.table(f"all_{kind}", tuple(range(self.layout.size(kind))))

    def fact(self, kind: str, field: str) -> str:
        name = f"f_{kind}_{field}"
        if name not in self.values:
            self.table(name, self.layout.fact(kind, field))
        return name

    def rotations(self, kind: str) -> str:
        size = self.layout.size(kind)
        return self.table(
            f"round_{kind}", tuple(tuple((start + i) % size for i in range(size)) for start in range(size))
        )

    def members(self, kind: str, field: str) -> str | None:
        """For every owner, the things whose printed field is that owner; None for a remembered field."""
        name = f"of_{kind}_{field}"
        if name in self.values:
            return name
        info = self.layout.world.kinds[kind]
        if field in info.state:
            return None
        owners = self._owner_kind(kind, field)
        column = self.layout.fact(kind, field)
        found = tuple(
            tuple(x for x, whose in enumerate(column) if whose == owner) for owner in range(self.layout.size(owners))
        )
        return self.table(name, found)

    def most(self, kind: str, field: str) -> int:
        """How many members one owner can have."""
        name = self.members(kind, field)
        return self.layout.size(kind) if name is None else max((len(row) for row in self.values[name]), default=0)

    def worked_out(self, expression: ast.expr, size: int) -> str | None:
        """A table of an expression of `x` for all things of a kind; None if it cannot be had for every one."""
        key = f"{size} {ast.dump(expression)}"
        if key not in self._worked_out:
            module = ast.Expression(ast.Lambda(ast.arguments([], [ast.arg("x")], None, [], [], None, []), expression))
            ast.fix_missing_locations(module)
            function = eval(compile(module, "<table>", "eval"), {"__builtins__": {}} | ALLOWED | self.values)
            try:
                values = tuple(function(x) for x in range(size))
            except (IndexError, NameError, TypeError, ZeroDivisionError):  # that is left to the game, which stops there
                self._worked_out[key] = None
            else:
                self._worked_out[key] = self.table(f"c_{sha256(key.encode()).hexdigest()[:12]}", values)
        return self._worked_out[key]

    def _owner_kind(self, kind: str, field: str) -> str:
        info = self.layout.world.kinds[kind]
        for axis in info.coordinates:
            if axis.name == field and axis.kind is not None:
                return axis.kind
        if field == "type" and info.pieces_of is not None:
            return info.pieces_of
        type_ = info.facts[field].type
        assert isinstance(type_, Thing)
        return type_.kind

    def stride(self, kind: str, field: str) -> tuple[int, tuple[int, ...]] | None:
        """If the members of owner o are o * factor + offsets: that factor and these offsets."""
        name = self.members(kind, field)
        if name is None:
            return None
        rows = self.values[name]
        if not rows or not rows[0] or len({len(row) for row in rows}) != 1:
            return None
        offsets = rows[0]
        factor = rows[1][0] - offsets[0] if len(rows) > 1 else 0
        if all(row == tuple(owner * factor + o for o in offsets) for owner, row in enumerate(rows)):
            return factor, offsets
        return None
