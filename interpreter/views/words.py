"""Ids in, words in the chosen language out; what has no text is shown by its id."""

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter import Game
from interpreter.views.phrases import PHRASES
from interpreter.views.templates import Slot, blank_template, fill_template, one_or_many

ANY = "any"  # texts for every window that has none of its own


def words_for(game: Game, language: str) -> "Words":
    """The words of a language for a game; what it does not say is said by English, and else by ids."""
    ruleset, info = game.ruleset, game.machine.info
    text = _overlay(ruleset.text("en"), ruleset.text(language)) if language != "en" else ruleset.text("en")
    own = PHRASES.get(language, {}) | dict(text.get("interpreter", {}))
    likes = {(w["name"], o["name"]): o["like"] for w in info["windows"] for o in w["options"] if o["like"]}
    return Words({**text, "interpreter": own}, info["kinds"], likes)


def _overlay(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        whole = key == "columns"  # a table has the columns of one language, not of both
        if not whole and isinstance(under, Mapping) and isinstance(value, Mapping):
            merged[key] = _overlay(under, value)
        else:
            merged[key] = value
    return merged


class Words:
    """The texts of one language over the kinds of one game."""

    def __init__(
        self,
        text: Mapping[str, Any],
        kinds: Mapping[str, Mapping[str, Any]],
        likes: Mapping[tuple[str, str], Sequence[str]] | None = None,
    ) -> None:
        self.text = text
        self._kinds = kinds
        self._likes = likes or {}
        self._kinds_of_id: dict[str, list[str]] = {}
        for kind, info in kinds.items():
            for id_ in info["things"]:
                self._kinds_of_id.setdefault(id_, []).append(kind)

    # ------------------------------------------------------------ names
    def thing(self, id_: str, kind: str | None = None, count: object = None) -> str:
        """The name of a thing (as it is after a number): given, or put together from the names of its parts."""
        kind = kind or self._guess_kind(id_)
        given = self._find("names", kind, id_) if kind else None
        if given is not None or kind is None:
            return one_or_many(given, count) if given else spaced(id_)
        parts = self.parts(kind, id_)
        template = self.text.get("names", {}).get(kind)
        if isinstance(template, str):
            return self.fill(template, {name: (part_kind, part) for name, part_kind, part in parts})
        if self._kinds[kind]["form"] == "pieces":
            return " ".join(self._part(part_kind, part) for name, part_kind, part in parts if name != "copy")
        return " ".join(self._part(part_kind, part) for _, part_kind, part in parts) or spaced(id_)

    def parts(self, kind: str, id_: str) -> list[tuple[str, str | None, str]]:
        """The coordinates in the id of a thing: (name, kind, id) of each."""
        info = self._kinds[kind]
        axes: list[tuple[str, str | None]] = [(name, axis_kind) for name, axis_kind in info["coordinates"]]
        if info["form"] == "pieces":
            axes = [("type", info["pieces_of"]), *axes, ("copy", None)]
        words, found = id_.split("."), []
        for name, axis_kind in axes:
            size = self._length(axis_kind)
            found.append((name, axis_kind, ".".join(words[:size])))
            words = words[size:]
        return found

    def _length(self, kind: str | None) -> int:
        """How many dotted words the id of such a thing has."""
        if kind is None:
            return 1
        info = self._kinds[kind]
        inner = sum(self._length(axis_kind) for _, axis_kind in info["coordinates"])
        return inner + 2 if info["form"] == "pieces" else inner or 1

    def _part(self, kind: str | None, id_: str) -> str:
        return id_ if kind is None else self.thing(id_, kind)

    def kind_with(self, id_: str, field: str) -> str | None:
        """The kind of a thing with this id that has this field."""
        return next((kind for kind in self._kinds_of_id.get(id_, []) if field in self._kinds[kind]["fields"]), None)

    def is_single(self, kind: str) -> bool:
        """Whether there is exactly one of this kind, so that its name need not be said."""
        return bool(self._kinds[kind]["form"] == "one")

    def type_of(self, kind: str, field: str) -> str | None:
        """The kind of thing a field holds; none for numbers and flags."""
        type_ = self._kinds[kind]["fields"].get(field)
        return type_ if type_ in self._kinds else None

    def _guess_kind(self, id_: str) -> str | None:
        kinds = self._kinds_of_id.get(id_, [])
        named = [kind for kind in kinds if self._find("names", kind, id_) is not None]
        return next(iter(named or kinds), None)

    def value(self, value: object, kind: str | None = None) -> str:
        """A value of a field in words."""
        match value:
            case None:
                return "–"
            case "?":
                return "?"
            case bool():
                return self.own("yes" if value else "no")
            case str():
                return self.thing(value, kind)
            case list() | tuple():
                return ", ".join(self.value(item, kind) for item in value)
            case _:
                return str(value)

    def about(self, value: object, kind: str | None = None) -> str | None:
        """What an author says about a thing, or about the type of a piece; its name first."""
        if not isinstance(value, str):
            return None
        kind = kind or self._guess_kind(value)
        told = self._find("about", kind, value)
        if told is not None:
            return f"{self.thing(value, kind)}: {told}"
        if kind is not None and self._kinds[kind]["form"] == "pieces":
            return self.about(*reversed(self.parts(kind, value)[0][1:]))
        return None

    def called(self, text: str) -> list[tuple[str, str]]:
        """Kind and id of the things whose name begins so, if the author has something to say about them."""
        folded = text.casefold()
        told = [(kind, id_) for kind, ids in self.text.get("about", {}).items() for id_ in ids]
        return [(kind, id_) for kind, id_ in told if self.thing(id_, kind).casefold().startswith(folded)]

    # ------------------------------------------------------------ parts of a ruleset
    def field(self, kind: str, name: str) -> str:
        return self._find("fields", kind, name) or spaced(name)

    def field_or_quantity(self, kind: str, name: str) -> str:
        return self._find("fields", kind, name) or self._find("quantities", name) or spaced(name)

    def field_of_any(self, name: str) -> str | None:
        """What a field or fact is called, if that is the same in all kinds that have it."""
        sections = self.text.get("fields", {}).values()
        named = {str(section[name]) for section in sections if isinstance(section, Mapping) and name in section}
        return named.pop() if len(named) == 1 else None

    def field_of(self, id_: str, name: str) -> str | None:
        """What a field or fact of this thing is called, if a text says so."""
        own = (self._find("fields", kind, name) for kind in self._kinds_of_id.get(id_, []))
        return next((title for title in own if title), None) or self.field_of_any(name)

    def is_thing(self, id_: str) -> bool:
        return id_ in self._kinds_of_id

    def knows_kind(self, name: str) -> bool:
        return name in self._kinds

    def window(self, name: str, values: Mapping[str, Any] | None = None) -> str:
        """The question of a window; it may name what it is about."""
        return self.fill(self._find("windows", name) or spaced(name), values or {})

    def option(self, window: str, name: str, picks: Mapping[str, Any]) -> str:
        """What an option says; without a text, its name and its picks."""
        template = self.option_text(window, name)
        if template is not None:
            return self.fill(template, picks)
        return " ".join([spaced(name), *(self.value(pick) for pick in picks.values())])

    def option_text(self, window: str, name: str) -> str | None:
        return self._of_option("options", window, name) or self._find("options", ANY, name)

    def option_title(self, window: str, name: str) -> str:
        """The option without its picks, as a heading."""
        return blank_template(self.option_text(window, name) or "") or spaced(name)

    def choice(self, seat: str, window: str, name: str, picks: Mapping[str, Any]) -> str | None:
        """The log line of a choice: who takes which option, if the author says nothing else; none: it is not told."""
        own = self._of_option("choices", window, name)
        for told in (own, self._find("choices", ANY, name), self._find("choices", window, ANY)):
            if told is not None:
                return self.fill(told, {"seat": ("player", seat), **picks}) if told else None
        return f"{self.thing(seat, 'player')}: {self.option(window, name, picks)}"

    def help(self, window: str) -> str | None:
        """What an author says about a decision."""
        return self._find("help", window)

    def clause(self, window: str, option: str, name: str) -> str:
        """Why an option is not offered where this clause does not hold."""
        return self.clause_text(window, option, name) or spaced(name)

    def clause_text(self, window: str, option: str, name: str) -> str | None:
        found = self._of_option("clauses", window, option, name)
        return found or self._find("clauses", ANY, option, name) or self._find("clauses", ANY, ANY, name)

    def _of_option(self, section: str, window: str, option: str, *path: str) -> str | None:
        """A text of an option; where it has none, that of the option it is like."""
        found = self._find(section, window, option, *path)
        if found is None and (window, option) in self._likes:
            return self._of_option(section, *self._likes[window, option], *path)
        return found

    def moment(self, name: str, args: Mapping[str, Any]) -> str | None:
        """The log line of a moment; none if its text is empty: then it is not told."""
        template = self._find("moments", name)
        if template is None:
            return f"{spaced(name)}: {', '.join(self.value(arg) for arg in args.values())}" if args else spaced(name)
        return self.fill(template, args) if template else None

    def phase(self, name: str, args: Mapping[str, Any]) -> str | None:
        """The title of a phase; a phase without a title is not told."""
        template = self._find("phases", name)
        return self.fill(template, args) if template else None

    def quantity(self, name: str) -> str:
        return self._find("quantities", name) or spaced(name)

    def constant(self, name: str) -> str:
        return self._find("constants", name) or spaced(name)

    def chosen(self, option: str, value: object) -> str:
        """A value that was chosen for an option of the ruleset."""
        return self._find("values", option, str(value)) or f"{option} {value}"

    def view(self, name: str) -> str:
        return self._find("views", name, "title") or spaced(name)

    def own(self, word: str) -> str:
        """A word of the program itself in this language."""
        return self._find("interpreter", word) or word

    # ------------------------------------------------------------ templates
    def fill(self, template: str, values: Mapping[str, Any]) -> str:
        """The template with its slots filled; a value may come with its kind."""

        def look_up(slot: Slot) -> tuple[object, str] | None:
            if slot.path[0] not in values:
                return None
            kind, value = self._follow(slot.path, values)
            if slot.count and isinstance(value, str):
                count = self._follow(slot.count, values)[1] if slot.count[0] in values else slot.count[0]
                return value, self.thing(value, kind, count)
            return value, self.value(value, kind)

        return fill_template(template, look_up)

    def _follow(self, path: tuple[str, ...], values: Mapping[str, Any]) -> tuple[str | None, object]:
        """Kind and value at the end of a path over coordinates."""
        value = values[path[0]]
        kind, value = value if isinstance(value, tuple) else (None, value)
        for step in path[1:]:
            kind, value = self._coordinate(kind, value, step)
        return kind, value

    def _coordinate(self, kind: str | None, value: object, step: str) -> tuple[str | None, object]:
        if isinstance(value, str):
            kind = kind or self._guess_kind(value)
            for name, part_kind, part in self.parts(kind, value) if kind else []:
                if name == step:
                    return part_kind, part
        return None, value

    def _find(self, *path: str | None) -> str | None:
        node: Any = self.text
        for part in path:
            if not isinstance(node, Mapping) or part not in node:
                return None
            node = node[part]
        return str(node) if isinstance(node, str | int) else None


def spaced(name: str) -> str:
    """An id as words."""
    return name.replace("_", " ")
