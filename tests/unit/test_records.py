"""Records are equal by what they hold, can stand in sets, and go to other processes."""

from __future__ import annotations

import pickle
from dataclasses import fields, replace

from interpreter.diagnostics import Finding, Span


def test_records_are_values() -> None:
    span = Span("a.yaml", 1, 2, 1, 3)
    finding = Finding("R101", span, "m", related=((span, "n"),))
    assert finding == Finding("R101", replace(span), "m", related=((span, "n"),)) != replace(finding, message="o")
    assert len({finding, replace(finding), span, replace(span)}) == 2
    assert pickle.loads(pickle.dumps(finding)) == finding
    assert [field.name for field in fields(span)] == ["file", "line", "col", "end_line", "end_col"]
