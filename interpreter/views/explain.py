"""A derivation in, a tree of text out: the value, every part it is made of, and where each part is written."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from interpreter import Derivation
from interpreter.loader.library import MAIN_FILE
from interpreter.views.naming import name_derivation
from interpreter.views.tables import Paint, plain
from interpreter.views.words import Words

ROOM = 24  # columns that rule ids need to be worth a column of their own


@dataclass(frozen=True, slots=True)
class _Row:
    branch: str
    under: str  # goes on the branch in the lines below
    text: str
    place: str
    note: str


def draw_derivation(
    derivation: Derivation,
    width: int = 100,
    paint: Paint = plain,
    depth: int = 12,
    edge: int | None = None,
    words: Words | None = None,
) -> str:
    """The tree as text: value and name left; file, rule ids and 'assumed' in columns to the right.

    With words everything is called as players call it; without, as the rules do.

    Lines longer than `edge` are broken between rule ids; where that leaves no room, places go below the values.
    """
    rows = list(_rows(derivation, "", "", depth, words))
    left = min(max(len(row.branch) + len(row.text) for row in rows), max(40, width - 46))
    middle = max(len(row.place) for row in rows)
    notes = left + 3 + middle + 2
    if edge is not None and notes + ROOM > edge and any(_length(row, left, middle) > edge for row in rows):
        return "\n".join(line for row in rows for line in _stacked(row, edge, paint))
    return "\n".join(line for row in rows for line in _in_columns(row, left, middle, edge, paint))


def _length(row: _Row, left: int, middle: int) -> int:
    text = max(left, len(row.branch) + len(row.text)) + 3
    return text + middle + 2 + len(row.note) if row.note else text + len(row.place)


def _wrap(text: str, room: int) -> list[str]:
    return textwrap.wrap(text, max(ROOM, room), break_on_hyphens=False, break_long_words=False) or [""]


def _in_columns(row: _Row, left: int, middle: int, edge: int | None, paint: Paint) -> Iterator[str]:
    if not (row.place or row.note):
        yield f"{row.branch}{row.text}"
        return
    begin = max(left, len(row.branch) + len(row.text)) + 3 + middle + 2
    notes = [row.note] if edge is None else _wrap(row.note, edge - begin)
    places = paint(row.place.ljust(middle), "dim")
    text = row.text.ljust(left - len(row.branch))
    yield f"{paint(row.branch, 'dim')}{text}   {places}  {notes[0]}".rstrip()
    for note in notes[1:]:
        yield paint(row.under, "dim") + " " * (begin - len(row.under)) + note


def _stacked(row: _Row, edge: int, paint: Paint) -> Iterator[str]:
    texts = _wrap(row.text, edge - len(row.under) - 2)
    yield paint(row.branch, "dim") + texts[0]
    for text in texts[1:]:
        yield f"{paint(row.under, 'dim')}  {text}"
    for line in _wrap(f"{row.place}  {row.note}".strip(), edge - len(row.under) - 2) if row.place or row.note else []:
        yield f"{paint(row.under, 'dim')}  {paint(line, 'dim')}"


def _rows(node: Derivation, here: str, below: str, depth: int, words: Words | None) -> Iterator[_Row]:
    label = f" ({node.label})" if node.label and node.label not in node.text else ""
    name = node.text + label if words is None else name_derivation(node, words)
    value = show_value(node.value) if words is None else words.value(node.value)
    under = below + (" │ " if node.children and depth else "   ")
    yield _Row(here, under, f"{value}  {name}".rstrip(), show_place(node.place), _note(node, words))
    if depth == 0:
        return
    for index, child in enumerate(node.children):
        last = index == len(node.children) - 1
        before, after = below + (" └ " if last else " ├ "), below + ("   " if last else " │ ")
        yield from _rows(child, before, after, depth - 1, words)


def _note(node: Derivation, words: Words | None) -> str:
    parts = list(node.ref)
    if node.assumed:
        parts.append("assumed" if words is None else words.own("assumed"))
    return ", ".join(parts)


def show_value(value: object) -> str:
    """A value as an author would write it."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return "(" + ", ".join(map(show_value, value)) + ")"
        case _:
            return str(value)


def show_place(place: tuple[str, int, int] | None) -> str:
    """'RULESET/patches/file.yaml:12': from the folder of the ruleset on, that is enough to find it."""
    return "" if place is None else f"{_from_ruleset(place[0])}:{place[1]}"


@cache
def _from_ruleset(file: str) -> str:
    path = Path(file)
    home = next((folder for folder in path.parents if (folder / MAIN_FILE).is_file()), path.parent)
    return path.relative_to(home.parent).as_posix()


def derivation_data(node: Derivation) -> dict[str, object]:
    """The derivation as plain data for JSON."""
    return {
        "value": node.value,
        "text": node.text,
        "effect_of": node.label,
        "file": node.place[0] if node.place else None,
        "line": node.place[1] if node.place else None,
        "ref": list(node.ref),
        "assumed": node.assumed,
        "parts": [derivation_data(child) for child in node.children],
    }
