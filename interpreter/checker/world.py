"""Kinds, things, facts and constants: model declarations in, resolved declarations (the world rules speak of) out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from interpreter.checker.order import ring
from interpreter.checker.printed import OTHERS, Printed
from interpreter.checker.typed import ConstantInfo, Coordinate, KindInfo
from interpreter.checker.types import FLAG, NUMBER, Thing, Type
from interpreter.diagnostics import Finding, Report, Span, did_you_mean
from interpreter.loader import model as m
from interpreter.loader.document import added_later
from interpreter.loader.reader import Mapping, Node, Scalar, Sequence

SEATS = "player"
MAX_THINGS = 2_000  # of one kind
MAX_SEATS = 100
MAX_COMPARED = 100_000  # names looked at for hints
MAX_CELLS = 200_000  # remembered values in all
_RANGE = re.compile(r" *(-?[0-9]{1,9}) *\.\. *(-?[0-9]{1,9}) *")


class World(Printed):
    """What there is. `thing_kinds(id)` and `letters(file)` are what names are resolved with."""

    def __init__(self, model: m.Model, report: Report) -> None:
        self.model = model
        self.report = report
        self.seats, self.player_counts = _seats(model)
        self.kinds: dict[str, KindInfo] = {}
        self.plurals: dict[str, str] = {}
        self.constants: dict[str, ConstantInfo] = {}
        self.options: dict[str, tuple[str | int, ...]] = _options(model)
        self._ids: dict[str, list[str]] = {}
        self._letters: dict[str, dict[str, str]] = {}
        self._paths: dict[str, list[str]] = {}
        self._sizes: dict[tuple[str, int], int] = {}
        self._compared = 0
        self._things: dict[tuple[str, int], list[str]] = {}

    def add(self, code: str, at: Span, message: str, hint: str | None = None) -> None:
        self.report.add(Finding(code, at, message, hint))

    def near(self, word: str, candidates: Iterable[str]) -> str | None:
        """A name that may have been meant. Looking for one takes time, so only the first mistakes get a hint."""
        known = list(candidates)
        self._compared += len(known)
        return did_you_mean(word, known) if self._compared <= MAX_COMPARED else None

    def muted(self, attempt: Callable[[], object]) -> bool:
        """Whether an attempt would lead to findings; they are not kept."""
        kept, self.report = self.report, Report()
        attempt()
        failed, self.report = not self.report.ok, kept
        return failed

    # ------------------------------------------------------------ looking up
    def is_late(self, kind: str, field: str) -> bool:
        """Whether a field was added to its kind by a later layer."""
        return any(added_later(self.model.document, "kinds", kind, part, field) for part in ("state", "facts"))

    def kinds_of_id(self, word: str) -> list[str]:
        return self._ids.get(word, [])

    def all_ids(self) -> Iterable[str]:
        return self._ids

    def letter(self, file: str, word: str) -> str | None:
        """The kind (or `number`, `flag`) a letter stands for in this file; digits may follow a letter."""
        table = self._letters.get(file)
        if table is None:
            table = self._letters[file] = self._read_letters(file)
        stem = word.rstrip("0123456789")
        for candidate in (word, stem, stem.rstrip("_")):
            if candidate in table:
                return table[candidate]
        for candidate in (word, stem):
            if candidate in self.kinds or candidate in ("number", "flag"):
                return candidate
        return None

    def _read_letters(self, file: str) -> dict[str, str]:
        found = {}
        for kind, words in self.model.document.letters.get(file, {}).items():
            for word in words:
                if kind not in self.kinds and kind not in ("number", "flag"):
                    known = [*self.kinds, "number", "flag"]
                    at = self._key_of_letter(kind, word)
                    self.add("N103", at, f"no kind is called '{kind}'", self.near(kind, known))
                found[word.text] = kind
        return found

    def _key_of_letter(self, kind: str, word: Scalar) -> Span:
        """Where the kind of a letter is written."""
        for file in self.model.document.parsed:
            names = file.node.entries.get("names") if file.file == word.span.file else None
            if names is not None and isinstance(names.node, Mapping) and kind in names.node.entries:
                return names.node.entries[kind].key.span
        return word.span

    def letter_type(self, kind: str) -> Type:
        return NUMBER if kind == "number" else FLAG if kind == "flag" else Thing(kind)

    def size(self, kind: str, players: int) -> int:
        """How many things of a kind there are."""
        key = (kind, players)
        if key not in self._sizes:
            self._sizes[key] = self._size(kind, players)
        return self._sizes[key]

    def _size(self, kind: str, players: int) -> int:
        info = self.kinds[kind]
        product = 1
        for axis in info.coordinates:
            product *= len(axis.numbers) if axis.kind is None else self.size(axis.kind, players)
        match info.form:
            case "one":
                return 1
            case "seats":
                return players
            case "per":
                return product
            case "pieces":
                return product * sum(by_players.get(players, 0) for by_players in info.counts.values())
            case _:
                return len(info.ids)

    def largest(self, kind: str) -> int:
        return max((self.size(kind, p) for p in self.player_counts), default=0)

    def thing_ids(self, kind: str, players: int) -> list[str]:
        """The ids of all things of a kind, in order: tea, ann, ann.tea.2, knight.1."""
        key = (kind, players)
        if key not in self._things:
            self._things[key] = self._thing_ids(kind, players)
        return list(self._things[key])

    def _thing_ids(self, kind: str, players: int) -> list[str]:
        info = self.kinds[kind]
        match info.form:
            case "one":
                return [kind]
            case "seats":
                return list(info.ids[:players])
            case "ids":
                return list(info.ids)
        combinations = [""]
        for axis in info.coordinates:
            ids = [str(number) for number in axis.numbers] if axis.kind is None else self.thing_ids(axis.kind, players)
            combinations = [f"{before}.{id_}" for before in combinations for id_ in ids]
        if info.form == "per":
            return [id_[1:] for id_ in combinations]
        return [
            f"{type_}{combination}.{copy}"
            for type_, by_players in info.counts.items()
            for combination in combinations
            for copy in range(1, by_players.get(players, 0) + 1)
        ]

    def kinds_of_path(self, path: str) -> list[str]:
        """The kinds that have a thing with this dotted id."""
        if not self._paths:
            for name, info in self.kinds.items():
                if info.form in ("per", "pieces"):
                    for id_ in self.thing_ids(name, max(self.player_counts)):
                        self._paths.setdefault(id_, []).append(name)
        return self._paths.get(path, [])

    # ------------------------------------------------------------ kinds
    def build(self) -> None:
        declared = dict(self.model.kinds)
        if SEATS not in declared:
            declared[SEATS] = _plain_seats(self.model)
        order = self._order(declared)
        for name in order:
            self.kinds[name] = self._kind(declared[name])
        for name, info in self.kinds.items():
            other = self.plurals.setdefault(info.plural, name)
            if other != name or info.plural in self.kinds:
                message = f"'{info.plural}', the plural of '{name}', already means something else"
                self.add("N104", info.at, message, "give this kind another `plural`")
            for id_ in info.ids:
                self._ids.setdefault(id_, []).append(name)
        for name, values in self.options.items():
            words = tuple(str(value) for value in values)
            at = self.model.document.meta["options"].span
            self.kinds[option_kind(name)] = KindInfo(
                option_kind(name), "", "ids", words, (), None, {}, {}, {}, None, at
            )
        for kind in self.model.components:
            if kind not in self.kinds:
                at = self.model.document.sections["components"].entries[kind].key.span
                hint = self.near(kind, self.kinds) or f"add it: 'kinds: {{{kind}: {{}}}}'"
                self.add("N103", at, f"no kind is called '{kind}'", hint)
        for name in order:
            self._facts(declared[name])
        for constant in self.model.constants.values():
            self._constant(constant)

    def _order(self, declared: dict[str, m.Kind]) -> list[str]:
        """Kinds after the kinds they are made of."""
        order: dict[str, None] = {}
        opened: list[str] = []
        waiting = [(name, True) for name in reversed(declared)]
        while waiting:
            name, entering = waiting.pop()
            if not entering:
                order[opened.pop()] = None
            elif name in opened:
                message = f"these kinds are made of each other: {ring([*opened[opened.index(name) :], name])}"
                self.add("N105", declared[name].at, message, "one of them must do without the other")
            elif name not in order:
                opened.append(name)
                kind = declared[name]
                parts = [kind.pieces.text] if kind.pieces else []
                parts += [node.text for node in kind.per.values() if isinstance(node, Scalar)]
                waiting += [(name, False), *((part, True) for part in reversed(parts) if part in declared)]
        return list(order)

    def _kind(self, kind: m.Kind) -> KindInfo:
        listed = self.model.components.get(kind.name, {})
        ids: tuple[str, ...] = ()
        form: str = "ids"
        if kind.name == SEATS:
            form, ids = "seats", self.seats
        elif kind.one:
            form = "one"
        elif kind.pieces is not None:
            form = "pieces"
        elif kind.per:
            form = "per"
        else:
            ids = tuple(scalar.text for scalar in kind.ids) + tuple(listed)
        ways = [way for way, used in (("one", kind.one), ("ids", kind.ids), ("pieces", kind.pieces)) if used]
        ways += ["per"] if kind.per and kind.pieces is None else []
        ways = ["players", *ways] if kind.name == SEATS else ways
        if len(ways) + bool(listed) > 1:
            both = " and ".join([f"`{way}`" for way in ways] + (["`components`"] if listed else []))
            self.add("N106", kind.at, f"{both} both say how many of '{kind.name}' there are", "keep one of them")
        if form == "ids" and not ids:
            self.add(
                "N107",
                kind.at,
                f"nothing says which things of the kind '{kind.name}' there are",
                f"list them under 'components: {{{kind.name}: …}}', or say `one`, `ids`, `per` or `pieces`",
            )
        coordinates = tuple(self._coordinate(name, node) for name, node in kind.per.items())
        pieces_of = None
        counts: dict[str, dict[int, int]] = {}
        if kind.pieces is not None:
            pieces_of = kind.pieces.text
            if pieces_of not in self.kinds or self.kinds[pieces_of].form != "ids":
                if pieces_of not in self.kinds and pieces_of not in self.model.kinds:
                    hint = self.near(pieces_of, self.model.kinds)
                    self.add("N103", kind.pieces.span, f"no kind is called '{pieces_of}'", hint)
                elif pieces_of in self.kinds:
                    hint = f"list its things under 'components: {{{pieces_of}: …}}'"
                    if pieces_of == SEATS:
                        hint = f"one for each is written 'per: {{owner: {SEATS}}}'"
                    message = f"there can be no pieces of '{pieces_of}', because its things are not listed"
                    self.add("N103", kind.pieces.span, message, hint)
                pieces_of = None
            else:
                counts = self._counts(kind, pieces_of)
        info = KindInfo(
            kind.name, kind.plural, form, ids, coordinates, pieces_of, counts, {}, {},  # type: ignore[arg-type]
            kind.during.text if kind.during else None, kind.at, kind.ref,
        )  # fmt: skip
        self.kinds[kind.name] = info
        if self.largest(kind.name) > MAX_THINGS:
            self.add(
                "N108",
                kind.at,
                f"there would be {self.largest(kind.name)} of '{kind.name}', but at most {MAX_THINGS} are possible",
                "make the ranges, lists or counts it is made of smaller",
            )
        return info

    def _coordinate(self, name: str, node: Node) -> Coordinate:
        if isinstance(node, Sequence):
            numbers = tuple(i.value for i in node.items if isinstance(i, Scalar) and type(i.value) is int)
            if len(numbers) == len(node.items) and numbers:
                return Coordinate(name, None, numbers)
        elif isinstance(node, Scalar):
            if node.text in self.kinds:
                return Coordinate(name, node.text, ())
            ends = _RANGE.fullmatch(node.text)
            if ends is not None and 0 <= int(ends[2]) - int(ends[1]) < MAX_THINGS:
                return Coordinate(name, None, tuple(range(int(ends[1]), int(ends[2]) + 1)))
            known = [*self.model.kinds, SEATS]
            if node.text not in known:  # else it is part of a ring, which was told
                message = f"'{node.text}' is neither a kind nor a range such as 1..4"
                if ends is not None:
                    message = f"the range '{node.text}' is empty or has more than {MAX_THINGS} numbers"
                self.add("N103", node.span, message, self.near(node.text, known))
            return Coordinate(name, None, (1,))
        self.add("N103", node.span, "here stands a kind, a range such as 1..4 or a list of numbers")
        return Coordinate(name, None, (1,))

    def _counts(self, kind: m.Kind, pieces_of: str) -> dict[str, dict[int, int]]:
        counts = {}
        for id_ in self.kinds[pieces_of].ids:
            component = self.model.components.get(pieces_of, {}).get(id_)
            node = component.count if component is not None and component.count is not None else kind.count
            counts[id_] = {p: self._count(node, p) for p in self.player_counts}
        return counts

    def _count(self, node: Node | None, players: int) -> int:
        if node is None:
            return 1
        if isinstance(node, Mapping):
            entry = node.entries.get(str(players)) or node.entries.get(OTHERS)
            if entry is None:
                self.add("T110", node.span, f"no count is given for {players} players", f"add '{players}: …'")
                return 0
            node = entry.node
        if isinstance(node, Scalar) and type(node.value) is int and 0 <= node.value <= MAX_THINGS:
            return node.value
        message = f"a count is a number from 0 to {MAX_THINGS}, or a table of such numbers by the number of players"
        self.add("T110", node.span, message)
        return 0

    # ------------------------------------------------------------ types, facts, constants


def option_kind(name: str) -> str:
    """Values of an option are ids of a kind of their own, which no rule can name."""
    return f"option {name}"


def _seats(model: m.Model) -> tuple[tuple[str, ...], tuple[int, ...]]:
    node = model.document.meta.get("players")
    seats: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    if isinstance(node, Mapping):
        if "seats" in node.entries:
            seats = tuple(s.text for s in _scalars(node.entries["seats"].node))
        if "counts" in node.entries:
            counts = tuple(s.value for s in _scalars(node.entries["counts"].node) if type(s.value) is int)
    if not seats:
        seats = tuple(f"player_{i}" for i in range(1, min(MAX_SEATS, max(counts, default=2)) + 1))
    possible = tuple(count for count in counts if count <= len(seats))
    return seats, possible or (len(seats),)


def _scalars(node: Node) -> list[Scalar]:
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []


def _options(model: m.Model) -> dict[str, tuple[str | int, ...]]:
    node = model.document.meta.get("options")
    if not isinstance(node, Mapping):
        return {}
    return {
        name: tuple(s.value if type(s.value) is int else s.text for s in _scalars(entry.node))
        for name, entry in node.entries.items()
    }


def _plain_seats(model: m.Model) -> m.Kind:
    node = model.document.meta.get("players")
    at = node.span if node is not None else Span(model.document.main, 1, 1, 1, 2)
    return m.Kind(SEATS, at, (), SEATS + "s", False, (), {}, None, None, {}, {}, None, None)
