"""What stays the same in a loop: the body of a function that writes no cell in, and with such reads made once out.

Only plain reads are moved (cells, printed tables, sums of those), and only where working them out too early can do no
harm: it cannot stop the game, and it costs less than the rounds it saves.
"""

from __future__ import annotations

import ast
from typing import Any

from interpreter.compiler import pyast as py

Body = list[ast.stmt]
ROUNDS = 3  # how often a loop is taken to go round, and how many reads make one before them worth it
SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


class Hoist:
    """Moves reads out of the loops of one function; `tables` are what the code can look up."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.tables = tables
        self.count = 0

    def body(self, body: Body, changing: frozenset[str]) -> Body:
        """`changing` are the names that get a value inside of this body."""
        if any(isinstance(part, ast.For | ast.If) for part in body):
            while (found := _Reads(self.tables, changing).best(body)) is not None:
                self.count += 1
                body = _Move(self.tables, *found, f"h_{self.count}").placed(body)
        return [self._inside(statement, changing) for statement in body]

    def _inside(self, statement: ast.stmt, changing: frozenset[str]) -> ast.stmt:
        """What depends on the variable of a loop can be moved within that loop."""
        match statement:
            case ast.For(target=ast.Name(id=word), iter=domain, body=body, orelse=otherwise):
                made = self.body(body, changing - {word}), [self._inside(s, changing) for s in otherwise]
                return py.like(ast.For(statement.target, domain, *made), statement)
            case ast.If(test=test, body=body, orelse=otherwise):
                parts = ([self._inside(s, changing) for s in part] for part in (body, otherwise))
                return py.like(ast.If(test, *parts), statement)
        return statement


class _Reads:
    """Finds the reads of a body and how often each is made."""

    def __init__(self, tables: dict[str, Any], changing: frozenset[str] = frozenset()) -> None:
        self.tables = tables
        self.changing = changing
        self.found: dict[str, tuple[int, ast.expr]] = {}  # text of a read -> how often, and one of them
        self.weight = 1

    def best(self, body: Body) -> tuple[str, ast.expr] | None:
        """The largest read that is worth it."""
        for statement in body:
            self.statement(statement)
        worth = [(text, node) for text, (weight, node) in self.found.items() if weight >= ROUNDS]
        return max(worth, key=lambda pair: len(pair[0]), default=None)

    def statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.For(iter=domain, body=body, orelse=otherwise):
                self.text(domain)
                self.weight *= ROUNDS
                for inner in body:
                    self.statement(inner)
                self.weight //= ROUNDS
                for inner in otherwise:
                    self.statement(inner)
            case ast.If(test=test, body=body, orelse=otherwise):
                self.text(test)
                for inner in (*body, *otherwise):
                    self.statement(inner)
            case ast.Expr(value=value) | ast.Assign(value=value) | ast.AugAssign(value=value):
                self.text(value)

    def text(self, node: ast.expr) -> str | None:
        """What is read, as a text, if it can be moved; every such read inside is noted."""
        match node:
            case ast.Name(id=word):
                return None if word in self.changing else word
            case ast.Subscript(value=ast.Subscript() as row, slice=index) if not isinstance(index, ast.Slice):
                whole, inside = self.text(row), self.text(index)
                ready = whole is not None and whole.startswith("options_") and inside is not None
                return self._note(f"{whole}[{inside}]", node) if ready else None
            case ast.Subscript(value=ast.Name(id=table), slice=index) if not isinstance(index, ast.Slice):
                inside = self.text(index)
                if inside is not None and (table == "S" or table.startswith("options_") or self._has_all(table, index)):
                    return self._note(f"{table}[{inside}]", node)
                return None
            case ast.BinOp(left=left, op=op, right=right):
                a, b = self.text(left), self.text(right)
                sign = SIGNS.get(type(op))
                if a is None or b is None or sign is None:
                    return None
                text = f"({a} {sign} {b})"
                return self._note(text, node) if "S[" in text else text  # a sum of names is hardly dearer than one
            case ast.ListComp(elt=element, generators=[clause]):
                self.text(clause.iter)
                self.weight *= ROUNDS
                for test in (element, *clause.ifs):
                    self.text(test)
                self.weight //= ROUNDS
                return None
        value = py.known(node)
        if value is not None:
            return str(value)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.text(child)
        return None

    def _note(self, text: str, node: ast.expr) -> str:
        weight, one = self.found.get(text, (0, node))
        self.found[text] = weight + self.weight, one
        return text

    def _has_all(self, table: str, index: ast.expr) -> bool:
        """Whether a table has an entry for whatever the index can be, also for nothing at all (-1)."""
        entries = self.tables.get(table)
        if not isinstance(entries, tuple) or not entries:
            return False
        inner = index.value if isinstance(index, ast.Subscript) else None
        if isinstance(inner, ast.Name) and inner.id != "S":
            values = self.tables[inner.id]
            return all(isinstance(value, int) and -1 <= value < len(entries) for value in values)
        return not any(isinstance(part, ast.Name) and part.id in self.tables for part in ast.walk(index))


class _Move:
    """Replaces a read by a name that is set before the first statement that needs it. Nodes may be in use elsewhere."""

    def __init__(self, tables: dict[str, Any], text: str, node: ast.expr, name: str) -> None:
        self.reads = _Reads(tables)
        self.wanted, self.node, self.name = text, node, name

    def placed(self, body: Body) -> Body:
        spots = [place for place, statement in enumerate(body) if self._needs(statement)]
        first = body[spots[0]]
        if len(spots) == 1 and isinstance(first, ast.If) and not self._needs(ast.Expr(first.test)):
            parts = (self.placed(part) if any(map(self._needs, part)) else part for part in (first.body, first.orelse))
            return [*body[: spots[0]], py.like(ast.If(first.test, *parts), first), *body[spots[0] + 1 :]]
        load = py.like(py.assign(self.name, py.copier(self.node)()), first)
        rest = [self._replaced(statement) for statement in body[spots[0] :]]
        return [*body[: spots[0]], load, *rest]

    def _needs(self, statement: ast.stmt) -> bool:
        reads = _Reads(self.reads.tables)
        reads.statement(statement)
        return self.wanted in reads.found

    def _replaced(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self._replaced(part) for part in node]
        if not isinstance(node, ast.AST):
            return node
        if isinstance(node, ast.Subscript | ast.BinOp) and self.reads.text(node) == self.wanted:
            return py.name(self.name)
        parts = {name: self._replaced(old) for name, old in ast.iter_fields(node)}
        if all(_same(part, getattr(node, name)) for name, part in parts.items()):
            return node
        made = type(node)(**parts)
        return ast.copy_location(made, node) if hasattr(node, "lineno") else made


def _same(new: Any, old: Any) -> bool:
    if isinstance(new, list):
        return all(a is b for a, b in zip(new, old, strict=True))
    return new is old


def assigned(body: Body) -> frozenset[str]:
    """The names that get a value somewhere in a body."""
    nodes = (node for statement in body for node in ast.walk(statement))
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
