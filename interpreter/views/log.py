"""Events in, log lines in the chosen language out; what a viewer may not see is not told."""

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter import Event, Game
from interpreter.views.words import Words

MOST_CHANGES = 12  # told one by one after a choice


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log: `kind` is phase, choice, moment or change."""

    kind: str
    text: str


def tell_events(game: Game, words: Words, viewer: str | None, changes: bool = True) -> list[Line]:
    """What happened since the last choice, as this seat (none: an onlooker) may hear it."""
    return tell(game.events, words, viewer, lasting_fields(game) if changes else frozenset())


def lasting_fields(game: Game) -> frozenset[tuple[str, str]]:
    """(kind, field) of everything that is not forgotten with a phase: scratch values are not worth telling."""
    info = game.machine.info
    scratch = [range(low, high) for low, high in info["scopes"].values()]
    return frozenset((kind, field) for kind, field, start, *_ in info["columns"] if not any(start in cells for cells in scratch))


def tell(events: list[Event], words: Words, viewer: str | None, fields: frozenset[tuple[str, str]]) -> list[Line]:
    """Phases, choices and moments as they came; the changes between two of them become one line."""
    lines: list[Line] = []
    pending: dict[str, tuple[object, object]] = {}
    for event in events:
        if viewer in event.hidden_from or (viewer is None and event.hidden_from):
            continue
        if event.kind == "change":
            first = pending.get(event.path)
            pending[event.path] = (first[0] if first else event.old, event.new)
            continue
        lines += _tell_changes(pending, words, fields)
        pending = {}
        lines += _tell(event, words)
    return lines + list(_tell_changes(pending, words, fields))


def _tell(event: Event, words: Words) -> Iterator[Line]:
    args = dict(event.args)
    match event.kind:
        case "choice":
            yield Line("choice", f"{words.thing(event.actor or '', 'player')}: {words.option(event.path, event.name, args)}")
        case "moment":
            yield Line("moment", words.moment(event.name, args))
        case "phase":
            title = words.phase(event.name, args)
            if title is not None:
                yield Line("phase", title)


def _tell_changes(pending: dict[str, tuple[object, object]], words: Words, fields: frozenset[tuple[str, str]]) -> Iterator[Line]:
    told = []
    for path, (old, new) in pending.items():
        thing, _, field = path.rpartition(".")
        kind = words.kind_with(thing, field)
        if kind is None or (kind, field) not in fields or old == new:
            continue
        inner = words.type_of(kind, field)
        whose = "" if words.is_single(kind) else f"{words.thing(thing, kind)} "
        told.append(f"{whose}{words.field(kind, field)} {words.value(old, inner)} → {words.value(new, inner)}")
    if told:
        more = f" … and {len(told) - MOST_CHANGES} more" if len(told) > MOST_CHANGES else ""
        yield Line("change", " · ".join(told[:MOST_CHANGES]) + more)
