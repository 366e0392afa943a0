"""What every command has in common: help with an example, exit codes, one clear sentence for every mistake."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import COMMANDS


def test_without_words_the_commands_are_listed(run: Any) -> None:
    code, out, _ = run()
    assert code == 2
    assert all(name in out for name in COMMANDS)
    assert run("--help")[0] == 0
    assert run("--version")[1].startswith("cromford ")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_helps_with_an_example(run: Any, name: str) -> None:
    code, out, _ = run(name, "--help")
    assert code == 0
    assert f"cromford {name}" in out and "examples:" in out


MISTAKES = [
    (("play", "nim", "--with", "nothing_like_it"), 2, "--with nothing_like_it: no module is called"),
    (("play", "zzzzzz"), 2, "cromford list shows what there is"),
    (("play", "nim", "--auto", "--record", "."), 2, "'.' is a folder; name a file in it"),
    (("new", "nim"), 2, "there is a ruleset 'nim' already"),
    (("plya",), 2, "did you mean 'play'?"),
    (("play",), 2, "RULESET"),
    (("play", "nimm"), 2, "did you mean 'nim'?"),
    (("play", "no/such/folder"), 2, "no folder"),
    (("play", "nim_quick"), 1, "module"),
    (("play", "nim", "--players", "5"), 2, "is for 2 players, not 5"),
    (("play", "nim", "--players", "many"), 2, "--players many: write a whole number"),
    (("play", "nim", "--option", "start"), 2, "write NAME=VALUE"),
    (("play", "nim", "--option", "begin=x"), 2, "'begin' is no option of 'nim'"),
    (("play", "nim", "--option", "start=sevn"), 2, "did you mean 'seven'?"),
    (("play", "nim", "--bots", "bobb"), 2, "did you mean 'bob'?"),
    (("play", "nim", "--bots", "7"), 2, "only 2 seats"),
    (("play", "nim", "--bot", "clever"), 2, "there are: random, greedy"),
    (("play", "nim", "--lang", "fr"), 2, "'fr' is no language of this ruleset"),
    (("play", "nim", "--setup", "x"), 2, "'setup' is no option of 'nim'"),
    (("play", "nim", "--with", "nim_wuick"), 2, "did you mean 'nim_quick'?"),
    (("resume",), 2, "no record"),
    (("resume", "none.jsonl"), 2, "there is no file 'none.jsonl'"),
    (("replay", "none.jsonl"), 2, "there is no file"),
    (("explain", "none.jsonl", "x"), 2, "there is no file"),
    (("explain", "nim", "table.heep"), 2, "heap"),
    (("explain", "nim", "most +"), 2, "ends"),
    (("explain", "nim", "most", "--at", "3"), 2, "--at goes with a record"),
    (("why-not", "none.jsonl", "x"), 2, "there is no file"),
    (("show", "nim", "constants.mst"), 2, "did you mean 'most'?"),
    (("show", "nim", "nothing"), 2, "has nothing at 'nothing'"),
    (("blame", "nim", "constants.mst"), 2, "did you mean 'most'?"),
    (("diff", "nim"), 2, "extends nothing"),
    (("test", "nowhere"), 2, "'nowhere' is no ruleset, folder or file"),
    (("test", "nim"), 2, "no scenarios"),
    (("validate", "nowhere"), 2, "nowhere"),
    (("validate", "."), 2, "no ruleset"),
    (("graph", "nim", "--format", "png"), 2, "invalid choice"),
    (("simulate", "nim", "--games", "0"), 2, "at least 1"),
    (("play", "nim", "--option", "start=nine"), 2, "'nine' is no value of option 'start'"),
    (("play", "nim", "--option", "strat=five"), 2, "did you mean 'start'?"),
    (("schema",), 2, "name a ruleset"),
    (("new", "My Game"), 2, "cannot be a name"),
    (("new", "x", "--extends", "nimm"), 2, "did you mean 'nim'?"),
    (("sources", "nimm"), 2, "did you mean 'nim'?"),
    (("list", "--jsn"), 2, "there is no option --jsn; did you mean '--json'?"),
    (("validate", "nim", "--with", "nim_wuick"), 2, "--with nim_wuick: no module is called 'nim_wuick'; did you mean"),
    (("validate",), 2, "there is no ruleset in '.'"),
    (("play", "nim", "--option", "start=twelve", "--option", "start=seven"), 2, "cannot be both 'twelve' and 'seven'"),
    (("replay", "nim.jsonl", "--json"), 2, "--json goes with --verify"),
]


@pytest.mark.parametrize(("words", "code", "message"), MISTAKES, ids=[" ".join(words) for words, *_ in MISTAKES])
def test_a_mistake_gets_one_clear_sentence(run: Any, words: tuple[str, ...], code: int, message: str) -> None:
    got, _, err = run(*words)
    assert message in err
    assert got == code
    assert "Traceback" not in err


@pytest.mark.usefixtures("home")
def test_no_traceback_on_a_closed_pipe() -> None:
    command = f"{sys.executable} -m interpreter.cli.main list | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout == "Rulesets\n"
    assert done.stderr == ""


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("list >&-", 0, ""),
        ("list 2>&-", 0, ""),
        ("play nim --auto >&- 2>&-", 0, ""),
        ("list >/dev/full", 2, "cromford: cannot go on: No space left on device\n"),
        ("play nim --auto >/dev/full", 2, "cromford: cannot go on: No space left on device\n"),
    ],
)
def test_output_that_leads_nowhere_is_no_traceback(command: str, code: int, told: str) -> None:
    words = f"{sys.executable} -m interpreter.cli.main {command}"
    done = subprocess.run(words, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, told)


def test_letters_the_terminal_cannot_show_are_replaced(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    (home / "stops").mkdir()
    (home / "stops/ruleset.yaml").write_text(STOPS.replace("It stops", "Schluß"), encoding="utf-8")
    words = [sys.executable, "-m", "interpreter.cli.main", "list"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Schlu?" in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("show", "nim", "--json", "constants.most"),
        ("show", "--json", "nim", "constants.most"),
        ("show", "nim", "constants.most", "--json"),
    ],
    ids=["between", "before", "behind"],
)
def test_options_may_stand_anywhere(run: Any, words: tuple[str, ...]) -> None:
    code, out, err = run(*words)
    assert (code, out, err) == (0, '{\n  "is": 3\n}\n', "")


def test_no_scenario_of_that_name_is_no_success(run: Any, home: Path) -> None:
    run("new", "my_game")
    assert run("test", "my_game", "-k", "last")[0] == 0
    code, out, err = run("test", "my_game", "-k", "lsat")
    assert (code, out) == (2, "")
    assert "no scenario has 'lsat' in its name" in err
    (home / "my_game/scenarios/last_counter.yaml").write_text("ruleset: my_game\nscenarios: []\n")
    assert run("test", "my_game")[0] != 0


def test_a_folder_of_scenarios_is_validated(run: Any, home: Path) -> None:
    run("new", "my_game")
    assert "1 scenario file: no findings" in run("validate", "my_game/scenarios")[1]
    with (home / "my_game/scenarios/last_counter.yaml").open("a") as file:
        file.write("wehn: []\n")
    code, out, _ = run("validate", "my_game/scenarios")
    assert code == 1
    assert "did you mean 'when'?" in out


def test_validate_alone_takes_the_rulesets_here(run: Any) -> None:
    run("new", "my_game")
    assert "1 ruleset: no findings" in run("validate")[1]


def test_a_million_jobs_are_as_many_as_there_is_work(run: Any) -> None:
    run("new", "my_game")
    code, out, _ = run("test", "my_game", "--jobs", "1000000")
    assert (code, "1 scenario, all passed" in out) == (0, True)
    assert run("simulate", "my_game", "--games", "4", "--jobs", "1000000")[0] == 0


def test_a_patch_can_be_written_below_a_new_variant(run: Any, home: Path) -> None:
    run("new", "my_nim", "--extends", "nim")
    with (home / "my_nim/ruleset.yaml").open("a") as file:
        file.write("patches:\n  - set: constants.most\n    to: 4\n    because: it goes on faster\n")
    assert run("validate", "my_nim")[0] == 0


STOPS = """
ruleset: stops
title: It stops
players: {seats: [ann, bob], counts: [2]}
kinds:
  table: {one: true, state: {left: 0..9}}
