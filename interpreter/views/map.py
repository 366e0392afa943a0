"""A network of a ruleset in, a picture of it as SVG out: the nodes, everything that may join two, what lies there."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from interpreter import Game
from interpreter.checker.types import Flag, Num, Table, Thing
from interpreter.loader.reader import Mapping as Node
from interpreter.loader.reader import Scalar, Sequence
from interpreter.views.words import Words

WIDTH, MARGIN = 1100, 90  # of the picture, in its own units
GAP = 7  # between lines that join the same two nodes
BOX, LINE = 66, 10  # a thing at a node: its width, and the height of a line in it
PLATE, LETTER = 20, 8.4  # under the name of a node: its height, and about the width of a letter
COLOURS = ("#33658a", "#8c2f39", "#3f7d20", "#7a5195", "#b5651d")
_CLAUSE = re.compile(r"\s*(\w+)\s+in\s+(.+?)(?:\s+where\s.*)?", re.DOTALL)

Point = tuple[float, float]
Force = Callable[[float], float]  # by distance


@dataclass(frozen=True, slots=True)
class Edge:
    """Something that may join two nodes; `sort` says which flags are printed on it.

    `thing` is false where a printed fact of one node names the other: no part of the network.
    """

    name: str
    ends: tuple[str, str]
    sort: str
    thing: bool = True


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn."""

    title: str
    places: dict[str, Point]
    names: dict[str, str]
    signs: dict[str, tuple[str, ...]]  # node -> what is printed at it
    edges: tuple[Edge, ...]
    boxes: dict[str, list[tuple[str, tuple[str, ...]]]]  # node -> things there, each with its lines


def networks_of(game: Game) -> list[str]:
    """The networks of the ruleset, those without parameters first."""
    networks = game.ruleset.front.checked.networks
    return sorted(networks, key=lambda name: len(networks[name].params))


def map_of(game: Game, words: Words, network: str) -> Picture:
    """The whole network, whatever is built of it just now."""
    kind = game.ruleset.front.checked.networks[network].nodes
    nodes = game.machine.info["kinds"][kind]["things"]
    printed = words.text.get("maps", {}).get(network, {})
    edge_kind, edges = _edges(game, words, network, printed.get("legend", {}))
    places = _scaled(_given(printed, nodes) or _spread(nodes, edges))
    return Picture(
        game.ruleset.title,
        places,
        {node: words.thing(node, kind) for node in nodes},
        {node: _printed(game, words, kind, node) for node in nodes},
        (*edges, *_joined(game, words, kind, nodes)),
        _boxes(game, words, kind, edge_kind),
    )


def _edges(game: Game, words: Words, network: str, legend: Mapping[str, str]) -> tuple[str, tuple[Edge, ...]]:
    """Everything the clause of the network runs over, without its condition."""
    front = game.ruleset.front
    entry = front.document.sections["networks"].entries[network].node
    assert isinstance(entry, Node)
    clause, ends = entry.entries["edges"].node, entry.entries["ends"].node
    assert isinstance(clause, Scalar) and isinstance(ends, Sequence)
    match = _CLAUSE.fullmatch(clause.text)
    source = front.checked.networks[network].edges.source.type
    kind = getattr(getattr(source, "item", None), "kind", "")
    assert match is not None
    variable = re.compile(rf"\b{match[1]}\b")
    texts = [end.text for end in ends.items if isinstance(end, Scalar)]
    found = []
    for thing in game.evaluate(f"those({match[1]} in {match[2]})"):
        one, other = (str(game.evaluate(variable.sub(thing, text))) for text in texts)
        flags = [legend.get(flag, words.field(kind, flag)) for flag in _flags(game, kind, thing)]
        sort = ", ".join(flags) or legend.get("none", "–")
        found.append(Edge(words.thing(thing, kind), (one, other), sort))
    return kind, tuple(found)


def _flags(game: Game, kind: str, thing: str) -> list[str]:
    facts = game.ruleset.front.checked.world.kinds[kind].facts
    return [fact.name for fact in facts.values() if isinstance(fact.type, Flag) and fact.values.get(thing)]


def _printed(game: Game, words: Words, kind: str, node: str) -> tuple[str, ...]:
    """The flags and numbers printed at a node."""
    signs = [words.field(kind, flag) for flag in _flags(game, kind, node)]
    for fact in game.ruleset.front.checked.world.kinds[kind].facts.values():
        value = fact.values.get(node)
        if isinstance(fact.type, Num) and isinstance(value, int) and value:
            signs.append(f"{words.field(kind, fact.name)} {value}")
    return tuple(signs)


