"""A patch as its author wrote it in, the operation it means out; one that is not written right becomes a finding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.diagnostics import Finding, Report, Span, did_you_mean
from interpreter.loader.reader import Entry, Mapping, Node, Scalar, Sequence

OPERATIONS: dict[str, tuple[str, ...]] = {
    "set": ("to",),
    "add": ("value",),
    "remove": (),
    "replace": ("with",),
    "insert before": ("name", "step", "option", "value", "lines"),
    "insert after": ("name", "step", "option", "value", "lines"),
    "edit": ("from", "to"),
    "move": ("before", "after"),
    "restore": (),
}
"""Each operation with the keys that go with it."""

BESIDE = ("because", "over", "ref", "note")
_CHANGES = frozenset({"set", "remove", "replace", "restore", "move"})
_NEEDED = {"set": ("to",), "replace": ("with",), "edit": ("from", "to"), "restore": ("over",)}
_VALUES = ("to", "value", "with", "step", "option", "lines", "before", "after")
_HINTS = {"from": "the words that stand there now", "over": "the layer whose change is taken back"}


@dataclass(frozen=True, slots=True)
class Patch:
    """One operation on what the layers before it made."""

    layer: str
    operation: str
    target: Scalar
    value: Node | None
    name: Scalar | None
    because: str
    over: tuple[Scalar, ...]
    wanted: Scalar | None = None
    """(edit) the words that stand there now"""
    side: str = ""
    """which of its keys brought the value"""


def spread_patch(node: Node) -> Iterator[Node]:
    """A patch that takes several things away, as one patch for each of them; any other patch as it is."""
    head = node.entries.get("remove") if isinstance(node, Mapping) else None
    if head is None or not isinstance(node, Mapping) or not isinstance(head.node, Sequence) or not head.node.items:
        yield node
        return
    for path in head.node.items:
        yield replace(node, entries={**node.entries, "remove": Entry(head.key, path)})


def read_patch(node: Node, layer: str, report: Report) -> Patch | None:
    """A patch from its map, or findings that say how one is written."""
    if not isinstance(node, Mapping):
        hint = "begin with '- set: PATH', add, remove, replace, insert before, insert after, edit, move or restore"
        report.add(Finding("M109", first_line(node.span), "a patch is a map", hint))
        return None
    operations = [name for name in node.entries if name in OPERATIONS]
    known = (*OPERATIONS, *BESIDE, *(key for keys in OPERATIONS.values() for key in keys))
    if len(operations) != 1:
        _refuse_operations(node, operations, report)
        return None
    operation = operations[0]
    for name, entry in node.entries.items():
        if name not in (operation, *OPERATIONS[operation], *BESIDE):
            wrong = f"'{name}' has no place in a patch that says '{operation}'"
            report.add(Finding("M109", entry.key.span, wrong, did_you_mean(name, _left(node, known))))
            return None
    return _build(node, operation, layer, report)


def is_change(patch: Patch) -> bool:
    """Whether the patch takes something away that another layer may count on."""
    return patch.operation in _CHANGES


def _refuse_operations(node: Mapping, operations: list[str], report: Report) -> None:
    names = ", ".join(OPERATIONS)
    if operations:
        second = node.entries[operations[1]].key.span
        report.add(Finding("M109", second, "a patch does one thing only", f"make '{operations[1]}' a patch of its own"))
        return
    first = next(iter(node.entries.values()), None)
    guesses = (did_you_mean(name, OPERATIONS) for name in node.entries if name not in BESIDE)
    hint = next((guess for guess in guesses if guess), None) or f"it needs one of: {names}"
    span = first.key.span if first else node.span
    report.add(Finding("M109", span, "this patch does not say what it does", hint))


def _left(node: Mapping, known: tuple[str, ...]) -> list[str]:
    return [name for name in known if name not in node.entries]


def _build(node: Mapping, operation: str, layer: str, report: Report) -> Patch | None:
    target = node.entries[operation].node
    if not isinstance(target, Scalar) or not isinstance(target.value, str):
        hint = f"such as '{operation}: constants.NAME'"
        report.add(Finding("M109", node.entries[operation].key.span, f"'{operation}' needs a path", hint))
        return None
    because = _scalar_at(node, "because")
    if because is None or because.value is None:
        span = node.entries[operation].key.span
        report.add(Finding("M109", span, "a patch says why", "add a line 'because: …'"))
        return None
    name = _scalar_at(node, "name")
    values = [key for key in OPERATIONS[operation] if key in _VALUES and key in node.entries]
    if len(values) > 1:
        report.add(Finding("M109", node.entries[values[1]].key.span, "a patch brings one value only"))
        return None
    for key in _NEEDED.get(operation, ()):
        if key not in node.entries or _is_null(node.entries[key].node):
            report.add(Finding("M109", target.span, f"'{operation}' needs a line '{key}: …'", _HINTS.get(key)))
            return None
    if operation == "move" and not values:
        hint = "the path of the neighbour it shall have"
        report.add(Finding("M109", target.span, "'move' needs a line 'before: …' or 'after: …'", hint))
        return None
    side = values[0] if values else ""
    if operation.startswith("insert") and side != "lines" and (name is None or not isinstance(name.value, str)):
        hint = "it is what other patches call the new one"
        report.add(Finding("M109", target.span, f"'{operation}' needs a line 'name: …'", hint))
        return None
    value = node.entries[side].node if side else None
    wanted = _scalar_at(node, "from")
    if (operation == "edit" and wanted is None) or (
        side in ("lines", "before", "after") and not isinstance(value, Scalar)
    ):
        key = "from" if operation == "edit" else side
        report.add(Finding("M109", node.entries[key].key.span, f"'{key}' is one text"))
        return None
    return Patch(layer, operation, target, value, name, because.text.strip(), _over(node), wanted, side)


def _scalar_at(node: Mapping, key: str) -> Scalar | None:
    entry = node.entries.get(key)
    return entry.node if entry is not None and isinstance(entry.node, Scalar) else None


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


def _over(node: Mapping) -> tuple[Scalar, ...]:
    entry = node.entries.get("over")
    match entry.node if entry else None:
        case Scalar() as one:
            return (one,)
        case Sequence(items=items):
            return tuple(item for item in items if isinstance(item, Scalar))
        case _:
            return ()


def first_line(span: Span) -> Span:
    return span if span.end_line == span.line else Span(span.file, span.line, span.col, span.line, span.col + 1)
