"""Small builders of Python `ast` nodes, with constants folded as they are put together."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import TypeVar

from interpreter.diagnostics import Span

LOAD, STORE = ast.Load(), ast.Store()
SHORT = 3  # looks and sums of a value that is read twice rather than named
FOLDED = 10**9  # larger results are left to the game, which stops there


def name(word: str) -> ast.Name:
    return ast.Name(word, LOAD)


def stored(word: str) -> ast.Name:
    return ast.Name(word, STORE)


def number(value: int) -> ast.expr:
    if value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def known(node: ast.expr) -> int | None:
    """The value of a constant expression."""
    match node:
        case ast.Constant(value=int() as value):
            return int(value)  # also of yes and no, which count as 1 and 0
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case _:
            return None


def constant(value: object) -> ast.expr:
    if isinstance(value, tuple):
        return ast.Tuple([constant(item) for item in value], LOAD)
    assert isinstance(value, int)
    return number(value)


_OPERATORS: dict[str, ast.operator] = {
    "+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "//": ast.FloorDiv(), "%": ast.Mod(), ">>": ast.RShift(),
    "<<": ast.LShift(), "&": ast.BitAnd(), "|": ast.BitOr(),
}  # fmt: skip
_COMPARISONS: dict[str, ast.cmpop] = {
    "==": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE(),
    "in": ast.In(), "not in": ast.NotIn(),
}  # fmt: skip


_DECIDED: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def binary(left: ast.expr, op: str, right: ast.expr) -> ast.expr:
    a, b = known(left), known(right)
    if a is not None and b is not None and abs(a * b) <= FOLDED:
        match op:
            case "+":
                return number(a + b)
            case "-":
                return number(a - b)
            case "*":
                return number(a * b)
    if op == "+" and a is not None and isinstance(right, ast.BinOp) and isinstance(right.op, ast.Add):
        inner = known(right.right)
        if inner is not None:  # 146 + (x * 4 + 3)
            return binary(number(a + inner), "+", right.left)
    if b == 0 and op in ("+", "-"):
        return left
    if a == 0 and op == "+":
        return right
    if op == "*" and (a == 1 or b == 1):
        return right if a == 1 else left
    return ast.BinOp(left, _OPERATORS[op], right)


def compare(left: ast.expr, op: str, right: ast.expr) -> ast.expr:
    a, b = known(left), known(right)
    if a is not None and b is not None and op in _DECIDED:
        return ast.Constant(_DECIDED[op](a, b))
    return ast.Compare(left, [_COMPARISONS[op]], [right])


def between(low: ast.expr, value: ast.expr, high: ast.expr) -> ast.expr:
    return ast.Compare(low, [ast.LtE(), ast.LtE()], [value, high])


def both(parts: list[ast.expr], op: str) -> ast.expr:
    flat: list[ast.expr] = []
    kind = ast.And if op == "and" else ast.Or
    needless = op == "and"  # true changes nothing between `and`s, false nothing between `or`s
    for part in parts:
        for single in part.values if isinstance(part, ast.BoolOp) and isinstance(part.op, kind) else [part]:
            sure = decided(single)
            if sure is None:
                flat.append(single)
            elif sure is not needless:  # what stands behind it is never asked
                flat.append(ast.Constant(sure))
                break
        if flat and decided(flat[-1]) is not None:
            break
    if not flat:
        return ast.Constant(needless)
    if decided(flat[-1]) is not None and all(is_safe(part) for part in flat):
        return flat[-1]
    return flat[0] if len(flat) == 1 else ast.BoolOp(kind(), flat)


def decided(node: ast.expr) -> bool | None:
    """What a condition always is."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None


def is_safe(node: ast.expr) -> bool:
    """Whether a value can be left out: working it out cannot stop the game."""
    return not any(isinstance(part, ast.Call | ast.FloorDiv | ast.Mod) for part in walk(node))


def needs_no_place(statement: ast.stmt) -> bool:
    """Whether Python itself cannot stop a statement; all other stops know the place they belong to."""
    return not any(isinstance(part, ast.FloorDiv | ast.Mod) for part in walk(statement))


def negate(value: ast.expr) -> ast.expr:
    if (sure := decided(value)) is not None:
        return ast.Constant(not sure)
    return ast.UnaryOp(ast.Not(), value)


