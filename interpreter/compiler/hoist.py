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
Counts = dict[str, int]  # text of a read -> how often it is made


class Hoist:
    """Moves reads out of the loops of one function; `tables` are what the code can look up."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.reads = _Reads(tables)
        self.count = 0

    def body(self, body: Body, changing: frozenset[str]) -> Body:
        """`changing` are the names that get a value inside of this body."""
        if any(isinstance(part, ast.For | ast.If) for part in body):
            while (found := self._best(body, changing)) is not None:
                self.count += 1
                body = _Move(self.reads, found, f"h_{self.count}").placed(body)
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

    def _best(self, body: Body, changing: frozenset[str]) -> str | None:
        """The largest read that is worth it."""
        total: Counts = {}
        for statement in body:
            _add(total, self.reads.counts(statement))
        worth = [text for text, often in total.items() if often >= ROUNDS and not self.reads.names[text] & changing]
        return max(worth, key=len, default=None)


class _Reads:
    """Finds reads and how often each is made; what was found in a node is kept."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.tables = tables
        self.nodes: dict[str, ast.expr] = {}  # one node of each text
        self.names: dict[str, frozenset[str]] = {}
        self._known: dict[int, tuple[ast.AST, str | None, Counts]] = {}  # by identity of the node

    def counts(self, node: ast.AST) -> Counts:
        return self._look(node)[1]

    def text(self, node: ast.AST) -> str | None:
        """What is read, as a text, if it can be moved."""
        return self._look(node)[0]

    def _look(self, node: ast.AST) -> tuple[str | None, Counts]:
        known = self._known.get(id(node))
        if known is None:
            counts: Counts = {}
            text = self._visit(node, counts)
            known = self._known[id(node)] = node, text, counts
        return known[1], known[2]

    def _part(self, node: ast.AST, counts: Counts, rounds: int = 1) -> str | None:
        text, inside = self._look(node)
        _add(counts, inside, rounds)
        return text

    def _visit(self, node: ast.AST, counts: Counts) -> str | None:
        match node:
            case ast.Name(id=word):
                return word
            case ast.Subscript(value=value, slice=index) if not isinstance(index, ast.Slice):
                inside = self._part(index, counts)
                table = value.id if isinstance(value, ast.Name) else self._part(value, counts)
                if inside is None or table is None or not self._has_all(table, index):
                    return None
                return self._note(f"{table}[{inside}]", node, counts)
            case ast.BinOp(left=left, op=op, right=right):
                a, b, sign = self._part(left, counts), self._part(right, counts), SIGNS.get(type(op))
                if a is None or b is None or sign is None:
                    return None
                text = f"({a} {sign} {b})"
                return self._note(text, node, counts) if "S[" in text else text  # a sum of names is no dearer
            case ast.For(iter=domain, body=body, orelse=otherwise):
                for part in (domain, *otherwise):
                    self._part(part, counts)
                for part in body:
                    self._part(part, counts, ROUNDS)
                return None
            case ast.ListComp(elt=element, generators=[clause]):
                self._part(clause.iter, counts)
                for test in (element, *clause.ifs):
                    self._part(test, counts, ROUNDS)
                return None
            case ast.Constant(value=int(value)):
                return str(int(value))
        for child in ast.iter_child_nodes(node):
            if child._fields:
                self._part(child, counts)
        number = py.known(node) if isinstance(node, ast.expr) else None
        return None if number is None else str(number)

    def _note(self, text: str, node: ast.expr, counts: Counts) -> str:
        counts[text] = counts.get(text, 0) + 1
        if text not in self.nodes:
            self.nodes[text], self.names[text] = node, frozenset(py.names(node))
        return text

    def _has_all(self, table: str, index: ast.expr) -> bool:
        """Whether a table has an entry for whatever the index can be, also for nothing at all (-1)."""
        if table == "S" or table.startswith("options_"):
            return True
        entries = self.tables.get(table)
        if not isinstance(entries, tuple) or not entries:
            return False
        inner = index.value if isinstance(index, ast.Subscript) else None
        if isinstance(inner, ast.Name) and inner.id != "S":
            values = self.tables[inner.id]
            return all(isinstance(value, int) and -1 <= value < len(entries) for value in values)
        return not any(isinstance(part, ast.Name) and part.id in self.tables for part in py.walk(index))


class _Move:
    """Replaces a read by a name that is set before the first statement that needs it. Nodes may be in use elsewhere."""

    def __init__(self, reads: _Reads, text: str, name: str) -> None:
        self.reads, self.wanted, self.name = reads, text, name

    def placed(self, body: Body) -> Body:
        spots = [place for place, statement in enumerate(body) if self._needs(statement)]
        first = body[spots[0]]
        if len(spots) == 1 and isinstance(first, ast.If) and not self._needs(first.test):
            parts = (self.placed(part) if any(map(self._needs, part)) else part for part in (first.body, first.orelse))
            return [*body[: spots[0]], py.like(ast.If(first.test, *parts), first), *body[spots[0] + 1 :]]
        load = py.like(py.assign(self.name, py.copier(self.reads.nodes[self.wanted])()), first)
        rest = [self._replaced(statement) for statement in body[spots[0] :]]
        return [*body[: spots[0]], load, *rest]

    def _needs(self, node: ast.AST) -> bool:
        return self.wanted in self.reads.counts(node)

    def _replaced(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self._replaced(part) for part in node]
        if not isinstance(node, ast.AST) or not self._needs(node):
            return node
        if self.reads.text(node) == self.wanted:
            return py.name(self.name)
        made = type(node)(**{name: self._replaced(old) for name, old in ast.iter_fields(node)})
        return ast.copy_location(made, node) if hasattr(node, "lineno") else made


def _add(total: Counts, more: Counts, times: int = 1) -> None:
    for text, often in more.items():
        total[text] = total.get(text, 0) + often * times


def assigned(body: Body) -> frozenset[str]:
    """The names that get a value somewhere in a body."""
    nodes = (node for statement in body for node in py.walk(statement))
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
