"""A tree and a patch in, the changed tree out; a patch that does not fit the tree becomes a finding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.diagnostics import Finding, Report, Span, did_you_mean
from interpreter.loader.forms import FREE_KEYS, SECTIONS, SHORT_FORM, name_of
from interpreter.loader.paths import (
    PART_MAPS,
    Missing,
    Place,
    change_at,
    drop_child,
    find_place,
    is_word_list,
    kind_names,
    normalise,
    position_of,
    put_child,
    split_path,
    suggest_path,
)
from interpreter.loader.reader import Entry, Mapping, Node, Scalar, Sequence

OPERATIONS: dict[str, tuple[str, ...]] = {
    "set": ("to",),
    "add": ("value",),
    "remove": (),
    "replace": ("with",),
    "insert before": ("name", "step", "option", "value"),
    "insert after": ("name", "step", "option", "value"),
}
"""Each operation with the keys that go with it."""

BESIDE = ("because", "over", "ref", "note")
Gone = dict[str, tuple[str, Span]]
"""Paths that were removed, each with the layer and the place that did it."""
_CHANGES = frozenset({"set", "remove", "replace"})


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


@dataclass(frozen=True, slots=True)
class Applied:
    """The tree after a patch, and the full path it changed; `before` is where that stood until now."""

    root: Mapping
    path: str
    before: Span | None


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
        hint = "begin with '- set: PATH', add, remove, replace, insert before or insert after"
        report.add(Finding("M109", _first_line(node.span), "a patch is a map", hint))
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


def apply_patch(root: Mapping, patch: Patch, report: Report, gone: Gone | None = None) -> Applied | None:
    """The tree with the patch applied, or none with a finding; `gone` says who took what away before."""
    parts = split_path(patch.target.text)
    if patch.operation != "add" and any("(" in part for part in parts):
        bare = ".".join(name_of(part) for part in parts)
        report.add(_finding(patch, "M109", "a path has no letters in parentheses", f"write '{bare}'"))
        return None
    if patch.operation == "add":
        return _add(root, patch, parts, report, gone or {})
    found = find_place(root, parts)
    if isinstance(found, Missing):
        report.add(_taken_away(root, patch, parts, gone or {}) or _not_found(root, patch, parts, found))
        return None
    match patch.operation:
        case "set":
            return _set(root, patch, found, report)
        case "replace":
            return _put(root, patch, found)
        case "remove":
            return _remove(root, patch, found, report)
        case _:
            return _insert(root, patch, found, report)


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
    values = [node.entries[key] for key in OPERATIONS[operation] if key != "name" and key in node.entries]
    if len(values) > 1:
        report.add(Finding("M109", values[1].key.span, "a patch brings one value only"))
        return None
    needed = {"set": "to", "replace": "with"}.get(operation)
    if needed is not None and (not values or _is_null(values[0].node)):
        report.add(Finding("M109", target.span, f"'{operation}' needs a line '{needed}: …'"))
        return None
    if operation.startswith("insert") and (name is None or not isinstance(name.value, str)):
        hint = "it is what other patches call the new one"
        report.add(Finding("M109", target.span, f"'{operation}' needs a line 'name: …'", hint))
        return None
    return Patch(layer, operation, target, values[0].node if values else None, name, because.text.strip(), _over(node))


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


def _finding(patch: Patch, code: str, message: str, hint: str | None = None) -> Finding:
    return Finding(code, patch.target.span, message, hint)


def _taken_away(root: Mapping, patch: Patch, parts: tuple[str, ...], gone: Gone) -> Finding | None:
    """What this patch looks for is missing because another layer removed it."""
    full = parts if parts[0] in root.entries else ("components", *parts)
    for length in range(2, len(full) + 1):
        path = ".".join(full[:length])
        if path in gone:
            layer, span = gone[path]
            message = f"{patch.layer} changes '{patch.target.text}', but {layer} has removed '{path}'"
            hint = f"{patch.layer} and {layer} do not go together like this"
            hint = "remove this patch" if layer == patch.layer else hint
            return replace(_finding(patch, "N102", message, hint), related=((span, "removed here"),))
    return None


def _not_found(root: Mapping, patch: Patch, parts: tuple[str, ...], missing: Missing) -> Finding:
    like = suggest_path(root, parts)
    hint = None if like is None else f"did you mean '{like}'?"
    if hint is None and missing.candidates:
        owner = f"'{'.'.join(parts[: missing.index])}' has" if missing.index else "there is"
        more = ", …" if len(missing.candidates) > 8 else ""
        hint = f"{owner}: {', '.join(missing.candidates[:8])}{more}"
    if hint is None and not root.entries:
        hint = "there is nothing yet: layers come before a ruleset's own files and can only change its base"
    return _finding(patch, "N102", f"unknown path '{'.'.join(parts)}'", hint)


def _set(root: Mapping, patch: Patch, place: Place, report: Report) -> Applied | None:
    """Short forms are set through their one part; other maps are not values."""
    short = SHORT_FORM.get(place.parts[0]) if len(place.parts) == 2 else None
    if place.parts[0] == "phases" and len(place.parts) == 3:
        short = "do"
    if short is not None and isinstance(place.node, Mapping) and short in place.node.entries:
        place = Place((*place.parts, short), place.node.entries[short].node)
    in_table = place.parts[0] == "constants" and len(place.parts) > 2
    if isinstance(place.node, Mapping) and not in_table:
        inside = ", ".join(list(place.node.entries)[:8])
        hint = f"set one of its parts ({inside}), or use 'replace'" if inside else "use 'replace' or 'add'"
        report.add(_finding(patch, "M111", f"'{patch.target.text}' is a map, not a value", hint))
        return None
    return _put(root, patch, place)


def _put(root: Mapping, patch: Patch, place: Place) -> Applied:
    value = patch.value
    assert value is not None
    changed = change_at(root, place.parts, lambda _: value)
    assert isinstance(changed, Mapping)
    return Applied(normalise(changed, place.parts), place.path, place.node.span)


def _remove(root: Mapping, patch: Patch, place: Place, report: Report) -> Applied | None:
    parent = _parent(root, place)
    if isinstance(parent, Sequence) and not is_word_list(parent):
        report.add(_finding(patch, "M111", "one place of a list of values cannot be removed", "set the whole list"))
        return None
    changed = change_at(root, place.parts[:-1], lambda node: drop_child(node, place.parts[-1]))
    assert isinstance(changed, Mapping)
    return Applied(changed, place.path, place.node.span)


def _add(root: Mapping, patch: Patch, parts: tuple[str, ...], report: Report, gone: Gone) -> Applied | None:
    *upper, last = parts
    exists = find_place(root, (*(name_of(part) for part in upper), name_of(last)))
    if isinstance(exists, Place):
        if isinstance(_parent(root, exists), Sequence) and not is_word_list(_parent(root, exists)):
            list_path = ".".join(exists.parts[:-1])
            report.add(_finding(patch, "M111", f"'{list_path}' is a list of values", "set the whole list"))
            return None
        note = ((_first_line(exists.node.span), "it stands here"),)
        message = f"'{exists.path}' exists already"
        report.add(replace(_finding(patch, "M110", message, "use 'set' or 'replace'"), related=note))
        return None
    root = _make_parent(root, tuple(upper))
    found = find_place(root, tuple(upper)) if upper else Place((), root)
    if isinstance(found, Missing):
        report.add(_taken_away(root, patch, parts, gone) or _not_found(root, patch, tuple(upper), found))
        return None
    found = _inside_table(found, last)
    if not _takes_parts(patch, found, report):
        return None
    key = _key(patch.target, last)
    value = patch.value if patch.value is not None else Scalar(None, "", key.span)
    changed = change_at(root, found.parts, lambda node: put_child(node, Entry(key, value)))
    assert isinstance(changed, Mapping)
    full = (*found.parts, name_of(last))
    return Applied(normalise(changed, full), ".".join(full), None)


def _inside_table(found: Place, name: str) -> Place:
    """A new entry of a constant goes into its table, as a path that leads to an old one does."""
    inside = found.node.entries.get("is") if isinstance(found.node, Mapping) and len(found.parts) == 2 else None
    if found.parts[0] != "constants" or inside is None or name in (*FREE_KEYS, "type"):
        return found
    return Place((*found.parts, "is"), inside.node)


def _takes_parts(patch: Patch, parent: Place, report: Report) -> bool:
    if isinstance(parent.node, Scalar):
        report.add(_finding(patch, "M111", f"'{parent.path}' is a single value and has no parts", "use 'set'"))
    elif isinstance(parent.node, Sequence) and not is_word_list(parent.node):
        report.add(_finding(patch, "M111", f"'{parent.path}' is a list of values", "set the whole list"))
    elif isinstance(parent.node, Sequence) and patch.value is not None:
        report.add(_finding(patch, "M111", f"'{parent.path}' is a list of names", "leave the value out"))
    elif isinstance(parent.node, Mapping) and patch.value is None:
        hint = "add a line 'value: …' ('value: {}' for nothing)"
        report.add(_finding(patch, "M109", f"'{patch.operation}' needs a value", hint))
    else:
        return True
    return False


def _make_parent(root: Mapping, upper: tuple[str, ...]) -> Mapping:
    """The tree with an empty map where only the map itself is missing: a section, the things of a kind, `when` …"""
    kinds = kind_names(root)
    if upper and upper[0] not in SECTIONS and upper[0] in kinds:
        upper = ("components", *upper)
    for length in range(1, len(upper) + 1):
        parts = upper[:length]
        above = find_place(root, parts[:-1]) if length > 1 else Place((), root)
        if not isinstance(above, Place) or not isinstance(above.node, Mapping):
            return root
        may_begin = (
            (length == 1 and parts[0] in SECTIONS)
            or (length == 2 and parts[0] == "components" and parts[1] in kinds)
            or (length > 2 and parts[-1] in PART_MAPS)
        )
        if may_begin and parts[-1] not in above.node.entries:
            root = _with_empty_map(root, above, parts[-1])
    return root


def _with_empty_map(root: Mapping, above: Place, name: str) -> Mapping:
    span = above.node.span
    entry = Entry(Scalar(name, name, span), Mapping({}, span))
    changed = change_at(root, above.parts, lambda node: put_child(node, entry))
    assert isinstance(changed, Mapping)
    return changed


def _insert(root: Mapping, patch: Patch, place: Place, report: Report) -> Applied | None:
    parent, name = _parent(root, place), patch.name
    assert name is not None
    if len(place.parts) < 3 or (isinstance(parent, Sequence) and not is_word_list(parent)):
        report.add(_finding(patch, "M111", "there is no order here that a rule could see", "use 'add'"))
        return None
    where = Place(place.parts[:-1], parent)
    path = f"{where.path}.{name_of(name.text)}"
    if isinstance(find_place(root, split_path(path)), Place):
        report.add(Finding("M110", name.span, f"'{path}' exists already", "choose another name"))
        return None
    if not _takes_parts(patch, where, report):
        return None
    at = position_of(parent, place.parts[-1]) + (1 if patch.operation == "insert after" else 0)
    entry = Entry(name, patch.value if patch.value is not None else name)
    changed = change_at(root, where.parts, lambda node: put_child(node, entry, at))
    assert isinstance(changed, Mapping)
    return Applied(normalise(changed, where.parts), path, None)


def _parent(root: Mapping, place: Place) -> Node:
    if len(place.parts) == 1:
        return root
    found = find_place(root, place.parts[:-1])
    assert isinstance(found, Place)
    return found.node


def _key(target: Scalar, last: str) -> Scalar:
    """The last part of a path as the key of what is added."""
    line, col = target.locate(max(0, target.text.rfind(last)))
    return Scalar(last, last, Span(target.span.file, line, col, line, col + len(last)))


def _first_line(span: Span) -> Span:
    return span if span.end_line == span.line else Span(span.file, span.line, span.col, span.line, span.col + 1)
