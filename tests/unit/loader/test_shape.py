"""What every schema allows, and how a wrong key or value is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from interpreter import places
from interpreter.diagnostics import Report
from interpreter.loader.fitting import Fitting
from interpreter.loader.forms import HEAD_KEYS, SECTIONS
from interpreter.loader.reader import Entry, Mapping, Node, Scalar, Sequence, plain, read_text
from interpreter.loader.shape import SCHEMA_OF, check_file

SCHEMAS = sorted(places.SCHEMAS.glob("*.schema.json"))


def check(text: str, kind: str = "rules") -> Report:
    report = Report()
    node = read_text(text, "toy.yaml", report)
    assert node is not None
    check_file(node, kind, report)
    return report


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("quantites: {}", (1, 1), "S101 unknown key 'quantites'", "did you mean 'quantities'?"),
        ("windows:\n  a(p):\n    optoins: {}", (3, 5), "S101 unknown key 'optoins'", "did you mean 'options'?"),
        ("scoring: {score(p): 1, rank: x}", (1, 24), "S101 unknown key 'rank'", "did you mean 'ranked'?"),
        ("constants: {loan: {is: 3, assume: x}}", (1, 27), "S101 unknown key 'assume'", "did you mean 'assumed'?"),
        ("constants: 3", (1, 12), "S102 expected a map, found the number 3", "plain numbers"),
        ("phases: {game: stop}", (1, 16), "S102 expected a map, found the text 'stop'", "named steps"),
        ("procedures: {pay: [stop]}", (1, 14), "S102 expected text or a map, found a list", "statements"),
        ("procedures:\n  pay:\n", (2, 3), "S102 expected text or a map, found nothing", "statements"),
        ("kinds: {table: {one: yes}}", (1, 22), "S102 expected true or false, found the text 'yes'", "exactly one"),
        ("networks: {roads: {nodes: town, ends: [a, b]}}", (1, 12), "S103 key 'edges' is missing", "connect"),
        ("rules: {a: {note: x}}", (1, 9), "S103 key 'effects' or 'offer' or 'extend' is missing", None),
        ("constants: {2nd: 3}", (1, 13), "S104 '2nd' is not a name", "begins with a letter"),
        ("extends: a b", (1, 10), "S104 'a b' is not a name", "begins with a letter"),
        ("players: {seats: [a, b, a]}", (1, 11), "S104 'a' stands twice in the list", "seats"),
        ("players: {counts: []}", (1, 11), "S104 the list is empty", "how many"),
        ("players: {counts: [0]}", (1, 20), "S104 expected at least 1, found 0", None),
        ("networks: {r: {nodes: t, edges: e, ends: [a]}}", (1, 36), "S104 the list has 1 entries", "two ends"),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(
    text: str, place: tuple[int, int], message: str, hint: str | None
) -> None:
    (finding,) = check(text).findings
    assert f"{finding.code} {finding.message}" == message
    assert (finding.span.line, finding.span.col) == place
    assert (finding.hint is None) if hint is None else hint in (finding.hint or "")


@pytest.mark.parametrize(
    "text",
    [
        "components: {token: {red: {worth: 3, tags: [a], anything: {x: 1}}, blue: }}",
        "constants: {a: 1, b: true, c: red, d: [1, [2]], e: {2: 3, red: 1}, f: {is: 1, type: number}}",
        "quantities: {a: 3, b(p): x + 1, c: true, d: {is: 1, stages: [a, b], ref: [X-1], note: n}}",
        "rules: {a: on b do stop, c: [on b do stop], d: {when: true, effects: {e: {is: on b do stop, ref: R-1}}}}",
        "kinds: {a: {per: {b: c, d: 1..3, e: [2, 4]}}, f: {pieces: g, count: {2: 3}}, h: }",
        "phases: {game: {a: stop, b: {do: stop, ref: X-1}, ref: [X-2], note: n}}",
        "windows: {a(p): {keeps: {b: 1, c: {is: none, type: d or none}}, choose: up to 3}}",
        "windows: {a(p): {options: {e: , f: {once: true, pick: {n: 1..3}, when: {rich: true}}}, after: stop}}",
    ],
)
def test_what_is_allowed(text: str) -> None:
    assert check(text).findings == []


def test_mistakes_in_patches_are_left_to_the_merge() -> None:
    assert check("patches: [{st: a}, 3]").findings == []
    assert [finding.code for finding in check("patches: {set: a}").findings] == ["S102"]


def test_a_long_list_with_everything_in_it_is_checked_in_no_time() -> None:
    text = "options: {a: [" + ", ".join(f"{number}, x{number}" for number in range(20_000)) + "]}"
    assert check(text).findings == []


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_schemas_are_schemas_with_a_description_on_every_property(path: Any) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert [where for where, part in _properties(schema, path.name) if "description" not in part] == []


def test_every_section_has_a_schema() -> None:
    schema = json.loads((places.SCHEMAS / "ruleset.schema.json").read_text(encoding="utf-8"))
    assert set(schema["properties"]) == {*HEAD_KEYS, *SECTIONS, "names", "patches"}


FILES = [
    (path, kind)
    for pattern, kind in (
        ("rulesets/*/*.yaml", "rules"),
        ("rulesets/*/text/*.yaml", "text"),
        ("rulesets/*/sources.yaml", "sources"),
        ("tests/scenarios/*/*.yaml", "scenario"),
        ("tests/bad/S*/*.yaml", "rules"),
    )
    for path in sorted(places.RULESETS.parent.glob(pattern))
    if kind != "rules" or path.name != "sources.yaml"
]
STRANGE = (None, True, 0, 7, "", "word", "two words", [], ["a", "a"], [1], {}, {"word": 1}, {"2nd": "word"}, {"is": 1})


def _read(path: Path) -> Node:
    node = read_text(path.read_text(encoding="utf-8"), path.name, Report())
    assert node is not None
    return node


def _node(value: Any) -> Node:
    node = read_text(json.dumps(value), "toy.yaml", Report())
    assert node is not None
    return node


def _damaged(node: Node, chance: Random) -> Node:
    """The same with one thing replaced, removed, renamed or added, at any depth."""
    if isinstance(node, Mapping) and node.entries and chance.random() < 0.9:
        entries = dict(node.entries)
        name = chance.choice(list(entries))
        match chance.randrange(10):
            case 0:
                del entries[name]
            case 1:
                entries[f"{name}_"] = entries.pop(name)
            case 2:
                entries["word"] = Entry(Scalar("word", "word", node.span), _node(chance.choice(STRANGE)))
            case _:
                entries[name] = Entry(entries[name].key, _damaged(entries[name].node, chance))
        return Mapping(entries, node.span)
    if isinstance(node, Sequence) and node.items and chance.random() < 0.9:
        place = chance.randrange(len(node.items))
        item = node.items[0] if chance.random() < 0.3 else _damaged(node.items[place], chance)
        return Sequence((*node.items[:place], item, *node.items[place + 1 :]), node.span)
    return _node(chance.choice(STRANGE))


@pytest.mark.parametrize("kind", ["rules", "text", "sources", "scenario"])
def test_the_quick_look_agrees_with_the_library_on_files_with_any_damage(kind: str) -> None:
    name = SCHEMA_OF[kind]
    schema = json.loads((places.SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    quick, library = Fitting(schema).fits, jsonschema.Draft202012Validator(schema)
    answers = []
    chance = Random(1)
    files = [path for path, its in FILES if its == kind]
    for path in chance.sample(files, min(len(files), 6)):
        whole = _read(path)
        for node in (whole, *(_damaged(whole, chance) for _ in range(25))):
            answers.append(quick(node))
            assert quick(node) == library.is_valid(plain(node)), (path, plain(node))
    assert {True, False} <= set(answers)


def test_a_schema_with_words_that_are_not_known_is_left_to_the_library() -> None:
    node = _node({"a": 1})
    assert Fitting({"properties": {"a": {"type": "integer"}}}).fits(node)
    assert not Fitting({"properties": {"a": {"multipleOf": 1}}}).fits(node)


def _properties(schema: Any, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, list):
        for item in schema:
            yield from _properties(item, where)
    if not isinstance(schema, dict):
        return
    for key, inner in schema.items():
        if key in ("properties", "patternProperties", "$defs"):
            yield from ((f"{where}.{name}", part) for name, part in inner.items())
            for name, part in inner.items():
                yield from _properties(part, f"{where}.{name}")
        else:
            yield from _properties(inner, where)
