"""Conditions that look for a member: `if any(…)` made with a list in, a loop that stops at the first one out.

A list that is only made to see whether it is empty costs a function of its own in Python. Where a condition is asked by
an `if`, the same question is a plain `for` with `break`, and `else` for the case that there is none. A `return` or a
name that is given such an answer becomes an `if` first.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
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
            case ast.Return(value=ast.expr() as value) if _asks(value):
                return self.answered(statement, value, ast.Return)
            case ast.Assign(targets=targets, value=value) if _asks(value):
                return self.answered(statement, value, lambda answer: ast.Assign(targets, answer))
        return [statement]

    def answered(self, old: ast.stmt, value: ast.expr, give: Callable[[ast.expr], ast.stmt]) -> Body:
        """Give an answer, which is made with questions, on the way that leads to it."""
        match value:
            case _ if not _asks(value):
                return [py.like(give(value), old)]
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                return self.condition(old, test, self.answered(old, then, give), self.answered(old, otherwise, give))
            case ast.BoolOp(op=ast.Or(), values=[first, *rest]):
                sure = [py.like(give(ast.Constant(True)), old)]
                return self.condition(old, first, sure, self.answered(old, py.both(rest, "or"), give))
            case ast.BoolOp(op=ast.And(), values=[first, *rest]):
                sure = [py.like(give(ast.Constant(False)), old)]
                return self.condition(old, first, self.answered(old, py.both(rest, "and"), give), sure)
            case ast.UnaryOp(op=ast.Not(), operand=asked):
                return self.answered(old, asked, lambda answer: give(py.negate(answer)))
        return self.condition(old, value, *([py.like(give(ast.Constant(sure)), old)] for sure in (True, False)))

    def condition(self, old: ast.stmt, test: ast.expr, body: Body, otherwise: Body) -> Body:
        parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
        for place, part in enumerate(parts):
            asked = _question(part)
            turned = asked is not None and not _breaks(body if asked[1] else otherwise)
            if _asks(part) and not turned and (place == 0 or not otherwise):
                return self.settled(old, parts[:place], part, parts[place + 1 :], body, otherwise)
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

    def settled(
        self, old: ast.stmt, before: list[ast.expr], part: ast.expr, after: list[ast.expr], body: Body, otherwise: Body
    ) -> Body:
        """One of several conditions is settled before the `if`, and after those that come before it."""
        word = f"settled_{next(self.numbers)}"
        rest = self.condition(old, py.both([py.name(word), *after], "and"), body, otherwise)
        inner = [*self.answered(old, part, lambda answer: py.assign(word, answer)), *rest]
        return self.condition(old, py.both(before, "and"), inner, []) if before else inner

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


def _asks(value: ast.expr) -> bool:
    """Whether an answer depends on a question that can be a loop."""
    match value:
        case ast.BoolOp(values=values):
            return any(_asks(part) for part in values)
        case ast.IfExp(test=test, body=then, orelse=otherwise):
            return any(_asks(part) for part in (test, then, otherwise))
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _asks(inner)
    return _question(value) is not None


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
