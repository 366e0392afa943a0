"""A checked ruleset in, the parts that read hidden fields out: what a view must not show to just anybody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.flow import parts_of

Part = tuple[str, str]  # ("quantities" or "networks", name)


class HiddenParts:
    """Quantities and networks that read a hidden field, themselves or through others."""

    def __init__(self, checked: c.Checked) -> None:
        kinds = checked.world.kinds.values()
        self.fields = frozenset(
            (kind.name, field.name) for kind in kinds for field in kind.state.values() if field.seen is not None
        )
        self.parts: set[Part] = set()
        if not self.fields:
            return
        texts: dict[Part, list[t.Value]] = {
            ("quantities", name): list(_quantity(q)) for name, q in checked.quantities.items()
        }
        for name, network in checked.networks.items():
            edges = network.edges
            where = [] if edges.where is None else [edges.where]
            texts["networks", name] = [edges.source, *where, *network.ends]
        grown = True
        while grown:
            grown = False
            for part, values in texts.items():
                if part not in self.parts and self.read_by(values):
                    self.parts.add(part)
                    grown = True

    def read_by(self, values: Iterable[t.Value]) -> bool:
        """Whether any of these values reads something hidden."""
        return any(self._hidden(part) for value in values for part in parts_of(value))

    def formula(self, formula: t.Formula) -> bool:
        return self.read_by([*(let.value for let in formula.lets), formula.value])

    def _hidden(self, part: t.Value) -> bool:
        match part:
            case t.State(kind=kind, field=field) | t.OfField(kind=kind, field=field):
                return (kind, field) in self.fields
            case t.Asked(quantity=name):
                return ("quantities", name) in self.parts
            case t.NetworkQuestion(network=name):
                return ("networks", name) in self.parts
            case _:
                return False


def _quantity(quantity: c.Quantity) -> Iterator[t.Value]:
    yield from (let.value for let in quantity.formula.lets)
    yield quantity.formula.value
    for modifier in quantity.modifiers:
        yield modifier.to
        if modifier.when is not None:
            yield modifier.when
        if modifier.source.in_force is not None:
            yield from (let.value for let in modifier.source.in_force.lets)
            yield modifier.source.in_force.value
