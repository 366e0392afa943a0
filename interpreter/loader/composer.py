"""YAML text in, nodes or findings out: the one place that knows the YAML library."""

from __future__ import annotations

import functools
import re
from typing import Any

import yaml

from interpreter.diagnostics import Finding, Span
from interpreter.loader.tree import Entry, Mapping, Node, Scalar, Sequence

MAX_CHARACTERS = 2_000_000
MAX_DEPTH = 50
MAX_DIGITS = 18
"""Whole numbers stay within 64 bits."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FORBIDDEN = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
_TRAP = re.compile(
    r"[-+]?(0[0-9_]+|[0-9]+_[0-9_]*|0[xob][0-9a-fA-F_]+|[0-9]+\.[0-9]*([eE][-+]?[0-9]+)?|\.[0-9]+|[0-9]+[eE][-+]?[0-9]+)"
    r"|\+[0-9]+"
)
_NAME = re.compile(r"[^\W\d]\w*(\s*\([^()]*\))?")
_ESCAPE_LENGTHS = {"x": 4, "u": 6, "U": 10}
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "": None, "~": None, "null": None}
TOO_BIG = f"the file has more than {MAX_CHARACTERS:,} characters"
SPLIT_FILE = "split it: any section may stand in any file"
_USE_BLOCK = "write '|' after the colon and the text below it, indented"
_QUOTE = "put the whole text in quotes"
_QUOTE_INSIDE = "inside {...} and [...] quote a text that has a comma or brackets"
_WRITE_OUT = "write it out, or quote it if it is a text"
_INDENT = "indent it like its neighbours; a text that only begins with quotes needs quotes around all of it"


@functools.lru_cache(maxsize=1024)  # bases are read again for every ruleset that extends them
def compose_text(text: str, file: str) -> tuple[Node | None, tuple[Finding, ...]]:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    refused = _refuse(text, file)
    if refused is not None:
        return None, (refused,)
    composer = _Composer(text, file)
    return composer.compose(), tuple(composer.findings)


def _refuse(text: str, file: str) -> Finding | None:
    """What makes the text unreadable as a whole."""
    if len(text) > MAX_CHARACTERS:
        return Finding("R111", Span(file, 1, 1, 1, 1), TOO_BIG, SPLIT_FILE)
    match = _FORBIDDEN.search(text)
    if match is not None:
        message = f"character U+{ord(match[0]):04X} is not allowed"
        return Finding("R103", _span_of_offset(text, match.start(), file), message)
    tab = text.find("\t")
    if tab >= 0:
        lines = sum("\t" in line for line in text.split("\n"))
        more = "" if lines == 1 else f" ({lines} lines have one)"
        return Finding("R104", _span_of_offset(text, tab, file), f"tab character{more}", "write spaces instead")
    return None


def _span_of_offset(text: str, offset: int, file: str) -> Span:
    line, col = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    return Span(file, line, col, line, col + 1)


class _Stop(Exception):
    """Reading cannot go on; the finding is already there."""


class _Composer:
    """Builds nodes from the events of the YAML parser and collects findings on the way."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.lines = text.split("\n")
        self.findings: list[Finding] = []
        self.loader = _LOADER(text)

    def compose(self) -> Node | None:
        try:
            return self._document()
        except yaml.YAMLError as problem:
            self.findings.append(_explain_yaml(problem, self))
            return None
        except _Stop:
            return None
        finally:
            self.loader.dispose()

    def span(self, start: Any, end: Any) -> Span:
        """The span of two marks, moved inside the text."""
        line, col = self.clamp(start.line, start.column)
        end_line, end_col = self.clamp(end.line, end.column)
        if (end_line, end_col) < (line, col):
            end_line, end_col = line, col
        return Span(self.file, line, col, end_line, end_col)

    def first_column(self, span: Span) -> Span:
        """The same place, one character wide."""
        return Span(span.file, span.line, span.col, span.line, span.col + 1)

    def clamp(self, line: int, column: int) -> tuple[int, int]:
        if line >= len(self.lines):
            line, column = len(self.lines) - 1, len(self.lines[-1])
        return line + 1, min(column, len(self.lines[line])) + 1

    def _add(self, code: str, span: Span, message: str, hint: str | None = None) -> None:
        self.findings.append(Finding(code, span, message, hint))

    def _document(self) -> Node:
        self.loader.get_event()
        event = self.loader.get_event()
        if isinstance(event, yaml.StreamEndEvent):
            return Scalar(None, "", Span(self.file, 1, 1, 1, 1))
        node = self._node(self.loader.get_event(), 0, False)
        self.loader.get_event()
        event = self.loader.get_event()
        if not isinstance(event, yaml.StreamEndEvent):
            hint = "remove the line '---', or make it a file of its own"
            self._add("R108", self.span(event.start_mark, event.end_mark), "a second document begins here", hint)
        return node

    def _node(self, event: Any, depth: int, flow: bool) -> Node:
        kind = type(event)
        if kind is yaml.AliasEvent:
            span = self.span(event.start_mark, event.end_mark)
            self._add("R106", span, f"alias '*{event.anchor}' is not allowed", _WRITE_OUT)
            return Scalar(None, "", span)
        if event.anchor is not None or event.tag is not None:
            self._check_decorated(event)
        if kind is yaml.ScalarEvent:
            return self._scalar(event, flow)
        if depth >= MAX_DEPTH:
            span = self.span(event.start_mark, event.start_mark)
            self._add("R112", span, f"more than {MAX_DEPTH} maps and lists inside each other")
            raise _Stop
        if kind is yaml.MappingStartEvent:
            return self._mapping(event, depth + 1)
        return self._sequence(event, depth + 1)

    def _check_decorated(self, event: Any) -> None:
        span = self.first_column(self.span(event.start_mark, event.start_mark))
        if event.anchor is not None:
            self._add("R106", span, f"anchor '&{event.anchor}' is not allowed", _WRITE_OUT)
        if event.tag is not None:
            hint = "remove it, or quote the text if it begins with '!'"
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self._add("R107", span, f"tag '{tag}' is not allowed", hint)

    def _mapping(self, event: Any, depth: int) -> Mapping:
        flow, start = bool(event.flow_style), event.start_mark
        first = last = self.span(start, start)
        entries: dict[str, Entry] = {}
        cut = False
        while type(event := self.loader.get_event()) is not yaml.MappingEndEvent:
            key = self._key(event, depth, flow)
            event = self.loader.get_event()
            empty = type(event) is yaml.ScalarEvent and not event.value and not event.style
            node = self._node(event, depth, flow)
            if empty and isinstance(node, Scalar):
                node = Scalar(None, "", key.span, flow=flow)
            last = node.span
            if flow and not cut:
                cut = self._check_cut(key, node)
            self._enter(entries, key, node)
        if flow:
            return Mapping(entries, self.span(start, event.end_mark), True)
        return Mapping(entries, Span(self.file, first.line, first.col, last.end_line, last.end_col))

    def _key(self, event: Any, depth: int, flow: bool) -> Scalar:
        if type(event) is yaml.ScalarEvent:
            key = self._scalar(event, flow, key=True)
            if key.text == "<<" and not key.quoted:
                hint = "write the entries out, or use 'extends' and patches"
                self._add("R106", key.span, "merge key '<<' is not allowed", hint)
            elif not key.text:
                self._add("R115", key.span, "a key is missing before the ':'")
            return key
        node = self._node(event, depth, flow)
        span = Span(self.file, node.span.line, node.span.col, node.span.line, node.span.col + 1)
        if not (isinstance(node, Scalar) and node.value is None):
            self._add("R115", span, "a list or map cannot be a key", "quote the text if it is a name")
        return Scalar("", "", span)

    def _enter(self, entries: dict[str, Entry], key: Scalar, node: Node) -> None:
        known = entries.get(key.text)
        if known is None:
            entries[key.text] = Entry(key, node)
            return
        note = ((known.key.span, "first here"),)
        hint = "keep one of them, or give this one another name"
        self.findings.append(Finding("R105", key.span, f"key '{key.text}' stands twice in this map", hint, note))

    def _sequence(self, event: Any, depth: int) -> Sequence:
        flow, start = bool(event.flow_style), event.start_mark
        items: list[Node] = []
        cut = False
        while type(event := self.loader.get_event()) is not yaml.SequenceEndEvent:
            node = self._node(event, depth, flow)
            if flow and not cut:
                cut = self._check_cut(None, node)
            items.append(node)
        if flow:
            return Sequence(tuple(items), self.span(start, event.end_mark), True)
        first = self.span(start, start)
        last = items[-1].span if items else first
        return Sequence(tuple(items), Span(self.file, first.line, first.col, last.end_line, last.end_col))

    def _check_cut(self, key: Scalar | None, node: Node) -> bool:
        """In {...} and [...] YAML ends a text at a comma: pieces of one look like this."""
        for part in (key, node):
            if isinstance(part, Scalar) and not part.quoted and part.text.count("(") != part.text.count(")"):
                self._add("R114", part.span, f"'{part.text}' looks like a text that YAML cut at a comma", _QUOTE)
                return True
        if key is None or key.quoted or not (isinstance(node, Scalar) and node.value is None):
            return False
        if node.span == key.span and not _NAME.fullmatch(key.text) and key.text:
            self._add("R114", key.span, f"'{key.text}' looks like the end of a text that YAML cut at a comma", _QUOTE)
            return True
        return False

    def _scalar(self, event: Any, flow: bool, key: bool = False) -> Scalar:
        text, style = event.value, event.style
        start, end = event.start_mark, event.end_mark
        if style == "|" or style == ">":
            return self._block(text, style, start, flow)
        span = self.span(start, end)
        if start.line != end.line:
            self._add("R110", self.first_column(span), "a text over several lines", _USE_BLOCK)
            return Scalar(text, text, span, quoted=bool(style), flow=flow)
        if style:
            columns = _columns(self.lines[start.line], start.column, end.column, style, len(text))
            return Scalar(text, text, span, quoted=True, flow=flow, columns=columns)
        if key:
            return Scalar(text, text, span, flow=flow)
        return Scalar(self._value(text, span), text, span, flow=flow)

    def _value(self, text: str, span: Span) -> str | int | bool | None:
        if text in _WORDS:
            return _WORDS[text]
        if not (text[0].isdigit() or text[0] in "+-."):
            return text
        if _WHOLE.fullmatch(text):
            if len(text) <= MAX_DIGITS:
                return int(text)
            self._add("R113", span, f"a number of more than {MAX_DIGITS} digits")
        elif _TRAP.fullmatch(text):
            digits = text.lstrip("+").replace("_", "").lstrip("0") or "0"
            instead = digits if digits.isdecimal() else "a whole number"
            hint = f"write {instead}, or quote it if it is a text"
            self._add("R113", span, f"'{text}' is not a plain whole number", hint)
        return text

    def _block(self, text: str, style: str, start: Any, flow: bool) -> Scalar:
        """A text below `|`: its lines are the lines of the file, less the indentation."""
        line, col = self.clamp(start.line, start.column)
        if style == ">":
            span = Span(self.file, line, col, line, col + 1)
            self._add("R109", span, "'>' joins lines", "write '|' instead: it keeps them")
        rows = text.rstrip("\n").split("\n")
        first = next((number for number, row in enumerate(rows) if row), 0)
        last = min(line + len(rows), len(self.lines))
        below = start.line + 1 + first
        indent = len(self.lines[below]) - len(rows[first]) if below < len(self.lines) and rows[first] else 0
        span = Span(self.file, line, col, last, len(self.lines[last - 1]) + 1)
        return Scalar(text, text, span, block=True, flow=flow, indent=max(0, indent))


