"""Rule text from a YAML scalar in, nodes out; what cannot be read becomes a finding at the right caret."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Protocol, TypeVar

from lark import Lark, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from interpreter.diagnostics import Finding, Report, Span
from interpreter.dsl import nodes as n
from interpreter.dsl.builder import Builder, Misused
from interpreter.dsl.layout import Layout
from interpreter.dsl.vocabulary import FOREIGN, WORDS

Result = TypeVar("Result")
GRAMMAR = Path(__file__).with_name("grammar.lark")
STARTS = ["header", "decl", "formula", "ranking", "block", "effect"]
TOO_LONG = 20_000


class Text(Protocol):
    """What the reader gives us: a scalar that knows where each of its characters stands."""

    @property
    def text(self) -> str: ...
    @property
    def span(self) -> Span: ...
    def locate(self, offset: int) -> tuple[int, int]: ...


@cache
def _lark() -> tuple[Lark, Layout]:
    layout = Layout()
    parser = Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        start=STARTS,
        parser="lalr",
        lexer="basic",
        postlex=layout,
        propagate_positions=True,
        maybe_placeholders=True,
    )
    return parser, layout


def parse_header(text: Text, report: Report) -> n.Header | None:
    return _parse("header", text, report, lambda b, t: b.header(t))


def parse_declaration(text: Text, report: Report) -> n.Declaration | None:
    return _parse("decl", text, report, lambda b, t: b.declaration(t))


def parse_formula(text: Text, report: Report) -> n.Formula | None:
    return _parse("formula", text, report, lambda b, t: b.formula(t))


def parse_ranking(text: Text, report: Report) -> n.Clause | None:
    return _parse("ranking", text, report, lambda b, t: b.ranking(t))


def parse_block(text: Text, report: Report) -> n.Block | None:
    return _parse("block", text, report, lambda b, t: b.block(t.children))


def parse_effect(text: Text, report: Report) -> n.Effect | None:
    return _parse("effect", text, report, lambda b, t: b.effect(t))


def _parse(start: str, text: Text, report: Report, build: Callable[[Builder, Tree], Result]) -> Result | None:  # type: ignore[type-arg]
    place = Place(text)
    source = text.text
    if len(source) > TOO_LONG:
        report.add(Finding("P103", text.span, f"this rule text is longer than {TOO_LONG} characters"))
        return None
    if not source.strip():
        report.add(Finding("P102", text.span, "a rule text is missing here"))
        return None
    parser, layout = _lark()
    layout.blocks = start in ("block", "effect")
    try:
        tree = parser.parse(source, start=start)
        return build(Builder(place.span), tree)
    except UnexpectedInput as error:
        report.add(_finding(error, source, place))
    except Misused as error:
        report.add(Finding(error.code, error.at, error.message, error.hint))
    except RecursionError:
        report.add(Finding("P103", text.span, "this rule text is nested too deeply"))
    return None


class Place:
    """Offsets of one text to spans of its file."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def span(self, start: int, end: int) -> Span:
        line, col = self.text.locate(start)
        end_line, end_col = self.text.locate(max(end - 1, start))
        return Span(self.text.span.file, line, col, end_line, end_col + 1)


def _finding(error: UnexpectedInput, source: str, place: Place) -> Finding:
    if isinstance(error, UnexpectedCharacters):
        start = error.pos_in_stream or 0
        found, end = source[start], start + 1
        for spelling in FOREIGN:
            if source.startswith(spelling, start):
                end = start + len(spelling)
                return Finding(
                    "P101", place.span(start, end), f"'{spelling}' is not part of the language", FOREIGN[spelling]
                )
        hint = "names are written in lower case" if found.isupper() else None
        return Finding("P101", place.span(start, end), f"'{found}' cannot stand in a rule text", hint)
    assert isinstance(error, UnexpectedToken)
    token = error.token
    expected = sorted({WORDS[name] for name in error.expected if name in WORDS})
    start = token.start_pos if token.start_pos is not None else len(source)
    end = token.end_pos if token.end_pos is not None else start
    if token.type in ("$END", "_NL", "_DEDENT", "_INDENT"):
        stop = len(source.rstrip()) if token.type == "$END" or not source[start:].strip() else start
        what = "the text is indented where no block begins" if token.type == "_INDENT" else "the text ends too early"
        if token.type == "_NL" and source[start:].strip():
            what, stop = "the line ends too early", len(source[:start].rstrip())
        return Finding("P101", place.span(max(stop - 1, 0), stop), what, _expectation(expected, source, stop))
    word = source[start:end]
    return Finding(
        "P101", place.span(start, end), f"'{word}' cannot stand here", _expectation(expected, source, start, word)
    )


def _expectation(expected: list[str], source: str, at: int, word: str = "") -> str | None:
    before = source[:at].rstrip()
    if word == "=":
        return "'is' compares, '=' only gives a field its value"
    if "rounded up" in expected and "/" in source[:at]:
        return "a division says how it rounds: a / b rounded up, or rounded down"
    if word in WORDS.values() and word.isalpha() and before.endswith(("let", "(", ",", ".")):
        return f"'{word}' is a word of the language and cannot be a name"
    if not expected or len(expected) > 6:
        return None
    return (
        "expected "
        + ", ".join(f"'{e}'" for e in expected[:-1])
        + (" or " if len(expected) > 1 else "")
        + f"'{expected[-1]}'"
    )
