"""A derivation in, a tree of text out: the value, every part it is made of, and where each part is written."""

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter import Derivation
from interpreter.views.tables import Paint, plain


@dataclass(frozen=True, slots=True)
class _Row:
    branch: str
    text: str
    place: str
    note: str


def draw_derivation(derivation: Derivation, width: int = 100, paint: Paint = plain, depth: int = 12) -> str:
    """The tree as text: value and name left; file, rule ids and 'assumed' in columns to the right."""
    rows = list(_rows(derivation, "", "", depth))
    left = min(max(len(row.branch) + len(row.text) for row in rows), max(40, width - 46))
    middle = max(len(row.place) for row in rows)
    lines = []
    for row in rows:
        text = row.text.ljust(left - len(row.branch))
        places = paint(row.place.ljust(middle), "dim")
        lines.append(
            f"{paint(row.branch, 'dim')}{text}   {places}  {row.note}".rstrip()
            if row.place or row.note
            else f"{row.branch}{row.text}"
        )
    return "\n".join(lines)


def _rows(node: Derivation, here: str, below: str, depth: int) -> Iterator[_Row]:
    label = f" ({node.label})" if node.label and node.label not in node.text else ""
    yield _Row(here, f"{show_value(node.value)}  {node.text}{label}".rstrip(), show_place(node.place), _note(node))
    if depth == 0:
        return
    for index, child in enumerate(node.children):
        last = index == len(node.children) - 1
        yield from _rows(child, below + (" └ " if last else " ├ "), below + ("   " if last else " │ "), depth - 1)


def _note(node: Derivation) -> str:
    parts = list(node.ref)
    if node.assumed:
        parts.append("assumed")
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
    """'FOLDER/file.yaml:12': the last two parts of the path are enough to find it."""
    if place is None:
        return ""
    return "/".join(place[0].replace("\\", "/").split("/")[-2:]) + f":{place[1]}"


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
