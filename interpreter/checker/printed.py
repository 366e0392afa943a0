"""Printed values: facts and constants in, checked plain values and their types out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from interpreter.checker.typed import ConstantInfo, FactInfo, KindInfo
from interpreter.checker.types import FLAG, LIMIT, NUMBER, UNKNOWN, Flag, Num, Table, Thing, Type, describe, join, one
from interpreter.diagnostics import Span
from interpreter.dsl import nodes as n
from interpreter.dsl.vocabulary import MAX_ROUNDS
from interpreter.loader import model as m
from interpreter.loader.reader import Mapping, Node, Scalar, Sequence

MAX_ENTRIES = 100_000  # of one table, with the tables inside it
OTHERS = "else"  # the entry of a table that stands for all that are not named
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,8})")


class Printed:
    """The part of the world that reads types, facts and constants."""

    kinds: dict[str, KindInfo]
    constants: dict[str, ConstantInfo]
    model: m.Model

    def add(self, code: str, at: Span, message: str, hint: str | None = None) -> None:
        raise NotImplementedError

    def largest(self, kind: str) -> int:
        raise NotImplementedError

    def near(self, word: str, candidates: Iterable[str]) -> str | None:
        raise NotImplementedError

    def kinds_of_id(self, word: str) -> list[str]:
        raise NotImplementedError

    def all_ids(self) -> Iterable[str]:
        raise NotImplementedError

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
            given = dict.fromkeys(keys, node.entries[OTHERS].node) if OTHERS in node.entries else {}
            for name, entry in node.entries.items():
                if name == OTHERS:
                    continue
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
        keys = [key for key in node.entries if key != OTHERS]
        if keys and all(_WHOLE.fullmatch(key) for key in keys):
            numbers = sorted(int(key) for key in keys)
            if numbers[-1] - numbers[0] + 1 == len(numbers) or OTHERS in node.entries:
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
