"""A record in, its ruleset and its game as far as it was played out; every difference is a finding at its line."""

import atexit
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from interpreter import Game, Ruleset, RulesetInvalid, RulesetNotFound, load
from interpreter.diagnostics import Finding, Span
from interpreter.places import cache_folder
from interpreter.runtime.archive import ArchiveBroken, collect_files, pack_files, unpack_files, write_files
from interpreter.runtime.record import Header, Record, RecordBroken, RecordWriter
from interpreter.runtime.session import Past


@dataclass(frozen=True, slots=True)
class Retold:
    """A recorded game, played again up to where it stands."""

    record: Record
    ruleset: Ruleset
    game: Game
    past: list[Past]
    own: bool  # the ruleset has changed since; the record's own copy is used


def start_record(path: Path, game: Game, seed: int, bots: dict[str, str]) -> RecordWriter:
    """A new record with everything its game needs to be played again."""
    ruleset = game.ruleset
    header = Header(
        ruleset=ruleset.id,
        fingerprint=ruleset.fingerprint,
        modules=tuple(Path(name).name for name in ruleset.modules),
        options={name: str(value) for name, value in game.options.items()},
        players=tuple(game.seats),
        seed=seed,
        start=game.hash(),
        folder=ruleset.folder.name,
        files=pack_files(collect_files(ruleset.files, ruleset.folders)),
        bots=bots,
    )
    return RecordWriter.create(path, header)


def retell(record: Record, until: int | None = None, told: bool = True) -> Retold:
    """Play the recorded choices again and compare every state on the way; `until` stops after that many choices."""
    ruleset, own = load_recorded(record)
    header = record.header
    game = ruleset.new_game(players=len(header.players), seed=header.seed, options=header.options, told=told)
    if game.hash() != header.start:
        raise RecordBroken(_finding(record, 1, "D105", "the game does not begin as it was recorded", _changed_hint()))
    past: list[Past] = []
    for number, step in enumerate(record.standing()):
        if until is not None and number >= until:
            break
        _retell_step(record, game, past, step.line, step.seat, step.option, step.hash)
    return Retold(record, ruleset, game, past, own)


def _retell_step(
    record: Record, game: Game, past: list[Past], line: int, seat: str, option: str, expected: str
) -> None:
    decision = game.decision
    if decision is None:
        raise RecordBroken(_finding(record, line, "D106", "the game is over, but another choice is recorded"))
    if decision.seat != seat:
        raise RecordBroken(
            _finding(record, line, "D106", f"{decision.seat} is asked here, but a choice of {seat} is recorded")
        )
    past.append(Past(seat, game.copy()))
    refusal = game.choose(option)
    if refusal is not None:
        raise RecordBroken(_finding(record, line, "D106", f"'{option}' is not offered here: {refusal.message}"))
    if game.hash() != expected:
        raise RecordBroken(
            _finding(record, line, "D105", f"after '{option}' the state is not the recorded one", _changed_hint())
        )


def load_recorded(record: Record) -> tuple[Ruleset, bool]:
    """The ruleset as it was when the game was played: today's if it is the same, else the record's own copy."""
    header = record.header
    try:
        today = load(header.ruleset, modules=header.modules)
        if today.fingerprint == header.fingerprint:
            return today, False
    except (RulesetInvalid, RulesetNotFound):
        pass
    folder = _unpack(record)
    try:
        own = load(folder / header.folder, modules=header.modules, search_path=[folder])
    except (RulesetInvalid, RulesetNotFound) as trouble:
        message = f"the ruleset in this record cannot be loaded: {str(trouble).splitlines()[0]}"
        raise RecordBroken(_finding(record, 1, "D108", message)) from None
    if own.fingerprint != header.fingerprint:
        hint = f"it names {header.fingerprint[:12]}, its files make {own.fingerprint[:12]}"
        raise RecordBroken(
            _finding(record, 1, "D104", f"this record was not played with the '{header.ruleset}' it carries", hint)
        )
    return own, True


def _unpack(record: Record) -> Path:
    """The record's own ruleset as a folder; kept in the cache, so that places in explanations can be opened."""
    try:
        files = unpack_files(record.header.files)
    except ArchiveBroken as trouble:
        raise RecordBroken(_finding(record, 1, "D108", str(trouble))) from None
    cache = cache_folder()
    if cache is None:
        folder = Path(tempfile.mkdtemp(prefix="cromford-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    else:
        folder = cache / "records" / record.header.fingerprint[:24]
    write_files(files, folder)
    return folder


def _changed_hint() -> str:
    return "the interpreter plays it differently from the version that recorded it"


def _finding(record: Record, line: int, code: str, message: str, hint: str | None = None) -> Finding:
    return Finding(code, Span(str(record.path), line, 1, line, 2), message, hint)
