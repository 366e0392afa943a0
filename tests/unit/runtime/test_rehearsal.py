"""Scenarios: what passes, what fails and how it is told, and states that cannot be."""

from pathlib import Path
from textwrap import dedent

import pytest

from interpreter import Event, Game, load
from interpreter.diagnostics import Finding, Report, Sources, render_finding
from interpreter.runtime.rehearsal import rehearse
from interpreter.runtime.scenario import read_scenarios

MINIS = Path(__file__).resolve().parents[2] / "minis"


def tell(_: Game, events: list[Event]) -> list[str]:
    return [f"{event.actor} {event.name}" for event in events]


def play(tmp_path: Path, text: str, ruleset: str = "nim") -> list[Finding]:
    path = tmp_path / "s.yaml"
    path.write_text(f"scenario: a test\nruleset: {ruleset}\n" + dedent(text))
    report = Report()
    scenarios = read_scenarios(path, report, Sources())
    findings = list(report.findings)
    for scenario in scenarios:
        findings += rehearse(scenario, load(MINIS / ruleset, search_path=[MINIS]), tell)
    return findings


def only(tmp_path: Path, text: str, ruleset: str = "nim") -> tuple[str, int, str]:
    """Code, line and message of the one finding."""
    (finding,) = play(tmp_path, text, ruleset)
    return finding.code, finding.span.line, finding.message


