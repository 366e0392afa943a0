"""What the grammar refused in, a finding in the author's words out: the right caret, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from interpreter.diagnostics import Finding, Span
from interpreter.dsl.vocabulary import FOREIGN, RESERVED, WORDS

SpanOf = Callable[[int, int], Span]
_LINE_ENDS = ("$END", "_NL", "_DEDENT")
_WORD = re.compile(r"\w+")
_LISTED = 4  # expected words that are worth naming
# Where one of these may follow it is nearly always what is missing, since values and operators may always go on.
_LINKS = ("THEN", "DO", "MOVE_FROM", "TO", "ELSE", "RPAR", "RSQB")
_OPENINGS = {
    "header": "a name stands here, with its letters in parentheses: points(p, n)",
    "decl": "a type is a range such as 0..9, `number`, `flag`, the name of a kind, or `KIND or none`",
    "effect": "an effect begins with 'modify', 'on' or 'forbid'",
}


def explain(error: UnexpectedInput, start: str, source: str, span_of: SpanOf) -> Finding:
    """`start` is the grammar rule that was to be read."""
    if isinstance(error, UnexpectedCharacters):
        return _strange(error.pos_in_stream or 0, source, span_of)
    assert isinstance(error, UnexpectedToken)
    token = error.token
    begin = len(source) if token.start_pos is None else token.start_pos
    end = begin if token.end_pos is None else token.end_pos
    expected = set(error.accepts or error.expected)
    if token.type == "_INDENT":
        place = _word_at(source, end)
        hint = "lines of one block begin in the same column"
        return Finding("P101", span_of(*place), "the line is indented, but no block begins here", hint)
    if token.type in _LINE_ENDS:
        return _cut_short(begin, expected, source, span_of)
    spelling = next((s for s in FOREIGN for at in (begin, begin - 1) if len(s) > 1 and source.startswith(s, at)), None)
    if spelling is not None:
        at = begin if source.startswith(spelling, begin) else begin - 1
        return _foreign(spelling, at, span_of)
    word = source[begin:end]
    message = f"'{word}' cannot stand here"
    if word in RESERVED and source[:begin].rstrip().endswith(("let", "(", ",", ".")):
        return Finding("P101", span_of(begin, end), message, f"'{word}' is a word of the language and cannot be a name")
    if not source[:begin].strip():
        return Finding("P101", span_of(begin, end), message, _OPENINGS.get(start) or _advice(expected, source, begin))
    return Finding("P101", span_of(begin, end), message, _advice(expected, source, begin, word))


def _strange(at: int, source: str, span_of: SpanOf) -> Finding:
    """A character no word of the language has."""
    for spelling in FOREIGN:
        if source.startswith(spelling, at):
            return _foreign(spelling, at, span_of)
    begin, end = _word_at(source, at)
    word = source[begin:end]
    if word != word.lower():
        hint = f"names are written in lower case: {word.lower()}"
        return Finding("P101", span_of(begin, end), f"'{word}' has a capital letter", hint)
    if len(word) > 1 or word.isalpha():
        hint = "a name has the letters a to z, digits and '_', and begins with a letter"
        return Finding("P101", span_of(begin, end), f"'{word}' is not a name", hint)
    return Finding("P101", span_of(at, at + 1), f"'{word}' cannot stand in a rule text")


def _foreign(spelling: str, at: int, span_of: SpanOf) -> Finding:
    message = f"'{spelling}' is not part of the language"
    return Finding("P101", span_of(at, at + len(spelling)), message, FOREIGN[spelling])


def _cut_short(at: int, expected: set[str], source: str, span_of: SpanOf) -> Finding:
    stop = len(source[:at].rstrip()) or len(source.rstrip())
    what = "the line ends too early" if source[at:].strip() else "the text ends too early"
    begin, end = _word_at(source, max(stop - 1, 0))
    return Finding("P101", span_of(begin, end), what, _advice(expected, source, stop))


def _advice(expected: set[str], source: str, at: int, word: str = "") -> str | None:
    before = source[:at].rstrip()
    if word == "=":
        return "'is' compares, '=' only gives a field its value"
    if "ROUNDED" in expected and "/" in before:
        return "a division says how it rounds: a / b rounded up, or a / b rounded down"
    opener = before.rsplit(maxsplit=1)[-1] if before else ""
    if word == "if" and opener == "do":
        return "an 'if' after 'do' begins a line of its own, indented below it"
    if word == "(" and source.lstrip().startswith("forbid"):
        return "'forbid' names the option and the window without letters"
    if opener in ("do", "then", "else"):
        return f"what follows '{opener}' stands behind it, or indented below it"
    link = next((name for name in _LINKS if name in expected), None)
    if link is not None:
        return f"'{WORDS[link]}' is missing here" if not word else f"'{WORDS[link]}' is missing before it"
    words = sorted({WORDS[name] for name in expected if name in WORDS})
    if not words or len(words) > _LISTED:
        return None
    quoted = [word if word.startswith("a ") else f"'{word}'" for word in words]
    return "expected " + (" or ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else quoted[0])


def _word_at(source: str, at: int) -> tuple[int, int]:
    """Where the word around a place begins and ends; a single character where there is no word."""
    for match in _WORD.finditer(source, source.rfind("\n", 0, at) + 1):
        if match.start() <= at < match.end():
            return match.span()
        if match.start() > at:
            break
    return at, at + 1
