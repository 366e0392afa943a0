"""Conditions that look for a member: `if any(…)` made with a list in, a loop that stops at the first one out.

A list that is only made to see whether it is empty costs a function of its own in Python. Where a condition is asked by
an `if`, the same question is a plain `for` with `break`, and `else` for the case that there is none.
"""

from __future__ import annotations

import ast
from itertools import count

from interpreter.compiler import pyast as py

Body = list[ast.stmt]


def searched(body: Body) -> Body:
    """The body of a function with its questions as loops. The given nodes stay as they are."""
    return _Searches().body(body)


class _Searches:
    def __init__(self) -> None:
        self.numbers = count(1)

    def body(self, body: Body) -> Body:
        done: Body = []
        for statement in body:
            done += self.statement(statement)
        return done

    def statement(self, statement: ast.stmt) -> Body:
        match statement:
            case ast.For(target=target, iter=domain, body=body, orelse=otherwise):
                return [py.like(ast.For(target, domain, self.body(body), self.body(otherwise)), statement)]
            case ast.If(test=test, body=body, orelse=otherwise):
                return self.condition(statement, test, self.body(body), self.body(otherwise))
        return [statement]

    def condition(self, old: ast.stmt, test: ast.expr, body: Body, otherwise: Body) -> Body:
        parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
        turns = [part for part in parts if (asked := _question(part)) and not _breaks(body if asked[1] else otherwise)]
        if not turns or (otherwise and len(parts) > 1):
            return [py.like(ast.If(test, body, otherwise), old)]
        plain: list[ast.expr] = []  # tests that come after the question that is turned next
        for part in reversed(parts):
            asked = _question(part)
            if asked is None or part not in turns:
                plain.insert(0, part)
                continue
            if plain:
                body, plain = [py.like(ast.If(py.both(plain, "and"), body, []), old)], []
            found, missing = (body, otherwise) if asked[1] else (otherwise, body)
            body = [self.loop(old, asked[0], found, missing)]
        return [py.like(ast.If(py.both(plain, "and"), body, []), old)] if plain else body

    def loop(self, old: ast.stmt, question: ast.ListComp, found: Body, missing: Body) -> ast.stmt:
        (clause,) = question.generators
        assert isinstance(clause.target, ast.Name)
        word = f"{clause.target.id}_q{next(self.numbers)}"
        leaves = bool(found) and isinstance(found[-1], ast.Return)
        hit = found if leaves else [*found, py.like(ast.Break(), old)]
        for test in reversed(clause.ifs):
            hit = self.condition(old, py.renamed(test, clause.target.id, word), hit, [])
        return py.like(ast.For(py.stored(word), clause.iter, hit, missing), old)


def _question(test: ast.expr) -> tuple[ast.ListComp, bool] | None:
    """A list that is only asked whether it has members (yes), or whether it has none (no)."""
    wanted = True
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, wanted = test.operand, not wanted
    if isinstance(test, ast.ListComp) and len(test.generators) == 1 and isinstance(test.elt, ast.Constant):
        return test, wanted
    return None


def _breaks(body: Body) -> bool:
    """Whether a body leaves the loop around it."""
    for statement in body:
        match statement:
            case ast.Break() | ast.Continue():
                return True
            case ast.If(body=then, orelse=otherwise):
                if _breaks(then) or _breaks(otherwise):
                    return True
            case ast.For(orelse=otherwise):
                if _breaks(otherwise):
                    return True
    return False
