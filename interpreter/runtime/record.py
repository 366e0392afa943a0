"""A game in, JSON lines out, and back again: a header, then one line per choice, written before it is acknowledged."""

import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from interpreter.diagnostics import Finding, Sources, Span

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Header:
    """What a game needs to begin again, the full text of its ruleset included."""

    ruleset: str
    fingerprint: str
    modules: tuple[str, ...]
    options: dict[str, str]
    players: tuple[str, ...]
    seed: int
    start: str  # hash of the first state
    folder: str  # the ruleset's own folder among the files
    files: str  # packed by runtime/archive.py
    bots: dict[str, str] = field(default_factory=dict)  # seat -> which bot plays it


@dataclass(frozen=True, slots=True)
class Step:
    """One choice, or (undo) the number of choices that still stand; `hash` is of the state after it."""

    line: int
    seat: str
    option: str
    hash: str
    undo: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read: all of its whole lines, and how far the file is sound."""

    path: Path
    header: Header
    steps: tuple[Step, ...]
    chain: str
    size: int
    cut: Finding | None  # the last line was cut off while it was being written

    def standing(self) -> list[Step]:
        """The choices that count, after every undo."""
        choices: list[Step] = []
        for step in self.steps:
            if step.undo is None:
                choices.append(step)
            else:
                del choices[step.undo :]
        return choices


class RecordBroken(Exception):
    """A record that cannot be trusted; the finding says which line and why."""

    def __init__(self, finding: Finding, sources: Sources | None = None) -> None:
        super().__init__(f"{finding.span.file}:{finding.span.line}: {finding.code} {finding.message}")
        self.finding = finding
        self.sources = sources or Sources()


class RecordWriter:
    """Appends lines to a record; a line is on its way to the disk before `choice` returns."""

    def __init__(self, path: Path, stream: BinaryIO, chain: str) -> None:
        self.path, self._stream, self._chain = path, stream, chain

    @classmethod
    def create(cls, path: Path, header: Header) -> "RecordWriter":
        """A new record; an existing file is never overwritten."""
        path.parent.mkdir(parents=True, exist_ok=True)
        writer = cls(path, path.open("xb"), "")
        _lock(writer._stream, path)
        writer._append({"cromford": FORMAT, **_header_data(header)}, durable=True)
        return writer

    @classmethod
    def reopen(cls, record: Record) -> "RecordWriter":
        """Go on behind the last whole line; what was cut off is removed."""
        stream = record.path.open("r+b")
        _lock(stream, record.path)
        stream.truncate(record.size)
        stream.seek(record.size)
        return cls(record.path, stream, record.chain)

    def choice(self, seat: str, option: str, state_hash: str, durable: bool = True) -> None:
        """Append one choice; `durable` waits for the disk, otherwise only a power cut can lose it."""
        self._append({"seat": seat, "option": option, "hash": state_hash}, durable)

    def undo(self, seat: str, standing: int, state_hash: str) -> None:
        """Append that this seat took choices back, so that only the first `standing` still count."""
        self._append({"seat": seat, "undo": standing, "hash": state_hash}, durable=True)

    def sync(self) -> None:
        """Wait until everything appended is on the disk."""
        os.fsync(self._stream.fileno())

    def copy_to(self, path: Path) -> bool:
        """Put a copy there, over an earlier copy if need be; false if that would destroy anything else."""
        content = self.path.read_bytes()
        try:
            with path.open("xb") as stream:
                stream.write(content)
            return True
        except FileExistsError:
            if not path.is_file() or path.stat().st_size > len(content) or not content.startswith(path.read_bytes()):
                return False
        if not path.samefile(self.path):
            path.write_bytes(content)
        return True

    def close(self) -> None:
        if not self._stream.closed:
            self.sync()
            self._stream.close()

    def _append(self, data: dict[str, Any], durable: bool) -> None:
        self._chain = _link(self._chain, data)
        text = json.dumps({**data, "chain": self._chain}, ensure_ascii=False, separators=(",", ":"))
        self._stream.write(text.encode() + b"\n")
        self._stream.flush()
        if durable:
            self.sync()


def read_record(path: Path) -> Record:
    """Read a record and prove that no line was changed since it was written."""
    try:
        content = path.read_bytes()
    except OSError as trouble:
        raise RecordBroken(_finding(path, 1, "D101", f"cannot be read: {trouble.strerror}")) from None
    lines = content.split(b"\n")
    tail = lines.pop()  # empty when the last line is whole
    if not lines:
        raise RecordBroken(
            _finding(path, 1, "D101", "this is not a record of a game", "a record begins with a header line")
        )
    header, chain = _read_header(path, lines[0])
    steps: list[Step] = []
    for number, raw in enumerate(lines[1:], start=2):
        data = _read_line(path, number, raw)
        chain = _check_chain(path, number, data, chain)
        steps.append(_read_step(path, number, data, len(steps)))
    cut = None
    if tail:
        cut = _finding(
            path,
            len(lines) + 1,
            "D107",
            "the last line was cut off while it was being written; it is dropped",
            severity="warning",
        )
    return Record(path, header, tuple(steps), chain, len(content) - len(tail), cut)


def _read_header(path: Path, raw: bytes) -> tuple[Header, str]:
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or "cromford" not in data:
        raise RecordBroken(
            _finding(path, 1, "D101", "this is not a record of a game", "a record begins with a header line")
        )
    if data["cromford"] != FORMAT:
        hint = f"this version reads format {FORMAT}; play it with the version that wrote it"
        raise RecordBroken(_finding(path, 1, "D102", f"record format {data['cromford']!r} is not known here", hint))
    chain = _check_chain(path, 1, data, "")
    try:
        return _header(data), chain
    except (KeyError, TypeError, ValueError, AttributeError) as trouble:
        raise RecordBroken(_finding(path, 1, "D103", f"the header is incomplete ({trouble})")) from None


def _header(data: dict[str, Any]) -> Header:
    return Header(
        ruleset=str(data["ruleset"]),
        fingerprint=str(data["fingerprint"]),
        modules=tuple(map(str, data["modules"])),
        options={str(key): str(value) for key, value in data["options"].items()},
        players=tuple(map(str, data["players"])),
        seed=int(data["seed"]),
        start=str(data["start"]),
        folder=str(data["folder"]),
        files=str(data["files"]),
        bots={str(key): str(value) for key, value in data.get("bots", {}).items()},
    )


def _header_data(header: Header) -> dict[str, Any]:
    return {
        "ruleset": header.ruleset,
        "fingerprint": header.fingerprint,
        "modules": list(header.modules),
        "options": header.options,
        "players": list(header.players),
        "seed": header.seed,
        "bots": header.bots,
        "start": header.start,
        "folder": header.folder,
        "files": header.files,
    }


def _read_line(path: Path, number: int, raw: bytes) -> dict[str, Any]:
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise RecordBroken(
            _finding(
                path, number, "D103", "this line cannot be read: the record was changed or damaged", _sound(number)
            )
        )
    return data


def _read_step(path: Path, number: int, data: dict[str, Any], before: int) -> Step:
    undo = data.get("undo")
    if undo is not None and not (isinstance(undo, int) and 0 <= undo <= before):
        raise RecordBroken(_finding(path, number, "D103", f"an undo back to choice {undo!r} is not possible here"))
    try:
        return Step(number, str(data["seat"]), str(data.get("option", "")), str(data["hash"]), undo)
    except KeyError as missing:
        raise RecordBroken(_finding(path, number, "D103", f"this line has no {missing}")) from None


def _check_chain(path: Path, number: int, data: dict[str, Any], chain: str) -> str:
    """Every line carries a digest of itself and of all lines before it."""
    body = {key: value for key, value in data.items() if key != "chain"}
    expected = _link(chain, body)
    if data.get("chain") != expected:
        message = "this line was changed after it was written, or one before it is missing"
        raise RecordBroken(_finding(path, number, "D103", message, _sound(number)))
    return expected


def _sound(number: int) -> str | None:
    """What can still be done with a record that is damaged in this line."""
    return f"the {number - 1} lines before it are sound: a copy of them alone can be played on" if number > 2 else None


def _link(chain: str, data: dict[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{chain}\n{text}".encode()).hexdigest()[:16]


def _finding(
    path: Path, line: int, code: str, message: str, hint: str | None = None, severity: str = "error"
) -> Finding:
    return Finding(code, Span(str(path), line, 1, line, 2), message, hint, (), severity)


def _lock(stream: BinaryIO, path: Path) -> None:
    """Two tables must not write the same record; where the system has no such locks, nothing is locked."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        stream.close()
        raise RecordBroken(_finding(path, 1, "D109", "this record is being played by another process")) from None
