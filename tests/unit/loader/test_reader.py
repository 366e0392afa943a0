"""Strict YAML: values, positions, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.diagnostics import Report, Sources, Span, render_finding
from interpreter.loader import composer
from interpreter.loader.reader import Mapping, Node, Scalar, Sequence, plain, read_folder, read_text


@pytest.fixture(params=["fast", "pure"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers of the YAML library give the same."""
    if request.param == "pure":
        monkeypatch.setattr(composer, "_LOADER", yaml.SafeLoader)
    composer.compose_text.cache_clear()


def read(text: str) -> tuple[Node | None, Report]:
    report = Report()
    return read_text(text, "toy.yaml", report), report


def value_of(text: str) -> Any:
    node, report = read(text)
    assert report.ok, report.findings
    assert node is not None
    return plain(node)


def codes_of(text: str) -> list[str]:
    return [finding.code for finding in read(text)[1].findings]


def scalar_of(text: str, key: str) -> Scalar:
    node, _ = read(text)
    assert isinstance(node, Mapping)
    scalar = node.entries[key].node
    assert isinstance(scalar, Scalar)
    return scalar


@pytest.mark.usefixtures("parser")
def test_only_plain_integers_and_true_and_false_are_not_text() -> None:
    text = "{a: 12, b: -3, c: true, d: yes, e: no, f: on, g: 1..4, h: ~, i: null, j: '7', k: 2020-01-01, l: 12:30}"
    assert value_of(text) == {
        "a": 12, "b": -3, "c": True, "d": "yes", "e": "no", "f": "on", "g": "1..4", "h": None, "i": None, "j": "7",
        "k": "2020-01-01", "l": "12:30",
    }  # fmt: skip


@pytest.mark.usefixtures("parser")
def test_keys_are_always_text() -> None:
    assert value_of("on: 1\n2: 3\ntrue: 4\n") == {"on": 1, "2": 3, "true": 4}


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n"])
def test_an_empty_text_is_nothing(text: str) -> None:
    assert value_of(text) is None


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: b: c", "R101"),
        ("a: 'open", "R101"),
        ("a: @b", "R101"),
        ("a: {b: x[1]}", "R101"),
        ("a: \x07", "R103"),
        ("a: 1\rb: 2", "R103"),
        ("a: \u2028", "R103"),
        ("a: \ud800", "R103"),
        ("a:\n\tb: 1", "R104"),
        ("a: 1\na: 2", "R105"),
        ("a: &x 1", "R106"),
        ("a: *x", "R106"),
        ("<<: {a: 1}", "R106"),
        ("a: !x 1", "R107"),
        ("a: 1\n---\nb: 2", "R108"),
        ("a: >\n  b\n", "R109"),
        ("a: b\n  c\n", "R110"),
        ("a: 'b\n  c'\n", "R110"),
        ("[" * 60, "R112"),
        ("a: 010", "R113"),
        ("a: 1.5", "R113"),
        ("a: .5", "R113"),
        ("a: 1e3", "R113"),
        ("a: 0x1F", "R113"),
        ("a: 1_000", "R113"),
        ("a: +5", "R113"),
        ("a: 1234567890123456789", "R113"),
        ("{n: f(a, b)}", "R114"),
        ("[f(a, b)]", "R114"),
        ("{n: a, b > 3}", "R114"),
        ("[a]: 1", "R115"),
        ("'': 1", "R115"),
    ],
)
def test_what_is_refused(text: str, code: str) -> None:
    assert codes_of(text) == [code]


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    "text",
    ["{n: 'f(a, b)'}", "{a, b}", "{sold(p), f(x): 1}", "{a: f(x)}", "a: x if y else z  # why", "a: '010'", "'<<': 1"],
)
def test_what_is_fine(text: str) -> None:
    assert codes_of(text) == []


def test_a_text_of_two_million_characters_is_too_big() -> None:
    assert codes_of("# " + "x" * composer.MAX_CHARACTERS) == ["R111"]


def test_a_line_that_lost_its_colon_is_told_there() -> None:
    _, report = read("constants:\n  loan 10\n  fee: 3\n")
    assert [(finding.code, finding.span.line) for finding in report.findings] == [("R101", 2)]


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a: one two", "two"),
        ("a: 'it''s two'", "two"),
        ('a: "\\x41\\u00e9 two"', "two"),
        ("a: |\n  one\n    two\n", "two"),
        ("a: |  # why\n\n\n   one\n\n   two three\n", "two"),
        ("a: |2-\n    one\n     two", "two"),
        ("x:\n  - a\na: |+\n  two\n\n", "two"),
    ],
)
def test_every_character_of_a_text_is_found_in_its_file(text: str, part: str) -> None:
    scalar = scalar_of(text, "a")
    line, col = scalar.locate(scalar.text.index(part))
    assert text.split("\n")[line - 1][col - 1 :].startswith(part)


def test_the_end_of_a_block_is_the_end_of_its_last_line() -> None:
    scalar = scalar_of("a: |\n  one\n\n\nb: 1\n", "a")
    assert scalar.locate(len(scalar.text)) == (2, 6)
    assert scalar.span == Span("toy.yaml", 1, 4, 2, 6)


def test_maps_and_lists_know_where_they_begin_and_end() -> None:
    node, _ = read("a:\n  b: 1\n  c: [2,\n    3]\nd: x\n")
    assert isinstance(node, Mapping)
    assert node.span == Span("toy.yaml", 1, 1, 5, 5)
    inner = node.entries["a"].node
    assert isinstance(inner, Mapping)
    assert inner.span == Span("toy.yaml", 2, 3, 4, 7)
    assert inner.entries["c"].key.span == Span("toy.yaml", 3, 3, 3, 4)
    assert isinstance(inner.entries["c"].node, Sequence)


def test_windows_line_ends_and_byte_order_marks_change_nothing() -> None:
    assert value_of("\ufeffa: |\r\n  x\r\n  y\r\nb: 1\r\n") == {"a": "x\ny\n", "b": 1}


def test_a_folder_is_read_in_order_without_what_is_apart(tmp_path: Path) -> None:
    names = ["b.yaml", "ruleset.yaml", "a/z.yaml", "inner/ruleset.yaml", "tests/t.yaml", ".git/x.yaml", "note.txt"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("title: x\n", encoding="utf-8")
    report = Report()
    assert list(read_folder(tmp_path, report, Sources())) == ["ruleset.yaml", "a/z.yaml", "b.yaml"]
    assert report.ok


PIECES = st.sampled_from(
    ["a", "b: ", "- ", "\n", "  ", "{", "}", "[", "]", ", ", "'", '"', "|", "|\n  ", ">", "# ", "&a ", "*a", "!t ",
     "<<: ", "? ", "---\n", "...\n", "%YAML 1.2\n", "\t", "\r\n", "\ufeff", "é", "漢", "\x00", "010", "1.5", "~", "(",
     ")", "\\", "x: 1\n", "\n\n", "|2\n   x\n"],
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(max_size=60)))
def test_any_text_gives_a_node_or_findings_inside_it(text: str) -> None:
    node, report = read(text)
    assert node is not None or not report.ok
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    sources = Sources()
    sources.add("toy.yaml", text)
    for finding in report.findings:
        for span in (finding.span, *(span for span, _ in finding.related)):
            assert 1 <= span.line <= len(lines)
            assert 1 <= span.col <= len(lines[span.line - 1]) + 1
        assert render_finding(finding, sources)
