"""The `views` of a ruleset's text in, which tables are drawn with which rows and columns out; a sensible guess where there are none."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MOST_ROWS = 40  # of a kind that no view asks for


@dataclass(frozen=True, slots=True)
class View:
    """One table: all things of a kind (only those for which a path is not 0, false or none), one column for each path."""

    name: str
    rows: str
    columns: tuple[tuple[str | None, str], ...]  # label (none: from the texts), path
    only: str | None = None
    by: str | None = None  # one table for each value of this coordinate


def read_views(text: Mapping[str, Any]) -> tuple[View, ...]:
    """The views an author has written; validate has checked them."""
    return tuple(_read_view(name, data) for name, data in text.get("views", {}).items())


def _read_view(name: str, data: Mapping[str, Any]) -> View:
    columns = data.get("columns", [])
    if isinstance(columns, Mapping):
        pairs = tuple((str(label), str(path)) for label, path in columns.items())
    else:
        pairs = tuple((None, str(path)) for path in columns)
    return View(name, str(data["rows"]), pairs, data.get("only"), data.get("by"))
