"""An entry as the author wrote it in, its long form out: patches and later stages see only long forms."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from interpreter.loader.reader import Entry, Mapping, Node, Scalar, Sequence

HEAD_KEYS = (
    "ruleset", "module", "title", "about", "extends", "layers", "modules", "fits", "excludes", "independent_of",
    "abstract", "edition",
)  # fmt: skip
"""Keys that say what a ruleset is; they stand in ruleset.yaml only and are not inherited as sections are."""

SECTIONS = (
    "players", "options", "kinds", "components", "constants", "quantities", "procedures", "windows", "moments",
    "phases", "rules", "networks", "scoring", "invariants",
)  # fmt: skip
"""Maps of named entries that layers add to and patches change."""

FREE_KEYS = frozenset({"ref", "note", "assumed"})
"""Keys that may stand beside the parts of an entry and are not parts."""

LETTERED = frozenset({"quantities", "procedures", "windows", "moments", "phases", "networks", "scoring"})
SHORT_FORM = {"constants": "is", "quantities": "is", "scoring": "is", "procedures": "do"}
"""Where a bare text stands for a map with this one key (in `scoring` both forms are kept as written)."""

_HEADER = re.compile(r"([^\s(]+)\s*\(.*\)", re.DOTALL)


def name_of(header: str) -> str:
    """The name without its letters: `name(x)` is called `name`."""
    match = _HEADER.fullmatch(header)
    return match[1] if match else header


def expand_entry(section: str, node: Node) -> Node:
    """The long form of one entry of a section; what is already long stays as it is."""
    match section:
        case "constants":
            return node if isinstance(node, Mapping) and "is" in node.entries else wrap("is", node)
        case "quantities" | "procedures":
            return wrap(SHORT_FORM[section], node) if isinstance(node, Scalar) else node
        case "phases":
            return _map_entries(node, lambda name, step: step if name in FREE_KEYS else _expand_step(step))
        case "windows":
            return _map_entries(_or_empty(node), _expand_window_part)
        case "kinds" | "moments":
            return _or_empty(node)
        case "rules":
            return _expand_effects(_as_rule(node))
        case _:
            return node


def expand_component(node: Node) -> Node:
    return _expand_effects(_or_empty(node))


def expand_section(section: str, node: Mapping) -> Mapping:
    """Every entry in its long form, keys with their letters untouched."""
    if section == "components":
        return Mapping(
            {kind: replace(entry, node=_map_entries(entry.node, lambda _, thing: expand_component(thing)))
             for kind, entry in node.entries.items()},
            node.span, node.flow,
        )  # fmt: skip
    entries = {name: replace(entry, node=expand_entry(section, entry.node)) for name, entry in node.entries.items()}
    return Mapping(entries, node.span, node.flow)


def wrap(key: str, node: Node) -> Mapping:
    """A map with one key, at the place of the node."""
    return Mapping({key: Entry(Scalar(key, key, node.span), node)}, node.span)


def _expand_step(node: Node) -> Node:
    return wrap("do", node) if isinstance(node, Scalar) else node


def _expand_window_part(name: str, node: Node) -> Node:
    return _map_entries(node, lambda _, option: _or_empty(option)) if name == "options" else node


def _expand_effects(node: Node) -> Node:
    """A list of effects becomes a map whose names are '1', '2', …"""
    if not isinstance(node, Mapping) or "effects" not in node.entries:
        return node
    entry = node.entries["effects"]
    return Mapping({**node.entries, "effects": replace(entry, node=_numbered(entry.node))}, node.span, node.flow)


def _as_rule(node: Node) -> Node:
    """A rule may be one effect, a list of them, a map of named ones below `effects`, or an effect as a map."""
    if isinstance(node, Mapping):
        known = "effects" in node.entries or not {"offer", "extend"} & node.entries.keys()
        return node if known else wrap("effects", Sequence((node,), node.span))
    return wrap("effects", node if isinstance(node, Sequence) else Sequence((node,), node.span))


def _numbered(node: Node) -> Node:
    if isinstance(node, Scalar) and node.value is not None:
        node = Sequence((node,), node.span)
    if not isinstance(node, Sequence):
        return _or_empty(node)
    entries = {
        str(number): Entry(Scalar(str(number), str(number), item.span), item)
        for number, item in enumerate(node.items, start=1)
    }
    return Mapping(entries, node.span, node.flow)


def _or_empty(node: Node) -> Node:
    return Mapping({}, node.span) if isinstance(node, Scalar) and node.value is None else node


def _map_entries(node: Node, change: Callable[[str, Node], Node]) -> Node:
    if not isinstance(node, Mapping):
        return node
    entries = {name: replace(entry, node=change(name, entry.node)) for name, entry in node.entries.items()}
    return Mapping(entries, node.span, node.flow)
