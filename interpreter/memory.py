"""Results by the very object they were made from: what several rulesets have in common is worked out once."""

from __future__ import annotations

from typing import Generic, TypeVar

Result = TypeVar("Result")
MOST = 20_000


class Memory(Generic[Result]):
    """For objects that never change. Each is kept with its result, so that no other one can take its place."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], tuple[object, Result]] = {}

    def get(self, what: str, made_from: object) -> Result | None:
        known = self._known.get((what, id(made_from)))
        return None if known is None else known[1]

    def keep(self, what: str, made_from: object, result: Result) -> Result:
        if len(self._known) >= MOST:
            self._known.clear()
        self._known[what, id(made_from)] = (made_from, result)
        return result