def _joined(game: Game, words: Words, kind: str, nodes: Iterable[str]) -> list[Edge]:
    """Nodes that are printed as the other end of something at a node, each pair once."""
    pairs: dict[tuple[str, frozenset[str]], Edge] = {}
    for fact in game.ruleset.front.checked.world.kinds[kind].facts.values():
        if not isinstance(fact.type, Thing) or fact.type.kind != kind:
            continue
        for node in nodes:
            other = game.evaluate(f"{node}.{fact.name}")
            if other is not None:
                name = words.field(kind, fact.name)
                pairs.setdefault((name, frozenset((node, other))), Edge(name, (node, other), name, thing=False))
    return list(pairs.values())


def _boxes(game: Game, words: Words, kind: str, edge_kind: str) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Things that are always at one node, each with the printed signs of a table of flags."""
    boxes: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for name, info in game.ruleset.front.checked.world.kinds.items():
        at = [fact for fact in info.facts.values() if fact.type == Thing(kind)]
        if len(at) != 1 or name == edge_kind:
            continue
        things = game.machine.info["kinds"][name]["things"]
        for thing in things:
            node = game.evaluate(f"{thing}.{at[0].name}")
            boxes.setdefault(str(node), []).append((words.thing(thing, name), _signs(game, words, name, thing)))
    return boxes


def _signs(game: Game, words: Words, kind: str, thing: str) -> tuple[str, ...]:
    signs: list[str] = []
    for fact in game.ruleset.front.checked.world.kinds[kind].facts.values():
        if isinstance(fact.type, Table) and isinstance(fact.type.entry, Flag) and isinstance(fact.type.index, Thing):
            keys = fact.type.index.kind
            ids = game.machine.info["kinds"][keys]["things"]
            signs += [words.thing(id_, keys) for id_ in ids if game.evaluate(f"{thing}.{fact.name}[{id_}]")]
    return tuple(signs)


# ---------------------------------------------------------------- where the nodes lie
def _given(printed: Mapping[str, Any], nodes: Iterable[str]) -> dict[str, Point] | None:
    """The places a text gives; only if it gives all of them."""
    places = {node: printed.get(node) for node in nodes}
    if not places or any(place is None for place in places.values()):
        return None
    return {node: (float(place[0]), float(place[1])) for node, place in places.items() if place is not None}


def _spread(nodes: Iterable[str], edges: tuple[Edge, ...]) -> dict[str, Point]:
    """Nodes that are joined pull, all others push, for a fixed number of rounds from a circle: always the same."""
    listed = list(nodes)
    turn = 2 * math.pi / max(1, len(listed))
    at = {node: (math.cos(place * turn), math.sin(place * turn)) for place, node in enumerate(listed)}
    ideal = math.sqrt(4 / max(1, len(listed)))
    for heat in range(200, 0, -1):
        moves = {node: [0.0, 0.0] for node in listed}
        for one in listed:
            for other in listed:
                if one != other:
                    _push(moves, at, one, other, lambda far: ideal * ideal / far)
        for edge in edges:
            for one, other in (edge.ends, edge.ends[::-1]):
                if one != other:
                    _push(moves, at, one, other, lambda far: -far * far / ideal / 2)
        for node, (x, y) in moves.items():
            step = min(1.0, heat / 200 * 0.1 / max(1e-9, math.hypot(x, y)))
            at[node] = (at[node][0] + x * step, at[node][1] + y * step)
    return at


def _push(moves: dict[str, list[float]], at: dict[str, Point], one: str, other: str, force: Force) -> None:
    x, y = at[one][0] - at[other][0], at[one][1] - at[other][1]
    far = max(0.01, math.hypot(x, y))
    moves[one][0] += x / far * force(far)
    moves[one][1] += y / far * force(far)


def _scaled(places: dict[str, Point]) -> dict[str, Point]:
    left, top = min(x for x, _ in places.values()), min(y for _, y in places.values())
    wide = max(x for x, _ in places.values()) - left or 1.0
    scale = (WIDTH - 2 * MARGIN) / wide
    return {node: (MARGIN + (x - left) * scale, MARGIN + (y - top) * scale) for node, (x, y) in places.items()}


# ---------------------------------------------------------------- drawing
def draw_svg(picture: Picture) -> str:
    """The picture as a file of its own: lines below, nodes and what lies there above, a legend if lines differ."""
    height = max(y for _, y in picture.places.values()) + MARGIN
    sorts = list(dict.fromkeys(edge.sort for edge in picture.edges))
    colours = {sort: COLOURS[place % len(COLOURS)] for place, sort in enumerate(sorts)}
    size = f'viewBox="0 0 {WIDTH} {height:.0f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, sans-serif">',
        f"<title>{escape(picture.title)}</title>",
        f'<rect width="{WIDTH}" height="{height:.0f}" fill="#f7f3e8"/>',
        *_draw_edges(picture, colours),
    ]
    for node, (x, y) in picture.places.items():
        lines += _draw_node(picture.names[node], x, y, picture.signs[node], picture.boxes.get(node, []))
    if len(sorts) > 1:
        dashed = {edge.sort for edge in picture.edges if not edge.thing}
        for place, sort in enumerate(sorts):
            y = height - 20 - 16 * (len(sorts) - 1 - place)
            style = _stroke(colours[sort], sort not in dashed)
            lines.append(f'<line x1="20" y1="{y:.0f}" x2="60" y2="{y:.0f}" {style}/>')
            lines.append(_write(sort, 68, y + 4, 12))
    return "\n".join([*lines, "</svg>"])


def _draw_edges(picture: Picture, colours: Mapping[str, str]) -> list[str]:
    beside: dict[frozenset[str], list[Edge]] = {}
    for edge in picture.edges:
        beside.setdefault(frozenset(edge.ends), []).append(edge)
    lines = []
    for edges in beside.values():
        one, other = edges[0].ends
        (x1, y1), (x2, y2) = picture.places[one], picture.places[other]
        long = math.hypot(x2 - x1, y2 - y1) or 1.0
        for place, edge in enumerate(edges):
            off = (place - (len(edges) - 1) / 2) * GAP
            dx, dy = -(y2 - y1) / long * off, (x2 - x1) / long * off
            ends = f'x1="{x1 + dx:.0f}" y1="{y1 + dy:.0f}" x2="{x2 + dx:.0f}" y2="{y2 + dy:.0f}"'
            tip = f"<title>{escape(edge.name)}</title>"
            lines.append(f"<line {ends} {_stroke(colours[edge.sort], edge.thing)}>{tip}</line>")
    return lines


def _stroke(colour: str, whole: bool) -> str:
    return f'stroke="{colour}" stroke-width="4"' + ("" if whole else ' stroke-dasharray="3 6"')


def _draw_node(
    name: str, x: float, y: float, signs: tuple[str, ...], things: list[tuple[str, tuple[str, ...]]]
) -> list[str]:
    """A plate with the name and what is printed there, and below it the things; all of it around the point."""
    across, high = min(2, len(things)), 2 * LINE + 4
    plate = PLATE + LINE * len(signs) + (3 if signs else 0)
    top = y - (plate + math.ceil(len(things) / 2) * high) / 2
    wide = max(across * BOX, LETTER * len(name) + 14, *(LETTER * 0.6 * len(sign) + 10 for sign in signs))
    size = f'x="{x - wide / 2:.0f}" y="{top:.0f}" width="{wide:.0f}" height="{plate}" rx="{3 if things else 9}"'
    lines = [f'<rect class="node" {size} fill="#e9dfc6" stroke="#333"/>']
    lines.append(_write(name, x, top + 15, 14, 'font-weight="bold" text-anchor="middle"'))
    for number, sign in enumerate(signs):
        lines.append(_write(sign, x, top + PLATE + LINE * (number + 0.7), 9, 'text-anchor="middle"'))
    for place, (thing, symbols) in enumerate(things):
        left, down = x - across * BOX / 2 + place % across * BOX, top + plate + place // across * high
        size = f'x="{left:.0f}" y="{down:.0f}" width="{BOX}" height="{high}"'
        lines.append(f'<rect {size} fill="#fff" stroke="#333"><title>{escape(thing)}</title></rect>')
        lines += [_write(symbol, left + 4, down + LINE * (number + 1), 9) for number, symbol in enumerate(symbols)]
    return lines


def _write(text: str, x: float, y: float, size: int, style: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" {style}>{escape(text)}</text>'.replace(" >", ">")
