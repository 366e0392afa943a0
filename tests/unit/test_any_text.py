"""Whatever an author writes, the answer is a ruleset or findings at places of that text: never a traceback."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from interpreter.diagnostics import Finding, Report, Sources
from interpreter.dsl import parser
from interpreter.loader.merge import merge_ruleset
from interpreter.loader.reader import Scalar, read_text
from interpreter.pipeline import diagnose

MINIS = Path(__file__).parents[1] / "minis"
TEXTS = {path.relative_to(MINIS): path.read_text(encoding="utf-8") for path in sorted(MINIS.rglob("*.yaml"))}
TOKEN = re.compile(r"[A-Za-z_][A-Za-z_0-9]*|[0-9]+|[ ]+|.", re.DOTALL)
ODD = [
    "", " ", "\n", "\n  ", "none", "true", "null", "{}", "[]", "0", "-1", "999999999", "10000000000", "2000",
    "1.5", "ü", "☃", "\u200b", "'", '"', "self", "value", "owner", "it", "..", "1..9", "9..1", "(", ")", "[",
    "]", "{", "}", ":", ": ", "#", "|", ">", "- ", "&a", "*a", "!x", "?", "%", "==", "by random", "end", "stop",
    "close", "let y = 3", "any(p)", "first(", "the(", "rounded up", "/ 0 rounded down", "up to", "number",
    "flag", "or none", "table 1..3 of", "player",
]  # fmt: skip
WORDS = sorted({token for text in TEXTS.values() for token in TOKEN.findall(text) if token.strip()} | set(ODD))
PARSERS: list[Callable[[Any, Report], object]] = [
    parser.parse_header,
    parser.parse_declaration,
    parser.parse_formula,
    parser.parse_ranking,
    parser.parse_block,
    parser.parse_effect,
]


def tried(times: int) -> settings:
    """The same texts in every run; how long one takes depends on the machine only."""
    return settings(max_examples=times, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


# ---------------------------------------------------------------- texts
@st.composite
def mutated(draw: st.DrawFn) -> tuple[Path, str]:
    """A file of a mini with some words or lines removed, doubled, replaced or moved."""
    file = draw(st.sampled_from(sorted(TEXTS)))
    text = TEXTS[file]
    for _ in range(draw(st.integers(1, 3))):
        by_line = draw(st.booleans())
        parts = text.split("\n") if by_line else TOKEN.findall(text)
        if not parts:
            break
        at, other = (draw(st.integers(0, len(parts) - 1)) for _ in range(2))
        new = parts[other] if by_line else draw(st.sampled_from(WORDS))
        match draw(st.sampled_from(["remove", "double", "replace", "insert", "swap", "indent", "dedent"])):
            case "remove":
                del parts[at]
            case "double":
                parts.insert(at, parts[at])
            case "replace":
                parts[at] = new
            case "insert":
                parts.insert(at, new)
            case "swap":
                parts[at], parts[other] = parts[other], parts[at]
            case "indent":
                parts[at] = "  " + parts[at]
            case _:
                parts[at] = parts[at].removeprefix("  ")
        text = ("\n" if by_line else "").join(parts)
    return file, text


rule_text = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=25).map("".join),
)


# ---------------------------------------------------------------- what must hold
def assert_inside(finding: Finding, text: str) -> None:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    span = finding.span
    assert 1 <= span.line <= span.end_line <= len(lines), finding
    assert 1 <= span.col <= len(lines[span.line - 1]) + 1, finding
    assert 1 <= span.end_col <= len(lines[span.end_line - 1]) + 2, finding
    assert finding.message.strip() and "\n" not in finding.message, finding


@pytest.fixture(scope="module")
def minis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("any_text") / "minis"
    shutil.copytree(MINIS, folder)
    yield folder


@tried(500)
@given(changed=mutated())
@example(changed=(Path("nim/ruleset.yaml"), ""))
@example(changed=(Path("nim/ruleset.yaml"), "ruleset: nim"))
@example(changed=(Path("nim/ruleset.yaml"), "ruleset: nim\nphases: {game: {start: end}}"))
def test_a_changed_ruleset_is_understood_or_explained(minis: Path, changed: tuple[Path, str]) -> None:
    file, text = changed
    path = minis / file
    path.write_text(text, encoding="utf-8")
    try:
        report, sources, front = diagnose(minis / file.parts[0], (), (minis,))
    finally:
        path.write_text(TEXTS[file], encoding="utf-8")
    assert front is not None or report.findings or "abstract" in text or "module" in text
    for finding in report.findings:
        read = sources.text(finding.span.file)
        if read is not None:
            assert_inside(finding, read)
    report.render(sources)


@tried(150)
@given(changed=mutated())
def test_a_changed_file_can_be_merged_or_is_explained(minis: Path, changed: tuple[Path, str]) -> None:
    file, text = changed
    path = minis / file
    path.write_text(text, encoding="utf-8")
    report, sources = Report(), Sources()
    try:
        document = merge_ruleset(minis / file.parts[0], (), report, sources, (minis,))
    finally:
        path.write_text(TEXTS[file], encoding="utf-8")
    assert document is not None or report.findings


@tried(1500)
@given(text=rule_text, parse=st.sampled_from(PARSERS))
@example(text="", parse=parser.parse_block)
@example(text="# only a remark", parse=parser.parse_block)
@example(text="x\n", parse=parser.parse_effect)
@example(text="if a then\n    b\n  c", parse=parser.parse_block)
@example(text="(" * 500, parse=parser.parse_formula)
@example(text="not " * 500 + "x", parse=parser.parse_formula)
@example(text="1" + " + 1" * 500, parse=parser.parse_formula)
@example(text="table 1..2 of " * 200 + "number", parse=parser.parse_declaration)
def test_a_rule_text_is_read_or_explained(text: str, parse: Callable[[Any, Report], object]) -> None:
    """The text stands below `|`, as it would in a file."""
    shown = "do: |\n" + "\n".join(f"  {line}" for line in text.split("\n")) + "\n"
    found = Report()
    node = read_text(shown, "rule.yaml", found)
    for finding in found.findings:
        assert_inside(finding, shown)
    entries = getattr(node, "entries", {})
    scalar = entries["do"].node if "do" in entries else None
    if not isinstance(scalar, Scalar) or found.findings:
        return
    report = Report()
    parsed = parse(scalar, report)
    assert (parsed is not None) == (not report.findings)
    for finding in report.findings:
        assert_inside(finding, shown)
