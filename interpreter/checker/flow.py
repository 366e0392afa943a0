"""The flow graph: a checked ruleset in, findings about rings, dead ends and unused parts out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.graph import Graph, Part
from interpreter.checker.order import SHOWN
from interpreter.checker.order import ring as ring_text
from interpreter.diagnostics import Finding, Report, Span
from interpreter.loader.reader import Mapping, Scalar, Sequence

Values = tuple[t.Value, ...]


def values_in(block: t.Block) -> Iterator[t.Value]:
    """Every expression that stands directly in a block."""
    for statement in block:
        match statement:
            case t.Let(value=value) | t.SetLocal(value=value):
                yield value
            case t.SetState(target=target, value=value):
                if target.owner is not None:
                    yield target.owner
                yield value
            case t.Move(amount=amount, source=source, target=target):
                yield from (amount, source, target)
            case t.If(branches=branches, otherwise=otherwise):
                for condition, body in branches:
                    yield condition
                    yield from values_in(body)
                yield from values_in(otherwise)
            case t.For(clause=clause, body=body):
                yield from clause_values(clause)
                yield from values_in(body)
            case t.While(condition=condition, body=body):
                yield condition
                yield from values_in(body)
            case t.Repeat(times=times, body=body):
                yield times
                yield from values_in(body)
            case t.Run(args=args) | t.Announce(args=args) | t.Ask(args=args):
                yield from args
            case t.Clear(owner=owner) if owner is not None:
                yield owner


def statements_in(block: t.Block) -> Iterator[t.Statement]:
    """Every statement of a block, at any depth."""
    for statement in block:
        yield statement
        match statement:
            case t.If(branches=branches, otherwise=otherwise):
                for _, body in branches:
                    yield from statements_in(body)
                yield from statements_in(otherwise)
            case t.For(body=body) | t.While(body=body) | t.Repeat(body=body):
                yield from statements_in(body)


def clause_values(clause: t.Clause) -> Iterator[t.Value]:
    yield clause.source
    if clause.where is not None:
        yield clause.where
    for key in clause.keys:
        yield key.value


def parts_of(value: t.Value) -> Iterator[t.Value]:
    """The value and everything inside it, from left to right."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        yield value
        inside = _INSIDE.get(type(value))
        if inside is not None:
            waiting += inside(value)[::-1]


def children_of(value: t.Value) -> Values:
    """What stands directly inside a value."""
    inside = _INSIDE.get(type(value))
    return () if inside is None else inside(value)


def clauses(test: t.Value) -> list[t.Value]:
    """What must hold, one by one."""
    if isinstance(test, t.Logical) and test.op == "and":
        return [*clauses(test.left), *clauses(test.right)]
    return [test]


def _in_fold(value: Any) -> Values:
    values = tuple(clause_values(value.clause))
    return values if value.body is None else (value.body, *values)


# One look at the type instead of one question after the other: rulesets have tens of thousands of values.
_INSIDE: dict[type, Callable[[Any], Values]] = {
    **dict.fromkeys((t.State, t.Fact, t.OfField), lambda value: () if value.owner is None else (value.owner,)),
    **dict.fromkeys((t.Asked, t.Make, t.Function, t.SetFunction), lambda value: value.args),
    **dict.fromkeys((t.Arithmetic, t.Comparison, t.Logical), lambda value: (value.left, value.right)),
    t.Entry: lambda value: (value.table, value.key),
    t.Negation: lambda value: (value.value,),
    t.Choice: lambda value: (value.condition, value.then, value.otherwise),
    t.Fold: _in_fold,
    t.Rotation: lambda value: (value.start,),
    t.Listing: lambda value: value.items,
    t.Numbers: lambda value: (value.low, value.high),
    t.NetworkQuestion: lambda value: (*value.network_args, *value.args),
}


def _asked(values: Iterable[t.Value]) -> list[Part]:
    """What `parts_of` gives, gone through in one loop: this is done for all values of a ruleset."""
    found: list[Part] = []
    waiting = list(values)[::-1]
    while waiting:
        value = waiting.pop()
        if type(value) is t.Asked:
            found.append(("quantities", value.quantity))
        elif type(value) is t.NetworkQuestion:
            found.append(("networks", value.network))
        inside = _INSIDE.get(type(value))
        if inside is not None:
            waiting += inside(value)[::-1]
    return found


def formula_values(formula: t.Formula | None) -> Iterator[t.Value]:
    if formula is not None:
        for let in formula.lets:
            yield let.value
        yield formula.value


def _block_parts(block: t.Block) -> Iterator[Part]:
    yield from _asked(values_in(block))
    for statement in statements_in(block):
        match statement:
            case t.Run(routine=name):
                yield ("routines", name)
            case t.Announce(moment=name):
                yield ("moments", name)
            case t.Ask(window=name):
                yield ("windows", name)


def _option_parts(option: c.Option) -> Iterator[Part]:
    for _, formula in (*option.picks, *option.when):
        yield from _asked(formula_values(formula))
    for _, when, _ in option.forbids:
        if when is not None:
            yield from _asked(iter([when]))
    yield from _block_parts(option.do)
    if option.source is not None:
        yield from _asked(formula_values(option.source.in_force))


