"""Findings in; text, JSON, GitHub annotations or SARIF out."""

import json
from collections.abc import Sequence
from typing import Any

from interpreter.diagnostics import CODES, Finding, Sources, render_finding
from interpreter.views.tables import Paint, plain

FORMATS = ("text", "json", "github", "sarif")


def show_findings(findings: Sequence[Finding], sources: Sources, form: str, paint: Paint = plain) -> str:
    """All findings in one of the FORMATS."""
    match form:
        case "json":
            return json.dumps(
                {"findings": [finding_data(finding) for finding in findings]}, indent=2, ensure_ascii=False
            )
        case "github":
            return "\n".join(_annotation(finding) for finding in findings)
        case "sarif":
            return json.dumps(_sarif(findings), indent=2, ensure_ascii=False)
        case _:
            return "\n\n".join(_painted(finding, sources, paint) for finding in findings)


def _painted(finding: Finding, sources: Sources, paint: Paint) -> str:
    first, *rest = render_finding(finding, sources).split("\n")
    style = "red" if finding.severity == "error" else "yellow"
    head = first.replace(f": {finding.code} ", f": {paint(finding.code, style, 'bold')} ", 1)
    return "\n".join([head, *(paint(line, "cyan") if line.lstrip(" |").startswith("^") else line for line in rest)])


def finding_data(finding: Finding) -> dict[str, Any]:
    """One finding as plain data."""
    span = finding.span
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "hint": finding.hint,
        "file": span.file,
        "line": span.line,
        "column": span.col,
        "end_line": span.end_line,
        "end_column": span.end_col,
        "related": [{"file": at.file, "line": at.line, "column": at.col, "note": note} for at, note in finding.related],
    }


def _annotation(finding: Finding) -> str:
    """GitHub's workflow command; its own escapes for the message and for properties."""
    span = finding.span
    message = finding.message + (f"\n{finding.hint}" if finding.hint else "")
    place = (
        f"file={_escape(span.file)},line={span.line},col={span.col},endLine={span.end_line},endColumn={span.end_col}"
    )
    text = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return f"::{finding.severity} {place},title={finding.code}::{text}"


def _escape(text: str) -> str:
    for char, code in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")):
        text = text.replace(char, code)
    return text


def _sarif(findings: Sequence[Finding]) -> dict[str, Any]:
    codes = sorted({finding.code for finding in findings})
    rules = [{"id": code, "shortDescription": {"text": CODES.get(code, code)}} for code in codes]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "cromford", "rules": rules}},
                "results": [_sarif_result(finding) for finding in findings],
            }
        ],
    }


def _sarif_result(finding: Finding) -> dict[str, Any]:
    span = finding.span
    region = {
        "startLine": span.line,
        "startColumn": span.col,
        "endLine": span.end_line,
        "endColumn": max(span.end_col, span.col),
    }
    place = {"artifactLocation": {"uri": span.file.replace("\\", "/")}, "region": region}
    text = finding.message + (f" ({finding.hint})" if finding.hint else "")
    return {
        "ruleId": finding.code,
        "level": finding.severity,
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
    }
