"""Records: written before acknowledged, sound after a cut, and honest about every change."""

import json
from pathlib import Path

import pytest

from interpreter.runtime.record import FORMAT, Header, RecordBroken, RecordWriter, read_record

HEADER = Header("toy", "f1", ("m",), {"start": "seven"}, ("ann", "bob"), 7, "h0", "toy", "FILES", {"bob": "random"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    writer = RecordWriter.create(tmp_path / "toy.game.jsonl", HEADER)
    writer.choice("ann", "take n=1", "h1")
    writer.choice("bob", "take n=2", "h2", durable=False)
    writer.undo("ann", 0, "h0")
    writer.choice("ann", "take n=3", "h3")
    writer.close()
    return writer.path


def broken(path: Path) -> tuple[str, int]:
    with pytest.raises(RecordBroken) as caught:
        read_record(path)
    return caught.value.finding.code, caught.value.finding.span.line


def test_what_was_written_is_read(path: Path) -> None:
    record = read_record(path)
    assert record.header == HEADER
    assert [step.option for step in record.standing()] == ["take n=3"]
    assert [step.undo for step in record.steps] == [None, None, 0, None]
    assert record.cut is None
    assert record.size == path.stat().st_size


def test_a_choice_is_in_the_file_before_the_writer_returns(path: Path) -> None:
    record = read_record(path)
    writer = RecordWriter.reopen(record)
    writer.choice("bob", "take n=1", "h4", durable=False)
    assert json.loads(path.read_text().splitlines()[-1])["option"] == "take n=1"
    writer.close()
    assert len(read_record(path).standing()) == 2


@pytest.mark.parametrize("missing", range(1, 60, 7))
def test_a_cut_last_line_is_dropped(path: Path, missing: int) -> None:
    content = path.read_bytes()
    last = content.rstrip(b"\n").rfind(b"\n") + 1
    path.write_bytes(content[: max(last + 1, len(content) - missing)])
    record = read_record(path)
    assert record.cut is not None and record.cut.code == "D107" and record.cut.span.line == 5
    assert len(record.steps) == 3
    RecordWriter.reopen(record).close()
    assert read_record(path).cut is None


@pytest.mark.parametrize("line", [1, 2, 3, 4])
def test_every_edited_line_is_found(path: Path, line: int) -> None:
    lines = path.read_text().splitlines()
    lines[line - 1] = (
        lines[line - 1].replace("ann", "eve", 1) if "ann" in lines[line - 1] else lines[line - 1].replace("n=2", "n=1")
    )
    path.write_text("\n".join(lines) + "\n")
    assert broken(path) == ("D103", line)


def test_a_removed_line_is_found(path: Path) -> None:
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:2] + lines[3:]) + "\n")
    assert broken(path) == ("D103", 3)


def test_a_garbled_line_is_found(path: Path) -> None:
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], "{", *lines[2:]]) + "\n")
    assert broken(path) == ("D103", 3)


@pytest.mark.parametrize("content", [b"", b"hello\n", b"[1]\n", b'{"a": 1}\n', b"\xff\xfe\n", b"no line end"])
def test_what_is_no_record_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    assert broken(path) == ("D101", 1)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert broken(tmp_path / "none")[0] == "D101"
    assert broken(tmp_path)[0] == "D101"


def test_another_format_is_refused(path: Path) -> None:
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0].replace(f'"cromford":{FORMAT}', '"cromford":99'), *lines[1:]]) + "\n")
    assert broken(path) == ("D102", 1)


def test_a_record_is_never_overwritten(path: Path) -> None:
    with pytest.raises(FileExistsError):
        RecordWriter.create(path, HEADER)


def test_two_writers_cannot_share_a_record(path: Path) -> None:
    pytest.importorskip("fcntl")
    record = read_record(path)
    first = RecordWriter.reopen(record)
    with pytest.raises(RecordBroken, match="another process"):
        RecordWriter.reopen(record)
    first.close()


@pytest.mark.parametrize("line", [1, 3])
def test_a_line_nested_beyond_reason_is_damage(path: Path, line: int) -> None:
    lines = path.read_text().splitlines()
    lines[line - 1] = '{"a": ' + "[" * 100_000
    path.write_text("\n".join(lines) + "\n")
    assert broken(path) == ("D101" if line == 1 else "D103", line)


def test_the_lines_before_the_damage_are_a_record(path: Path) -> None:
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:3], "garbage\n", *lines[4:]]))
    with pytest.raises(RecordBroken) as caught:
        read_record(path)
    assert "the 3 lines before it are sound" in (caught.value.finding.hint or "")
    path.write_text("".join(lines[:3]))
    assert len(read_record(path).standing()) == 2
