"""Parts of the rules in, what players call them out; and back, so that what was shown can be asked about."""

import re
from collections.abc import Mapping
from typing import Any

from interpreter import Derivation
from interpreter.views.words import Words

_FIELD = re.compile(r"(\w+)(\([^()]*\))?(?:\.\w+)*\.(\w+)(?:\[.*\])?")
_PATH = re.compile(r"(\w+(?:\.\w+)+)(?:\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\])?")
_CALL = re.compile(r"(.+?)\s*(?:\((.*)\))?")


def name_derivation(node: Derivation, words: Words) -> str:
    """What a step of an explanation is called; a piece of rule text stays as it is written."""
    if node.about is not None:
        section, name = node.about
        called = words.quantity(name) if section == "quantities" else words.constant(name)
        return f"{called} ({', '.join(words.value(arg) for arg in node.args)})" if node.args else called
    if node.label is not None:
        return node.text.replace(node.label, words.thing(node.label), 1)
    known = _field_of_thing(node.text, words)
    if known is not None:
        return known
    field = _FIELD.fullmatch(node.text)
    title = words.field_of_any(field[3]) if field else None
    if field and title:
        return title if words.knows_kind(field[1]) else f"{title} ({field[1]})"
    return words.own(node.text)


def _field_of_thing(text: str, words: Words) -> str | None:
    """'red.wool.amount' as the field of that thing; what a text does not name is left to be shown as it is written."""
    path = _PATH.fullmatch(text)
    parts = path[1].split(".") if path else []
    for end in range(len(parts) - 1, 0, -1):
        thing = ".".join(parts[:end])
        title = words.field_of(thing, parts[end]) if end == len(parts) - 1 else words.field_of_any(parts[-1])
        if title and words.is_thing(thing):
            return title if words.knows_kind(thing) else f"{title} ({words.thing(thing)})"
    return None


def read_question(text: str, words: Words, info: Mapping[str, Any]) -> str:
    """An expression as it was typed, or the one behind a name such as an explanation shows it."""
    call = _CALL.fullmatch(text.strip())
    if call is None:
        return text
    titles = {words.constant(name).casefold(): name for name in info["constants"]}
    titles |= {words.quantity(name).casefold(): name for name in info["quantities"]}
    name = titles.get(call[1].casefold())
    if name is None:
        return text
    if not call[2]:
        return str(name)
    params = info["quantities"][name]["params"] if name in info["quantities"] else []
    args = _arguments(call[2], [type_ for _, type_ in params], words, info)
    return f"{name}({', '.join(args)})"


def _arguments(text: str, kinds: list[str], words: Words, info: Mapping[str, Any]) -> list[str]:
    """The ids of things named one after the other; names may have commas in them."""
    found: list[str] = []
    rest = text.strip()
    for kind in kinds:
        things = info["kinds"][kind]["things"] if kind in info["kinds"] else []
        names = sorted(((words.thing(id_, kind), id_) for id_ in things), key=lambda pair: -len(pair[0]))
        match = next(((name, id_) for name, id_ in names if rest.casefold().startswith(name.casefold())), None)
        name, id_ = match or (rest.partition(",")[0],) * 2
        found.append(id_.strip())
        rest = rest[len(name) :].lstrip(" ,")
    return [*found, rest] if rest else found
