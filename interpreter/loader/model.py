"""The ruleset model: what a ruleset declares, with its rule text parsed into nodes but not yet understood."""

from __future__ import annotations

from dataclasses import field

from interpreter.diagnostics import Span
from interpreter.dsl import nodes as n
from interpreter.loader.document import Document
from interpreter.loader.reader import Entry, Node, Scalar
from interpreter.records import dataclass


@dataclass(frozen=True, slots=True)
class Cited:
    """Where an entry stands and which catalogue rules it implements."""

    name: str
    at: Span
    ref: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Option(Cited):
    picks: dict[str, n.Formula]
    when: dict[str, n.Formula]
    once: n.Formula | None
    once_ever: bool
    do: n.Block
    like: tuple[str, str] | None = None  # window and option it takes over from


@dataclass(frozen=True, slots=True)
class Offer:
    """An `offer`: the option and the windows (with their letters) it is added to."""

    option: Option
    windows: tuple[n.Header, ...]


@dataclass(frozen=True, slots=True)
class Extend:
    """An `extend`: parts of an option that replace or follow the option's own."""

    parts: Option
    window: n.Header


Effect = n.Modify | n.On | n.Forbid | Offer | Extend


@dataclass(frozen=True, slots=True)
class Kind(Cited):
    plural: str
    one: bool
    ids: tuple[Scalar, ...]
    per: dict[str, Node]
    pieces: Scalar | None
    count: Node | None
    facts: dict[str, n.Declaration]
    state: dict[str, n.Declaration]
    during: Scalar | None
    in_force: n.Formula | None


@dataclass(frozen=True, slots=True)
class Component(Cited):
    kind: str
    like: Scalar | None
    facts: dict[str, Entry]
    count: Node | None
    effects: dict[str, Effect]
    assumed: str | None


@dataclass(frozen=True, slots=True)
class Constant(Cited):
    node: Node
    type: n.Declaration | None
    assumed: str | None


@dataclass(frozen=True, slots=True)
class Quantity(Cited):
    header: n.Header
    formula: n.Formula
    stages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Procedure(Cited):
    header: n.Header
    body: n.Block


@dataclass(frozen=True, slots=True)
class Step(Cited):
    body: n.Block


@dataclass(frozen=True, slots=True)
class Phase(Cited):
    header: n.Header
    steps: dict[str, Step]


@dataclass(frozen=True, slots=True)
class Keep:
    value: n.Formula
    type: n.Declaration | None


@dataclass(frozen=True, slots=True)
class Window(Cited):
    header: n.Header
    keeps: dict[str, Keep]
    choose: str  # one, may, many, up to
    limit: n.Formula | None
    options: dict[str, Option]
    after: n.Block
    always: bool
    secret: bool


@dataclass(frozen=True, slots=True)
class Moment(Cited):
    header: n.Header
    seen: n.Formula | None


@dataclass(frozen=True, slots=True)
class Network(Cited):
    header: n.Header
    nodes: Scalar
    edges: n.Clause
    ends: tuple[n.Formula, n.Formula]


@dataclass(frozen=True, slots=True)
class Rule(Cited):
    when: n.Formula | None
    effects: dict[str, Effect]


@dataclass(frozen=True, slots=True)
class Scoring(Cited):
    """`score(p)` itself is a quantity like any other."""

    ranked: n.Clause | None


@dataclass(frozen=True, slots=True)
class Model:
    """Everything a ruleset says, parsed but not yet understood."""

    document: Document
    kinds: dict[str, Kind] = field(default_factory=dict)
    components: dict[str, dict[str, Component]] = field(default_factory=dict)
    constants: dict[str, Constant] = field(default_factory=dict)
    quantities: dict[str, Quantity] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    windows: dict[str, Window] = field(default_factory=dict)
    phases: dict[str, Phase] = field(default_factory=dict)
    moments: dict[str, Moment] = field(default_factory=dict)
    networks: dict[str, Network] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    invariants: dict[str, tuple[Span, n.Formula]] = field(default_factory=dict)
    scoring: Scoring | None = None
