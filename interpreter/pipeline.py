"""The straight line from text to a program: read, merge, shape, parse, check, compile. Open this file first."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from interpreter.checker.checked import Checked
from interpreter.checker.ruleset import check_ruleset
from interpreter.compiler.assembly import Compiler
from interpreter.compiler.program import Part
from interpreter.diagnostics import Report, RulesetInvalid, Sources
from interpreter.loader.causes import name_causes
from interpreter.loader.document import Document
from interpreter.loader.merge import merge_ruleset
from interpreter.loader.model import Model
from interpreter.loader.modelling import parse_document
from interpreter.loader.shape import check_shape


@contextmanager
def no_collecting() -> Iterator[None]:
    """All that is made here is kept, so Python need not look for what could be thrown away, again and again."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@dataclass(frozen=True, slots=True)
class Front:
    """Everything known about a ruleset before it is compiled for a number of players."""

    document: Document
    model: Model
    checked: Checked
    report: Report
    sources: Sources


def diagnose(
    folder: Path, modules: Iterable[str] = (), search_path: Iterable[Path | str] | None = None
) -> tuple[Report, Sources, Front | None]:
    """All findings of a ruleset, and what was understood if there are no errors."""
    with no_collecting():
        return _diagnose(folder, modules, search_path)


def _diagnose(
    folder: Path, modules: Iterable[str], search_path: Iterable[Path | str] | None
) -> tuple[Report, Sources, Front | None]:
    report, sources = Report(), Sources()
    document = merge_ruleset(folder, tuple(modules), report, sources, search_path)  # read and merge
    if document is None:
        return report, sources, None
    front = _check(document, report, sources)
    name_causes(document, report, sources)
    return report, sources, front


def _check(document: Document, report: Report, sources: Sources) -> Front | None:
    check_shape(document, report)
    if not report.ok:
        return None
    model = parse_document(document, report)
    if not report.ok or "abstract" in document.meta:
        return None
    checked = check_ruleset(model, report)
    return None if checked is None else Front(document, model, checked, report, sources)


def understand(folder: Path, modules: Iterable[str] = (), search_path: Iterable[Path | str] | None = None) -> Front:
    """A ruleset without errors; raises RulesetInvalid with the findings otherwise."""
    report, sources, front = diagnose(folder, modules, search_path)
    if front is None:
        raise RulesetInvalid(report, sources)
    return front


def compiler_for(front: Front, players: int, options: dict[str, str | int], part: str) -> Compiler:
    return Compiler(front.checked, players, options, part)


def compiled(front: Front, players: int, options: dict[str, str | int], part: str) -> Part:
    with no_collecting():
        return compiler_for(front, players, options, part).compile()
