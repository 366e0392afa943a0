"""The language as data: each case is a text with its result, the finding it causes, or how it stops a game."""

from __future__ import annotations

import dataclasses
import shutil
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from interpreter import GameStopped, Ruleset, RulesetInvalid, load
from interpreter.diagnostics import Report
from interpreter.dsl import nodes
from interpreter.dsl.vocabulary import FOLDS, FUNCTIONS
from interpreter.loader.merge import merge_ruleset
from interpreter.loader.model import Model
from interpreter.loader.modelling import parse_document
from interpreter.loader.reader import plain, read_text

HERE = Path(__file__).parent
MINIS = HERE / "minis"
TEXTS = ("text", "do", "effect", "field")


def _cases() -> list[Any]:
    found = []
    for file in sorted((HERE / "cases").glob("*.yaml")):
        report = Report()
        node = read_text(file.read_text(encoding="utf-8"), file.name, report)
        assert node is not None and report.ok, report.findings
        data = plain(node)
        for number, case in enumerate(data["cases"], 1):
            case |= {key: str(case[key]) for key in TEXTS if key in case}
            first = " / ".join(case[key].strip().splitlines()[0] for key in TEXTS if key in case)
            found.append(pytest.param(data["given"], case, id=f"{file.stem}-{number}: {first}"))
    return found


CASES = _cases()
PATIENCE = 10  # seconds of computing; no text may keep us busy for ever


@pytest.fixture(autouse=True)
def _no_hanging() -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise TimeoutError(f"not done after {PATIENCE} seconds of computing")

    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)


@pytest.mark.parametrize(("given", "case"), [c for c in CASES if "finding" in c.values[1]])
def test_finding(given: str, case: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(RulesetInvalid) as trouble:
        _with_probe(given, case, tmp_path)
    errors = trouble.value.report.errors
    assert errors[0].code == case["finding"], errors
    if errors[0].code[0] not in "EF":  # those speak of two places, or of a ring
        assert Path(errors[0].span.file).name == "probe.yaml"


@pytest.mark.parametrize(("given", "case"), [c for c in CASES if "finding" not in c.values[1]])
def test_result(given: str, case: dict[str, Any], tmp_path: Path) -> None:
    ruleset = _with_probe(given, case, tmp_path) if "field" in case else _mini(given)
    game = ruleset.new_game(players=2, seed=1)
    if "stops" in case:
        with pytest.raises(GameStopped) as trouble:
            _run(game, case)
        assert trouble.value.finding.code == case["stops"]
    else:
        assert _run(game, case) == case["result"]


def _run(game: Any, case: dict[str, Any]) -> Any:
    if "do" in case:
        game.run(case["do"])
    return game.evaluate(case["text"]) if "text" in case else None


@cache
def _mini(name: str) -> Ruleset:
    return load(MINIS / name, search_path=(MINIS,))


def _with_probe(given: str, case: dict[str, Any], folder: Path) -> Ruleset:
    """The mini with the text of the case put in as a quantity, procedure, effect or field."""
    shutil.copytree(MINIS / given, folder / given)
    (folder / given / "probe.yaml").write_text(_probe(case), encoding="utf-8")
    return load(folder / given, search_path=(folder, MINIS))


def _probe(case: dict[str, Any]) -> str:
    lines: list[str] = []
    if "field" in case:
        lines += ["patches:", "  - add: kinds.table.state.probe", "    because: a probe"]
        lines += ["    value: |-", *_block(case["field"], 6)]
    if "effect" in case:
        lines += ["rules:", "  probe:", "    effects:", "      - |", *_block(case["effect"], 8)]
    if "do" in case:
        lines += ["procedures:", "  probe:", "    do: |", *_block(case["do"], 6)]
    elif "text" in case and "field" not in case:
        lines += ["quantities:", "  probe:", "    is: |", *_block(case["text"], 6)]
    return "\n".join(lines) + "\n"


def _block(text: str, indent: int) -> list[str]:
    return [" " * indent + line for line in text.rstrip("\n").split("\n")]


# ---------------------------------------------------------------- nothing of the language is left out
def test_minis_use_every_construct() -> None:
    used = [node for folder in MINIS.iterdir() if folder.is_dir() for node in _nodes_of(folder)]
    constructs = {*get_args(nodes.Expr), *get_args(nodes.Stmt), *get_args(nodes.Effect)}
    assert {c.__name__ for c in constructs - {type(node) for node in used}} == set()


def test_cases_use_every_fold_and_function() -> None:
    texts = " ".join(case[key] for _, case in (c.values for c in CASES) for key in TEXTS if key in case)
    assert [name for name in (*FOLDS, *FUNCTIONS) if f"{name}(" not in texts] == []


def _nodes_of(folder: Path) -> list[Any]:
    document = merge_ruleset(folder, (), Report(), None, (MINIS,))
    return list(_walk(parse_document(document, Report()))) if document is not None else []


def _walk(value: Any) -> Iterator[Any]:
    """Every node of rule text inside a model."""
    if isinstance(value, tuple | list):
        for item in value:
            yield from _walk(item)
    elif isinstance(value, dict):
        yield from _walk(list(value.values()))
    elif dataclasses.is_dataclass(value) and type(value).__module__ in (nodes.__name__, Model.__module__):
        if isinstance(value, nodes.Node):
            yield value
        for field in dataclasses.fields(value):
            yield from _walk(getattr(value, field.name))