def choose(condition: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
    if (sure := decided(condition)) is not None:
        return then if sure else otherwise
    return ast.IfExp(condition, then, otherwise)


def call(function: str, *args: ast.expr) -> ast.expr:
    return ast.Call(name(function), list(args), [])


def method(owner: ast.expr, attribute: str, *args: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(owner, attribute, LOAD), list(args), [])


def item(table: ast.expr, key: ast.expr) -> ast.expr:
    return ast.Subscript(table, key, LOAD)


def cell(index: ast.expr) -> ast.expr:
    """One integer of the state."""
    return ast.Subscript(name("S"), index, LOAD)


def set_cell(index: ast.expr, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Subscript(name("S"), index, STORE)], value)


def assign(word: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([stored(word)], value)


def returned(value: ast.expr) -> ast.stmt:
    return ast.Return(value)


def if_(condition: ast.expr, body: list[ast.stmt], otherwise: list[ast.stmt] | None = None) -> ast.stmt:
    return ast.If(condition, body or [ast.Pass()], otherwise or [])


def lambda_(param: str, body: ast.expr) -> ast.expr:
    return ast.Lambda(ast.arguments([], [ast.arg(param)], None, [], [], None, []), body)


def comprehension(element: ast.expr, variable: str, domain: ast.expr, conditions: list[ast.expr]) -> ast.ListComp:
    return ast.ListComp(element, [ast.comprehension(stored(variable), domain, conditions, 0)])


def function(word: str, params: list[str], body: list[ast.stmt], at: Span) -> ast.FunctionDef:
    arguments = ast.arguments([], [ast.arg(param) for param in params], None, [], [], None, [])
    made = ast.FunctionDef(word, arguments, body or [ast.Pass()], [])
    place(made, at)
    return made


Placed = ast.expr | ast.stmt


def place(node: Placed, at: Span) -> Placed:
    """Give a node the author's position, so that Python's own traceback shows the YAML line."""
    node.lineno, node.col_offset = at.line, at.col - 1
    node.end_lineno, node.end_col_offset = at.end_line, at.end_col - 1
    return node


Statement = TypeVar("Statement", bound=ast.stmt)


def like(node: Statement, old: ast.stmt) -> Statement:
    """A node that takes the place of another."""
    return ast.copy_location(node, old) if hasattr(old, "lineno") else node


def is_simple(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or known(node) is not None


def is_printed(node: ast.expr) -> bool:
    """Whether it is one look into a table of what is printed."""
    return isinstance(node, ast.Subscript) and is_simple(node.value) and is_simple(node.slice)


def is_short(node: ast.expr) -> bool:
    """Whether a value is read so quickly that it can be read twice."""
    return is_safe(node) and sum(isinstance(part, ast.Subscript | ast.BinOp) for part in walk(node)) <= SHORT


def copier(node: ast.expr) -> Callable[[], ast.expr]:
    """Each use of a value gets nodes of its own."""
    if isinstance(node, ast.Name):
        word = node.id
        return lambda: name(word)
    value = known(node)
    if value is not None:
        return lambda: number(value)
    return lambda: clone(node)


Node = TypeVar("Node", bound=ast.AST)


def clone(node: Node) -> Node:
    """A node of its own with parts of their own; only what has no parts is shared."""
    made = type(node)()
    for name, value in node.__dict__.items():
        if isinstance(value, ast.AST):
            value = clone(value) if value._fields else value
        elif isinstance(value, list):
            value = [clone(part) if isinstance(part, ast.AST) else part for part in value]
        made.__dict__[name] = value
    return made


def renamed(node: ast.expr, old: str, new: str) -> ast.expr:
    """The same expression with another name for a variable."""
    made = clone(node)
    for part in walk(made):
        if isinstance(part, ast.Name) and part.id == old:
            part.id = new
    return made


def names(node: ast.AST) -> set[str]:
    """All names that stand in a node."""
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and everything inside it, in no particular order; quicker than the one of Python."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        for value in here.__dict__.values():
            if isinstance(value, ast.AST):
                if value._fields:
                    waiting.append(value)
            elif isinstance(value, list):
                waiting += [part for part in value if isinstance(part, ast.AST) and part._fields]


def locate(node: ast.AST, line: int = 1, col: int = 0, end_line: int = 1, end_col: int = 0) -> None:
    """Give every node that has no place the one of what it stands in; quicker than the way of Python."""
    own = node.__dict__
    if "lineno" in own:
        line, col, end_line, end_col = own["lineno"], own["col_offset"], own["end_lineno"], own["end_col_offset"]
    elif node._attributes:
        own.update(lineno=line, col_offset=col, end_lineno=end_line, end_col_offset=end_col)
    for value in list(own.values()):
        if isinstance(value, ast.AST):
            if value._fields:
                locate(value, line, col, end_line, end_col)
        elif isinstance(value, list):
            for part in value:
                if isinstance(part, ast.AST):
                    locate(part, line, col, end_line, end_col)
