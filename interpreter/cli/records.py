"""A file name in, the recorded game out; every trouble with it is one clear message."""

import argparse
from pathlib import Path

from interpreter import Game
from interpreter.cli.arguments import load_playable, read_settings, split_modules
from interpreter.cli.terminal import CannotRun, Refused, complain
from interpreter.diagnostics import Finding
from interpreter.places import state_folder
from interpreter.runtime.record import Record, RecordBroken, read_record
from interpreter.runtime.retelling import Retold, retell


def choose_record(name: str | None) -> Path:
    """The record the user named, or the latest one in the state folder."""
    if name is not None:
        path = Path(name).expanduser()
        if not path.is_file():
            raise CannotRun(f"there is no file '{name}'")
        return path
    records = sorted(state_folder().glob("*.game.jsonl"), key=lambda path: path.stat().st_mtime)
    if not records:
        raise CannotRun(f"there is no record in '{state_folder()}'; name one")
    return records[-1]


def open_game(path: Path, until: int | None = None) -> Retold:
    """The game of a record as it stands (or stood after so many choices)."""
    try:
        record = read_record(path)
        if until is not None and not 0 <= until <= len(record.standing()):
            raise CannotRun(f"--at {until}: the record has {len(record.standing())} choices")
        return retell(record, until)
    except RecordBroken as trouble:
        raise Refused(describe(trouble.finding)) from None


def describe(finding: Finding) -> str:
    """A finding in a record as one line; the lines of a record are too long to be shown."""
    hint = f" ({finding.hint})" if finding.hint else ""
    return f"{finding.span.file}:{finding.span.line}: {finding.code} {finding.message}{hint}"


def warn_cut(record: Record) -> None:
    if record.cut is not None:
        complain(describe(record.cut))


def open_position(args: argparse.Namespace) -> Game:
    """The game a user points at: a record (after --at choices), or a new game of a ruleset."""
    if Path(args.game).is_file():
        return open_game(Path(args.game), args.at).game
    if args.game.endswith((".jsonl", ".json")):
        raise CannotRun(f"there is no file '{args.game}'")
    if args.at is not None:
        raise CannotRun("--at goes with a record")
    ruleset = load_playable(args.game, split_modules(args))
    settings = read_settings(args, ruleset, seed=1)
    return ruleset.new_game(players=settings.players, seed=settings.seed, options=settings.options, told=False)
