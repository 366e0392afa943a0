"""Positions and messages in, readable text out: what every stage says about an author's mistake."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Callable, Iterable

from interpreter.records import dataclass

CODES: dict[str, str] = {
    "C101": "a scenario is not written as a scenario",
    "C102": "a scenario names something that does not exist",
    "C103": "a scenario sets an impossible value",
    "C104": "a scenario sets up a state that breaks an invariant",
    "C105": "a step of a scenario cannot be made",
    "C106": "a scenario expected something else",
    "D101": "a file is not a record of a game",
    "D102": "a record was written by another version",
    "D103": "a line of a record was changed or damaged",
    "D104": "a record does not belong to its ruleset",
    "D105": "a recorded game does not come out the same again",
    "D106": "a recorded choice is not offered",
    "D107": "the last line of a record was cut off",
    "D108": "the ruleset in a record cannot be unpacked",
    "D109": "a record is in use",
    "E101": "two effects bend a quantity and their order would matter",
    "E102": "an effect bends a quantity that no rule reads",
    "F101": "a rule leads back to itself",
    "F102": "the game has no beginning",
    "F103": "a phase, window or moment can never be reached",
    "F104": "a line is never reached",
    "F105": "a loop never ends",
    "F106": "`close` stands outside an option",
    "F107": "something is never used",
    "F108": "nobody is ever asked anything",
    "F109": "loops inside each other would take too long",
    "F110": "rules lie inside each other too deeply",
    "M101": "the same name is defined twice",
    "M102": "two layers change the same thing",
    "M103": "a ruleset or module is not known",
    "M104": "rulesets extend each other in a ring",
    "M105": "a module does not fit this ruleset",
    "M106": "two modules exclude each other",
    "M107": "a module is given twice",
    "M108": "a module stands where a ruleset is needed, or the other way round",
    "M109": "a patch is not written as a patch",
    "M110": "a patch adds what exists already",
    "M111": "a patch does not suit the kind of thing it changes",
    "M112": "a letter stands for two kinds",
    "M113": "a patch goes over a layer that did not change the same thing",
    "M114": "two modules that must not depend on each other do",
    "M115": "a folder is not a ruleset",
    "M116": "a key stands in the wrong file",
    "M117": "a patch edits words that do not stand there once",
    "N101": "a name is not known",
    "N102": "a patch changes something that does not exist",
    "N103": "a kind is not known",
    "N104": "a name has two meanings",
    "N105": "kinds are made of each other",
    "N106": "a kind is counted in two ways",
    "N107": "a kind has no things",
    "N108": "a kind has too many things",
    "N109": "a fact is not known",
    "N110": "a fact is missing",
    "N111": "a name may mean several things here",
    "N112": "a letter is used for another kind",
    "N113": "a quantity is asked without saying about what",
    "N114": "a formula would run rules",
    "N115": "a field is not known",
    "N116": "`of` does not say by which field",
    "N117": "a letter stands twice",
    "N118": "a letter is not declared",
    "N119": "effects cannot tell which pieces carry them",
    "N120": "a component or an option is like one that does not exist",
    "N121": "more may play than there are seats",
    "P101": "a rule text cannot be read",
    "P102": "a rule text is missing",
    "P103": "a rule text is too long or too deep",
    "P104": "words of a rule text do not go together",
    "P105": "a number is too large",
    "R101": "the text is not YAML",
    "R102": "the file is not UTF-8 text",
    "R103": "a character is not allowed",
    "R104": "a tab stands where spaces are needed",
    "R105": "a key stands twice in one map",
    "R106": "an anchor, alias or merge key is not allowed",
    "R107": "a tag is not allowed",
    "R108": "a file holds several documents",
    "R109": "folded text is not allowed",
    "R110": "a text goes over several lines without |",
    "R111": "a file is too big",
    "R112": "maps and lists are nested too deeply",
    "R113": "a number is not a plain whole number",
    "R114": "a rule text inside braces or brackets was cut",
    "R115": "a key is not a name",
    "R116": "a file is not a map of sections",
    "R117": "a file cannot be read",
    "S101": "a key is not known here",
    "S102": "a value has the wrong form",
    "S103": "a key is missing",
    "S104": "a value is not one of those allowed",
    "T101": "a range is empty",
    "T102": "a table goes by something that cannot be counted",
    "T103": "something can never be none",
    "T104": "a value lies outside its range",
    "T105": "a value has the wrong type",
    "T106": "a table has the wrong entries",
    "T107": "a value has the wrong type for its place",
    "T108": "a field is read of something that has none",
    "T109": "a field is read of what may be none",
    "T110": "a count is not a count",
    "T111": "something that is not a table is used as one",
    "T112": "a table has no such entry",
    "T113": "the number of values given is wrong",
    "T114": "a set is needed",
    "T115": "values of different types are put together",
    "T116": "a range is always empty",
    "T117": "a range is too long",
    "T118": "something is divided by 0",
    "T119": "two things that can never be equal are compared",
    "T120": "a condition can never hold",
    "T121": "a formula draws by random",
    "T122": "the first of some numbers may not exist",
    "T123": "only numbers can be added to",
    "T124": "something that cannot change is changed",
    "T125": "there is nothing to clear",
    "T126": "a type that cannot be remembered",
    "T127": "something that is no range is clamped",
    "T128": "a player is missing in first place",
    "T130": "something is picked to close a window",
    "V101": "a text is for something that does not exist",
    "V102": "a view shows something that does not exist",
    "V103": "a language does not say what another one says",
    "X101": "a value left its range while a game was running",
    "X102": "less than nothing was moved",
    "X103": "a loop went on too long",
    "X104": "an option has too many possibilities",
    "X105": "a thing that must exist does not",
    "X106": "a table or set has no such entry",
    "X107": "a list is longer than expected",
    "X108": "something was divided by 0",
    "X109": "a number became too large",
}

SHOWN_COLUMNS = 160
"""A longer source line is shown only in part, around the caret."""

LONGEST_WORD = 100
"""Nobody misspells a longer one, and comparing it would take long."""

_BOX = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a file: lines and columns count from 1, `end_col` is the column after the last one."""

    file: str
    line: int
    col: int
    end_line: int
    end_col: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing an author should know, with where it is and what to do about it."""

    code: str
    span: Span
    message: str
    hint: str | None = None
    related: tuple[tuple[Span, str], ...] = ()
    severity: str = "error"


class Sources:
    """The text of every file that was read, so that carets can be drawn."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._lines: dict[str, list[str]] = {}

    def add(self, file: str, text: str) -> None:
        self._texts[file] = text
        self._lines.pop(file, None)

    def text(self, file: str) -> str | None:
        return self._texts.get(file)

    def files(self) -> list[str]:
        return list(self._texts)

    def line(self, file: str, number: int) -> str:
        """The line without its end; empty where the file has no such line."""
        if file not in self._texts:
            return ""
        if file not in self._lines:
            self._lines[file] = self._texts[file].removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        lines = self._lines[file]
        return lines[number - 1] if 1 <= number <= len(lines) else ""


