"""Plain data in, classes for it out: `dataclass` for what is made by the ten thousand.

Checkers of types see the library's own. When it runs, `frozen` only means that a record can be hashed: guarding every
field of every node while it is made would take a fifth of the time before a game begins.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool = False, **options: Any) -> Callable[[type], type]:
        return dataclasses.dataclass(unsafe_hash=frozen, **options)
