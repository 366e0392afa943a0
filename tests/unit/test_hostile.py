"""Rulesets made to keep us busy for ever: each is refused with a finding, soon and in little memory."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.pipeline import diagnose

PATIENCE = 8  # seconds of computing
MOST_MEMORY = 200 * 2**20
BIG = "  square: {per: {number: 1..2000}, state: {x: 0..9}}\n"
TABLE = "  table: {one: true, state: {n: 0..9999}}\n"


def ruleset(steps: str, more: str = "", kinds: str = BIG + TABLE, windows: str = "") -> str:
    text = f"ruleset: toy\nnames: {{player: [p], number: [n, m]}}\nkinds:\n{kinds}"
    text += "windows:\n  turn(p): {options: {pass: {}, go: {}}}\n" + windows
    text += "phases:\n  game:\n    turns: for p in players do ask turn(p)\n    start: |\n"
    return text + "".join(f"      {line}\n" for line in steps.split("\n")) + more


def each(count: int, form: str) -> str:
    """`form` for every number from 1; `{i}` is the number, `{j}` the one before."""
    return "".join(form.replace("{i}", str(i)).replace("{j}", str(i - 1)) for i in range(1, count + 1))


def nested(count: int, line: str, inner: str) -> str:
    """`line` that many times, each inside the one before, and `inner` inside them all."""
    lines = ["  " * depth + line.replace("{i}", str(depth)) for depth in range(count)]
    return "\n".join([*lines, "  " * count + inner])


HOSTILE = {
    "four loops over a large kind": ("F109", ruleset(nested(4, "for s{i} in squares do", "s0.x = 1"))),
    "sums in sums": (
        "F109",
        ruleset("table.n = sum(sum(sum(s.x for s in squares) for t in squares) for u in squares)"),
    ),
    "loops through procedures": (
        "F109",
        ruleset(
            "loop_4", "procedures:\n  loop_0: table.n = 1\n" + each(4, "  loop_{i}: for s in squares do loop_{j}\n")
        ),
    ),
    "whiles in whiles": ("F109", ruleset(nested(3, "while table.n < 3 do", "table.n = 1"))),
    "a loop that hardly ever asks": (
        "F109",
        ruleset(nested(3, "for s{i} in squares do", "if s0.x > 3 then\n          for p in players do ask turn(p)")),
    ),
    "a billion possibilities": (
        "F109",
        ruleset(
            "for p in players do ask big(p)",
            windows="  big(p): {options: {x: {pick: {a: squares, b: squares, c: squares}, when: {no: a.x > 8}}}}\n",
        ),
    ),
    "25 loops in one text": ("F109", ruleset(nested(25, "for n{i} in 1..2 do", "table.n = 1"))),
    "a range of a billion": ("T117", ruleset("for n in 1..999999999 do table.n = 1")),
    "a kind of a billion": ("N108", ruleset("end", kinds=BIG + "  cube: {per: {x: square, y: square, z: square}}\n")),
    "millions of fields": (
        "N108",
        ruleset(
            "end", kinds=each(50, "  k{i}: {per: {x: 1..2000}, state: {" + each(30, "f{i}: flag, ") + "g: flag}}\n")
        ),
    ),
    "a table of a million": (
        "T102",
        ruleset("end", "constants: {k: {is: {}, type: table 1..9999 of table 1..999 of flag}}\n"),
    ),
    "a billion players": ("N121", ruleset("end", "players: {counts: [1000000000]}\n")),
    "doubled thirty times": (
        "F110",
        ruleset("table.n = q30", "quantities:\n  q0: table.n\n" + each(30, "  q{i}: q{j} + q{j}\n")),
    ),
    "a chain of a thousand": (
        "F110",
        ruleset("table.n = q999", "quantities:\n  q0: 1\n" + each(999, "  q{i}: q{j} + 1\n")),
    ),
    "a ring of a thousand": (
        "F101",
        ruleset("table.n = q999", "quantities:\n  q0: q999\n" + each(999, "  q{i}: q{j}\n")),
    ),
    "offers at all windows": (
        "F110",
        ruleset(
            "for p in players do\n" + each(120, "  ask w{i}(p)\n").rstrip(),
            "rules:\n" + each(120, "  r{i}: {effects: [{offer: o{i}, at: any(p)}]}\n"),
            windows=each(120, "  w{i}(p): {options: {a: {}, b: {}}}\n"),
        ),
    ),
    "a thousand brackets": ("P103", ruleset("table.n = " + "min(1, " * 999 + "1" + ")" * 999)),
    "five hundred branches": (
        "P103",
        ruleset("if table.n is 0 then end\n" + each(499, "else if table.n is {i} then end\n").rstrip()),
    ),
    "names that are like many": (
        "N101",
        ruleset(
            each(900, "table.n = zq{i}x\n").rstrip(), kinds=TABLE + "  a: {ids: [" + each(1900, "zq{i}y, ") + "z]}\n"
        ),
    ),
}


@pytest.fixture(autouse=True)
def _no_hanging() -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise TimeoutError(f"not done after {PATIENCE} seconds of computing")

    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_ruleset_is_refused(name: str, tmp_path: Path) -> None:
    code, text = HOSTILE[name]
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report, _, front = diagnose(tmp_path, (), ())
    assert front is None
    assert {finding.code for finding in report.errors} == {code}
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown * 1024 < MOST_MEMORY
