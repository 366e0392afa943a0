"""A checked ruleset in, its phases as a picture in Mermaid or Graphviz out."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.flow import statements_in


@dataclass(frozen=True, slots=True)
class Picture:
    """Phases with their steps in order, and which phases and windows each step leads to."""

    phases: dict[str, tuple[str, ...]]
    windows: tuple[str, ...]
    edges: tuple[tuple[str, str, str, str], ...]  # phase, step, 'phase' or 'window', name


def picture_of(checked: c.Checked) -> Picture:
    """What is drawn: everything that can be reached from the first phase; procedures are looked through."""
    phases: dict[str, tuple[str, ...]] = {}
    edges: dict[tuple[str, str, str, str], None] = {}
    waiting = ["game"]
    while waiting:
        name = waiting.pop(0)
        if name in phases or name not in checked.routines:
            continue
        routine = checked.routines[name]
        phases[name] = tuple(step.name for step in routine.steps)
        for step in routine.steps:
            for kind, target in _targets(checked, step.body, frozenset()):
                edges.setdefault((name, step.name, kind, target))
                if kind == "phase":
                    waiting.append(target)
    windows = dict.fromkeys(target for *_, kind, target in edges if kind == "window")
    return Picture(phases, tuple(windows), tuple(edges))


def _targets(checked: c.Checked, block: t.Block, seen: frozenset[str]) -> Iterator[tuple[str, str]]:
    for statement in statements_in(block):
        match statement:
            case t.Run(routine=name) if checked.routines[name].phase:
                yield "phase", name
            case t.Run(routine=name) if name not in seen:
                for step in checked.routines[name].steps:
                    yield from _targets(checked, step.body, seen | {name})
            case t.Ask(window=name):
                yield "window", name
            case t.Announce(moment=name) if name not in seen:
                for reaction in checked.moments[name].reactions:
                    yield from _targets(checked, reaction.body, seen | {name})


def draw_mermaid(picture: Picture) -> str:
    """A flowchart that GitHub and many editors show."""
    lines = ["flowchart TD"]
    for phase, steps in picture.phases.items():
        lines.append(f'  subgraph p_{phase}["{phase}"]')
        lines.append("    direction TB")
        nodes = [f'{_node(phase, step)}["{step}"]' for step in steps]
        lines += [f"    {node}" for node in nodes]
        lines += [f"    {_node(phase, a)} --> {_node(phase, b)}" for a, b in pairwise(steps)]
        lines.append("  end")
    lines += [f'  w_{window}{{{{"{window}?"}}}}' for window in picture.windows]
    for phase, step, kind, target in picture.edges:
        arrow = f"-.-> p_{target}" if kind == "phase" else f"--- w_{target}"
        lines.append(f"  {_node(phase, step)} {arrow}")
    return "\n".join(lines)


def draw_dot(picture: Picture) -> str:
    """The same for Graphviz: `cromford graph RULESET --format dot | dot -Tsvg`."""
    lines = ["digraph phases {", "  compound=true; rankdir=TB; node [shape=box, fontname=Helvetica];"]
    for phase, steps in picture.phases.items():
        lines.append(f'  subgraph cluster_{phase} {{ label="{phase}";')
        lines += [f'    {_node(phase, step)} [label="{step}"];' for step in steps]
        lines += [f"    {_node(phase, a)} -> {_node(phase, b)};" for a, b in pairwise(steps)]
        lines.append("  }")
    lines += [f'  w_{window} [label="{window}?", shape=diamond];' for window in picture.windows]
    for phase, step, kind, target in picture.edges:
        if kind == "window":
            lines.append(f"  {_node(phase, step)} -> w_{target} [arrowhead=none];")
        elif picture.phases[target]:
            first = _node(target, picture.phases[target][0])
            lines.append(f"  {_node(phase, step)} -> {first} [lhead=cluster_{target}, style=dashed];")
    lines.append("}")
    return "\n".join(lines)


def draw_text(picture: Picture) -> str:
    """An outline: every phase with its steps, and where each step leads."""
    lines = []
    for phase, steps in picture.phases.items():
        lines.append(phase)
        for step in steps:
            goes = [
                f"{'ask ' if kind == 'window' else ''}{target}"
                for name, at, kind, target in picture.edges
                if (name, at) == (phase, step)
            ]
            lines.append(f"  {step}" + (f" -> {', '.join(goes)}" if goes else ""))
    return "\n".join(lines)


def _node(phase: str, step: str) -> str:
    return f"s_{phase}__{step}"
