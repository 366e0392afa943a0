"""The functions compiled rules call: bounded loops, rankings, sets, and the stops that name their place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from interpreter.dsl.vocabulary import MAX_OPTIONS, MAX_ROUNDS
from interpreter.runtime.dice import shuffled
from interpreter.runtime.networks import distance, graph, neighbours, reach

LARGEST = 10**9
MAX_KEPT = 10_000  # sets of things that are remembered at a time
MAX_STEPS = 2_000_000  # numbers that may be counted through for one decision


class Stopped(Exception):
    """A rule did what it must not; the site says where it stands."""

    def __init__(self, code: str, site: int, message: str, cell: int | None = None) -> None:
        super().__init__(message)
        self.code, self.site, self.message, self.cell = code, site, message, cell


class Meter:
    """Counts the numbers ranges run through, so that nested loops end."""

    def __init__(self) -> None:
        self.steps = 0


METER = Meter()


def outside(site: int, cell: int, value: int) -> NoReturn:
    raise Stopped("X101", site, f"would become {value}", cell)


def negative(site: int, value: int) -> NoReturn:
    raise Stopped("X102", site, f"{value} was to be moved, but only 0 or more can be")


def endless(site: int) -> NoReturn:
    raise Stopped("X103", site, f"this loop has gone round {MAX_ROUNDS} times and still goes on")


def too_many(site: int) -> NoReturn:
    raise Stopped("X104", site, f"this option has more than {MAX_OPTIONS} possibilities")


def span(low: int, high: int, site: int) -> range:
    size = high - low
    METER.steps += size
    if size >= MAX_ROUNDS:
        raise Stopped("X103", site, f"this would go from {low} to {high}, which is more than {MAX_ROUNDS} numbers")
    if METER.steps > MAX_STEPS:
        raise Stopped("X103", site, "this loop and those around it go on too long")
    return range(low, high + 1)


def tick(site: int) -> None:
    METER.steps += 1
    if METER.steps > MAX_STEPS:
        raise Stopped("X103", site, "this loop and those around it go on too long")


def bounded(value: int, site: int) -> int:
    if not -LARGEST <= value <= LARGEST:
        raise Stopped("X109", site, f"this number would have more than {len(str(LARGEST)) - 1} digits")
    return value


def times(left: int, right: int, site: int) -> int:
    value = left * right
    return value if -LARGEST <= value <= LARGEST else bounded(value, site)


def absent(site: int) -> NoReturn:
    raise Stopped("X105", site, "this is not there in a game with so few players")


def rotated(size: int, start: int) -> list[int]:
    return [(start + place) % size for place in range(size)]


def the(thing: int, site: int) -> int:
    if thing < 0:
        raise Stopped("X105", site, "nothing fits here, but there must be one")
    return thing


def only(members: Sequence[int], site: int) -> int:
    if not members:
        raise Stopped("X105", site, "nothing fits here, but there must be one")
    return members[0]


def first(members: Sequence[int]) -> int:
    return members[0] if members else -1


def nth(members: Iterable[int], place: int, site: int) -> int:
    listed = list(members)
    if not 1 <= place <= len(listed):
        raise Stopped("X106", site, f"number {place} was wanted, but there are {len(listed)}, counted from 1")
    return listed[place - 1]


def entry(table: Sequence[Any], place: int, site: int) -> Any:
    if not 0 <= place < len(table):
        raise Stopped("X106", site, f"the table has {len(table)} entries, and this is none of them")
    return table[place]


def place_of(numbers: tuple[int, ...], value: int, site: int) -> int:
    try:
        return numbers.index(value)
    except ValueError:
        known = ", ".join(map(str, numbers)) if len(numbers) < 10 else f"{min(numbers)} to {max(numbers)}"
        raise Stopped("X106", site, f"{value} is not one of {known}") from None


def best(members: Iterable[int], key: Callable[[int], Any]) -> list[int]:
    listed = [(key(member), member) for member in members]
    if not listed:
        return []
    top = min(pair[0] for pair in listed)
    return [member for value, member in listed if value == top]


def position(thing: int, members: list[int]) -> int:
    return members.index(thing) + 1 if thing in members else 0


def joined(left: Iterable[int], right: Iterable[int]) -> list[int]:
    members = list(left)
    members += [member for member in right if member not in members]
    return members


def without(left: Iterable[int], right: Iterable[int]) -> list[int]:
    out = list(right)
    return [member for member in left if member not in out]


def owned(state: list[int], start: int, size: int, owner: int) -> list[int]:
    return [thing for thing in range(size) if state[start + thing] == owner]


def keep(state: list[int], start: int, room: int, members: Iterable[int], site: int) -> None:
    """A list in cells: its length, then its members."""
    listed = list(members)
    if len(listed) > room:
        message = f"a list of {len(listed)} is kept here while somebody is asked, but there is room for {room}"
        raise Stopped("X107", site, message)
    state[start] = len(listed)
    state[start + 1 : start + 1 + len(listed)] = listed


def kept(state: list[int], start: int, _room: int) -> list[int]:
    return state[start + 1 : start + 1 + state[start]]


class Members(dict[int, tuple[int, ...]]):
    """Which things the bits of a number stand for; what was asked for is kept for a while."""

    def __missing__(self, bits: int) -> tuple[int, ...]:
        if len(self) >= MAX_KEPT:
            self.clear()
        found = tuple([place for place in range(bits.bit_length()) if bits >> place & 1])
        self[bits] = found
        return found


def hand_over(state: list[int], cell: int, owner: int, start: int, held: int) -> None:
    """Give a thing another owner, and keep up what both of them have."""
    bit, before = 1 << (cell - start), state[cell]
    if before >= 0:
        state[held + before] &= ~bit
    if owner >= 0:
        state[held + owner] |= bit
    state[cell] = owner


def grid(start: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[Any, ...]:
    """All tuples that begin like this and go on with a number below each size, found by these numbers."""
    if not sizes:
        return start
    return tuple([grid((*start, number), sizes[1:]) for number in range(sizes[0])])


FUNCTIONS: dict[str, Any] = {
    f.__name__: f
    for f in (
        outside, negative, endless, too_many, span, tick, bounded, times, absent, rotated, the, only, first, nth,
        entry, place_of, grid, hand_over, best, position, joined,
        without, owned, keep, kept, graph, reach, neighbours, distance, shuffled,
    )
} | {f.__name__: f for f in (len, range, list, sorted, min, max, abs, sum, any, all, bool, int)}  # fmt: skip
FUNCTIONS["MEMBERS"] = Members()
