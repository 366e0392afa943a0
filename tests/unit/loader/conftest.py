"""Small rulesets on disk, merged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.diagnostics import Report, Sources
from interpreter.loader.document import Document, node_at
from interpreter.loader.merge import merge_ruleset
from interpreter.loader.reader import plain


class Shelf:
    """A folder of rulesets, each written as text."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, name: str, text: str, file: str = "ruleset.yaml") -> None:
        path = self.folder / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def try_merge(self, name: str, *modules: str) -> tuple[Document | None, Report]:
        report = Report()
        return merge_ruleset(self.folder / name, modules, report, Sources(), (self.folder,)), report

    def merge(self, name: str, *modules: str) -> Document:
        document, report = self.try_merge(name, *modules)
        assert report.ok, report.findings
        assert document is not None
        return document

    def codes(self, name: str, *modules: str) -> list[str]:
        return [finding.code for finding in self.try_merge(name, *modules)[1].findings]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


@pytest.fixture
def at() -> Callable[[Document, str], Any]:
    """What stands at a path of a document, as plain data; none if nothing does."""

    def look(document: Document, path: str) -> Any:
        node = node_at(document, path)
        return None if node is None else plain(node)

    return look
