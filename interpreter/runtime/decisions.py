"""What goes in and out of a game: options, refusals, events and results, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen. Its id is stable: it names the option and its picks, not a position."""

    id: str
    name: str
    picks: dict[str, str | int | bool]
    index: int
    source: str | None
    anywhere: bool
    ref: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a choice was not accepted; the game is as it was."""

    message: str
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    seat: str
    rank: int | None
    score: int | None


@dataclass(frozen=True, slots=True)
class Result:
    standings: tuple[Standing, ...]

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(s.seat for s in self.standings if s.rank == 1)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: a change of a field, a moment, a phase that began, or a choice."""

    kind: str
    path: str = ""
    old: Any = None
    new: Any = None
    name: str = ""
    args: tuple[Any, ...] = ()
    actor: str | None = None
    ref: tuple[str, ...] = ()
    place: tuple[str, int, int] | None = None
    hidden_from: tuple[str, ...] = ()
