"""Findings in the four forms that people and machines read."""

import json

from interpreter.diagnostics import Finding, Sources, Span
from interpreter.views.findings import show_findings

SPAN = Span("a/b.yaml", 2, 3, 2, 6)
FINDINGS = [
    Finding("N102", SPAN, "unknown path 'x,y'", "did you mean 'z'?"),
    Finding("S101", SPAN, "50% odd", severity="warning"),
]


def test_text_has_the_caret() -> None:
    sources = Sources()
    sources.add("a/b.yaml", "one\n  two\n")
    text = show_findings(FINDINGS, sources, "text")
    assert text.split("\n")[:4] == [
        "a/b.yaml:2:3: N102 unknown path 'x,y'",
        "    2 |   two",
        "      |   ^^^",
        "      = did you mean 'z'?",
    ]


def test_json_has_every_part() -> None:
    data = json.loads(show_findings(FINDINGS, Sources(), "json"))["findings"]
    assert [(each["code"], each["line"], each["column"], each["severity"]) for each in data] == [
        ("N102", 2, 3, "error"),
        ("S101", 2, 3, "warning"),
    ]


def test_github_annotations_are_escaped() -> None:
    first, second = show_findings(FINDINGS, Sources(), "github").split("\n")
    assert (
        first
        == "::error file=a/b.yaml,line=2,col=3,endLine=2,endColumn=6,title=N102::unknown path 'x,y'%0Adid you mean 'z'?"
    )
    assert second.endswith("::50%25 odd")


def test_sarif_names_rules_and_places() -> None:
    run = json.loads(show_findings(FINDINGS, Sources(), "sarif"))["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["N102", "S101"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
