"""Records on the command line: told again, verified, explained; and every way in which one can be broken."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interpreter.runtime.record import RecordWriter, read_record


@pytest.fixture
def changed(home: Path, run: Any) -> Path:
    """A record of a ruleset that has changed since."""
    run("new", "mine")
    run("play", "mine", "--record", "mine.jsonl", typed="1\n2\n")
    main = home / "mine/ruleset.yaml"
    main.write_text(main.read_text().replace("heap: 12", "heap: 11"))
    return home / "mine.jsonl"


def test_a_game_is_told_again(run: Any, nim: Path) -> None:
    code, out, _ = run("replay", str(nim))
    assert code == 0
    assert out.index("Ann: take 2") < out.index("Bob: take 3")
    assert "sticks on the heap 7" in out
    assert "sticks on the heap 10" in run("replay", str(nim), "--at", "1")[1]
    assert run("replay", str(nim), "--at", "7")[0] == 2


def test_it_is_verified(run: Any, nim: Path) -> None:
    code, out, _ = run("replay", str(nim), "--verify")
    assert (code, out) == (0, "verified: 2 choices of nim, as far as it was played, every state the same\n")
    assert json.loads(run("replay", str(nim), "--verify", "--json")[1])["choices"] == 2


def test_values_and_refusals_are_explained(run: Any, nim: Path) -> None:
    code, out, _ = run("explain", str(nim), "table.heap")
    assert code == 0 and out.startswith("7")
    assert run("explain", str(nim), "table.heap", "--at", "1")[1].startswith("10")
    assert json.loads(run("explain", str(nim), "table.heap", "--json")[1])["value"] == 7
    assert run("explain", "nim", "start_heap")[1].startswith("12")
    assert "possible: 1, 2, 3" in run("why-not", str(nim), "take n=4")[1]
    answer = json.loads(run("why-not", str(nim), "take n=1", "--json")[1])
    assert answer["offered"] and answer["clauses"][0]["clause"] == "enough"


def test_an_option_nobody_knows_is_a_mistake(run: Any, nim: Path) -> None:
    code, out, _ = run("why-not", str(nim), "fly n=4")
    assert code == 1 and "has no option 'fly'; it has take" in out
    code, out, _ = run("why-not", str(nim), "takke n=4")
    assert code == 1 and "did you mean 'take'?" in out
    assert run("why-not", str(nim), "take m=4")[0] == 1 and run("why-not", str(nim), "take n=x")[0] == 1
    assert run("why-not", str(nim), "fly", "--json")[0] == 1
    assert run("why-not", str(nim), "take n=4")[0] == 0


def test_a_record_plays_under_its_own_rules(run: Any, changed: Path, home: Path) -> None:
    assert "the record's own copy was used" in run("replay", str(changed), "--verify")[1]
    assert "counters left 9" in run("resume", str(changed))[1]
    shutil.rmtree(home / "mine")
    assert run("replay", str(changed), "--verify")[0] == 0
    assert run("explain", str(changed), "table.left")[1].startswith("9")


def test_without_a_home_it_still_plays(run: Any, changed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert run("explain", str(changed), "table.left")[1].startswith("9")
    code, out, _ = run("play", "nim", "--seed", "3", typed="1\n")
    assert code == 0 and "recorded in nim-" in out


def broken(run: Any, path: Path) -> str:
    """The message for a broken record; it must be the same one line everywhere, and the file must stay as it is."""
    before = path.read_bytes()
    code, _, err = run("resume", str(path), typed="1\n")
    assert code == 1 and err.startswith("cromford: ") and err.count("\n") == 1
    assert run("replay", str(path), "--verify")[2] == err
    assert path.read_bytes() == before
    return str(err)


def test_an_edited_choice(run: Any, nim: Path) -> None:
    nim.write_text(nim.read_text().replace("take n=3", "take n=1"))
    assert "nim.jsonl:3: D103 this line was changed" in broken(run, nim)


def test_not_a_record(run: Any, home: Path) -> None:
    path = home / "letter.txt"
    path.write_text("Dear Richard,\n")
    assert "letter.txt:1: D101 this is not a record" in broken(run, path)


def rewrite(path: Path, change: Any, steps: list[tuple[str, str, str]] | None = None) -> None:
    """Write the record anew with a changed header and other steps: all lines are sound in themselves."""
    record = read_record(path)
    path.unlink()
    writer = RecordWriter.create(path, change(record.header))
    for seat, option, state in steps if steps is not None else [(s.seat, s.option, s.hash) for s in record.steps]:
        writer.choice(seat, option, state)
    writer.close()


def test_another_ruleset(run: Any, nim: Path) -> None:
    rewrite(nim, lambda header: replace(header, fingerprint="0" * 32))
    assert "nim.jsonl:1: D104 this record was not played with the 'nim' it carries" in broken(run, nim)


def test_damaged_rules(run: Any, nim: Path) -> None:
    rewrite(nim, lambda header: replace(header, fingerprint="0" * 32, files="AAAA"))
    assert "D108 the packed ruleset is damaged" in broken(run, nim)


def test_another_seed_or_state(run: Any, nim: Path) -> None:
    first, second = [(s.seat, s.option, s.hash) for s in read_record(nim).steps]
    rewrite(nim, lambda header: header, [first, (second[0], second[1], "feed")])
    assert "nim.jsonl:3: D105 after 'take n=3' the state is not the recorded one" in broken(run, nim)


def test_a_choice_that_is_not_offered(run: Any, nim: Path) -> None:
    rewrite(nim, lambda header: header, [("ann", "take n=7", "x")])
    assert "nim.jsonl:2: D106 'take n=7' is not offered here" in broken(run, nim)
    rewrite(nim, lambda header: header, [("bob", "take n=1", "x")])
    assert "D106 ann is asked here, but a choice of bob is recorded" in broken(run, nim)


def test_a_cut_line_is_dropped_with_a_warning(run: Any, nim: Path) -> None:
    nim.write_bytes(nim.read_bytes()[:-5])
    code, out, err = run("resume", str(nim), typed="1\n")
    assert code == 0 and "D107 the last line was cut off" in err and "after 1 choice" in out
    code, _, err = run("replay", str(nim), "--verify")
    assert (code, err) == (0, "")
    assert [step.option for step in read_record(nim).standing()] == ["take n=2", "take n=1"]
