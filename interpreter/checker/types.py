"""The types of the language: what a value can be, and when one fits where another is wanted."""

from __future__ import annotations

from dataclasses import replace

from interpreter.records import dataclass

LIMIT = 10**9  # no number of the language is larger


@dataclass(frozen=True, slots=True)
class Num:
    """A whole number between low and high. `soft` bounds come from constants or options, which a variant may change."""

    low: int = -LIMIT
    high: int = LIMIT
    soft: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    pass


@dataclass(frozen=True, slots=True)
class Thing:
    kind: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Empty:
    """The type of `none` by itself."""


@dataclass(frozen=True, slots=True)
class SetOf:
    item: Num | Flag | Thing | Empty


@dataclass(frozen=True, slots=True)
class Table:
    index: Num | Thing
    entry: Type


@dataclass(frozen=True, slots=True)
class Unknown:
    """The type of something already reported: fits everywhere, so that one mistake is told once."""


Type = Num | Flag | Thing | Empty | SetOf | Table | Unknown
UNKNOWN = Unknown()
NUMBER = Num()
FLAG = Flag()


def fits(found: Type, wanted: Type) -> bool:
    match found, wanted:
        case (Unknown(), _) | (_, Unknown()) | (Num(), Num()) | (Flag(), Flag()):
            return True
        case Empty(), Thing(optional=True):
            return True
        case Thing(kind, optional), Thing(wanted_kind, wanted_optional):
            return kind == wanted_kind and (wanted_optional or not optional)
        case SetOf(item), SetOf(wanted_item):
            return fits(item, wanted_item)
        case Table(), Table():
            return fits(found.entry, wanted.entry) and fits(found.index, wanted.index)
        case _:
            return found == wanted


def join(a: Type, b: Type) -> Type | None:
    """The type of a value that is either of two; None if there is none."""
    match a, b:
        case Unknown(), _:
            return b
        case _, Unknown():
            return a
        case Num(), Num():
            return Num(min(a.low, b.low), max(a.high, b.high), a.soft or b.soft)
        case Thing(), Empty():
            return replace(a, optional=True)
        case Empty(), Thing():
            return replace(b, optional=True)
        case Thing(), Thing() if a.kind == b.kind:
            return replace(a, optional=a.optional or b.optional)
        case SetOf(), SetOf():
            item = join(a.item, b.item)
            return SetOf(item) if isinstance(item, Num | Flag | Thing | Empty) else None
        case Table(), Table() if a.index == b.index:
            entry = join(a.entry, b.entry)
            return None if entry is None else Table(a.index, entry)
        case _:
            return a if a == b else None


def loosen(type_: Type, bent: bool) -> Type:
    """What others know of a quantity: an effect may leave any bounds, and another layer may bring such effects."""
    match type_:
        case Num():
            return NUMBER if bent else replace(type_, soft=True)
        case SetOf(Num() as item):
            return SetOf(NUMBER if bent else replace(item, soft=True))
        case _:
            return type_


def one(kind: str) -> str:
    """The name of a kind with its article; values of an option are a kind, too."""
    if kind.startswith("option "):
        return f"a value of the option '{kind.removeprefix('option ')}'"
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


def describe(type_: Type) -> str:
    match type_:
        case Num(low, high):
            if low == high:
                return f"the number {low}"
            return f"a number from {low} to {high}" if low > -LIMIT and high < LIMIT else "a number"
        case Flag():
            return "yes or no"
        case Thing(kind, optional):
            return f"{one(kind)} or none" if optional else one(kind)
        case Empty():
            return "none"
        case SetOf(Thing(kind)):
            return f"a set (each {one(kind)})"
        case SetOf():
            return "a set of numbers"
        case Table():
            return "a table"
        case _:
            return "unknown"
