"""The nodes rule text is parsed into: plain frozen data, each with its place in the author's file."""

from __future__ import annotations

from typing import Literal

from interpreter.diagnostics import Span
from interpreter.records import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    at: Span


# ---------------------------------------------------------------- expressions
@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Truth(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    pass


@dataclass(frozen=True, slots=True)
class Name(Node):
    id: str


@dataclass(frozen=True, slots=True)
class Field(Node):
    owner: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    table: Expr
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Of(Node):
    plural: str
    owner: Expr


@dataclass(frozen=True, slots=True)
class Rotated(Node):
    plural: str
    start: Expr


@dataclass(frozen=True, slots=True)
class OptionValue(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Listed(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Range(Node):
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    op: str  # + - * mod, / up, / down
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Negate(Node):
    value: Expr


@dataclass(frozen=True, slots=True)
class Compare(Node):
    op: str  # is, is not, < <= > >=, in, not in
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Logic(Node):
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not(Node):
    value: Expr


@dataclass(frozen=True, slots=True)
class Choose(Node):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Key(Node):
    order: Literal["highest", "lowest", "random"]
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """`x in source where … by …`; without a variable it is just the source."""

    variable: str | None
    source: Expr
    where: Expr | None
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Fold(Node):
    """`count(clause)`, `sum(body for clause)` and their like."""

    how: str
    body: Expr | None
    clause: Clause


Expr = (
    Number
    | Truth
    | Nothing
    | Name
    | Field
    | Index
    | Call
    | Of
    | Rotated
    | OptionValue
    | Listed
    | Range
    | Binary
    | Negate
    | Compare
    | Logic
    | Not
    | Choose
    | Fold
)


# ---------------------------------------------------------------- statements
@dataclass(frozen=True, slots=True)
class Let(Node):
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Assign(Node):
    target: Expr
    op: str  # = += -=
    value: Expr


@dataclass(frozen=True, slots=True)
class Move(Node):
    amount: Expr
    source: Expr
    target: Expr
    up_to: bool


@dataclass(frozen=True, slots=True)
class If(Node):
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block


@dataclass(frozen=True, slots=True)
class For(Node):
    clause: Clause
    body: Block


@dataclass(frozen=True, slots=True)
class While(Node):
    condition: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    times: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Run(Node):
    name: str
    args: tuple[Expr, ...]
    called: Span  # where the name and what is given stand


@dataclass(frozen=True, slots=True)
class Announce(Node):
    name: str
    args: tuple[Expr, ...]
    called: Span  # where the name and what is given stand


@dataclass(frozen=True, slots=True)
class Ask(Node):
    name: str
    args: tuple[Expr, ...]
    called: Span  # where the name and what is given stand


@dataclass(frozen=True, slots=True)
class Clear(Node):
    target: Expr


@dataclass(frozen=True, slots=True)
class Stop(Node):
    pass


@dataclass(frozen=True, slots=True)
class Close(Node):
    pass


@dataclass(frozen=True, slots=True)
class End(Node):
    pass


Stmt = Let | Assign | Move | If | For | While | Repeat | Run | Announce | Ask | Clear | Stop | Close | End
Block = tuple[Stmt, ...]


# ---------------------------------------------------------------- headers, types, effects
@dataclass(frozen=True, slots=True)
class Header(Node):
    name: str
    params: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class TypeText(Node):
    """`0..4`, `flag`, `place or none`, `table 1..4 of number` as written."""

    form: Literal["range", "name", "table"]
    name: str = ""
    low: int = 0
    high: int = 0
    optional: bool = False
    index: TypeText | None = None
    entry: TypeText | None = None


@dataclass(frozen=True, slots=True)
class Declaration(Node):
    type: TypeText
    clamped: bool
    starting: Expr | None
    during: Name | None
    seen: Expr | None


@dataclass(frozen=True, slots=True)
class Formula(Node):
    lets: tuple[Let, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Modify(Node):
    quantity: Header
    stage: Name | None
    when: Expr | None
    to: Expr


@dataclass(frozen=True, slots=True)
class On(Node):
    moment: Header
    when: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Forbid(Node):
    option: Name
    window: Name
    when: Expr | None


Effect = Modify | On | Forbid