def _columns(line: str, start: int, end: int, style: str, length: int) -> tuple[int, ...]:
    """The column of each character of a quoted text; empty when they simply follow the quote."""
    raw = line[start + 1 : end - 1]
    if len(raw) == length:
        return ()
    columns: list[int] = []
    at = 0
    while at < len(raw):
        columns.append(start + 2 + at)
        if style == "'":
            at += 2 if raw[at] == "'" else 1
        else:
            at += 1 if raw[at] != "\\" else _ESCAPE_LENGTHS.get(raw[at + 1 : at + 2], 2)
    columns.append(end)
    return tuple(columns) if len(columns) == length + 1 else ()


_YAML_PROBLEMS: tuple[tuple[str, str, str], ...] = (
    ("mapping values are not", "a ':' is not expected here", "quote a text that contains ': ', or put it below '|'"),
    ("cannot start any token", "a text cannot begin with this character", "quote the text"),
    ("alphabetic or numeric", "a text cannot begin with this character", "quote the text"),
    ("unexpected end of stream", "the text ends inside quotes", "close the quotes"),
    ("unknown escape", "unknown escape in double quotes", "use single quotes: they keep '\\' as it is"),
    ("tag", "a text cannot begin with '!'", "quote the text"),
    ("',' or", "a ',' or the closing bracket is missing", _QUOTE_INSIDE),
    ("unexpected ':'", "a value is missing after this ':'", "write one, or '{}' for an empty map"),
    ("expected ':'", "a ':' is missing in this line", "every line of a map is 'name: value'"),
    ("expected the node content", "a value is missing here", _QUOTE_INSIDE),
    ("expected node content", "a value is missing here", _QUOTE_INSIDE),
    ("expected key", "this line does not fit the map above", _INDENT),
    ("<block end>", "this line does not fit the map above", _INDENT),
    ("'-' indicator", "this line does not fit the list above", "begin each item with '- ', all indented alike"),
    ("comment or line break", "nothing may follow '|' in its line", "begin the text in the next line"),
    ("<document start>", "this line does not fit what stands above", "indent it like its neighbours"),
)


def _explain_yaml(problem: yaml.YAMLError, composer: _Composer) -> Finding:
    """The parser's complaint in our words, with the same words whichever parser found it."""
    mark: Any = getattr(problem, "problem_mark", None)
    words = f"{getattr(problem, 'problem', '')} {getattr(problem, 'context', '')}"
    if mark is None or "unexpected end of stream" in words:
        mark = getattr(problem, "context_mark", None) or mark
    line, col = (1, 1) if mark is None else composer.clamp(mark.line, mark.column)
    span = Span(composer.file, line, col, line, col + 1)
    before = composer.findings[-1] if composer.findings else None
    if before is not None and before.code == "R110" and before.span.line < line and "mapping values" in words:
        composer.findings.pop()  # two lines ran together: the first is where the author must look
        hint = "every line of a map is 'name: value'; a text over several lines stands below '|'"
        return Finding("R101", before.span, "a ':' is missing in this line, or the next one is indented too far", hint)
    for part, message, hint in _YAML_PROBLEMS:
        if part in words:
            return Finding("R101", span, message, hint)
    return Finding("R101", span, f"not YAML: {getattr(problem, 'problem', None) or 'cannot be read'}")
