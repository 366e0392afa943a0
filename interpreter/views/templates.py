"""A text with `{slots}` in, the text with words in their place out."""

import re
from collections.abc import Callable
from dataclasses import dataclass

_SLOT = re.compile(r"\{([^{}]*)\}")
_PATH = r"[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*"
_NAMED = re.compile(rf"({_PATH})(?: for ({_PATH}|\d+))?")
_KEYED = re.compile(r"(<0|-?\d+|[a-z_][a-z0-9_]*)=(.*)", re.DOTALL)
BLANK = "…"  # stands for what is not said: in headings


@dataclass(frozen=True, slots=True)
class Slot:
    """`{path}`; `{path for n}`: the name as it is after that number; `{path|form|form}`: a form chosen by the value."""

    path: tuple[str, ...]
    count: tuple[str, ...] = ()  # the path to the number, or the number itself
    keyed: tuple[tuple[str, str], ...] = ()  # a number, <0 or an id, and the form for it
    plain: tuple[str, ...] = ()  # one: for all the rest; two: for 1 and for all the rest

    def form(self, value: object, word: str) -> str:
        """The form for this value; `#` in it is the value, a number without its sign."""
        number = value if isinstance(value, int) and not isinstance(value, bool) else None
        keys = {str(value).lower()} | ({"<0"} if number is not None and number < 0 else set())
        chosen = next((form for key, form in self.keyed if key in keys), None)
        if chosen is None and self.plain:
            chosen = self.plain[0] if number in (1, -1) else self.plain[-1]
        return (chosen or "").replace("#", str(abs(number)) if number is not None else word)


def read_slot(text: str) -> Slot | None:
    """What stands between `{` and `}`; none if it is no slot."""
    path, *forms = text.split("|")
    named = _NAMED.fullmatch(path)
    if named is None:
        return None
    keyed = [match.groups() for form in forms if (match := _KEYED.fullmatch(form))]
    plain = tuple(form for form in forms if not _KEYED.fullmatch(form))
    if len(plain) > 2:
        return None
    count = tuple(named[2].split(".")) if named[2] else ()
    return Slot(tuple(named[1].split(".")), count, tuple((key, form) for key, form in keyed), plain)


def one_or_many(name: str, number: object) -> str:
    """The form of a name like `mouse|mice` for a number of them; without one, the last form."""
    forms = name.split("|")
    return forms[0] if number in (1, -1, "1") else forms[-1]


def slots_of(template: str) -> list[str]:
    """The texts between `{` and `}`."""
    return _SLOT.findall(template)


def without_slots(template: str) -> str:
    return _SLOT.sub("", template)


def fill_template(template: str, look_up: Callable[[Slot], tuple[object, str] | None]) -> str:
    """The template with every slot filled; `look_up` gives its value and word, or none to leave the slot as it is."""

    def put(match: re.Match[str]) -> str:
        slot = read_slot(match.group(1))
        found = look_up(slot) if slot is not None else None
        if slot is None or found is None:
            return match.group(0)
        value, word = found
        return slot.form(value, word) if slot.keyed or slot.plain else word

    return _SLOT.sub(put, template)


def blank_template(template: str, blanks: frozenset[str] | None = None) -> str:
    """The template with these slots (none given: all) left open, as a heading; other slots stay as they are."""

    def put(match: re.Match[str]) -> str:
        slot = read_slot(match.group(1))
        if slot is None or (blanks is not None and slot.path[0] not in blanks):
            return match.group(0)
        return slot.form(None, BLANK) if slot.keyed or slot.plain else BLANK

    return re.sub(rf"{BLANK}(?:\s+{BLANK})+", BLANK, re.sub(r"\s+", " ", _SLOT.sub(put, template))).strip()
