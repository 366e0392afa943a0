"""Kinds, things, facts and constants: model declarations in, resolved declarations (the world rules speak of) out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from interpreter.checker.typed import ConstantInfo, Coordinate, FactInfo, KindInfo
from interpreter.checker.types import FLAG, LIMIT, NUMBER, UNKNOWN, Flag, Num, Table, Thing, Type, describe, join, one
from interpreter.diagnostics import Finding, Report, Span, did_you_mean
from interpreter.dsl import nodes as n
from interpreter.dsl.vocabulary import MAX_ROUNDS
from interpreter.loader import model as m
from interpreter.loader.reader import Mapping, Node, Scalar, Sequence

SEATS = "player"
MAX_THINGS = 2_000  # of one kind
MAX_ENTRIES = 100_000  # of one table, with the tables inside it
MAX_SEATS = 100
MAX_HINTS = 200
MAX_LEVELS = 20  # of kinds made of kinds
MAX_CELLS = 200_000  # remembered values in all
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,8})")
_RANGE = re.compile(r" *(-?[0-9]{1,9}) *\.\. *(-?[0-9]{1,9}) *")


class World:
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
        self._hints = 0
        self._things: dict[tuple[str, int], list[str]] = {}

    def add(self, code: str, at: Span, message: str, hint: str | None = None) -> None:
        self.report.add(Finding(code, at, message, hint))

    def near(self, word: str, candidates: Iterable[str]) -> str | None:
        """A name that may have been meant. Looking for one takes time, so only the first mistakes get a hint."""
        self._hints += 1
        return did_you_mean(word, candidates) if self._hints <= MAX_HINTS else None

    def muted(self, attempt: Callable[[], object]) -> bool:
        """Whether an attempt would lead to findings; they are not kept."""
        kept, self.report = self.report, Report()
        attempt()
        failed, self.report = not self.report.ok, kept
        return failed

    # ------------------------------------------------------------ looking up
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
        order: list[str] = []
        open_: list[str] = []

        def visit(name: str) -> None:
            if name in order:
                return
            if name in open_:
                ring = " -> ".join([*open_[open_.index(name) :], name])
                message = f"these kinds are made of each other: {ring}"
                self.add("N105", declared[name].at, message, "one of them must do without the other")
                return
            if len(open_) >= MAX_LEVELS:
                message = f"'{name}' is made of kinds that are made of kinds, more than {MAX_LEVELS} deep"
                self.add("N108", declared[name].at, message, "make some of them of numbers")
                return
            open_.append(name)
            kind = declared[name]
            parts = [kind.pieces.text] if kind.pieces else []
            parts += [node.text for node in kind.per.values() if isinstance(node, Scalar)]
            for part in parts:
                if part in declared:
                    visit(part)
            open_.pop()
            order.append(name)

        for name in declared:
            visit(name)
        return order

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
            entry = node.entries.get(str(players))
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
    def type_of(self, text: n.TypeText) -> Type:
        match text.form:
            case "range":
                if text.low > text.high:
                    hint = f"write {text.high}..{text.low}"
                    self.add("T101", text.at, f"the range {text.low}..{text.high} is empty", hint)
                    return NUMBER
                return Num(text.low, text.high)
            case "table":
                assert text.index is not None and text.entry is not None
                index = self.type_of(text.index)
                if not isinstance(index, Num | Thing):
                    message = f"a table goes by the numbers of a range or the things of a kind, not {describe(index)}"
                    self.add("T102", text.index.at, message, "write 'table 1..4 of …' or 'table KIND of …'")
                    return UNKNOWN
                table = Table(index, self.type_of(text.entry))
                if self._entries(table) > MAX_ENTRIES:
                    message = f"this table would have more than {MAX_ENTRIES} entries"
                    self.add("T102", text.at, message, "write the range of its numbers: 'table 1..4 of …'")
                    return UNKNOWN
                return table
            case _:
                return self._named_type(text)

    def _entries(self, type_: Type) -> int:
        """How many plain values a table holds."""
        if not isinstance(type_, Table):
            return 1
        index = type_.index
        size = index.high - index.low + 1 if isinstance(index, Num) else self.largest(index.kind)
        return size * self._entries(type_.entry)

    def _named_type(self, text: n.TypeText) -> Type:
        if text.name in ("number", "flag"):
            if text.optional:
                hint = "only a kind can be none; let a number such as 0 stand for nothing"
                self.add("T103", text.at, f"a {text.name} is never none", hint if text.name == "number" else None)
            return NUMBER if text.name == "number" else FLAG
        if text.name not in self.kinds:
            known = [*self.kinds, "number", "flag"]
            self.add("N103", text.at, f"no kind is called '{text.name}'", self.near(text.name, known))
            return UNKNOWN
        return Thing(text.name, text.optional)

    def _facts(self, kind: m.Kind) -> None:
        info = self.kinds[kind.name]
        listed = self.model.components.get(kind.name, {})
        for name, declaration in kind.facts.items():
            if info.form != "ids":
                hint = f"put it under `state`, or list the things under 'components: {{{kind.name}: …}}'"
                message = f"nothing is printed on {one(kind.name)}, because it has no components"
                self.add("N106", declaration.at, message, hint)
                continue
            type_ = self.type_of(declaration.type)
            values: dict[str, object] = {}
            for id_ in info.ids:
                component = listed.get(id_)
                entry = component.facts.get(name) if component is not None else None
                if entry is not None:
                    values[id_] = self.value_of(entry.node, type_)
                else:
                    values[id_] = self._default(declaration, type_, component, kind, name)
            info.facts[name] = FactInfo(kind.name, name, tighten(type_, list(values.values())), values)
        for component in listed.values():
            if component.like is not None and component.like.text not in listed:
                near = self.near(component.like.text, listed)
                self.add("N120", component.like.span, f"no {kind.name} is called '{component.like.text}'", near)
            for name, entry in component.facts.items():
                if name not in kind.facts:
                    known = [*kind.facts, "count", "effects", "like", "ref", "note", "assumed"]
                    hint = self.near(name, known) or f"declare it under the facts of '{kind.name}'"
                    self.add("N109", entry.key.span, f"{one(kind.name)} has no fact '{name}'", hint)

    def _default(
        self, declared: n.Declaration, type_: Type, component: m.Component | None, kind: m.Kind, name: str
    ) -> object:
        match declared.starting, type_:
            case n.Number(value=number), Num():
                if not type_.low <= number <= type_.high and declared.starting is not None:
                    self.add("T104", declared.starting.at, f"{number} lies outside {type_.low}..{type_.high}")
                return number
            case n.Truth(value=truth), Flag():
                return int(truth)
            case n.Name(id=id_), Thing(of) if id_ in self.kinds[of].ids:
                return (of, id_)
            case given, _ if given is not None:
                message = f"a printed fact starts with {describe(type_)} itself, not with a formula"
                self.add("T105", given.at, message)
                return 0
        simple = default_value(type_)
        if simple is not None:
            return simple
        at = component.at if component is not None else kind.at
        hint = f"add '{name}: …', or give the fact a start for all: '{name}: … starting …'"
        self.add("N110", at, f"the fact '{name}' of this {kind.name} is missing", hint)
        return 0

    def value_of(self, node: Node, type_: Type) -> object:
        """A YAML value as a plain value of the given type; ids stay ('kind', 'id')."""
        match node, type_:
            case (_, Table()):
                return self._table(node, type_)
            case Scalar(value=bool() as truth), Flag():
                return int(truth)
            case Scalar(value=int() as number), Num() if type(number) is int:
                if abs(number) >= LIMIT:
                    self.add("T104", node.span, "a number has at most 9 digits")
                elif not type_.low <= number <= type_.high:
                    message = f"{number} lies outside {type_.low}..{type_.high}"
                    self.add("T104", node.span, message, "change the number, or the range in its type")
                return number
            case Scalar(text="none"), Thing(optional=True):
                return -1
            case Scalar(), Thing(kind):
                if node.text in self.kinds[kind].ids:
                    return (kind, node.text)
                self.add(
                    "N101",
                    node.span,
                    f"no {kind} is called '{node.text}'",
                    self.near(node.text, self.kinds[kind].ids),
                )
                return 0
        if type_ != UNKNOWN:
            self.add("T105", node.span, f"expected {describe(type_)}, found {_found(node)}")
        return 0

    def _table(self, node: Node, type_: Table) -> object:
        keys = self._table_keys(type_.index)
        given: dict[str, Node] = {}
        if isinstance(node, Sequence):
            if len(node.items) != len(keys):
                self.add("T106", node.span, f"expected {len(keys)} entries, found {len(node.items)}")
            given = dict(zip(keys, node.items, strict=False))
        elif isinstance(node, Mapping):
            for name, entry in node.entries.items():
                if name not in keys:
                    self.add("T106", entry.key.span, f"the table has no entry '{name}'", self.near(name, keys))
                given[name] = entry.node
        else:
            self.add("T105", node.span, f"expected a table, found {_found(node)}", "write a list or a map")
        values = []
        missing: list[str] = []
        for key in keys:
            if key in given:
                values.append(self.value_of(given[key], type_.entry))
                continue
            default = default_value(type_.entry)
            if default is None and (isinstance(node, Mapping) or len(given) == len(keys)):
                missing.append(key)
            values.append(default if default is not None else 0)
        if missing:
            rest = f", nor for {len(missing) - 1} others" if len(missing) > 1 else ""
            self.add("T106", node.span, f"the table has no entry for '{missing[0]}'{rest}", f"add '{missing[0]}: …'")
        return tuple(values)

    def _table_keys(self, index: Num | Thing) -> list[str]:
        if isinstance(index, Num):
            if index.high - index.low > MAX_ROUNDS:
                return []
            return [str(number) for number in range(index.low, index.high + 1)]
        return list(self.kinds[index.kind].ids)

    def _constant(self, constant: m.Constant) -> None:
        declared = constant.type
        type_ = self.infer(constant.node) if declared is None else self.type_of(declared.type)
        value = self.value_of(constant.node, type_) if type_ != UNKNOWN else 0
        name = constant.name
        self.constants[name] = ConstantInfo(name, soften(type_), value, constant.at, constant.ref, constant.assumed)

    def infer(self, node: Node) -> Type:
        match node:
            case Scalar(value=bool()):
                return FLAG
            case Scalar(value=int() as number):
                return Num(number, number)
            case Scalar():
                return self._infer_id(node)
            case Sequence():
                return self._infer_table(Num(1, len(node.items)), node.items, node)
            case Mapping():
                return self._infer_table(self._infer_index(node), tuple(e.node for e in node.entries.values()), node)

    def _infer_id(self, node: Scalar) -> Type:
        kinds = self.kinds_of_id(node.text)
        if len(kinds) == 1:
            return Thing(kinds[0])
        if kinds:
            ways = " or ".join(one(kind) for kind in kinds)
            self.add("N111", node.span, f"'{node.text}' may be {ways}", f"say which: '{{is: …, type: {kinds[0]}}}'")
        elif node.text == "none":
            self.add("N111", node.span, "'none' may be a thing of any kind", "say which: '{is: …, type: KIND or none}'")
        else:
            hint = self.near(node.text, self.all_ids()) or "a formula stands under 'quantities:'"
            self.add("N101", node.span, f"'{node.text}' is neither a number nor the id of a thing", hint)
        return UNKNOWN

    def _infer_index(self, node: Mapping) -> Num | Thing | None:
        keys = list(node.entries)
        if keys and all(_WHOLE.fullmatch(key) for key in keys):
            numbers = sorted(int(key) for key in keys)
            if numbers[-1] - numbers[0] + 1 == len(numbers):
                return Num(numbers[0], numbers[-1])
            gap = next(n for n in range(numbers[0], numbers[-1]) if n not in numbers)
            self.add("T106", node.span, f"the table goes from {numbers[0]} to {numbers[-1]}, but {gap} is missing")
            return None
        kinds = [name for name, kind in self.kinds.items() if keys and all(key in kind.ids for key in keys)]
        if len(kinds) == 1:
            return Thing(kinds[0])
        if kinds:
            hint = f"say which: '{{is: …, type: table {kinds[0]} of …}}'"
            self.add("N111", node.span, f"these may be things of the kind {' or '.join(kinds)}", hint)
            return None
        wrong = next((key for key in keys if not self.kinds_of_id(key) and not _WHOLE.fullmatch(key)), None)
        if wrong is None:
            self.add("N101", node.span, "the keys of this table are neither all numbers nor all things of one kind")
        else:
            at = node.entries[wrong].key.span
            message = f"'{wrong}' is neither a number nor the id of a thing"
            self.add("N101", at, message, self.near(wrong, self.all_ids()))
        return None

    def _infer_table(self, index: Num | Thing | None, items: tuple[Node, ...], node: Node) -> Type:
        if index is None or not items:
            if index is not None:
                self.add("T106", node.span, "the table is empty", "list its entries, or remove it")
            return UNKNOWN
        entry: Type | None = self.infer(items[0])
        for item in items[1:]:
            entry = None if entry is None else join(entry, self.infer(item))
        if entry is None:
            hint = "numbers, flags and things of each kind go into tables of their own"
            self.add("T105", node.span, "the entries of this table are of different types", hint)
            return UNKNOWN
        return Table(index, entry)


def _found(node: Node) -> str:
    match node:
        case Mapping():
            return "a map"
        case Sequence():
            return "a list"
        case Scalar(value=None):
            return "nothing"
        case Scalar(text=text):
            return f"'{text[:40]}'"


def option_kind(name: str) -> str:
    """Values of an option are ids of a kind of their own, which no rule can name."""
    return f"option {name}"


def soften(type_: Type) -> Type:
    """Bounds that come from a constant are soft: another layer may change it."""
    match type_:
        case Num(low, high):
            return Num(low, high, soft=True)
        case Table(index, entry):
            return Table(index, soften(entry))
        case _:
            return type_


def tighten(type_: Type, values: list[object]) -> Type:
    """Numbers that are printed nowhere cannot occur: bounds of a fact are those of its values (softly)."""
    match type_:
        case Num():
            numbers = [value for value in values if isinstance(value, int)]
            return Num(min(numbers), max(numbers), soft=True) if numbers else type_
        case Table(index, entry):
            entries = [item for value in values if isinstance(value, tuple) for item in value]
            return Table(index, tighten(entry, entries))
        case _:
            return type_


def default_value(type_: Type) -> int | None:
    match type_:
        case Flag():
            return 0
        case Thing(optional=True):
            return -1
        case _:
            return None


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
