"""A program: plain data and code, everything a game needs to run. Reading one back needs none of the compiler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType
from typing import Any

# The first cells of every state.
PC, SEED, DRAWS = 0, 1, 2
HEADER = 3

PARTS = ("rules", "plain", "told", "traced")
"""What all games need (formulas, listers, questions); segments without and with telling; formulas with reasons."""

ROOM = 1_000_000
"""Places in the author's files that one part can number; the numbers of different parts never meet."""


@dataclass(frozen=True, slots=True)
class Part:
    info: dict[str, Any]  # names, layout, windows, places: see describe_program
    tables: dict[str, Any]
    sites: dict[int, list[Any]]  # number -> place in the author's files, for messages of a running game
    code: list[CodeType]  # one per source file


@dataclass(frozen=True, slots=True)
class Program:
    """The parts of a program, each compiled or read when it is first asked for."""

    told: bool  # games collect what happens
    part: Callable[[str], Part]
