"""A program: plain data and code, everything a game needs to run. Reading one back needs none of the compiler."""

from __future__ import annotations

from dataclasses import dataclass
from types import CodeType
from typing import Any

# The first cells of every state.
PC, SEED, DRAWS = 0, 1, 2
HEADER = 3


@dataclass(frozen=True, slots=True)
class Program:
    info: dict[str, Any]  # names, layout, windows, places: see Compiler.describe
    tables: dict[str, Any]
    code: dict[str, list[CodeType]]  # flavour (plain, told, traced) -> code, one per source file