def test_one_of_several_rulesets_can_begin_differently(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(
        "ruleset: [nim, nim_long]\nin: {nim_long: {table.heap: 7}}\nscenarios:\n"
        "  - {scenario: both, then: {equal: {table.heap: 7}}}\n"
        "  - {scenario: one, ruleset: nim, given: {set: {table.heap: 3}}, then: {equal: {table.heap: 3}}}\n"
        "  - {scenario: more, given: {set: {table.heap: 2}}, then: {equal: {table.heap: 2}}}\n"
        "  - {scenario: own, in: {nim: {table.heap: 7}}, then: {equal: {table.heap: 7}}}\n"
    )
    report = Report()
    scenarios = read_scenarios(path, report, Sources())
    assert report.findings == [] and len(scenarios) == 7
    for scenario in scenarios:
        found = rehearse(scenario, load(MINIS / scenario.ruleset, search_path=[MINIS]), tell)
        assert bool(found) == (scenario.name == "both (nim)")


def test_a_ruleset_the_scenario_is_not_about(tmp_path: Path) -> None:
    text = """\
        in: {nym: {table.heap: 1}}
        then: {finished: false}
        """
    assert only(tmp_path, text) == ("C101", 3, "no scenario here is about 'nym'")


def test_a_ruleset_no_scenario_of_a_file_is_about(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    then = "then: {finished: false}"
    path.write_text(f"ruleset: nim\nin: {{nym: {{table.heap: 1}}}}\nscenarios:\n  - {{scenario: a, {then}}}\n")
    report = Report()
    read_scenarios(path, report, Sources())
    assert [(finding.code, finding.span.line, finding.hint) for finding in report.findings] == [
        ("C101", 2, "did you mean 'nim'?")
    ]


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    text = """\
        players: [ann, bob]
        options: {start: seven}
        seed: 3
        source: page 1
        ref: [A-1]
        note: free text
        given:
          set: {table.heap: 5}
        when:
          - choose: take n=1
          - set: {table.heap: 4}
          - choose: {seat: bob, option: take n=2}
        then:
          - equal: {table.heap: 2, start_heap: 7, table.winner: none, table.heap > 1: true}
          - equal: {"those(p in players)": [ann, bob]}
          - asks: {seat: ann, window: turn}
          - offered: {seat: ann, option: take n=2}
          - not_offered: {seat: ann, option: take n=3, because: enough}
          - not_offered: {seat: ann, option: take n=9, because: n=9 cannot be picked}
          - absent: [dice, taek]
          - seen: {seat: bob, fields: [table.heap, table.winner]}
          - seen: {fields: table.heap}
          - equal: {any(p in players where p is table.winner): false, any(p in players where p is bob): true}
          - finished: false
          - log: bob take
          - explain: {of: start_heap, mentions: ["7", start_heap]}
        """
    assert play(tmp_path, text) == []


def test_the_end_and_ranks(tmp_path: Path) -> None:
    end = "given: {set: {table.heap: 2}}\nwhen: [choose: take n=2]\n"
    assert play(tmp_path, end + "then: [finished: true, ranks: {ann: 1, bob: 2}]\n") == []
    assert only(tmp_path, "then: [ranks: {ann: 1}]")[0] == "C106"


def test_statements_are_run(tmp_path: Path) -> None:
    text = """\
        when:
          - run: table.heap -= 4
          - run: |
              if table.heap is 8 then
                ask turn(bob)
        then:
          - asks: {seat: bob, window: turn}
          - equal: {table.heap: 8}
        """
    assert play(tmp_path, text) == []


def test_what_a_seat_sees(tmp_path: Path) -> None:
    text = """\
        when: [choose: bid n=2]
        then:
          - seen: {seat: ann, fields: [ann.bid, bob.coins]}
          - hidden: {seat: bob, fields: [ann.bid]}
          - seen: {seat: bob, fields: [bob.bid, ann.bid]}
        """
    assert [one.message for one in play(tmp_path, text, "secret_bids")] == ["bob cannot see 'ann.bid'"]


def test_several_in_one_file_take_over_what_stands_beside_them(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(
        "ruleset: nim\nref: [A]\nscenarios:\n  - scenario: one\n    then: []\n  - {scenario: two, ref: [B], then: []}\n"
    )
    report = Report()
    found = read_scenarios(path, report, Sources())
    assert report.ok and [(one.name, one.ruleset, one.refs) for one in found] == [
        ("one", "nim", ("A",)),
        ("two", "nim", ("B",)),
    ]


FAILURES = [
    ("then: [equal: {table.heap: 11}]", "C106", "table.heap: expected 11, got 12"),
    ("then: [equal: {table.winner: ann}]", "C106", "table.winner: expected ann, got none"),
    ("then: [equal: {table.heap > 3: 1}]", "C106", "table.heap > 3: expected 1, got true"),
    ("then: [offered: {seat: ann, option: take n=4}]", "C106", "'take n=4' is not offered: n=4 cannot be picked"),
    ("then: [offered: {seat: bob, option: take n=1}]", "C106", "who is asked: expected bob, got ann"),
    ("then: [not_offered: {seat: ann, option: take n=1}]", "C106", "'take n=1' is offered to ann"),
    ("then: [not_offered: {option: take n=4, because: enough}]", "C106", "expected enough"),
    ("then: [absent: [dice, take]]", "C106", "'take' is an option of this game"),
    ("then: [absent: heap]", "C106", "'heap' is a field of this game"),
    ("then: [hidden: {fields: table.heap}]", "C106", "ann, bob, whoever watches can see 'table.heap'"),
    ("then: [hidden: {seat: bob, fields: [table.heap]}]", "C106", "bob can see 'table.heap'"),
    ("then: [hidden: {seat: eve, fields: table.heap}]", "C103", "no seat of this game is called 'eve'"),
    ("then: [seen: {fields: table.heep}]", "C103", "did you mean 'heap'?"),
    ("then: [log: nothing such]", "C106", "no line of the log has 'nothing such'"),
    ("then: [explain: {of: most, mentions: [zebra]}]", "C106", "does not mention 'zebra'"),
    ("then: [asks: {seat: bob, window: turn}]", "C106", "seat: expected bob, got ann"),
    ("then: [finished: true]", "C106", "finished: expected true, got false"),
    ("given: {set: {table.heap: 100}}\nthen: []", "C103", "'table.heap' must stay within 0..99; it cannot be 100"),
    ("given: {set: {table.heap: many}}\nthen: []", "C103", "'table.heap' is a number; it cannot be many"),
    ("given: {set: {table.winner: eve}}\nthen: []", "C103", "'table.winner' is a player; it cannot be eve"),
    ("given: {set: {table.heep: 1}}\nthen: []", "C103", "did you mean 'heap'?"),
    ("when: [choose: take n=9]\nthen: []", "C105", "n=9 cannot be picked here"),
    ("when: [choose: {seat: bob, option: take n=1}]\nthen: []", "C105", "it is ann who is asked (turn), not bob"),
    (
        "given: {set: {table.heap: 1}}\nwhen: [choose: take n=1, choose: take n=1]\nthen: []",
        "C105",
        "nobody is asked anything here",
    ),
    ("when: [run: table.heap = 120]\nthen: []", "T104", "0..99"),
    ("when: [run: repeat 20 do table.heap += 9]\nthen: []", "C105", "must stay within 0..99"),
    ("when: [run: table.heap =]\nthen: []", "P", "end"),
    ("then: [equal: {table.heep: 1}]", "N", "heep"),
    ("players: 5\nthen: []", "C102", "'nim' is not for 5 players"),
    ("players: [ann, eve]\nthen: []", "C102", "the seats are ann, bob, not ann, eve"),
    ("options: {start: nine}\nthen: []", "C102", "option 'start' cannot be 'nine'"),
    ("options: {begin: nine}\nthen: []", "C102", "'nim' has no option 'begin'"),
    ("thn: []", "C101", "unknown key 'thn'"),
    ("note: no end", "C101", "the scenario has no 'then'"),
    ("then: [equals: {most: 3}]", "C101", "unknown step 'equals'"),
    ("then: [not_offered: {optoin: x}]", "C101", "unknown key 'optoin'"),
    ("given: {at: game}\nthen: []", "C101", "unknown key 'at' under 'given'"),
    ("players: many\nthen: []", "C101", "expected a whole number"),
    ("then: [equal: 3]", "C101", "expected a map"),
]


@pytest.mark.parametrize(("text", "code", "message"), FAILURES, ids=[text for text, *_ in FAILURES])
def test_a_failure_says_what_and_where(tmp_path: Path, text: str, code: str, message: str) -> None:
    (finding,) = play(tmp_path, text)
    assert finding.code.startswith(code)
    assert message in finding.message + (finding.hint or "")
    assert finding.span.file == str(tmp_path / "s.yaml")


def test_the_place_is_inside_the_text(tmp_path: Path) -> None:
    (finding,) = play(tmp_path, "when:\n  - run: |\n      let x = 1\n      table.heap = heep\nthen: []")
    assert (finding.span.line, finding.span.col) == (6, 20)
    sources = Sources()
    sources.add(finding.span.file, (tmp_path / "s.yaml").read_text())
    assert "      table.heap = heep\n      |                    ^^^^" in render_finding(finding, sources)


def test_a_state_that_breaks_an_invariant_is_refused(tmp_path: Path) -> None:
    text = "given: {set: {table.price: 30, table.leader: ann, ann.cash: 3}}\nthen: []"
    code, line, message = only(tmp_path, text, "auction")
    assert (code, line) == ("C104", 3) and "in_purse does not hold" in message
    (finding,) = play(tmp_path, text, "auction")
    assert finding.hint is not None and "so that the invariant holds again" in finding.hint


def test_a_seat_that_does_not_exist_is_named(tmp_path: Path) -> None:
    text = """\
        when:
          - choose: {seat: zoe, option: take n=1}
        then: [{finished: false}]
        """
    assert "no seat is called 'zoe'; there are ann, bob" in only(tmp_path, text)[2]


def test_a_suggestion_is_made_once(tmp_path: Path) -> None:
    text = """\
        when:
          - choose: grab n=1
        then: [{finished: false}]
        """
    (finding,) = play(tmp_path, text)
    assert f"{finding.message} {finding.hint}".count("did you mean") == 1


def test_a_stopped_text_of_the_scenario_is_not_blamed_twice(tmp_path: Path) -> None:
    text = """\
        when:
          - run: let x = 1 / 0 rounded up
        then: [{finished: false}]
        """
    (finding,) = play(tmp_path, text)
    assert "<text>" not in render_finding(finding, Sources())
