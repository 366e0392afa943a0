"""Derivations: the notes traced code makes while it computes a value in, a tree of reasons out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Derivation:
    """A value, the text it comes from, where that stands and what it was computed from."""

    text: str
    value: Any = None
    place: tuple[str, int, int] | None = None
    ref: tuple[str, ...] = ()
    assumed: str | None = None
    label: str | None = None  # a component whose effect bent the value
    about: tuple[str, str] | None = None  # ("quantities" or "constants", its name)
    args: tuple[str, ...] = ()  # what the quantity was asked about
    letters: dict[str, str] = field(default_factory=dict)  # what the letters in its text stand for
    children: list[Derivation] = field(default_factory=list)


BEFORE = "before effects"


class Tracer:
    """Collects what traced functions report. `describe` turns numbers into ids and places."""

    def __init__(self, describe: Describe) -> None:
        self.describe = describe
        self.root = Derivation("")
        self.open: list[Derivation] = [self.root]

    def names(self) -> dict[str, Any]:
        return {
            "ENTER": self.enter, "BASE": self.base, "LEAVE": self.leave, "BEND": self.bend, "BENT": self.bent,
            "NOTE": self.note,
        }  # fmt: skip

    def enter(self, quantity: str, args: tuple[int, ...]) -> None:
        node = self.describe.quantity(quantity, args)
        self.open[-1].children.append(node)
        self.open.append(node)

    def base(self, value: Any, bent: bool) -> Any:
        """What the quantity is before any effect bends it."""
        node = self.open[-1]
        if bent:
            plain = Derivation(BEFORE, self.describe.value(node, value), node.place, children=node.children)
            node.children = [plain]
        return value

    def leave(self, value: Any) -> Any:
        node = self.open.pop()
        node.value = self.describe.value(node, value)
        if len(node.children) == 1 and node.children[0].text == BEFORE:  # no effect came into force
            node.children = node.children[0].children
        return value

    def bend(self, site: int, label: str, thing: int, carrier: str | None) -> None:
        node = self.describe.effect(site, label, thing, carrier)
        self.open[-1].children.append(node)
        self.open.append(node)

    def bent(self, value: Any) -> Any:
        node = self.open.pop()
        node.value = self.describe.value(self.open[-1], value)
        return value

    def note(self, site: int, value: Any) -> Any:
        leaf = self.describe.leaf(site, value, self.open[-1])
        if leaf is not None:
            self.open[-1].children.append(leaf)
        return value


class Describe:
    """What a tracer needs to know about the program; `Game` provides it."""

    def quantity(self, name: str, args: tuple[int, ...]) -> Derivation:
        raise NotImplementedError

    def effect(self, site: int, label: str, thing: int, carrier: str | None) -> Derivation:
        raise NotImplementedError

    def leaf(self, site: int, value: Any, inside: Derivation) -> Derivation | None:
        """What was read, said for the things `inside` is about; none if it tells nothing."""
        raise NotImplementedError

    def value(self, node: Derivation, value: Any) -> Any:
        raise NotImplementedError
