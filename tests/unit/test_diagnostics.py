"""How findings are collected and shown."""

from __future__ import annotations

from interpreter.diagnostics import (
    CODES,
    SHOWN_COLUMNS,
    Finding,
    Report,
    Sources,
    Span,
    did_you_mean,
    render_finding,
    suggest,
)


def sources_of(text: str) -> Sources:
    sources = Sources()
    sources.add("toy.yaml", text)
    return sources


def at(line: int, col: int, end_col: int, file: str = "toy.yaml") -> Span:
    return Span(file, line, col, line, end_col)


def test_a_finding_shows_place_code_line_caret_and_hint() -> None:
    finding = Finding("N102", at(2, 10, 14), "unknown path 'laon'", "did you mean 'loan'?")
    assert render_finding(finding, sources_of("patches:\n  - set: laon\n")) == (
        "toy.yaml:2:10: N102 unknown path 'laon'\n"
        "    2 |   - set: laon\n"
        "      |          ^^^^\n"
        "      = did you mean 'loan'?"
    )


def test_other_places_follow_with_their_own_lines() -> None:
    finding = Finding("R105", at(2, 1, 2), "twice", related=((at(1, 1, 2), "first here"),))
    assert render_finding(finding, sources_of("a: 1\na: 2\n")).splitlines()[3:] == [
        "      > toy.yaml:1:1: first here",
        "    1 | a: 1",
        "      | ^",
    ]


def test_a_warning_says_so() -> None:
    finding = Finding("F103", at(1, 1, 2), "never reached", severity="warning")
    assert render_finding(finding, Sources()) == "toy.yaml:1:1: F103 warning: never reached"


def test_a_place_over_several_lines_is_marked_to_the_end_of_its_first_line() -> None:
    finding = Finding("R110", Span("toy.yaml", 1, 4, 2, 3), "long")
    assert render_finding(finding, sources_of("a: one\n  two")).splitlines()[-1] == "      |    ^^^"


def test_wide_characters_and_tabs_do_not_move_the_caret() -> None:
    finding = Finding("R101", at(1, 4, 5), "here")
    line, caret = render_finding(finding, sources_of("漢\t:x")).splitlines()[1:]
    assert line == "    1 | 漢 :x"
    assert caret == "      |     ^"


def test_control_characters_never_reach_the_terminal() -> None:
    assert "\x1b" not in render_finding(Finding("R103", at(1, 1, 2), "no"), sources_of("\x1b[31m"))


def test_a_very_long_line_is_shown_around_the_caret() -> None:
    text = "a" * 5_000 + "!" + "b" * 5_000
    line, caret = render_finding(Finding("R101", at(1, 5_001, 5_002), "here"), sources_of(text)).splitlines()[1:]
    assert len(line) <= SHOWN_COLUMNS + 8
    assert line[caret.index("^")] == "!"


def test_a_report_keeps_equal_findings_once_and_sorts_by_place() -> None:
    report = Report()
    later, earlier = Finding("S101", at(9, 1, 2), "b"), Finding("S102", at(2, 5, 6), "a", severity="warning")
    report.extend([later, earlier, later])
    assert report.findings == [earlier, later]
    assert report.errors == [later]
    assert not report.ok


def test_warnings_alone_are_fine() -> None:
    report = Report()
    report.add(Finding("F103", at(1, 1, 2), "x", severity="warning"))
    assert report.ok


def test_lines_end_at_any_usual_line_end() -> None:
    sources = sources_of("\ufeffone\r\ntwo\n")
    assert [sources.line("toy.yaml", number) for number in (1, 2, 3, 4)] == ["one", "two", "", ""]
    assert sources.line("other.yaml", 1) == ""


def test_suggestions_are_close_and_never_the_result_of_chance() -> None:
    assert suggest("conts", ["count", "colour"]) == "count"
    assert suggest("Loan", ["loan"]) == "loan"
    assert did_you_mean("zebra", ["count", "colour"]) is None
    assert suggest("x" * 10_000, ["x" * 9_999]) is None


def test_codes_are_sorted_and_explained() -> None:
    assert list(CODES) == sorted(CODES)
    assert all(meaning and not meaning.endswith(".") for meaning in CODES.values())