class Report:
    """Collects findings; equal ones are kept once."""

    def __init__(self) -> None:
        self._findings: dict[Finding, None] = {}
        self.told = 0  # how often somebody had something to say, known or new

    def add(self, finding: Finding) -> None:
        self.told += 1
        self._findings.setdefault(finding)

    def extend(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self.add(finding)

    def revise(self, change: Callable[[Finding], Finding]) -> None:
        """Put another finding in the place of each."""
        self._findings = dict.fromkeys(map(change, self._findings))

    @property
    def findings(self) -> list[Finding]:
        """All findings, by file, line and column."""
        return sorted(self._findings, key=lambda f: (f.span.file, f.span.line, f.span.col, f.code, f.message))

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == "error"]

    @property
    def ok(self) -> bool:
        """No errors; warnings are allowed."""
        return all(finding.severity != "error" for finding in self._findings)

    def render(self, sources: Sources) -> str:
        return "\n\n".join(render_finding(finding, sources) for finding in self.findings)


class RulesetInvalid(Exception):
    """The ruleset has errors; `report` holds them and `sources` the texts they point into."""

    def __init__(self, report: Report, sources: Sources) -> None:
        super().__init__(report.render(sources))
        self.report = report
        self.sources = sources


class RulesetNotFound(Exception):
    """No ruleset of that name or path; the message says what there is instead."""


def render_finding(finding: Finding, sources: Sources) -> str:
    """The finding as text: place, code and message, the source line with a caret, what to do."""
    mark = "" if finding.severity == "error" else f"{finding.severity}: "
    lines = [f"{place(finding.span)}: {finding.code} {mark}{finding.message}"]
    lines += _source_lines(finding.span, sources)
    if finding.hint is not None:
        lines.append(f"      = {finding.hint}")
    for span, note in finding.related:
        lines.append(f"      > {place(span)}: {note}")
        lines += _source_lines(span, sources)
    return "\n".join(lines)


def place(span: Span) -> str:
    """`file:line:col`, the form editors and terminals can click."""
    return f"{span.file}:{span.line}:{span.col}"


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the word, or none if nothing is close."""
    if len(word) > LONGEST_WORD:
        return None
    known = sorted(set(candidates))
    folded = {name.lower(): name for name in reversed(known)}
    if word.lower() in folded:
        return folded[word.lower()]
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return close[0] if close else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    match = suggest(word, candidates)
    return None if match is None else f"did you mean '{match}'?"


def _source_lines(span: Span, sources: Sources) -> list[str]:
    line = sources.line(span.file, span.line)
    if not line.strip():
        return []
    end = span.end_col if span.end_line == span.line else len(line) + 1
    start, end = span.col - 1, max(span.col, min(end - 1, len(line)))
    cut = max(0, min(start - SHOWN_COLUMNS // 2, len(line) - SHOWN_COLUMNS))
    shown, start, end = line[cut : cut + SHOWN_COLUMNS], start - cut, min(end - cut, SHOWN_COLUMNS)
    blank = "".join(" " * _width(char) for char in shown[:start])
    carets = "^" * max(1, sum(_width(char) for char in shown[start:end]))
    return [f"{span.line:5d} | {_printable(shown)}".rstrip(), f"      | {blank}{carets}"]


def _printable(text: str) -> str:
    """Tabs as one space and control characters as a box, so that the caret stays below its column."""
    return "".join(char if char.isprintable() else " " if char == "\t" else _BOX for char in text)


def _width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
