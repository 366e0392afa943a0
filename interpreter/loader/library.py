"""A name or path in, the folder of a ruleset out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from interpreter import places
from interpreter.diagnostics import RulesetNotFound, did_you_mean

MAIN_FILE = "ruleset.yaml"
_NAME = re.compile(r"[\w-]{1,100}")


def find_ruleset(name_or_path: str | Path, search_path: Iterable[Path | str] | None = None) -> Path:
    """The folder of a ruleset or module: a path, or a name looked up in the search path and among our own.

    Raises RulesetNotFound with a message that says what there is instead.
    """
    text = str(name_or_path)
    as_path = Path(text)
    if isinstance(name_or_path, Path) or not _is_name(text):
        return _check_folder(as_path)
    for folder in _folders(search_path):
        for shelf in (folder, *_shelves_in(folder)):
            if _is_ruleset(shelf / text):
                return shelf / text
    if _is_ruleset(as_path):
        return as_path
    hint = did_you_mean(text, list_rulesets(search_path))
    raise RulesetNotFound(f"no ruleset is called '{text}'" + (f"; {hint}" if hint else ""))


def list_rulesets(search_path: Iterable[Path | str] | None = None) -> dict[str, Path]:
    """Every ruleset and module that can be found by name, by name; the nearest of the same name wins."""
    found: dict[str, Path] = {}
    for folder in _folders(search_path):
        for child in rulesets_in(folder):
            found.setdefault(child.name, child)
    return dict(sorted(found.items()))


def rulesets_in(folder: Path) -> list[Path]:
    """The rulesets of a folder: its own first, then those on shelves, which are folders of rulesets inside it."""
    return [child for shelf in (folder, *_shelves_in(folder)) for child in _children(shelf) if _is_ruleset(child)]


def home_of(folder: Path) -> tuple[Path, ...]:
    """Where what a ruleset builds on is looked for first: beside it, and beside the shelf it stands on."""
    above = folder.resolve().parent.parent
    return (folder.parent, above) if any(map(_is_ruleset, _children(above))) else (folder.parent,)


def _shelves_in(folder: Path) -> list[Path]:
    return [child for child in _children(folder) if child.is_dir() and not _is_ruleset(child)]


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(child for child in folder.iterdir() if not child.name.startswith("."))
    except OSError:
        return []


def _is_ruleset(folder: Path) -> bool:
    return (folder / MAIN_FILE).is_file()


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def _check_folder(path: Path) -> Path:
    folder = path.parent if path.name == MAIN_FILE else path
    try:
        if _is_ruleset(folder):
            return folder
        if folder.is_dir():
            raise RulesetNotFound(f"'{path}' has no {MAIN_FILE}")
    except (OSError, ValueError) as problem:
        raise RulesetNotFound(f"'{path}' cannot be read") from problem
    raise RulesetNotFound(f"there is no folder '{path}'")


def _folders(search_path: Iterable[Path | str] | None) -> list[Path]:
    given = places.search_path() if search_path is None else search_path
    folders = [Path(folder) for folder in (*given, places.RULESETS)]
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]
