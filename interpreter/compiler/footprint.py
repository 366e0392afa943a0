"""What rules read and write: typed values and blocks in, the fields they touch out, through everything they use."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.flow import parts_of, statements_in, values_in

Fields = frozenset[tuple[str, str]]  # kind and field
ANY = ("", "")  # a part that may write any field


class Footprint:
    """Answers are kept: a program asks about the same quantities and routines again and again."""

    def __init__(self, checked: c.Checked) -> None:
        self.checked = checked
        self._quantities: dict[str, Fields] = {}
        self._routines: dict[str, Fields] = {}
        self._moments: dict[str, Fields] = {}

    def untouched(self, values: Iterable[t.Value], block: t.Block) -> bool:
        """Whether values stay what they are while a block runs."""
        values = list(values)
        names = {p.variable for value in values for p in parts_of(value) if isinstance(p, t.Local)}
        if any(isinstance(s, t.SetLocal) and s.variable in names for s in statements_in(block)):
            return False
        written = self.writes(block)
        return ANY not in written and not (written & self.reads(values))

    # ------------------------------------------------------------ reading
    def reads(self, values: Iterable[t.Value]) -> Fields:
        found: set[tuple[str, str]] = set()
        for part in (part for value in values for part in parts_of(value)):
            match part:
                case t.State(kind=kind, field=field) | t.OfField(kind=kind, field=field):
                    found.add((kind, field))
                case t.Asked(quantity=name):
                    found |= self._quantity(name)
                case t.NetworkQuestion(network=name):
                    found |= self.network(self.checked.networks[name])
        return frozenset(found)

    def network(self, network: c.Network) -> Fields:
        """What the edges of a network depend on."""
        where = [] if network.edges.where is None else [network.edges.where]
        return self.reads([network.edges.source, *where, *network.ends])

    def _quantity(self, name: str) -> Fields:
        if name not in self._quantities:
            quantity = self.checked.quantities[name]
            values = _values(quantity.formula)
            for modifier in quantity.modifiers:
                values += [modifier.to, *_values(modifier.source.in_force)]
                values += [] if modifier.when is None else [modifier.when]
            self._quantities[name] = self.reads(values)
        return self._quantities[name]

    # ------------------------------------------------------------ writing
    def writes(self, block: t.Block) -> Fields:
        found: set[tuple[str, str]] = set()
        for statement in statements_in(block):
            match statement:
                case t.SetState(target=target):
                    found.add((target.kind, target.field))
                case t.Move(source=source, target=target):
                    found |= {(source.kind, source.field), (target.kind, target.field)}
                case t.Clear(kind=kind):
                    found |= {(kind, field) for field in self.checked.world.kinds[kind].state}
                case t.Run(routine=name):
                    found |= self._routine(name)
                case t.Announce(moment=name):
                    found |= self._moment(name)
                case t.Ask():
                    found.add(ANY)
        return frozenset(found)

    def _routine(self, name: str) -> Fields:
        if name not in self._routines:
            routine = self.checked.routines[name]
            found = frozenset({ANY}) if routine.phase else self.writes(tuple(s for p in routine.steps for s in p.body))
            self._routines[name] = found
        return self._routines[name]

    def _moment(self, name: str) -> Fields:
        if name not in self._moments:
            reactions = self.checked.moments[name].reactions
            self._moments[name] = frozenset[tuple[str, str]]().union(*(self.writes(r.body) for r in reactions))
        return self._moments[name]


def sets_by_field(checked: c.Checked) -> set[tuple[str, str]]:
    """The kinds and fields of every `PLURAL of x` in the rules."""
    values: list[t.Value] = []
    for quantity in checked.quantities.values():
        values += _values(quantity.formula)
        for modifier in quantity.modifiers:
            values += [modifier.to, *_values(modifier.source.in_force)]
            values += [] if modifier.when is None else [modifier.when]
    for routine in checked.routines.values():
        values += [value for step in routine.steps for value in values_in(step.body)]
    for moment in checked.moments.values():
        values += [value for reaction in moment.reactions for value in values_in(reaction.body)]
    for window in checked.windows.values():
        values += values_in(window.after)
        for option in window.options:
            values += values_in(option.do)
            values += [value for _, formula in (*option.picks, *option.when) for value in _values(formula)]
    parts = (part for value in values for part in parts_of(value))
    return {(part.kind, part.field) for part in parts if isinstance(part, t.OfField)}


def _values(formula: t.Formula | None) -> list[t.Value]:
    return [] if formula is None else [*(let.value for let in formula.lets), formula.value]
