"""The state layout for one number of players: where in the flat list of integers every field of every thing stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from interpreter.checker import typed as t
from interpreter.checker.types import LIMIT, Flag, Num, Thing
from interpreter.checker.world import World
from interpreter.compiler.program import HEADER

MANY = 12  # things of a kind that are quickly gone through
BITS = 62  # things that fit into one cell


@dataclass(frozen=True, slots=True)
class Column:
    """One field of all things of a kind."""

    kind: str
    field: str
    start: int
    size: int
    low: int
    high: int
    clamped: bool
    default: int


class Layout:
    def __init__(self, world: World, players: int, sets: Iterable[tuple[str, str]] = ()) -> None:
        """`sets` are the fields by which rules ask for `PLURAL of x`."""
        self.world = world
        self.players = players
        self.things: dict[str, list[str]] = {kind: world.thing_ids(kind, players) for kind in world.kinds}
        self.positions: dict[str, dict[str, int]] = {
            kind: {id_: place for place, id_ in enumerate(ids)} for kind, ids in self.things.items()
        }
        self.columns: dict[tuple[str, str], Column] = {}
        self.scopes: dict[str, tuple[int, int]] = {}  # phase -> the cells it forgets
        self.held: dict[tuple[str, str], int] = {}  # field -> first of the cells that say what each owner has
        self.end = self._place_held(self._place(), sets)

    def size(self, kind: str) -> int:
        return len(self.things[kind])

    def cells(self, kind: str, field: str) -> tuple[int, int]:
        """Cells that tell all values of a field, from the first up to the one after the last, as few as there are."""
        column, held = self.columns[kind, field], self.held.get((kind, field))
        type_ = self.world.kinds[kind].state[field].type
        if held is not None and isinstance(type_, Thing) and self.size(type_.kind) < column.size:
            return held, held + self.size(type_.kind)
        return column.start, column.start + column.size

    def _place(self) -> int:
        fields = [field for kind in self.world.kinds.values() for field in kind.state.values()]
        place = HEADER
        for scope in [None, *sorted({field.during for field in fields if field.during is not None})]:
            begin = place
            for field in fields:
                if field.during == scope:
                    column = self._column(field, place)
                    self.columns[field.kind, field.name] = column
                    place += column.size
            if scope is not None:
                self.scopes[scope] = (begin, place)
        return place

    def _place_held(self, place: int, sets: Iterable[tuple[str, str]]) -> int:
        """For every owner a cell with a bit for each thing it has, where going through all things would take long."""
        for kind, name in sorted(sets):
            field = self.world.kinds[kind].state.get(name)
            if field is None or field.during is not None or not isinstance(field.type, Thing):
                continue
            if MANY < self.size(kind) <= BITS:
                self.held[kind, name] = place
                place += self.size(field.type.kind)
        return place

    def _column(self, field: t.FieldInfo, start: int) -> Column:
        size = self.size(field.kind)
        match field.type:
            case Num(low, high):
                default = 0 if low <= 0 <= high and low == -LIMIT else low
                return Column(field.kind, field.name, start, size, low, high, field.clamped, default)
            case Thing(kind, optional):
                last = self.size(kind) - 1
                return Column(
                    field.kind, field.name, start, size, -1 if optional else 0, last, False, -1 if optional else 0
                )
            case Flag():
                return Column(field.kind, field.name, start, size, 0, 1, False, 0)
            case _:
                raise AssertionError(field)

    # ------------------------------------------------------------ tables the code reads
    def coordinate(self, kind: str, name: str) -> tuple[int, ...] | None:
        """A coordinate, or type/copy/seat, for every thing of a kind."""
        info = self.world.kinds[kind]
        if info.form == "seats" and name == "seat":
            return tuple(range(1, self.size(kind) + 1))
        sizes = [len(axis.numbers) if axis.kind is None else self.size(axis.kind) for axis in info.coordinates]
        grid = 1
        for size in sizes:
            grid *= size
        rows: list[tuple[int, int, int]] = []  # type, place in the grid, copy
        if info.form == "pieces":
            assert info.pieces_of is not None
            for position, id_ in enumerate(self.world.kinds[info.pieces_of].ids):
                copies = info.counts[id_].get(self.players, 0)
                rows += [(position, cell, copy) for cell in range(grid) for copy in range(1, copies + 1)]
            if name in ("type", "copy"):
                return tuple(row[0] if name == "type" else row[2] for row in rows)
        else:
            rows = [(0, cell, 1) for cell in range(grid)]
        stride = grid
        for axis, size in zip(info.coordinates, sizes, strict=True):
            stride //= size
            if axis.name == name:
                places = (row[1] // stride % size for row in rows)
                return tuple(places) if axis.kind else tuple(axis.numbers[place] for place in places)
        return None

    def plain(self, value: object) -> object:
        """A constant or fact with ids turned into positions."""
        if isinstance(value, tuple):
            if len(value) == 2 and isinstance(value[0], str):
                kind, id_ = value
                return self.positions[kind].get(id_, len(self.things[kind]))
            return tuple(self.plain(item) for item in value)
        return value

    def fact(self, kind: str, name: str) -> tuple[object, ...]:
        table = self.coordinate(kind, name)
        if table is not None:
            return table
        info = self.world.kinds[kind].facts[name]
        return tuple(self.plain(info.values[id_]) for id_ in self.things[kind])
