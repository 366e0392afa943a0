"""The `views` of a text in, the tables to draw with rows and columns out; a sensible guess where there are none."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MOST_ROWS = 40  # of a kind that no view asks for


@dataclass(frozen=True, slots=True)
class View:
    """One table: the things of a kind, one column for each path (a field of the row, or a quantity of it)."""

    name: str
    rows: str
    columns: tuple[tuple[str | None, str], ...]  # label (none: from the texts), path
    only: str | None = None  # rows for which this is 0, false, none or hidden are left out
    by: str | None = None  # one table for each value of this
    own: str | None = None  # where room is short, only rows for which this is the player who is asked
    at: tuple[str, ...] | None = None  # the windows it is shown with; none: with all
    listed: bool = False  # as running text instead of a table
    guessed: bool = False


def read_views(text: Mapping[str, Any], info: Mapping[str, Any]) -> tuple[View, ...]:
    """The views an author has written, or one for every kind that remembers something."""
    written = text.get("views", {})
    if written:
        known = [name for name, data in written.items() if data.get("rows") in info["kinds"]]
        return tuple(_read_view(name, written[name]) for name in known)  # what is wrong in a view, validate reports
    return tuple(_guess_view(kind, described, info) for kind, described in info["kinds"].items() if described["fields"])


def _read_view(name: str, data: Mapping[str, Any]) -> View:
    columns = data.get("columns", [])
    pairs: tuple[tuple[str | None, str], ...]
    if isinstance(columns, Mapping):
        pairs = tuple((str(label), str(path)) for label, path in columns.items())
    else:
        pairs = tuple((None, str(path)) for path in columns)
    at = data.get("at")
    return View(
        name,
        str(data["rows"]),
        pairs,
        data.get("only"),
        data.get("by"),
        data.get("own"),
        None if at is None else tuple(map(str, at)),
        bool(data.get("listed", False)),
    )


def _guess_view(kind: str, described: Mapping[str, Any], info: Mapping[str, Any]) -> View:
    """All that lasts; what is forgotten with a phase is left out."""
    scratch = [range(low, high) for low, high in info["scopes"].values()]
    lasting = {
        field
        for owner, field, start, *_ in info["columns"]
        if owner == kind and not any(start in cells for cells in scratch)
    }
    return View(kind, kind, tuple((None, field) for field in described["fields"] if field in lasting), guessed=True)
