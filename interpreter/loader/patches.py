"""A tree and a patch in, the changed tree out; a patch that does not fit the tree becomes a finding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interpreter.diagnostics import Finding, Report, Span
from interpreter.loader.forms import FREE_KEYS, SECTIONS, SHORT_FORM, name_of
from interpreter.loader.patch_reader import Patch, first_line
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
from interpreter.loader.wording import edited, joined
from interpreter.records import dataclass

Gone = dict[str, tuple[str, Span]]
"""Paths that were removed, each with the layer and the place that did it."""
Before = Callable[[str], Mapping | None]
"""The tree as it stood before a layer; none if there is no such layer."""


@dataclass(frozen=True, slots=True)
class Applied:
    """The tree after a patch, and the full path it changed; `before` is where that stood until now."""

    root: Mapping
    path: str
    before: Span | None


def apply_patch(
    root: Mapping, patch: Patch, report: Report, gone: Gone | None = None, before: Before | None = None
) -> Applied | None:
    """The tree with the patch applied, or none with a finding.

    `gone` says who took what away, `before` gives the tree as it was before a layer."""
    parts = split_path(patch.target.text)
    if patch.operation != "add" and any("(" in part for part in parts):
        bare = ".".join(name_of(part) for part in parts)
        report.add(_finding(patch, "M109", "a path has no letters in parentheses", f"write '{bare}'"))
        return None
    if patch.operation == "add":
        return _add(root, patch, parts, report, gone or {})
    if patch.operation == "restore":
        return _restore(root, patch, parts, report, before or (lambda _: None))
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
        case "move":
            return _move(root, patch, found, report)
        case "edit":
            return _edit(root, patch, _text_of(found), report)
        case _ if patch.side == "lines":
            return _add_lines(root, patch, _text_of(found), report)
        case _:
            return _insert(root, patch, found, report)


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
            hint = f"look there for what {layer} does instead, or 'restore: {path}' with 'over: {layer}' first"
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
    place = _text_of(place)
    in_table = place.parts[0] == "constants" and len(place.parts) > 2
    if isinstance(place.node, Mapping) and not in_table:
        inside = ", ".join(list(place.node.entries)[:8])
        hint = f"set one of its parts ({inside}), or use 'replace'" if inside else "use 'replace' or 'add'"
        report.add(_finding(patch, "M111", f"'{patch.target.text}' is a map, not a value", hint))
        return None
    return _put(root, patch, place)


def _text_of(place: Place) -> Place:
    """The one part that the short form of an entry stands for."""
    short = SHORT_FORM.get(place.parts[0]) if len(place.parts) == 2 else None
    if place.parts[0] == "phases" and len(place.parts) == 3:
        short = "do"
    if short is not None and isinstance(place.node, Mapping) and short in place.node.entries:
        return Place((*place.parts, short), place.node.entries[short].node)
    return place


def _put(root: Mapping, patch: Patch, place: Place, value: Node | None = None) -> Applied:
    value = patch.value if value is None else value
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
        note = ((first_line(exists.node.span), "it stands here"),)
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


def _edit(root: Mapping, patch: Patch, place: Place, report: Report) -> Applied | None:
    """Other words in the place of some that stand there exactly once."""
    assert patch.wanted is not None
    if not _is_text(patch, place, report):
        return None
    assert isinstance(place.node, Scalar) and isinstance(patch.value, Scalar)
    text = edited(place.node, patch.wanted, patch.value)
    if isinstance(text, Scalar):
        return _put(root, patch, place, text)
    hint = f"'cromford show {patch.layer} {place.path}' prints it" if text == 0 else "quote more of the text around it"
    how = "do not stand" if text == 0 else f"stand {text} times"
    note = ((first_line(place.node.span), "this text"),)
    message = f"these words {how} in '{place.path}'"
    report.add(Finding("M117", patch.wanted.span, message, hint, note))
    return None


def _add_lines(root: Mapping, patch: Patch, place: Place, report: Report) -> Applied | None:
    """Statements before or after those of a text."""
    if not _is_text(patch, place, report):
        return None
    assert isinstance(place.node, Scalar) and isinstance(patch.value, Scalar)
    two = (patch.value, place.node) if patch.operation == "insert before" else (place.node, patch.value)
    return _put(root, patch, place, joined(*two))


def _is_text(patch: Patch, place: Place, report: Report) -> bool:
    if isinstance(place.node, Scalar) and (patch.value is None or isinstance(patch.value, Scalar)):
        return True
    hint = "name the text itself, such as '….do'" if not isinstance(place.node, Scalar) else "write a text"
    report.add(_finding(patch, "M111", f"'{patch.target.text}' is no text of a rule", hint))
    return False


def _move(root: Mapping, patch: Patch, place: Place, report: Report) -> Applied | None:
    """The same entry at another place among its neighbours."""
    assert isinstance(patch.value, Scalar)
    other = find_place(root, split_path(patch.value.text))
    parent = _parent(root, place)
    if isinstance(other, Missing):
        report.add(replace(_not_found(root, patch, split_path(patch.value.text), other), span=patch.value.span))
        return None
    if other.parts[:-1] != place.parts[:-1] or other.parts == place.parts:
        where = ".".join(place.parts[:-1])
        report.add(
            Finding("M111", patch.value.span, f"'{other.path}' is no neighbour in '{where}'", "name one that is")
        )
        return None
    if len(place.parts) < 3 or not isinstance(parent, Mapping):
        report.add(_finding(patch, "M111", "there is no order here that a rule could see"))
        return None
    entry = parent.entries[place.parts[-1]]
    rest = drop_child(parent, place.parts[-1])
    at = position_of(rest, other.parts[-1]) + (1 if patch.side == "after" else 0)
    changed = change_at(root, place.parts[:-1], lambda _: put_child(rest, entry, at))
    assert isinstance(changed, Mapping)
    return Applied(changed, place.path, place.node.span)


def _restore(root: Mapping, patch: Patch, parts: tuple[str, ...], report: Report, before: Before) -> Applied | None:
    """What stood there before the named layers, at the place it had among the neighbours that are left."""
    trees = [tree for tree in (before(scalar.text) for scalar in patch.over) if tree is not None]
    if not trees:
        report.add(Finding("M113", patch.over[0].span, f"there is no layer '{patch.over[0].text}' before this one"))
        return None
    found = find_place(trees[0], parts)
    if isinstance(found, Missing):
        report.add(_not_found(trees[0], patch, parts, found))
        return None
    now = find_place(root, found.parts)
    if isinstance(now, Place):
        return _put(root, patch, now, found.node)
    parent, above = _parent(trees[0], found), find_place(root, found.parts[:-1])
    if isinstance(above, Missing) or not isinstance(above.node, Mapping) or not isinstance(parent, Mapping):
        where = ".".join(found.parts[:-1])
        report.add(_finding(patch, "M111", f"'{where}' is gone as a whole", f"restore '{where}'"))
        return None
    earlier = list(parent.entries)[: position_of(parent, found.parts[-1])]
    left = [name for name in earlier if name in above.node.entries]
    at = position_of(above.node, left[-1]) + 1 if left else 0
    entry = parent.entries[found.parts[-1]]
    changed = change_at(root, above.parts, lambda node: put_child(node, entry, at))
    assert isinstance(changed, Mapping)
    return Applied(changed, found.path, None)


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
