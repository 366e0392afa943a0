"""A set in, the largest number of members it can have out: what loops and picks go over."""

from __future__ import annotations

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.types import LIMIT, Num, SetOf, Thing, Type
from interpreter.dsl.vocabulary import MAX_ROUNDS

UNKNOWN_ROUNDS = 1_000  # of loops whose end only a game knows; there every round is counted


class Sizes:
    def __init__(self, checked: c.Checked) -> None:
        self.checked = checked
        self.world = checked.world
        self._kinds: dict[str, int] = {}
        self._quantities: dict[str, int] = {}

    def kind(self, kind: str) -> int:
        if kind not in self._kinds:
            self._kinds[kind] = self.world.largest(kind)
        return self._kinds[kind]

    def of(self, value: t.Value) -> int:
        match value:
            case t.AllOf(kind=kind) | t.Rotation(kind=kind):
                return self.kind(kind)
            case t.OfField(kind=kind, field=field):
                return self._owned(kind, field)
            case t.Listing(items=items):
                return len(items)
            case t.Numbers(low=low, high=high):
                return self._span(low.type, high.type)
            case t.Fold(clause=clause):
                return self.of(clause.source)
            case t.Asked(quantity=name):
                return self._asked(name)
            case t.Choice(then=then, otherwise=otherwise):
                return max(self.of(then), self.of(otherwise))
            case t.SetFunction(name="+", args=(left, right)):
                return self.of(left) + self.of(right)
            case t.SetFunction(args=args):
                return self.of(args[0])
            case _:
                return self._by_type(value.type)

    def up_to(self, value: t.Value) -> int:
        """Rounds of a `repeat`."""
        return self._span(Num(1, 1), value.type)

    def carriers(self, source: c.Source) -> int:
        """Things that carry an effect."""
        if source.carrier is None or source.carrier == source.component_kind:
            return 1
        info = self.world.kinds[source.carrier]
        copies = max(info.counts.get(source.label, {}).values(), default=0)
        for axis in info.coordinates:
            copies *= len(axis.numbers) if axis.kind is None else self.kind(axis.kind)
        return copies

    def _asked(self, name: str) -> int:
        if name not in self._quantities:
            quantity = self.checked.quantities[name]
            self._quantities[name] = self._by_type(quantity.formula.value.type)  # against rings; there are none
            sets = [quantity.formula.value, *(modifier.to for modifier in quantity.modifiers)]
            self._quantities[name] = max(self.of(value) for value in sets)
        return self._quantities[name]

    def _owned(self, kind: str, field: str) -> int:
        """Things of one owner: for a coordinate all owners have the same number."""
        for axis in self.world.kinds[kind].coordinates:
            if axis.name == field and axis.kind is not None:
                return -(-self.kind(kind) // max(1, self.kind(axis.kind)))
        return self.kind(kind)

    def _span(self, low: Type, high: Type) -> int:
        if not isinstance(low, Num) or not isinstance(high, Num) or high.high >= LIMIT or low.low <= -LIMIT:
            return UNKNOWN_ROUNDS
        return max(0, min(MAX_ROUNDS, high.high - low.low + 1))

    def _by_type(self, type_: Type) -> int:
        match type_:
            case SetOf(Thing(kind)):
                return self.kind(kind)
            case SetOf(Num() as numbers):
                return self._span(numbers, numbers)
            case _:
                return UNKNOWN_ROUNDS
