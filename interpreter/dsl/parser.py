"""Rule text from a YAML scalar in, nodes out; what cannot be read becomes a finding at the right caret."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from interpreter.diagnostics import Finding, Report, Span
from interpreter.dsl import descent
from interpreter.dsl import nodes as n
from interpreter.dsl.builder import Builder, Misused
from interpreter.dsl.layout import Layout
from interpreter.memory import Memory
from interpreter.places import cache_folder

if TYPE_CHECKING:
    from lark import Lark, Token

Result = TypeVar("Result")
GRAMMAR = Path(__file__).with_name("grammar.lark")
STARTS = ["header", "decl", "formula", "ranking", "block", "effect"]
TOO_LONG = 20_000
_READ: Memory[Any] = Memory()
"""Texts that were read: variants and modules have most of theirs in common. Nodes never change."""


class Text(Protocol):
    """What the reader gives us: a scalar that knows where each of its characters stands."""

    @property
    def text(self) -> str: ...
    @property
    def span(self) -> Span: ...
    def locate(self, offset: int) -> tuple[int, int]: ...
    def file_at(self, offset: int) -> str: ...


@cache
def _lark() -> tuple[Lark, Layout]:
    """The grammar; its tables are kept between runs, since making them takes as long as reading a small ruleset."""
    from lark import Lark

    layout = Layout(_mark)
    folder = cache_folder()
    parser = Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        start=STARTS,
        parser="lalr",
        lexer="basic",
        postlex=layout,
        propagate_positions=True,
        maybe_placeholders=True,
        cache=False if folder is None else str(folder / "grammar.tables"),
    )
    return parser, layout


def _mark(type_: str, text: str | None, place: Token) -> Token:
    from lark import Token

    if text is not None:
        return Token.new_borrow_pos(type_, text, place)
    return Token(type_, "", place.end_pos, place.end_line, place.end_column, end_pos=place.end_pos)


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


def _parse(start: str, text: Text, report: Report, build: Callable[[Builder, Any], Result]) -> Result | None:
    known: Result | None = _READ.get(start, text)
    if known is not None:
        return known
    place = Place(text)
    source = text.text
    if len(source) > TOO_LONG:
        message = f"this rule text has {len(source)} characters; {TOO_LONG} are possible"
        report.add(Finding("P103", text.span, message, "make several procedures or quantities of it"))
        return None
    if all(line.strip().startswith("#") or not line.strip() for line in source.split("\n")):
        report.add(Finding("P102", text.span, "a rule text is missing here", "write it, or remove the key"))
        return None
    tree = descent.read(start, source) or _by_grammar(start, source, report, place)
    if tree is None:
        return None
    try:
        found = build(Builder(place.span), tree)
    except Misused as error:
        report.add(Finding(error.code, error.at, error.message, error.hint))
        return None
    _READ.keep(start, text, found)
    return found


def _by_grammar(start: str, source: str, report: Report, place: Place) -> Any:
    """What the grammar makes of a text; if nothing, a finding says why. Fetched only for texts that need it."""
    from lark.exceptions import UnexpectedInput

    from interpreter.dsl.mistakes import explain

    parser, layout = _lark()
    layout.blocks = start in ("block", "effect")
    try:
        return parser.parse(source, start=start)
    except UnexpectedInput as error:
        report.add(explain(error, start, source, place.span))
        return None


class Place:
    """Offsets of one text to spans of its file."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def span(self, start: int, end: int) -> Span:
        line, col = self.text.locate(start)
        last = max(end - 1, start)
        file, end_file = self.text.file_at(start), self.text.file_at(last)
        end_line, end_col = self.text.locate(last)
        if file != end_file or end_line < line:  # a patch has put something of another place in between
            end_line, end_col = line, col
        return Span(file, line, col, end_line, end_col + 1)
