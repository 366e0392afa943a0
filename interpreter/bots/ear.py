"""Games as they are played in, how often each moment came, and to which things, out."""

from collections.abc import Iterator
from typing import Any

from interpreter import Game

MOST_THINGS = 60  # a kind with more things than this is not counted thing by thing

Heard = dict[tuple[str, str, str], int]
"""(moment, letter, thing) -> times; without letter and thing: the moment as such"""


def listen(game: Game, heard: Heard) -> None:
    """Count what was announced since the last time."""
    moments, kinds = game.machine.info["moments"], game.machine.info["kinds"]
    names = {kind: _names(info) for kind, info in kinds.items()}
    for name, args in game.heard():
        heard[name, "", ""] = heard.get((name, "", ""), 0) + 1
        for (letter, kind), value in zip(moments[name]["params"], args, strict=True):
            if names.get(kind) and value >= 0:
                key = name, letter, names[kind][value]
                heard[key] = heard.get(key, 0) + 1


def with_silent(game: Game, heard: Heard) -> Iterator[tuple[str, str, str, int]]:
    """Every moment and thing that could have been heard, in the order of the ruleset; what never was, with 0."""
    kinds = game.machine.info["kinds"]
    for name, moment in game.machine.info["moments"].items():
        yield name, "", "", heard.get((name, "", ""), 0)
        for letter, kind in moment["params"]:
            for thing in dict.fromkeys(_names(kinds[kind])) if kind in kinds else ():
                yield name, letter, thing, heard.get((name, letter, thing), 0)


def _names(kind: dict[str, Any]) -> list[str]:
    """What the things of a kind are counted as: copies of a piece are one; none where there are too many."""
    things: list[str] = kind["things"]
    names = [thing.rsplit(".", 1)[0] for thing in things] if kind["pieces_of"] else things
    return names if len(set(names)) <= MOST_THINGS else []
