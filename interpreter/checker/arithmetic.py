"""Bounds of numbers: the types of operands in, the type of the result (and what can never hold) out."""

from __future__ import annotations

from interpreter.checker.types import LIMIT, NUMBER, Num, Type


def _clip(number: int) -> int:
    return max(-LIMIT, min(LIMIT, number))


def _num(low: int, high: int, soft: bool) -> Num:
    return Num(_clip(low), _clip(high), soft)


def combine(op: str, left: Type, right: Type) -> Type:
    if not isinstance(left, Num) or not isinstance(right, Num):
        return NUMBER
    soft = left.soft or right.soft
    match op:
        case "+":
            return _num(left.low + right.low, left.high + right.high, soft)
        case "-":
            return _num(left.low - right.high, left.high - right.low, soft)
        case "*":
            corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
            return _num(min(corners), max(corners), soft)
        case "mod" if right.low > 0:
            return _num(0, right.high - 1, soft)
        case "/ up" | "/ down" if right.low > 0:
            ends = [(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
            corners = [-(-a // b) if op == "/ up" else a // b for a, b in ends]
            return _num(min(corners), max(corners), soft)
        case _:
            return Num(soft=soft)


def of_function(name: str, types: list[Type]) -> Type:
    numbers = [type_ if isinstance(type_, Num) else NUMBER for type_ in types]
    soft = any(number.soft for number in numbers)
    match name:
        case "min":
            return _num(min(n.low for n in numbers), min(n.high for n in numbers), soft)
        case "max":
            return _num(max(n.low for n in numbers), max(n.high for n in numbers), soft)
        case _:
            largest = max(abs(numbers[0].low), abs(numbers[0].high))
            return _num(0, largest, soft)


def of_fold(how: str, body: Type, size: int) -> Type:
    if not isinstance(body, Num):
        return NUMBER
    if how == "sum":
        return _num(min(0, body.low * size), max(0, body.high * size), body.soft)
    return _num(min(0, body.low), max(0, body.high), body.soft)


def never(op: str, left: Type, right: Type) -> bool:
    """Whether the comparison cannot hold whatever the state is; what is soft can change and proves nothing."""
    if not isinstance(left, Num) or not isinstance(right, Num) or left.soft or right.soft:
        return False
    match op:
        case "is":
            return left.high < right.low or right.high < left.low
        case "is not":
            return left.low == left.high == right.low == right.high
        case "<":
            return left.low >= right.high
        case "<=":
            return left.low > right.high
        case ">":
            return left.high <= right.low
        case ">=":
            return left.high < right.low
        case _:
            return False


def overflows(left: Type, right: Type) -> bool:
    """Whether a product may have more digits than a number of the language."""
    if not isinstance(left, Num) or not isinstance(right, Num):
        return True
    return max(abs(left.low), abs(left.high)) * max(abs(right.low), abs(right.high)) > LIMIT
