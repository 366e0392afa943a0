"""A JSON Schema in, a quick yes or no for nodes out. Who gets a no asks the library for the reasons."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from interpreter.loader.tree import Mapping, Node, Scalar, Sequence, plain

Schema = dict[str, Any] | bool
Test = Callable[[Node], bool]

_SAYS_NOTHING = frozenset({"$schema", "$id", "$defs", "title", "description", "default", "examples"})
_TYPES: dict[str, Test] = {
    "string": lambda node: type(node) is Scalar and type(node.value) is str,
    "integer": lambda node: type(node) is Scalar and type(node.value) is int,
    "boolean": lambda node: type(node) is Scalar and type(node.value) is bool,
    "null": lambda node: type(node) is Scalar and node.value is None,
    "array": lambda node: type(node) is Sequence,
    "object": lambda node: type(node) is Mapping,
}


def _nothing(_: Node) -> bool:
    return False


class Fitting:
    """The tests of one schema. A keyword that is not known here makes every answer no, which is only slow."""

    def __init__(self, root: dict[str, Any]) -> None:
        self.root = root
        self._referred: dict[str, Test] = {}
        self.fits = self.test(root)

    def test(self, schema: Schema) -> Test:
        if isinstance(schema, bool):
            return lambda _: schema
        tests = [self._object(schema)] if _OF_OBJECTS & schema.keys() else []
        for word, wanted in schema.items():
            make = _MAKERS.get(word)
            if make is not None:
                tests.append(make(self, wanted, schema))
            elif word not in _SAYS_NOTHING and word not in _OF_OBJECTS and word not in ("then", "else"):
                return _nothing
        return tests[0] if len(tests) == 1 else lambda node: all(test(node) for test in tests)

    def _ref(self, target: str, _: dict[str, Any]) -> Test:
        """A definition may lead back to itself, so it is looked up when a node comes."""
        if target not in self._referred:
            self._referred[target] = lambda node: self._referred[target](node)
            found: Any = self.root
            for step in target.removeprefix("#/").split("/"):
                found = found[step]
            self._referred[target] = self.test(found)
        return lambda node: self._referred[target](node)

    def _object(self, schema: dict[str, Any]) -> Test:
        known = {name: self.test(part) for name, part in schema.get("properties", {}).items()}
        patterns = [(re.compile(p).search, self.test(part)) for p, part in schema.get("patternProperties", {}).items()]
        others = self.test(schema.get("additionalProperties", True))

        def fits(node: Node) -> bool:
            if type(node) is not Mapping:
                return True
            for name, entry in node.entries.items():
                test = known.get(name)
                if test is not None and not test(entry.node):
                    return False
                matching = [inner for search, inner in patterns if search(name)]
                if not all(inner(entry.node) for inner in matching):
                    return False
                if test is None and not matching and not others(entry.node):
                    return False
            return True

        return fits

    def _type(self, wanted: str | list[str], _: dict[str, Any]) -> Test:
        tests = [_TYPES.get(name, _nothing) for name in ([wanted] if isinstance(wanted, str) else wanted)]
        return tests[0] if len(tests) == 1 else lambda node: any(test(node) for test in tests)

    def _required(self, names: list[str], _: dict[str, Any]) -> Test:
        return lambda node: type(node) is not Mapping or all(name in node.entries for name in names)

    def _property_names(self, schema: Schema, _: dict[str, Any]) -> Test:
        test = self.test(schema)
        return lambda node: (
            type(node) is not Mapping
            or all(test(Scalar(name, name, entry.key.span)) for name, entry in node.entries.items())
        )

    def _least_properties(self, least: int, _: dict[str, Any]) -> Test:
        return lambda node: type(node) is not Mapping or len(node.entries) >= least

    def _items(self, schema: Schema, _: dict[str, Any]) -> Test:
        test = self.test(schema)
        return lambda node: type(node) is not Sequence or all(test(item) for item in node.items)

    def _least_items(self, least: int, _: dict[str, Any]) -> Test:
        return lambda node: type(node) is not Sequence or len(node.items) >= least

    def _most_items(self, most: int, _: dict[str, Any]) -> Test:
        return lambda node: type(node) is not Sequence or len(node.items) <= most

    def _unique(self, wanted: bool, _: dict[str, Any]) -> Test:
        return lambda node: not wanted or type(node) is not Sequence or first_twice(plain(node)) is None

    def _pattern(self, pattern: str, _: dict[str, Any]) -> Test:
        search = re.compile(pattern).search
        return lambda node: not _TYPES["string"](node) or search(str(plain(node))) is not None

    def _shortest(self, least: int, _: dict[str, Any]) -> Test:
        return lambda node: not _TYPES["string"](node) or len(str(plain(node))) >= least

    def _minimum(self, least: int, _: dict[str, Any]) -> Test:
        return lambda node: not _TYPES["integer"](node) or plain(node) >= least

    def _any_of(self, choices: list[Schema], _: dict[str, Any]) -> Test:
        tests = [self.test(choice) for choice in choices]
        return lambda node: any(test(node) for test in tests)

    def _if(self, schema: Schema, beside: dict[str, Any]) -> Test:
        test, then, otherwise = (
            self.test(part) for part in (schema, beside.get("then", True), beside.get("else", True))
        )
        return lambda node: then(node) if test(node) else otherwise(node)


_OF_OBJECTS = frozenset({"properties", "patternProperties", "additionalProperties"})
_MAKERS: dict[str, Callable[[Fitting, Any, dict[str, Any]], Test]] = {
    "$ref": Fitting._ref,
    "type": Fitting._type,
    "required": Fitting._required,
    "propertyNames": Fitting._property_names,
    "minProperties": Fitting._least_properties,
    "items": Fitting._items,
    "minItems": Fitting._least_items,
    "maxItems": Fitting._most_items,
    "uniqueItems": Fitting._unique,
    "pattern": Fitting._pattern,
    "minLength": Fitting._shortest,
    "minimum": Fitting._minimum,
    "anyOf": Fitting._any_of,
    "if": Fitting._if,
}


def first_twice(items: list[object]) -> str | None:
    """The first item of a list that stands in it before, as text."""
    seen: set[str] = set()
    for item in items:
        text = json.dumps(item, sort_keys=True)
        if text in seen:
            return text.strip('"')
        seen.add(text)
    return None
