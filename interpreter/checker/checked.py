"""The checked ruleset: what the checker hands to the compiler."""

from __future__ import annotations

from dataclasses import field

from interpreter.checker import typed as t
from interpreter.checker.world import World
from interpreter.diagnostics import Span
from interpreter.records import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """Whose effect it is: the things of `carrier` that come from one component; for a rule there is no thing."""

    label: str  # component or rule id
    component_kind: str | None
    carrier: str | None
    me: t.Variable | None
    in_force: t.Formula | None
    at: Span
    ref: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Modifier:
    source: Source
    params: tuple[t.Variable, ...]
    before: t.Variable  # `value`
    stage: str | None
    when: t.Value | None
    to: t.Value
    at: Span


@dataclass(frozen=True, slots=True)
class Quantity:
    name: str
    params: tuple[t.Variable, ...]
    formula: t.Formula
    stages: tuple[str, ...]
    at: Span
    ref: tuple[str, ...]
    modifiers: list[Modifier] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    body: t.Block
    at: Span
    ref: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Routine:
    """A procedure (one step) or a phase."""

    name: str
    params: tuple[t.Variable, ...]
    steps: tuple[Step, ...]
    phase: bool
    at: Span
    ref: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Option:
    name: str
    picks: tuple[tuple[t.Variable, t.Formula], ...]
    when: tuple[tuple[str, t.Formula], ...]
    once: t.Value | None
    once_ever: bool
    do: t.Block
    at: Span
    ref: tuple[str, ...]
    source: Source | None = None
    dependent: frozenset[str] = frozenset()  # clauses that make sense only where the earlier ones hold
    anywhere: bool = False  # offered at any window
    like: tuple[str, str] | None = None  # window and option it was written after
    replaces: Option | None = None  # an extension: offered only where this one is not
    forbids: list[tuple[Source, t.Value | None, Span]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Window:
    name: str
    params: tuple[t.Variable, ...]
    keeps: tuple[tuple[t.Variable, t.Formula], ...]
    choose: str
    limit: t.Formula | None
    options: list[Option]
    after: t.Block
    always: bool
    secret: bool
    at: Span
    ref: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reaction:
    source: Source
    params: tuple[t.Variable, ...]
    when: t.Value | None
    body: t.Block
    at: Span


@dataclass(frozen=True, slots=True)
class Moment:
    name: str
    params: tuple[t.Variable, ...]
    seen: t.Formula | None
    viewer: t.Variable
    at: Span
    ref: tuple[str, ...]
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Network:
    name: str
    params: tuple[t.Variable, ...]
    nodes: str
    edges: t.Clause
    ends: tuple[t.Value, t.Value]
    at: Span


@dataclass(frozen=True, slots=True)
class Scoring:
    score: str | None  # the quantity
    ranked: t.Clause | None
    ref: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    world: World
    quantities: dict[str, Quantity]
    routines: dict[str, Routine]
    windows: dict[str, Window]
    moments: dict[str, Moment]
    networks: dict[str, Network]
    invariants: dict[str, tuple[Span, t.Formula]]
    scoring: Scoring
    sources: list[Source]
