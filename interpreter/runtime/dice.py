"""Dice inside the state: a seed and a counter in, the same numbers on every machine out."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.compiler.program import DRAWS, SEED

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def shuffled(state: list[int], members: Iterable[int]) -> list[int]:
    """The members in a random order; the counter in the state moves on by one for each number drawn."""
    cards = list(members)
    at = state[SEED] + state[DRAWS] * _STEP
    for last in range(len(cards) - 1, 0, -1):
        at += _STEP
        z = at & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        other = ((z ^ (z >> 31)) * (last + 1)) >> 64
        cards[last], cards[other] = cards[other], cards[last]
    state[DRAWS] += max(0, len(cards) - 1)
    return cards
