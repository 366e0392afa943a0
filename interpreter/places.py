"""Nothing in, folders out: where our rulesets and schemas lie, and where others are looked for."""

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_WHEEL = _PACKAGE / "_data"
_ROOT = _WHEEL if _WHEEL.is_dir() else _PACKAGE.parent

SCHEMAS = _ROOT / "schema"
RULESETS = _ROOT / "rulesets"


def search_path() -> tuple[Path, ...]:
    """The folders in which a ruleset is looked for by its name, nearest first."""
    named = [Path(part).expanduser() for part in os.environ.get("CROMFORD_PATH", "").split(os.pathsep) if part]
    places = [*named, Path.cwd(), Path("rulesets").resolve(), RULESETS]
    return tuple(dict.fromkeys(place for place in places if place.is_dir()))


def state_folder() -> Path:
    """Where records go when the player names no place: the state folder of the system, or here if there is none."""
    return _user_folder("XDG_STATE_HOME", ".local/state", "games")


def cache_folder() -> Path | None:
    """Where what can be made again is kept; none if nothing can be written."""
    folder = _user_folder("XDG_CACHE_HOME", ".cache", "")
    return None if folder == Path() else folder


def _user_folder(variable: str, usual: str, name: str) -> Path:
    home = os.environ.get("HOME") or os.environ.get("USERPROFILE")
    given = os.environ.get(variable) or (str(Path(home) / usual) if home else "")
    if not given:
        return Path()
    folder = Path(given) / "cromford" / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path()
    return folder if os.access(folder, os.W_OK) else Path()


def shown_path(path: Path) -> str:
    """How a path is written in findings: from here if it lies below, else in full."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.resolve().as_posix()