def uses(checked: c.Checked) -> Iterator[tuple[Part, Part]]:
    """Every use of one part by another."""
    for name, quantity in checked.quantities.items():
        found = list(_asked(formula_values(quantity.formula)))
        for modifier in quantity.modifiers:
            found += _asked(iter([modifier.to] + ([modifier.when] if modifier.when else [])))
            found += _asked(formula_values(modifier.source.in_force))
        yield from ((("quantities", name), part) for part in found)
    for name, routine in checked.routines.items():
        for step in routine.steps:
            yield from ((("routines", name), part) for part in _block_parts(step.body))
    for name, window in checked.windows.items():
        for _, formula in window.keeps:
            yield from ((("windows", name), part) for part in _asked(formula_values(formula)))
        yield from ((("windows", name), part) for part in _asked(formula_values(window.limit)))
        yield from ((("windows", name), part) for part in _block_parts(window.after))
        for option in window.options:
            yield from ((("windows", name), part) for part in _option_parts(option))
    for name, moment in checked.moments.items():
        for reaction in moment.reactions:
            yield from ((("moments", name), part) for part in _block_parts(reaction.body))
            if reaction.when is not None:
                yield from ((("moments", name), part) for part in _asked(iter([reaction.when])))
            yield from ((("moments", name), part) for part in _asked(formula_values(reaction.source.in_force)))
    for name, network in checked.networks.items():
        values = [*clause_values(network.edges), *network.ends]
        yield from ((("networks", name), part) for part in _asked(iter(values)))


def read_outside(checked: c.Checked) -> set[Part]:
    """Parts that scoring, invariants and visibility read."""
    found: set[Part] = set()
    if checked.scoring.score is not None:
        found.add(("quantities", checked.scoring.score))
    if checked.scoring.ranked is not None:
        found.update(_asked(clause_values(checked.scoring.ranked)))
    for _, formula in checked.invariants.values():
        found.update(_asked(formula_values(formula)))
    for kind in checked.world.kinds.values():
        for field in kind.state.values():
            found.update(_asked(formula_values(field.seen)))
            if field.starting is not None:
                found.update(_asked(iter([field.starting])))
    return found


def graph_of(checked: c.Checked) -> Graph:
    sections: dict[str, Iterable[str]] = {
        "quantities": checked.quantities,
        "routines": checked.routines,
        "windows": checked.windows,
        "moments": checked.moments,
        "networks": checked.networks,
    }
    return Graph(((section, name) for section, entries in sections.items() for name in entries), uses(checked))


def shown_in(texts: dict[str, Mapping]) -> Iterator[str]:
    """The last words of all paths that views of the texts name: what is only shown is used, too."""
    waiting = [text.entries["views"].node for text in texts.values() if "views" in text.entries]
    while waiting:
        match waiting.pop():
            case Mapping(entries=entries):
                waiting += [entry.node for entry in entries.values()]
            case Sequence(items=items):
                waiting += items
            case Scalar(text=text):
                yield text.rsplit(".", 1)[-1].removesuffix("()")


def check_flow(checked: c.Checked, report: Report, texts: dict[str, Mapping]) -> Graph:
    """Which part uses which, for those who come after."""
    graph = _without_own_offers(checked, graph_of(checked))
    for ring in graph.rings():
        _report_ring(checked, ring, report)
    shown = {("quantities", name) for name in shown_in(texts) if name in checked.quantities}
    reached = graph.reached_from({("routines", "game")} | read_outside(checked) | shown)
    for section, name in sorted(graph.next.keys() - reached):
        _report_unused(checked, section, name, report)
    return graph


def _without_own_offers(checked: c.Checked, graph: Graph) -> Graph:
    """An offer at any window is not made in windows that it asks itself: there it would be a ring."""
    changed = False
    for name, window in checked.windows.items():
        for option in [o for o in window.options if o.anywhere]:
            if ("windows", name) in graph.reached_from(_block_parts(option.do)):
                window.options.remove(option)
                changed = True
    return graph_of(checked) if changed else graph


def place_of(checked: c.Checked, part: Part) -> Span:
    section, name = part
    match section:
        case "quantities":
            return checked.quantities[name].at
        case "routines":
            return checked.routines[name].at
        case "windows":
            return checked.windows[name].at
        case "moments":
            return checked.moments[name].at
        case _:
            return checked.networks[name].at


def _report_ring(checked: c.Checked, steps: list[Part], report: Report) -> None:
    first = min(steps)
    steps = steps[steps.index(first) :] + steps[: steps.index(first)] + [first]
    way = ring_text(name for _, name in steps)
    places = tuple((place_of(checked, part), f"'{part[1]}' leads on from here") for part in steps[1:-1][:SHOWN])
    message = f"'{first[1]}' leads back to itself: {way}"
    hint = "no rule may reach itself again; remember what is pending in a field and use a loop"
    report.add(Finding("F101", place_of(checked, first), message, hint, places))


def _report_unused(checked: c.Checked, section: str, name: str, report: Report) -> None:
    at = place_of(checked, (section, name))
    match section:
        case "routines" if checked.routines[name].phase:
            hint = f"run it where it belongs: write '{name}' in a step of another phase"
            report.add(Finding("F103", at, f"the phase '{name}' can never be reached from 'game'", hint))
        case "windows":
            hint = f"ask it in a phase or procedure: 'ask {name}(…)'"
            report.add(Finding("F103", at, f"the window '{name}' is never asked", hint))
        case "moments" if checked.moments[name].reactions:
            message = f"the moment '{name}' is never announced, so what reacts to it never happens"
            report.add(Finding("F103", at, message, f"announce it where it happens: 'announce {name}'"))
        case "quantities" if checked.quantities[name].modifiers:
            where = checked.quantities[name].modifiers[0].at
            message = f"this bends '{name}', but no rule reads '{name}'"
            report.add(Finding("E102", where, message, "bend a quantity that is read, or read this one"))
        case _:
            what = {"routines": "procedure", "quantities": "quantity", "moments": "moment", "networks": "network"}[
                section
            ]
            hint = "use it, or remove it"
            report.add(Finding("F107", at, f"the {what} '{name}' is never used", hint, severity="warning"))
