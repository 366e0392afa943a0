"""The quick reader and the grammar agree: on every text of the rulesets, and on such texts with any words changed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from lark.exceptions import UnexpectedInput

from interpreter.compiler.extension import PlainText
from interpreter.diagnostics import Report
from interpreter.dsl import descent, parser
from interpreter.dsl.builder import Builder, Misused
from interpreter.loader.library import find_ruleset
from interpreter.loader.merge import merge_ruleset
from interpreter.loader.modelling import parse_document

Build = Callable[[Builder, Any], Any]
Texts = dict[tuple[str, str], Build]
CHANGED = 4000


@pytest.fixture(scope="module")
def texts() -> Texts:
    """Every rule text of some rulesets, with the rule of the grammar that reads it and what makes nodes of its tree."""
    found: Texts = {}
    patch = pytest.MonkeyPatch()
    parse = parser._parse

    def noting(start: str, text: parser.Text, report: Report, build: Build) -> Any:
        found[start, text.text] = build
        return parse(start, text, report, build)

    patch.setattr(parser, "_parse", noting)
    for name in ("waterframe", "waterframe_2014", "brass"):
        document = merge_ruleset(find_ruleset(name))
        assert document is not None
        parse_document(document, Report())
    patch.undo()
    return found


def by_grammar(start: str, text: str) -> Any:
    lark, layout = parser._lark()
    layout.blocks = start in ("block", "effect")
    try:
        return lark.parse(text, start=start)
    except UnexpectedInput:
        return None


def nodes(tree: Any, text: str, build: Build) -> Any:
    try:
        return build(Builder(parser.Place(PlainText(text)).span), tree)
    except Misused as error:
        return (error.code, error.at, error.message, error.hint)


def test_texts_of_rulesets_are_read_without_the_grammar(texts: Texts) -> None:
    assert {start for start, _ in texts} == set(parser.STARTS)
    for (start, text), build in texts.items():
        quick = descent.read(start, text)
        assert quick is not None, text
        assert nodes(quick, text, build) == nodes(by_grammar(start, text), text, build), text


def test_a_text_with_any_words_changed_is_read_as_the_grammar_reads_it_or_not_at_all(texts: Texts) -> None:
    chance = random.Random(5)
    short = [(start, text, build) for (start, text), build in texts.items() if len(text) < 200]
    words = [word for _, text, _ in short for word in re.findall(r"\w+|[^\w\s]+|\s+", text)]
    read = refused = 0
    for _ in range(CHANGED):
        start, text, build = chance.choice(short)
        changed = re.findall(r"\w+|[^\w\s]|\s+", text)
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            place = chance.randrange(len(changed) + 1)
            changed[place : place + chance.randrange(2)] = chance.choice(([], [chance.choice(words)]))
        text = "".join(changed)
        quick, slow = descent.read(start, text), by_grammar(start, text)
        assert (quick is None) == (slow is None), (start, text)
        if quick is not None:
            assert nodes(quick, text, build) == nodes(slow, text, build), (start, text)
        read, refused = read + (quick is not None), refused + (quick is None)
    assert min(read, refused) > CHANGED // 10


def test_what_lies_too_deep_is_left_to_the_grammar() -> None:
    text = "(" * 200 + "1" + ")" * 200
    assert descent.read("formula", text) is None
    assert parser.parse_formula(PlainText(text), Report()) == parser.parse_formula(PlainText(text), Report())
    assert parser.parse_formula(PlainText(text), Report()) is not None
