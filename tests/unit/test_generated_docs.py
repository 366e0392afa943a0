"""The generated pages of docs/ are what tools/generate_docs.py would write now; `make docs` writes them again."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.diagnostics import CODES
from interpreter.dsl.vocabulary import FOLDS, FUNCTIONS

ROOT = Path(__file__).resolve().parents[2]


def pages() -> dict[str, Callable[[], str]]:
    spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "tools/generate_docs.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: dict[str, Callable[[], str]] = module.PAGES
    return made


# The page of commands shows the help as this version of Python lays it out, so it is not compared here.
@pytest.mark.parametrize("name", ["docs/diagnostics.md", "docs/vocabulary.md"])
def test_a_page_is_up_to_date(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == pages()[name]()


def test_nothing_is_left_out() -> None:
    findings = (ROOT / "docs/diagnostics.md").read_text(encoding="utf-8")
    words = (ROOT / "docs/vocabulary.md").read_text(encoding="utf-8")
    assert [code for code in CODES if f"### {code}: " not in findings] == []
    assert [name for name in (*FOLDS, *FUNCTIONS) if f"`{name}(" not in words] == []
