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
        if (folder / text / MAIN_FILE).is_file():
            return folder / text
    if (as_path / MAIN_FILE).is_file():
        return as_path
    hint = did_you_mean(text, list_rulesets(search_path))
    raise RulesetNotFound(f"no ruleset is called '{text}'" + (f"; {hint}" if hint else ""))


def list_rulesets(search_path: Iterable[Path | str] | None = None) -> dict[str, Path]:
    """Every ruleset and module that can be found by name, by name; the nearest of the same name wins."""
    found: dict[str, Path] = {}
    for folder in _folders(search_path):
        for child in sorted(folder.iterdir()):
            if (child / MAIN_FILE).is_file():
                found.setdefault(child.name, child)
    return dict(sorted(found.items()))


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def _check_folder(path: Path) -> Path:
    folder = path.parent if path.name == MAIN_FILE else path
    try:
        if (folder / MAIN_FILE).is_file():
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
