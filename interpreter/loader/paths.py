"""A dotted path and a tree of nodes in, the place it means (or what is missing) or a changed tree out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from interpreter.diagnostics import suggest
from interpreter.loader.forms import (
    FREE_KEYS,
    LETTERED,
    SECTIONS,
    expand_component,
    expand_entry,
    name_of,
)
from interpreter.loader.reader import Entry, Mapping, Node, Scalar, Sequence
from interpreter.records import dataclass

Parts = tuple[str, ...]

_TABLE = re.compile(r"table +(?:(-?[0-9]{1,9}) *\.\. *-?[0-9]{1,9}|(\w+)) +of +(.*)")

PART_MAPS = frozenset({"effects", "facts", "keeps", "options", "pick", "state", "when"})
"""Maps inside an entry that a patch may begin by adding to them."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place that exists, with its full path."""

    parts: Parts
    node: Node

    @property
    def path(self) -> str:
        return ".".join(self.parts)


@dataclass(frozen=True, slots=True)
class Missing:
    """The first part that does not exist, and what exists there instead."""

    index: int
    candidates: tuple[str, ...]


def split_path(text: str) -> Parts:
    """The parts between dots; dots inside parentheses do not count."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "." and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return (*parts, text[start:].strip())


def find_place(root: Mapping, parts: Parts) -> Place | Missing:
    """Follows a path; a kind as first part means its components, and the `is` of a table may be left out.

    In the full path a place in a list is its position from 1, however the table counts."""
    lead: Parts = () if parts[0] in root.entries or parts[0] not in kind_names(root) else ("components",)
    full, node = lead, _child(root, lead[0]) if lead else root
    for index, part in enumerate(parts):
        if node is None:
            return Missing(index, ())
        found, key = _step(root, full, node, part)
        if found is None:
            return Missing(index, _names_at(root, full, node, at_root=index == 0))
        full, node = (*full, *key), found
    assert node is not None
    return Place(full, node)


def kind_names(root: Mapping) -> dict[str, None]:
    """The kinds that are declared or have components."""
    names: dict[str, None] = {}
    for section in ("kinds", "components"):
        node = _child(root, section)
        if isinstance(node, Mapping):
            names.update(dict.fromkeys(node.entries))
    return names


def suggest_path(root: Mapping, parts: Parts) -> str | None:
    """The existing path most like this one: each part that is missing is replaced by the closest there is."""
    tried = list(parts)
    for _ in range(len(parts) + 1):
        found = find_place(root, tuple(tried))
        if isinstance(found, Place):
            return ".".join(tried) if tuple(tried) != parts else None
        if found.index == 0:
            section = next((name for name in root.entries if _child(_child(root, name), tried[0]) is not None), None)
            if section is not None:
                tried.insert(0, section)
                continue
        match = suggest(tried[found.index], found.candidates)
        if match is None:
            return None
        tried[found.index] = match
    return None


def change_at(node: Node, parts: Parts, change: Callable[[Node], Node]) -> Node:
    """The tree with the node at an existing path changed."""
    if not parts:
        return change(node)
    match node:
        case Mapping(entries=entries) if parts[0] in entries:
            entry = entries[parts[0]]
            changed = replace(entry, node=change_at(entry.node, parts[1:], change))
            return replace(node, entries={**entries, parts[0]: changed})
        case Sequence(items=items):
            at = _index(node, parts[0])
            if at is not None:
                return replace(node, items=(*items[:at], change_at(items[at], parts[1:], change), *items[at + 1 :]))
    raise KeyError(parts[0])


def put_child(container: Node, entry: Entry, at: int | None = None) -> Node:
    """The map or list of words with one more entry, at the end or at a position."""
    match container:
        case Mapping(entries=entries):
            items = list(entries.items())
            items.insert(len(items) if at is None else at, (name_of(entry.key.text), entry))
            return replace(container, entries=dict(items))
        case Sequence(items=words):
            at = len(words) if at is None else at
            return replace(container, items=(*words[:at], entry.key, *words[at:]))
    raise TypeError("a single value has no parts")


def drop_child(container: Node, part: str) -> Node:
    match container:
        case Mapping(entries=entries):
            return replace(container, entries={name: entry for name, entry in entries.items() if name != part})
        case Sequence(items=items):
            at = _index(container, part)
            return replace(container, items=tuple(item for number, item in enumerate(items) if number != at))
    raise TypeError("a single value has no parts")


def position_of(container: Node, part: str) -> int:
    """Which place an existing part has among its neighbours, from 0."""
    match container:
        case Mapping(entries=entries):
            return list(entries).index(part)
        case Sequence():
            at = _index(container, part)
            assert at is not None
            return at
    raise TypeError("a single value has no parts")


def is_word_list(node: Node) -> bool:
    """Lists of words are addressed by the word, other lists by position from 1."""
    return isinstance(node, Sequence) and all(isinstance(i, Scalar) and isinstance(i.value, str) for i in node.items)


def strip_letters(section: str, node: Mapping) -> tuple[Mapping, list[tuple[Entry, Entry]]]:
    """The map by bare names, and pairs of entries whose names differ in their letters only."""
    if section not in LETTERED or not any("(" in name for name in node.entries):
        return node, []
    entries: dict[str, Entry] = {}
    doubled: list[tuple[Entry, Entry]] = []
    for header, entry in node.entries.items():
        known = entries.setdefault(name_of(header), entry)
        if known is not entry:
            doubled.append((known, entry))
    return replace(node, entries=entries), doubled


def normalise(root: Mapping, parts: Parts) -> Mapping:
    """The tree after a change at a path, with the entries there in their long form again."""
    section = parts[0]
    changed = _child(root, section)
    if section not in SECTIONS or not isinstance(changed, Mapping):
        return root
    names = parts[1:2] or tuple(strip_letters(section, changed)[0].entries)
    stripped = strip_letters(section, changed)[0]
    for name in names:
        if name in stripped.entries:
            stripped = _normalise_entry(section, stripped, name)
    entries = {**root.entries, section: replace(root.entries[section], node=stripped)}
    return replace(root, entries=entries)


def _normalise_entry(section: str, node: Mapping, name: str) -> Mapping:
    entry = node.entries[name]
    if section != "components":
        long = expand_entry(section, entry.node)
    elif isinstance(entry.node, Mapping):
        things = {key: replace(thing, node=expand_component(thing.node)) for key, thing in entry.node.entries.items()}
        long = replace(entry.node, entries=things)
    else:
        return node
    return replace(node, entries={**node.entries, name: replace(entry, node=long)})


def _step(root: Mapping, full: Parts, node: Node, part: str) -> tuple[Node | None, Parts]:
    if isinstance(node, Sequence):
        keys = _keys_of(root, full, node)
        at = keys.index(part) if part in keys else -1
        words = is_word_list(node) and not _is_table(full)
        return (None, ()) if at < 0 else (node.items[at], (part if words else str(at + 1),))
    found = _child(node, part)
    if found is None and isinstance(node, Mapping) and "is" in node.entries:
        inner, key = _step(root, (*full, "is"), node.entries["is"].node, part)
        return inner, ("is", *key)
    return found, (part,)


def _is_table(full: Parts) -> bool:
    """Whether a list at this path is a table: printed values, not a list of names."""
    if full[:1] == ("components",):
        return len(full) > 3 and full[3] not in FREE_KEYS
    return full[:1] == ("constants",) and full[2:3] == ("is",)


def _keys_of(root: Mapping, full: Parts, node: Sequence) -> tuple[str, ...]:
    """What the places of a list are called: by its words, or as the declared type of the table counts them."""
    if not _is_table(full):
        words = tuple(item.text for item in node.items if isinstance(item, Scalar))
        return words if is_word_list(node) else _numbers(1, node)
    constant = full[0] == "constants"
    declared = ("constants", full[1], "type") if constant else ("kinds", full[1], "facts", full[3])
    type_: Node | None = root
    for part in declared:
        type_ = _child(type_, part)
    text = type_.text if isinstance(type_, Scalar) else ""
    for _ in full[3 if constant else 4 :]:
        outer = _TABLE.match(text.strip())
        text = outer[3] if outer else ""
    match = _TABLE.match(text.strip())
    if match is None or match[2] is None:
        return _numbers(int(match[1]) if match else 1, node)
    return _things(root, match[2])


def _numbers(first: int, node: Sequence) -> tuple[str, ...]:
    return tuple(str(first + at) for at in range(len(node.items)))


def _things(root: Mapping, kind: str) -> tuple[str, ...]:
    """The ids of a kind, in order."""
    listed = _child(_child(root, "components"), kind)
    named = _child(_child(root, "players"), "seats") if kind == "player" else None
    named = named or _child(_child(_child(root, "kinds"), kind), "ids")
    words = tuple(item.text for item in named.items if isinstance(item, Scalar)) if isinstance(named, Sequence) else ()
    return (*words, *(listed.entries if isinstance(listed, Mapping) else ()))


def _child(node: Node | None, part: str) -> Node | None:
    match node:
        case Mapping(entries=entries):
            entry = entries.get(part)
            return None if entry is None else entry.node
        case Sequence(items=items):
            at = _index(node, part)
            return None if at is None else items[at]
        case _:
            return None


def _index(node: Sequence, part: str) -> int | None:
    texts = [item.text for item in node.items if isinstance(item, Scalar)]
    if is_word_list(node) and part in texts:
        return texts.index(part)
    number = int(part) if part.isdecimal() and len(part) < 6 else 0
    return number - 1 if 1 <= number <= len(node.items) else None


def _names_at(root: Mapping, full: Parts, node: Node, at_root: bool) -> tuple[str, ...]:
    match node:
        case Mapping(entries=entries):
            inside = _names_at(root, (*full, "is"), entries["is"].node, at_root=False) if "is" in entries else ()
            return (*entries, *inside, *(kind_names(root) if at_root else ()))
        case Sequence():
            return _keys_of(root, full, node)
        case _:
            return ()
