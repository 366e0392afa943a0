"""Events in, log lines in the chosen language out, each with the seats that may not read it."""

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter import Event, Game
from interpreter.views.words import Words

MOST_CHANGES = 12  # told one by one after a choice
Fields = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log: `kind` is phase, choice, moment or change."""

    kind: str
    text: str
    hidden_from: tuple[str, ...] = ()

    def seen_by(self, viewer: str | None) -> bool:
        """Whether a seat (none: an onlooker) may read it."""
        return not self.hidden_from if viewer is None else viewer not in self.hidden_from


def tell_game(game: Game, words: Words, changes: bool) -> list[Line]:
    """What happened in a game since its last choice."""
    return tell_events(game.events, words, lasting_fields(game) if changes else frozenset())


def lasting_fields(game: Game) -> Fields:
    """(kind, field) of all that is not forgotten with a phase: scratch values are not worth telling."""
    info = game.machine.info
    scratch = [range(low, high) for low, high in info["scopes"].values()]
    lasting = (column for column in info["columns"] if not any(column[2] in cells for cells in scratch))
    return frozenset((kind, field) for kind, field, *_ in lasting)


def tell_events(events: list[Event], words: Words, fields: Fields = frozenset()) -> list[Line]:
    """Phases, choices and moments as they came; the changes (of these fields) between two of them become one line."""
    lines: list[Line] = []
    pending: list[Event] = []
    for event in events:
        if event.kind == "change":
            pending.append(event)
            continue
        lines += _tell_changes(pending, words, fields)
        lines += _tell(event, words)
        pending = []
    return [*lines, *_tell_changes(pending, words, fields)]


def _tell(event: Event, words: Words) -> Iterator[Line]:
    args = dict(event.args)
    match event.kind:
        case "choice":
            told = words.choice(event.actor or "", event.path, event.name, args)
            if told is not None:
                yield Line("choice", told, event.hidden_from)
        case "moment":
            told = words.moment(event.name, args)
            if told is not None:
                yield Line("moment", told, event.hidden_from)
        case "phase":
            title = words.phase(event.name, args)
            if title is not None:
                yield Line("phase", title, event.hidden_from)


def _tell_changes(events: list[Event], words: Words, fields: Fields) -> Iterator[Line]:
    """One line for all changes that the same seats may know of; several changes of one field become one."""
    groups: dict[tuple[str, ...], dict[str, tuple[object, object]]] = {}
    for event in events if fields else ():
        paths = groups.setdefault(event.hidden_from, {})
        first = paths.get(event.path, (event.old,))[0]
        paths[event.path] = (first, event.new)
    for hidden_from, paths in groups.items():
        told = [text for path, (old, new) in paths.items() if (text := _tell_change(path, old, new, words, fields))]
        if told:
            more = f" … and {len(told) - MOST_CHANGES} more" if len(told) > MOST_CHANGES else ""
            yield Line("change", " · ".join(told[:MOST_CHANGES]) + more, hidden_from)


def _tell_change(path: str, old: object, new: object, words: Words, fields: Fields) -> str | None:
    thing, _, field = path.rpartition(".")
    kind = words.kind_with(thing, field)
    if kind is None or (kind, field) not in fields or old == new:
        return None
    inner = words.type_of(kind, field)
    whose = "" if words.is_single(kind) else f"{words.thing(thing, kind)} "
    return f"{whose}{words.field(kind, field)} {words.value(old, inner)} → {words.value(new, inner)}"
