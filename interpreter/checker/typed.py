"""Typed nodes: rule text with every name resolved. The checker builds them, the compiler trusts them completely."""

from __future__ import annotations

from typing import Literal

from interpreter.checker.types import Num, Thing, Type
from interpreter.diagnostics import Span
from interpreter.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A parameter, pick, keep, let or loop variable; its identity is the object itself."""

    name: str
    type: Type
    changes: bool = False  # a `let` or a keep: statements may give it another value


@dataclass(frozen=True, slots=True)
class Typed:
    at: Span
    type: Type


@dataclass(frozen=True, slots=True)
class Plain(Typed):
    """A number, 0/1 for a flag, the position of a thing in its kind, -1 for none."""

    value: int


@dataclass(frozen=True, slots=True)
class Named(Typed):
    """A thing named by its id; its position depends on the number of players, so the compiler finds it."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class Local(Typed):
    variable: Variable


@dataclass(frozen=True, slots=True)
class ConstantValue(Typed):
    name: str


@dataclass(frozen=True, slots=True)
class OptionChoice(Typed):
    name: str


@dataclass(frozen=True, slots=True)
class State(Typed):
    """A remembered field of a thing (owner None: of a kind there is only one of)."""

    kind: str
    field: str
    owner: Value | None


@dataclass(frozen=True, slots=True)
class Fact(Typed):
    """A printed value of a thing, a coordinate, or type/copy/seat."""

    kind: str
    field: str
    owner: Value


@dataclass(frozen=True, slots=True)
class Entry(Typed):
    """A table or set entry."""

    table: Value
    key: Value


@dataclass(frozen=True, slots=True)
class Asked(Typed):
    """A quantity asked for its value."""

    quantity: str
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Make(Typed):
    """The thing of a `per` kind with these coordinates."""

    kind: str
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Arithmetic(Typed):
    op: str
    left: Value
    right: Value


@dataclass(frozen=True, slots=True)
class Function(Typed):
    """min, max, abs, next, previous, position."""

    name: str
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Comparison(Typed):
    op: str
    left: Value
    right: Value


@dataclass(frozen=True, slots=True)
class Logical(Typed):
    op: Literal["and", "or"]
    left: Value
    right: Value


@dataclass(frozen=True, slots=True)
class Negation(Typed):
    value: Value


@dataclass(frozen=True, slots=True)
class Choice(Typed):
    condition: Value
    then: Value
    otherwise: Value


@dataclass(frozen=True, slots=True)
class Key:
    highest: bool
    value: Value


@dataclass(frozen=True, slots=True)
class Clause:
    at: Span
    variable: Variable
    source: Value
    where: Value | None
    keys: tuple[Key, ...]
    random: bool


@dataclass(frozen=True, slots=True)
class Fold(Typed):
    how: str
    body: Value | None
    clause: Clause


# ---------------------------------------------------------------- sets
@dataclass(frozen=True, slots=True)
class AllOf(Typed):
    kind: str


@dataclass(frozen=True, slots=True)
class OfField(Typed):
    """Things of a kind whose coordinate, fact or state `field` is the owner."""

    kind: str
    field: str
    owner: Value


@dataclass(frozen=True, slots=True)
class Rotation(Typed):
    kind: str
    start: Value


@dataclass(frozen=True, slots=True)
class Listing(Typed):
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Numbers(Typed):
    low: Value
    high: Value


@dataclass(frozen=True, slots=True)
class SetFunction(Typed):
    """reversed, + (both), - (without)."""

    name: str
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class NetworkQuestion(Typed):
    name: str
    network: str
    network_args: tuple[Value, ...]
    args: tuple[Value, ...]


Value = (
    Plain
    | Named
    | Local
    | ConstantValue
    | OptionChoice
    | State
    | Fact
    | Entry
    | Asked
    | Make
    | Arithmetic
    | Function
    | Comparison
    | Logical
    | Negation
    | Choice
    | Fold
    | AllOf
    | OfField
    | Rotation
    | Listing
    | Numbers
    | SetFunction
    | NetworkQuestion
)


# ---------------------------------------------------------------- statements
@dataclass(frozen=True, slots=True)
class Let:
    at: Span
    variable: Variable
    value: Value


@dataclass(frozen=True, slots=True)
class SetLocal:
    at: Span
    variable: Variable
    op: str
    value: Value


@dataclass(frozen=True, slots=True)
class SetState:
    at: Span
    target: State
    op: str
    value: Value


@dataclass(frozen=True, slots=True)
class Move:
    at: Span
    amount: Value
    source: State
    target: State
    up_to: bool


@dataclass(frozen=True, slots=True)
class If:
    at: Span
    branches: tuple[tuple[Value, Block], ...]
    otherwise: Block


@dataclass(frozen=True, slots=True)
class For:
    at: Span
    clause: Clause
    body: Block


@dataclass(frozen=True, slots=True)
class While:
    at: Span
    condition: Value
    body: Block


@dataclass(frozen=True, slots=True)
class Repeat:
    at: Span
    times: Value
    body: Block


@dataclass(frozen=True, slots=True)
class Run:
    """Run a procedure or phase."""

    at: Span
    routine: str
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Announce:
    at: Span
    moment: str
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    at: Span
    window: str
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Clear:
    at: Span
    kind: str
    owner: Value | None


@dataclass(frozen=True, slots=True)
class Leave:
    at: Span
    how: Literal["stop", "close", "end"]


Statement = Let | SetLocal | SetState | Move | If | For | While | Repeat | Run | Announce | Ask | Clear | Leave
Block = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    lets: tuple[Let, ...]
    value: Value


@dataclass(frozen=True, slots=True)
class FieldInfo:
    kind: str
    name: str
    type: Num | Thing | Type
    clamped: bool
    starting: Value | None
    during: str | None
    seen: Formula | None
    self_variable: Variable
    viewer_variable: Variable
    at: Span


@dataclass(frozen=True, slots=True)
class Coordinate:
    """One axis of a `per` kind: things of a kind, or listed numbers."""

    name: str
    kind: str | None
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FactInfo:
    kind: str
    name: str
    type: Type
    values: dict[str, object]  # component id -> int or nested table; ids as ("kind", "id")


@dataclass(frozen=True, slots=True)
class KindInfo:
    name: str
    plural: str
    form: Literal["one", "seats", "ids", "per", "pieces"]
    ids: tuple[str, ...]  # of listed kinds and seats
    coordinates: tuple[Coordinate, ...]
    pieces_of: str | None
    counts: dict[str, dict[int, int]]  # component id -> players -> copies
    facts: dict[str, FactInfo]
    state: dict[str, FieldInfo]
    during: str | None
    at: Span
    ref: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConstantInfo:
    name: str
    type: Type
    value: object
    at: Span
    ref: tuple[str, ...]
    assumed: str | None