phases:
  game: {fill: "while table.left < 3 do table.left = 0"}
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_game_that_a_rule_stops_at_its_start_is_told(run: Any, home: Any, jobs: str) -> None:
    (home / "stops").mkdir()
    (home / "stops/ruleset.yaml").write_text(STOPS)
    code, _, err = run("simulate", "stops", "--games", "3", "--jobs", jobs)
    assert code == 1
    assert "the game was stopped by a rule" in err and "X103" in err and "Traceback" not in err


BREAKS = """
ruleset: my_nim
extends: nim
patches:
  - {set: constants.most, to: [1, 2], because: a table where the base reads a number}
"""


def test_a_finding_in_the_base_names_the_patch_that_led_to_it(run: Any, home: Path) -> None:
    (home / "my_nim").mkdir()
    (home / "my_nim/ruleset.yaml").write_text(BREAKS)
    code, out, _ = run("validate", "my_nim")
    assert code == 1
    assert "nim/ruleset.yaml" in out and "> my_nim/ruleset.yaml:5:11: 'constants.most.is' was changed here" in out


def test_what_a_variant_leaves_unused_is_removed_by_a_patch(run: Any, home: Path) -> None:
    (home / "my_nim").mkdir()
    text = BREAKS.partition("  - {")[0] + "  - {remove: phases.game.turns, because: nobody plays}\n"
    (home / "my_nim/ruleset.yaml").write_text(text)
    _, out, _ = run("validate", "my_nim")
    assert "F103 the window 'turn' is never asked" in out
    assert "or remove it with a patch: '- remove: windows.turn'" in out
