"""Variables that live in cells: code that reads them by name in, the same code that fetches each only once out.

What must survive a decision is kept in a cell of the state. A function that reads such a variable several times reads
a Python name instead, which is fetched where it is first needed and kept up to date where the cell is written.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from interpreter.compiler import pyast as py

PREFIX = "cell_"
Numbers = frozenset[int]


def in_cell(cell: int) -> Callable[[], ast.expr]:
    """How a variable that lives in a cell is read; `fetched` makes the name known."""
    return lambda: py.name(f"{PREFIX}{cell}")


def number_of(word: str) -> int | None:
    return int(word[len(PREFIX) :]) if word.startswith(PREFIX) else None


def fetched(body: list[ast.stmt]) -> list[ast.stmt]:
    """The body of a function with every cell it reads by name fetched. The given nodes stay as they are."""
    fetch = _Fetch()
    wanted = frozenset[int]().union(*(fetch.reads(statement) for statement in body))
    if not wanted:
        return body
    fetch.wanted = wanted
    body = [fetch.kept_up(statement) for statement in body]
    for cell in sorted(wanted):
        body = fetch.place(body, cell)
    return body


class _Fetch:
    def __init__(self) -> None:
        self.wanted: Numbers = frozenset()
        self._reads: dict[int, tuple[ast.AST, Numbers]] = {}  # identity of a node -> the node, cells it reads by name

    def reads(self, node: ast.AST) -> Numbers:
        found = self._reads.get(id(node))
        if found is None:
            match node:
                case ast.If(test=head, body=body, orelse=rest) | ast.For(iter=head, body=body, orelse=rest):
                    cells = self.reads(head).union(*(self.reads(statement) for statement in (*body, *rest)))
                case _:
                    cells = frozenset(_read_names(node))
            found = self._reads[id(node)] = node, cells
        return found[1]

    def kept_up(self, statement: ast.stmt) -> ast.stmt:
        """Where a cell is written, the name that is read for it is written as well."""
        match statement:
            case ast.Assign(targets=[target]) if (cell := _cell_of(target)) in self.wanted:
                word = py.stored(f"{PREFIX}{cell}")
                return py.like(ast.Assign([target, word], statement.value), statement)
            case ast.If(test=test, body=body, orelse=otherwise):
                parts = ([self.kept_up(s) for s in part] for part in (body, otherwise))
                return py.like(ast.If(test, *parts), statement)
            case ast.For(target=target, iter=domain, body=body, orelse=otherwise):
                then, rest = ([self.kept_up(s) for s in part] for part in (body, otherwise))
                return py.like(ast.For(target, domain, then, rest), statement)
        return statement

    def place(self, body: list[ast.stmt], cell: int) -> list[ast.stmt]:
        """Fetch a cell before the first statement that needs it, inside of a branch if nothing else does."""
        spots = [place for place, s in enumerate(body) if cell in self.reads(s) or _writes(s, cell)]
        if not any(cell in self.reads(body[place]) for place in spots):
            return body
        first = body[spots[0]]
        if isinstance(first, ast.Assign) and _writes(first, cell) and cell not in self.reads(first):
            return body
        if isinstance(first, ast.If) and len(spots) == 1 and cell not in self.reads(first.test):
            inner = py.like(ast.If(first.test, self.place(first.body, cell), self.place(first.orelse, cell)), first)
            return [*body[: spots[0]], inner, *body[spots[0] + 1 :]]
        load = py.like(py.assign(f"{PREFIX}{cell}", py.cell(py.number(cell))), first)
        return [*body[: spots[0]], load, *body[spots[0] :]]


def _read_names(node: ast.AST) -> Iterator[int]:
    for part in py.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id.startswith(PREFIX):
            yield int(part.id[len(PREFIX) :])


def _cell_of(target: ast.expr) -> int:
    """The number of a cell that is written by its number; -1 for anything else."""
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and target.value.id == "S":
        found = py.known(target.slice)
        return -1 if found is None else found
    return -1


def _writes(statement: ast.stmt, cell: int) -> bool:
    match statement:
        case ast.Assign(targets=targets):
            return any(_cell_of(target) == cell for target in targets)
        case ast.If(body=body, orelse=otherwise) | ast.For(body=body, orelse=otherwise):
            return any(_writes(s, cell) for s in (*body, *otherwise))
    return False
