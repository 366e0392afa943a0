"""Playing: by hand, with bots, on a terminal; nothing that was acknowledged is ever lost."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from interpreter.runtime.record import read_record


def test_a_whole_game_by_hand(run: Any) -> None:
    code, out, err = run("play", "nim", "--seed", "1", typed="3\n3\n3\ntake 3\n")
    assert (code, err) == (0, "")
    assert "Bob wins" in out
    assert out.count("Ann > ") == 2 and out.count("Bob > ") == 2


def test_bots_play_and_nothing_is_recorded(run: Any, home: Path) -> None:
    code, out, _ = run("play", "auction", "--auto", "--seed", "5")
    assert code == 0
    assert "Result" in out and " win" in out
    assert not list(home.rglob("*.jsonl"))
    assert run("play", "auction", "--auto", "--seed", "5")[1] == out
    quiet = run("play", "auction", "--auto", "--quiet", "--seed", "5")[1]
    assert len(quiet) < len(out) and quiet.split("\n")[-2] == out.split("\n")[-2]


def test_a_person_against_bots(run: Any) -> None:
    code, out, _ = run("play", "auction", "--bots", "3", "--seed", "2", typed="pass\n" * 30)
    assert code == 0 and "Result" in out
    assert "Bob > " not in out and "ann > " in out


def test_what_a_player_can_ask(run: Any) -> None:
    asked = "?|? 2|why take n=4|why|explain table.heap - most|explain|explain heep|log|table|save|save copy.jsonl"
    typed = "\n".join([*asked.split("|"), "foo", "9", "ta", "u", ""])
    code, out, _ = run("play", "nim", typed=typed)
    assert code == 0
    assert "NUMBER         choose that option" in out
    assert "take 2\nit is offered" in out and "does not apply: not so many sticks are left" in out
    assert "n=4 cannot be picked here" in out
    assert "9  table.heap - most" in out
    assert "nothing is called 'heep'" in out
    assert "everything is saved already" in out and "a copy is in copy.jsonl" in out
    assert "'foo' is no option and no command" in out
    assert "there are options 1 to 3" in out
    assert "'ta' may be any of 3 options" in out
    assert "there is no choice of yours to take back" in out
    assert read_record(Path("copy.jsonl")).header.ruleset == "nim"


def test_undo_is_recorded_and_the_game_resumes(run: Any) -> None:
    run("play", "nim", "--record", "a.jsonl", typed="1\n2\nu\nu\n3\n")
    record = read_record(Path("a.jsonl"))
    assert [step.undo for step in record.steps] == [None, None, 1, 0, None]
    assert [step.option for step in record.standing()] == ["take n=3"]
    code, out, _ = run("resume", "a.jsonl", typed="3\n3\n3\n")
    assert code == 0 and "Bob wins" in out and "after 1 choice" in out
    assert run("replay", "a.jsonl", "--verify")[0] == 0


def test_the_latest_record_is_resumed(run: Any) -> None:
    run("play", "nim", "--seed", "4", typed="1\n")
    code, out, _ = run("resume", typed="q\n")
    assert code == 0 and "after 1 choice" in out and "go on with: cromford resume" in out


def test_a_finished_game_can_be_resumed_to_be_seen(run: Any) -> None:
    run("play", "nim", "--record", "a.jsonl", typed="3\n3\n3\n3\n")
    code, out, _ = run("resume", "a.jsonl")
    assert code == 0 and "Bob wins" in out


def test_a_record_is_not_overwritten(run: Any, nim: Path) -> None:
    before = nim.read_bytes()
    code, _, err = run("play", "nim", "--record", str(nim))
    assert code == 2 and "exists already; go on with it: cromford resume" in err
    assert nim.read_bytes() == before
    assert run("play", "nim", "--record", "/proc/none/x.jsonl")[0] == 2


def test_a_file_that_is_no_record_is_not_offered_to_be_resumed(run: Any, nim: Path, home: Path) -> None:
    (home / "letter.txt").write_text("Dear Ann,\n")
    code, _, err = run("play", "nim", "--record", "letter.txt")
    assert code == 2 and "'letter.txt' exists already and is no record; choose another name" in err
    assert "resume" not in err
    code, _, err = run("play", "nim", "--record", "letter.txt/x.jsonl")
    assert code == 2 and "'letter.txt' is a file, not a folder" in err
    nim.write_bytes(nim.read_bytes().replace(b"take n=2", b"take n=1"))
    assert "is a record one cannot go on with; choose another name" in run("play", "nim", "--record", str(nim))[2]
    assert run("play", "nim", "--record", "/dev/null")[2].count("is no record") == 1


def test_save_destroys_nothing(run: Any, nim: Path, home: Path) -> None:
    (home / "letter.txt").write_text("Dear Ann,\n")
    before = nim.read_bytes()
    typed = "save letter.txt\nsave nim.jsonl\nsave copy.jsonl\n1\nsave copy.jsonl\nsave own.jsonl\nsave .\n"
    out = run("play", "nim", "--record", "own.jsonl", typed=typed)[1]
    for name in ("letter.txt", "nim.jsonl", "."):
        assert f"'{name}' exists already and is no earlier copy of this game; choose another name" in out
    assert (home / "letter.txt").read_text() == "Dear Ann,\n" and nim.read_bytes() == before
    assert out.count("a copy is in copy.jsonl") == 2
    assert [step.option for step in read_record(Path("copy.jsonl")).steps] == ["take n=1"]
    assert (home / "copy.jsonl").read_bytes() == (home / "own.jsonl").read_bytes()


def test_hidden_things_stay_hidden(run: Any) -> None:
    _, out, _ = run(
        "play", "hidden_hands", "--players", "2", "--seed", "4", typed="1\n\nexplain count(cards of ann)\nu\n"
    )
    before, after = out.split("press Enter when only you can see this")
    hands = [line.split()[2] for line in before.split("\n") if " card  " in line and len(line.split()) == 4]
    assert set(hands) == {"Ann", "?"}
    assert "that would tell what is hidden from somebody" in after
    assert "Bob" in after and after.count("Ann  ") <= 2


def test_other_languages(run: Any, home: Path) -> None:
    folder = home / "spiel"
    run("new", "spiel")
    (folder / "text/de.yaml").write_text('windows: {turn: Nimm Steine}\noptions:\n  turn: {take: "nimm {n}"}\n')
    _, out, _ = run("play", "spiel", "--lang", "de")
    assert "First: Nimm Steine" in out and "nimm 3" in out


def test_kill_loses_nothing_that_was_acknowledged(home: Path, run: Any) -> None:
    command = [sys.executable, "-m", "interpreter.cli.main", "play", "nim", "--record", "k.jsonl"]
    player = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert player.stdin and player.stdout
    player.stdin.write("2\n")
    player.stdin.flush()
    seen = ""
    while "Bob > " not in seen:  # the choice of Ann is acknowledged: Bob is asked
        part = player.stdout.read(1)
        assert part, seen
        seen += part
    player.send_signal(signal.SIGKILL)
    player.wait()
    player.stdin.close()
    player.stdout.close()
    assert [step.option for step in read_record(home / "k.jsonl").standing()] == ["take n=2"]
    assert "after 1 choice" in run("resume", "k.jsonl")[1]


def on_terminal(words: list[str], typed: list[bytes]) -> tuple[int, str]:
    """Run the command on a terminal of its own; one text is typed whenever it waits with '> '.

    A terminal that is just being made ready forgets what was typed before, so a text nobody answers is typed again.
    """
    pid, terminal = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever started the tests may have switched it off
        os.environ["TERM"] = "xterm"
        os.execv(sys.executable, [sys.executable, "-m", "interpreter.cli.main", *words])
    seen, end, silent = b"", time.monotonic() + 60, time.monotonic()
    asked, last = 0, b""
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                part = os.read(terminal, 4096)
            except OSError:
                break
            if not part:
                break
            seen += part
            silent = time.monotonic()
        elif typed and seen.count(b"> ") > asked:
            asked = seen.count(b"> ")
            last = typed.pop(0)
            os.write(terminal, last)
        elif last and time.monotonic() - silent > 5:
            os.write(terminal, last)
            silent = time.monotonic()
    else:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), seen.decode()


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_on_a_terminal_with_ctrl_c(home: Path, run: Any) -> None:
    code, seen = on_terminal(["play", "nim", "--record", "t.jsonl"], [b"1\n", b"\x03"])
    assert code == 0
    assert "\x1b[1m" in seen and "go on with: cromford resume t.jsonl" in seen
    assert len(read_record(home / "t.jsonl").standing()) == 1
    assert "\x1b[" not in run("resume", "t.jsonl")[1]


def test_no_colour_on_a_pipe_unless_forced(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in run("list")[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("list")[1]


def test_results_can_be_simulated(run: Any) -> None:
    code, out, _ = run("simulate", "auction", "--games", "30", "--json", "--players", "3")
    data = json.loads(out)
    assert code == 0 and data["games"] == 30 and data["decisions"] > 100
    assert sum(data["options_chosen"].values()) == data["decisions"]
    assert sum(seat["wins"] for seat in data["seats"].values()) >= 25
    again = json.loads(
        run("simulate", "auction", "--games", "30", "--json", "--players", "3", "--jobs", "2", "--check")[1]
    )
    assert again["seats"] == data["seats"] and again["options_chosen"] == data["options_chosen"]
    assert "30 games of auction" in run("simulate", "auction", "--games", "30", "--players", "3")[1]


STUCK = """\
ruleset: stuck
players: {seats: [ann, bob], counts: [2]}
names: {player: [p]}
kinds:
  table: {one: true, state: {heap: 0..5}}
windows:
  turn(p):
    options:
      add: {do: table.heap += 3}
      loop: {do: "while table.heap >= 0 do table.heap = 1"}
phases:
  game:
    turns: repeat 5 do for p in players do ask turn(p)
scoring: {score(p): 1, ranked: p in players by highest score(p)}
"""


def test_a_rule_that_stops_the_game_loses_nothing(run: Any, home: Path) -> None:
    (home / "stuck").mkdir()
    (home / "stuck/ruleset.yaml").write_text(STUCK)
    code, out, err = run("play", "stuck", "--record", "s.jsonl", typed="add\nadd\n")
    assert code == 1 and "the game up to here is in s.jsonl" in out
    assert "stuck/ruleset.yaml:9:17: X101" in err and "^^^^" in err
    assert [step.option for step in read_record(home / "s.jsonl").standing()] == ["add"]
    code, out, err = run("resume", "s.jsonl", typed="loop\n")
    assert code == 1 and "X103" in err
    code, _, err = run("simulate", "stuck", "--games", "5")
    assert code == 1 and err.startswith("cromford: seed 1, decision ")


def test_the_program_speaks_german(run: Any, home: Path) -> None:
    run("new", "spiel")
    (home / "spiel/text/de.yaml").write_text("interpreter: {Result: Endstand}\n")
    out = run("play", "spiel", "--lang", "de", "--record", "d.jsonl", typed="3\nu\n3\n3\n3\n3\n")[1]
    for words in (
        "aufgezeichnet in d.jsonl",
        "(? hilft)",
        "First nimmt eine Wahl zurück",
        "Endstand",
        "Second gewinnt",
    ):
        assert words in out
