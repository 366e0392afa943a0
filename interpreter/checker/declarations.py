"""Declarations in, findings out: names no rule could write, words that say nothing where they stand, empty places."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.checker.types import LIMIT, Thing
from interpreter.checker.world import MAX_CELLS, MAX_SEATS, World
from interpreter.diagnostics import Span
from interpreter.dsl import nodes as n
from interpreter.dsl.vocabulary import BUILT_IN_TYPES, RESERVED
from interpreter.loader import model as m
from interpreter.loader.reader import Mapping, Node, Scalar, Sequence

CLOSING = "done"
RENAME = "choose another name"


def check_declarations(model: m.Model, world: World) -> None:
    check_players(model, world)
    for name, at in named(model):
        if name in RESERVED:
            world.add("N104", at, f"'{name}' is a word of the language, so no rule could name this", RENAME)
    for kind in model.kinds.values():
        if kind.name in BUILT_IN_TYPES:
            world.add("N104", kind.at, f"'{kind.name}' is a type of the language already", RENAME)
        check_kind(kind, model, world)
    for constant in model.constants.values():
        check_type_only(constant.type, "a constant", world)
    for window in model.windows.values():
        check_window(window, world)


def check_players(model: m.Model, world: World) -> None:
    """As many seats as players; both can be left out."""
    node = model.document.meta.get("players")
    given = {} if not isinstance(node, Mapping) else {name: entry.node for name, entry in node.entries.items()}
    counts = [item for item in _items(given.get("counts")) if type(item.value) is int]
    most = len(_items(given.get("seats"))) or MAX_SEATS
    for item in counts:
        if isinstance(item.value, int) and item.value > most:
            message, hint = f"there are only {most} seats for {item.value} players", "name more seats"
            if "seats" not in given:
                message, hint = f"{item.value} players are too many", f"at most {most} can play"
            world.add("N121", item.span, message, hint)
    if "seats" in given and len(_items(given["seats"])) > MAX_SEATS:
        world.add("N121", given["seats"].span, "there are too many seats", f"at most {MAX_SEATS} can play")


def named(model: m.Model) -> Iterator[tuple[str, Span]]:
    """Names that are not read as rule text where they are declared, each with its place."""
    players = model.document.meta.get("players")
    if isinstance(players, Mapping) and "seats" in players.entries:
        yield from ((item.text, item.span) for item in _items(players.entries["seats"].node))
    for name, constant in model.constants.items():
        yield name, constant.at
    for name, kind in model.kinds.items():
        yield name, kind.at
        yield kind.plural, kind.at
        yield from ((scalar.text, scalar.span) for scalar in kind.ids)
        yield from ((field, node.span) for field, node in kind.per.items())
        yield from ((field, declared.at) for field, declared in (*kind.facts.items(), *kind.state.items()))
    for listed in model.components.values():
        yield from ((name, component.at) for name, component in listed.items())
    for window in model.windows.values():
        yield from ((name, keep.value.at) for name, keep in window.keeps.items())
        for option in window.options.values():
            yield from ((name, formula.at) for name, formula in option.picks.items())


def check_kind(kind: m.Kind, model: m.Model, world: World) -> None:
    for declared in kind.facts.values():
        check_type_only(declared, "a printed fact", world, starting=True)
    for node in kind.per.values():
        numbers = [item.value for item in _items(node)]
        if len(set(numbers)) < len(numbers) or any(isinstance(i, int) and abs(i) >= LIMIT for i in numbers):
            world.add("N103", node.span, "one of these numbers stands here twice, or has more than 9 digits")
    counted = any(other.pieces is not None and other.pieces.text == kind.name for other in model.kinds.values())
    if kind.count is not None and kind.pieces is None:
        world.add("T110", kind.count.span, f"only pieces are counted, and '{kind.name}' has no `pieces`")
    for component in model.components.get(kind.name, {}).values():
        if component.count is not None and not counted:
            hint = f"make a kind of its copies: '{{pieces: {kind.name}}}'"
            world.add("T110", component.count.span, f"no kind has copies of '{kind.name}', so nothing is counted", hint)


def check_type_only(declared: n.Declaration | None, what: str, world: World, starting: bool = False) -> None:
    """Where only a type is wanted, the words that say how a field behaves in a game mean nothing."""
    if declared is None:
        return
    words = [("clamped", declared.clamped), ("during", declared.during), ("seen when", declared.seen)]
    words += [] if starting else [("starting", declared.starting)]
    for word, used in words:
        if used:
            world.add("P104", declared.at, f"{what} has no '{word}'", "only fields under `state` have that")


def check_fields(world: World) -> None:
    """A field that must hold a thing needs one to hold, whatever the number of players; and all must find room."""
    cells = 0
    for info in list(world.kinds.values()):
        cells += world.largest(info.name) * len(info.state)
        if cells > MAX_CELLS:
            message = f"with this kind more than {MAX_CELLS:,} values would be remembered"
            world.add("N108", info.at, message, "remember less, or about fewer things")
            break
        for field in info.state.values():
            if not isinstance(field.type, Thing) or field.type.optional:
                continue
            for players in world.player_counts:
                if world.size(info.name, players) and not world.size(field.type.kind, players):
                    message = f"with {players} players there is no {field.type.kind}, so this field could hold nothing"
                    world.add("N107", field.at, message, f"write '{field.type.kind} or none'")
                    break


def check_window(window: m.Window, world: World) -> None:
    letters = [name.id for name in window.header.params]
    for name, keep in window.keeps.items():
        check_type_only(keep.type, "what a window keeps", world)
        if name in letters:
            world.add("N117", keep.value.at, f"'{name}' is a letter of this window already", RENAME)
    for option in window.options.values():
        for name, formula in option.picks.items():
            if name in letters or name in window.keeps:
                world.add("N117", formula.at, f"'{name}' stands for something in this window already", RENAME)
    closing = window.options.get(CLOSING)
    if closing is not None and window.choose != "one":
        for formula in (*closing.picks.values(), *([closing.once] if closing.once else [])):
            message = f"'{CLOSING}' closes this window, so nothing can be picked for it"
            world.add("T130", formula.at, message, "only `when` and `do` go with it")


def _items(node: Node | None) -> list[Scalar]:
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []
