"""Nodes and a JSON Schema in, findings at the nodes that do not fit out."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from collections.abc import Sequence as Listing
from typing import Any

from interpreter import places
from interpreter.diagnostics import Finding, Report, Span, did_you_mean
from interpreter.loader.document import Document, node_at
from interpreter.loader.fitting import Fitting, first_twice
from interpreter.loader.tree import Entry, Mapping, Node, Scalar, Sequence, plain
from interpreter.memory import Memory

SCHEMA_OF = {"rules": "ruleset", "text": "text", "sources": "sources", "catalogue": "sources", "scenario": "scenario"}
"""Which schema a kind of file has."""

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a map",
    "null": "nothing",
}
_NAME_HINT = "a name has letters, digits and '_', and begins with a letter"
_LISTED_KEYS = 12
_NOWHERE = Span("", 1, 1, 1, 1)


def check_shape(document: Document, report: Report) -> None:
    """Every file as it was written, and every entry that a patch has changed."""
    unread = {finding.span.file for finding in report.errors if finding.code.startswith("R")}
    for file in document.parsed:
        if file.file not in unread:  # what could not be read well has no shape worth talking about
            _check_once(file.node, file.kind, report)
    changed = _changed_entries(document)
    if changed.entries:
        check_file(changed, "rules", report)


_WELL_SHAPED: Memory[bool] = Memory()


def _check_once(node: Node, kind: str, report: Report) -> None:
    """A file that several rulesets are made of is looked at once, as long as nothing is wrong with it."""
    if _WELL_SHAPED.get(kind, node):
        return
    before = len(report.findings)
    check_file(node, kind, report)
    if len(report.findings) == before:
        _WELL_SHAPED.keep(kind, node, True)


def check_file(node: Node, kind: str, report: Report) -> None:
    """One file; `kind` is rules, text, sources, catalogue or scenario."""
    schema = SCHEMA_OF[kind]
    if _fitting(schema).fits(node):
        return
    for error in _validator(schema).iter_errors(plain(node)):
        path = list(error.absolute_path)
        if path[:1] == ["patches"] and len(path) > 1:
            continue  # the merge stage has said what is wrong with a patch, and in better words
        report.extend(_explain(error, node, path))


@functools.cache
def _schema(name: str) -> Any:
    return json.loads((places.SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


@functools.cache
def _fitting(name: str) -> Fitting:
    return Fitting(_schema(name))


@functools.cache
def _validator(name: str) -> Any:
    """The library, which knows what is wrong; most rulesets can do without it."""
    import jsonschema

    def check_unique(_: Any, wanted: bool, instance: object, __: object) -> Iterator[jsonschema.ValidationError]:
        """The same as the library's own check, in linear time for lists of any content."""
        if wanted and isinstance(instance, list) and first_twice(instance) is not None:
            yield jsonschema.ValidationError("an item stands twice")

    validators: Any = jsonschema.validators
    return validators.extend(jsonschema.Draft202012Validator, {"uniqueItems": check_unique})(_schema(name))


def _changed_entries(document: Document) -> Mapping:
    """A file with only those entries in it that some patch has touched."""
    root = Mapping({}, _NOWHERE)
    for path in document.touched:
        parts = path.split(".")
        parts = parts[: 3 if parts[0] == "components" else 2]
        parent = node_at(document, ".".join(parts[:-1])) if len(parts) > 1 else None
        if isinstance(parent, Mapping) and parts[-1] in parent.entries:
            root = _plant(root, parts, parent.entries[parts[-1]])
    return root


def _plant(node: Node, parts: list[str], entry: Entry) -> Mapping:
    entries = dict(node.entries) if isinstance(node, Mapping) else {}
    first, *rest = parts
    if rest:
        below = entries[first].node if first in entries else Mapping({}, _NOWHERE)
        entry = Entry(Scalar(first, first, _NOWHERE), _plant(below, rest, entry))
    return Mapping({**entries, first: entry}, _NOWHERE)


# ---------------------------------------------------------------- errors in our words
def _explain(error: Any, root: Node, path: Listing[str | int]) -> Iterator[Finding]:
    node, span = _find(root, path)
    rule, schema, instance = error.validator, error.schema, error.instance
    if "propertyNames" in error.absolute_schema_path:
        key = _key_span(node, str(instance)) or span
        yield Finding("S104", key, f"'{instance}' is not a name", _NAME_HINT)
    elif rule == "additionalProperties":
        yield from _unknown_keys(node, schema)
    elif rule == "required":
        for name in error.validator_value:
            if name not in instance:
                yield Finding("S103", span, f"key '{name}' is missing", _describe(schema, name))
    elif rule == "anyOf":
        names = " or ".join(f"'{choice['required'][0]}'" for choice in error.validator_value)
        yield Finding("S103", span, f"key {names} is missing")
    elif rule == "type":
        message = f"expected {_expected(error.validator_value)}, found {_found(instance)}"
        yield Finding("S102", span, message, _purpose(schema))
    elif rule == "pattern":
        wrong = "is not a name" if error.validator_value.startswith("^[A-Za-z_]") else "is not allowed here"
        hint = _NAME_HINT if wrong == "is not a name" else _purpose(schema)
        yield Finding("S104", span, f"'{instance}' {wrong}", hint)
    else:
        yield Finding("S104", span, _limit(rule, error.validator_value, instance), _purpose(schema))


def _unknown_keys(node: Node | None, schema: dict[str, Any]) -> Iterator[Finding]:
    known = list(schema.get("properties", {}))
    known += [pattern.strip("^$").split("(")[0].strip() for pattern in schema.get("patternProperties", {})]
    entries = node.entries if isinstance(node, Mapping) else {}
    for name, entry in entries.items():
        stem = name.split("(")[0].strip()
        if name not in known and stem not in known:
            hint = did_you_mean(stem, [key for key in known if key not in entries])
            if hint is None and len(known) <= _LISTED_KEYS:
                hint = f"there is: {', '.join(known)}"
            yield Finding("S101", entry.key.span, f"unknown key '{name}'", hint)


def _expected(types: str | list[str]) -> str:
    """The types that would do, in words; a text may also look like a number or a flag."""
    wanted = [types] if isinstance(types, str) else [name for name in types if name != "null"]
    if "string" in wanted:
        wanted = [name for name in wanted if name not in ("integer", "boolean")]
    named = [_TYPES[name] for name in wanted]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} or {named[-1]}"


def _found(instance: object) -> str:
    match instance:
        case None:
            return "nothing"
        case bool():
            return str(instance).lower()
        case int():
            return f"the number {instance}"
        case str():
            return f"the text '{_short(instance)}'"
        case list():
            return "a list"
        case _:
            return "a map"


def _limit(rule: str, bound: object, instance: object) -> str:
    match rule:
        case "uniqueItems" if isinstance(instance, list):
            return f"'{_short(first_twice(instance) or '')}' stands twice in the list"
        case "minItems" | "maxItems" if isinstance(instance, list):
            return f"the list has {len(instance)} entries" if instance else "the list is empty"
        case "minProperties" | "minLength":
            return "nothing stands here"
        case "minimum":
            return f"expected at least {bound}, found {instance}"
        case _:
            return f"'{_short(str(instance))}' is not allowed here"


def _short(text: str) -> str:
    first = text.strip().split("\n")[0]
    return first if len(first) <= 40 and first == text.strip() else f"{first[:40]}…"


def _purpose(schema: dict[str, Any]) -> str | None:
    text = schema.get("description")
    return None if text is None else f"here stands: {_lowered(text)}"


def _lowered(sentence: str) -> str:
    return f"{sentence[0].lower()}{sentence[1:].rstrip('.')}"


def _describe(schema: dict[str, Any], name: str) -> str | None:
    part = schema.get("properties", {}).get(name, {})
    text = part.get("description")
    return None if text is None else f"add '{name}: …': {_lowered(text)}"


# ---------------------------------------------------------------- places
def _find(root: Node, path: Listing[str | int]) -> tuple[Node | None, Span]:
    """The node at a path of keys and positions, and where to point for it: a map or list at its key."""
    node: Node | None = root
    span = _start(root.span)
    for part in path:
        match node:
            case Mapping(entries=entries) if part in entries:
                entry = entries[str(part)]
                node, span = entry.node, _point(entry)
            case Sequence(items=items) if isinstance(part, int) and part < len(items):
                node = items[part]
                span = node.span if isinstance(node, Scalar) else _start(node.span)
            case _:
                return None, span
    return node, _start(span) if span.line != span.end_line else span


def _point(entry: Entry) -> Span:
    """A map or list is shown at its key, unless a patch has put it there."""
    key, span = entry.key.span, entry.node.span
    together = key.file == span.file and 0 <= span.line - key.line <= 1
    return span if isinstance(entry.node, Scalar) else key if together else _start(span)


def _key_span(node: Node | None, name: str) -> Span | None:
    return node.entries[name].key.span if isinstance(node, Mapping) and name in node.entries else None


def _start(span: Span) -> Span:
    return Span(span.file, span.line, span.col, span.line, span.col + 1)
