"""The parse stage: a merged, well-shaped document in, the ruleset model (declarations with parsed rule text) out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from interpreter.diagnostics import Finding, Report, Span
from interpreter.dsl import nodes as n
from interpreter.dsl import parser
from interpreter.loader.document import Document
from interpreter.loader.likeness import OptionLikeness, component_parts
from interpreter.loader.model import (
    Component,
    Constant,
    Effect,
    Extend,
    Keep,
    Kind,
    Model,
    Moment,
    Network,
    Offer,
    Option,
    Phase,
    Procedure,
    Quantity,
    Rule,
    Scoring,
    Step,
    Window,
)
from interpreter.loader.reader import Entry, Mapping, Node, Scalar, Sequence
from interpreter.memory import Memory

Parsed = TypeVar("Parsed")
_BY_THEMSELVES = frozenset({"kinds", "constants", "quantities", "procedures", "phases", "moments", "networks", "rules"})
"""Sections whose entries mean the same whatever else a ruleset has."""
_BUILT: Memory[Any] = Memory()


def parse_document(document: Document, report: Report) -> Model:
    return _ModelParser(document, report).model()


class _ModelParser:
    def __init__(self, document: Document, report: Report) -> None:
        self.document = document
        self.report = report
        self.likeness = OptionLikeness(document.sections.get("windows"), report)
        self.likeness.check()

    def model(self) -> Model:
        model = Model(
            self.document,
            kinds=dict(self.each("kinds", self.kind)),
            constants=dict(self.each("constants", self.constant)),
            quantities=dict(self.each("quantities", self.quantity)),
            procedures=dict(self.each("procedures", self.procedure)),
            windows=dict(self.each("windows", self.window)),
            phases=dict(self.each("phases", self.phase)),
            moments=dict(self.each("moments", self.moment)),
            networks=dict(self.each("networks", self.network)),
            rules=dict(self.each("rules", self.rule)),
            invariants=dict(self.each("invariants", self.invariant)),
            scoring=self.scoring(),
        )
        section = self.document.sections.get("scoring")
        if section is not None and "score" in section.entries:
            score = self.score(section.entries["score"])
            if score is not None:
                model.quantities[score.name] = score
        for kind, entry in _entries(self.document.sections.get("components")):
            listed = dict(_entries(entry.node))
            parts = component_parts(listed)
            model.components[kind] = {name: self.component(kind, name, e, parts[name]) for name, e in listed.items()}
        return model

    def each(self, section: str, build: Callable[[str, Entry], Parsed | None]) -> Iterator[tuple[str, Parsed]]:
        for name, entry in _entries(self.document.sections.get(section)):
            built = _BUILT.get(section, entry) if section in _BY_THEMSELVES else None
            if built is None:
                before = self.report.told
                built = build(name, entry)
                if self.report.told == before and section in _BY_THEMSELVES:
                    _BUILT.keep(section, entry, built)
            if built is not None:
                yield name, built

    # ------------------------------------------------------------ kinds, components, constants
    def kind(self, name: str, entry: Entry) -> Kind:
        node = entry.node
        pieces, during = _scalar(node, "pieces"), _scalar(node, "during")
        plural = _scalar(node, "plural")
        return Kind(
            name,
            entry.key.span,
            _refs(node),
            plural=plural.text if plural else name + "s",
            one=_flag(node, "one"),
            ids=tuple(i for i in _items(_child(node, "ids")) if isinstance(i, Scalar)),
            per={key: e.node for key, e in _entries(_child(node, "per"))},
            pieces=pieces,
            count=_child(node, "count"),
            facts=self.texts(node, "facts", parser.parse_declaration),
            state=self.texts(node, "state", parser.parse_declaration),
            during=during,
            in_force=self.formula(_scalar(node, "in_force")),
        )

    def component(self, kind: str, name: str, entry: Entry, inherited: dict[str, Entry]) -> Component:
        parts = dict(inherited)
        effects = parts.pop("effects", None)
        count = parts.pop("count", None)
        assumed = parts.pop("assumed", None)
        for key in ("like", "ref", "note"):
            parts.pop(key, None)
        return Component(
            name,
            entry.key.span,
            _refs(entry.node),
            kind,
            _scalar(entry.node, "like"),
            parts,
            None if count is None else count.node,
            self.effects(None if effects is None else effects.node),
            _plain_text(None if assumed is None else assumed.node),
        )

    def constant(self, name: str, entry: Entry) -> Constant | None:
        node = _child(entry.node, "is")
        if node is None:
            return None
        assumed = _plain_text(_child(entry.node, "assumed"))
        return Constant(name, entry.key.span, _refs(entry.node), node, self.declared(entry.node), assumed)

    def declared(self, node: Node) -> n.Declaration | None:
        scalar = _scalar(node, "type")
        return None if scalar is None else parser.parse_declaration(scalar, self.report)

    # ------------------------------------------------------------ rules in text
    def quantity(self, name: str, entry: Entry) -> Quantity | None:
        header, formula = self.header(entry), self.formula(_scalar(entry.node, "is"))
        if header is None or formula is None:
            return None
        stages = tuple(s.text for s in _items(_child(entry.node, "stages")) if isinstance(s, Scalar))
        return Quantity(name, entry.key.span, _refs(entry.node), header, formula, stages)

    def procedure(self, name: str, entry: Entry) -> Procedure | None:
        header = self.header(entry)
        if header is None:
            return None
        return Procedure(name, entry.key.span, _refs(entry.node), header, self.block(_scalar(entry.node, "do")))

    def phase(self, name: str, entry: Entry) -> Phase | None:
        header = self.header(entry)
        if header is None:
            return None
        steps = {}
        for step, e in _entries(entry.node):
            if step not in ("ref", "note"):
                steps[step] = Step(step, e.key.span, _refs(e.node), self.block(_scalar(e.node, "do")))
        return Phase(name, entry.key.span, _refs(entry.node), header, steps)

    def window(self, name: str, entry: Entry) -> Window | None:
        header = self.header(entry)
        if header is None:
            return None
        node = entry.node
        choose = _scalar(node, "choose")
        word, limit = (choose.text if choose else "one"), None
        if choose is not None and word.startswith("up to "):
            word, limit = "up to", self.formula(_Part(choose, len("up to ")))
        keeps = {}
        for key, e in _entries(_child(node, "keeps")):
            value = self.formula(e.node if isinstance(e.node, Scalar) else _scalar(e.node, "is"))
            if value is not None:
                keeps[key] = Keep(value, None if isinstance(e.node, Scalar) else self.declared(e.node))
        return Window(
            name,
            entry.key.span,
            _refs(node),
            header,
            keeps,
            word,
            limit,
            {key: self.listed_option(name, key) for key, _ in _entries(_child(node, "options"))},
            self.block(_scalar(node, "after")),
            _flag(node, "always"),
            _flag(node, "secret"),
        )

    def listed_option(self, window: str, name: str) -> Option:
        whole, origin = self.likeness.whole(window, name), self.likeness.origin(window, name)
        return self.option(name, whole, origin)

    def option(self, name: str, entry: Entry, like: tuple[str, str] | None = None) -> Option:
        node = entry.node
        once = _scalar(node, "once")
        ever = once is not None and once.value is True
        return Option(
            name,
            entry.key.span,
            _refs(node),
            self.texts(node, "pick", parser.parse_formula),
            self.texts(node, "when", parser.parse_formula),
            None if once is None or ever else self.formula(once),
            ever,
            self.block(_scalar(node, "do")),
            like,
        )

    def moment(self, name: str, entry: Entry) -> Moment | None:
        header = self.header(entry)
        if header is None:
            return None
        return Moment(name, entry.key.span, _refs(entry.node), header, self.formula(_scalar(entry.node, "seen")))

    def network(self, name: str, entry: Entry) -> Network | None:
        header, nodes, edges = self.header(entry), _scalar(entry.node, "nodes"), _scalar(entry.node, "edges")
        clause = None if edges is None else parser.parse_ranking(edges, self.report)
        ends = [self.formula(e) for e in _items(_child(entry.node, "ends")) if isinstance(e, Scalar)]
        if header is None or nodes is None or clause is None or len(ends) != 2 or ends[0] is None or ends[1] is None:
            return None
        return Network(name, entry.key.span, _refs(entry.node), header, nodes, clause, (ends[0], ends[1]))

    def rule(self, name: str, entry: Entry) -> Rule:
        when = self.formula(_scalar(entry.node, "when"))
        effects = self.effects(_child(entry.node, "effects"))
        return Rule(name, entry.key.span, _refs(entry.node), when, effects)

    def invariant(self, _name: str, entry: Entry) -> tuple[Span, n.Formula] | None:
        formula = self.formula(entry.node if isinstance(entry.node, Scalar) else _scalar(entry.node, "is"))
        return None if formula is None else (entry.key.span, formula)

    def scoring(self) -> Scoring | None:
        section = self.document.sections.get("scoring")
        if section is None:
            return None
        ranked = _scalar(section, "ranked") or _scalar(_child(section, "ranked"), "is")
        clause = None if ranked is None else parser.parse_ranking(ranked, self.report)
        refs = _refs(section) + tuple(r for _, e in _entries(section) for r in _refs(e.node))
        return Scoring("scoring", section.span, refs, clause)

    def score(self, entry: Entry) -> Quantity | None:
        header = self.header(entry)
        formula = self.formula(entry.node if isinstance(entry.node, Scalar) else _scalar(entry.node, "is"))
        if header is None or formula is None:
            return None
        return Quantity(header.name, entry.key.span, _refs(entry.node), header, formula, ())

    # ------------------------------------------------------------ effects
    def effects(self, node: Node | None) -> dict[str, Effect]:
        found: dict[str, Effect] = {}
        for name, entry in _entries(node):
            effect = self.effect(entry)
            if effect is not None:
                found[name] = effect
        return found

    def effect(self, entry: Entry) -> Effect | None:
        node = entry.node
        if isinstance(node, Scalar):
            return parser.parse_effect(node, self.report)
        if self.is_twofold(node):
            return None
        for verb in ("offer", "extend"):
            name = _scalar(node, verb)
            if name is None:
                continue
            at = _child(node, "at")
            places = [at] if isinstance(at, Scalar) else [s for s in _items(at) if isinstance(s, Scalar)]
            if not places:
                hint = f"write 'at: WINDOW': where the option is {'offered' if verb == 'offer' else 'extended'}"
                self.report.add(Finding("S103", name.span, "key 'at' is missing", hint))
            if verb == "extend":
                self.check_extension(node, places)
            headers = tuple(h for h in (parser.parse_header(s, self.report) for s in places) if h is not None)
            option = self.option(name.text, Entry(name, node))
            if verb == "offer":
                return Offer(option, headers)
            return Extend(option, headers[0]) if headers else None
        text = _scalar(node, "do") or _scalar(node, "is")
        return None if text is None else parser.parse_effect(text, self.report)

    def is_twofold(self, node: Node) -> bool:
        """Whether a map says in two ways which effect it is."""
        verbs = [verb for verb in ("offer", "extend", "is", "do") if _child(node, verb) is not None]
        if verbs[:2] not in (["offer", "extend"], ["offer", "is"], ["extend", "is"], ["is", "do"]):
            return False
        message = f"'{verbs[0]}' and '{verbs[1]}' cannot both say what this effect is"
        self.report.add(Finding("S104", _key(node, verbs[1]), message, "make two effects of it"))
        return True

    def check_extension(self, node: Node, places: list[Scalar]) -> None:
        if len(places) > 1:
            message = "one effect extends an option of one window"
            self.report.add(Finding("S104", places[1].span, message, "make two effects of it"))
        if _child(node, "once") is not None:
            message = "an extension keeps the `once` of the option itself"
            self.report.add(Finding("S101", _key(node, "once"), message, "remove it"))

    # ------------------------------------------------------------ texts
    def header(self, entry: Entry) -> n.Header | None:
        return parser.parse_header(entry.key, self.report)

    def formula(self, scalar: parser.Text | None) -> n.Formula | None:
        return None if scalar is None else parser.parse_formula(scalar, self.report)

    def block(self, scalar: Scalar | None) -> n.Block:
        return () if scalar is None else parser.parse_block(scalar, self.report) or ()

    def texts(self, node: Node, key: str, parse: Callable[[parser.Text, Report], Parsed | None]) -> dict[str, Parsed]:
        found = {}
        for name, entry in _entries(_child(node, key)):
            if isinstance(entry.node, Scalar):
                parsed = parse(entry.node, self.report)
                if parsed is not None:
                    found[name] = parsed
        return found


class _Part:
    """The rest of a scalar, after a leading word."""

    def __init__(self, scalar: Scalar, start: int) -> None:
        self.scalar, self.start = scalar, start
        self.text, self.span = scalar.text[start:], scalar.span

    def locate(self, offset: int) -> tuple[int, int]:
        return self.scalar.locate(self.start + offset)

    def file_at(self, offset: int) -> str:
        return self.scalar.file_at(self.start + offset)


def _entries(node: Node | None) -> list[tuple[str, Entry]]:
    return list(node.entries.items()) if isinstance(node, Mapping) else []


def _items(node: Node | None) -> tuple[Node, ...]:
    return node.items if isinstance(node, Sequence) else ()


def _child(node: Node | None, key: str) -> Node | None:
    if isinstance(node, Mapping) and key in node.entries:
        return node.entries[key].node
    return None


def _scalar(node: Node | None, key: str) -> Scalar | None:
    child = _child(node, key)
    return child if isinstance(child, Scalar) and child.value is not None else None


def _key(node: Node, key: str) -> Span:
    assert isinstance(node, Mapping)
    return node.entries[key].key.span


def _flag(node: Node, key: str) -> bool:
    scalar = _scalar(node, key)
    return scalar is not None and scalar.value is True


def _refs(node: Node | None) -> tuple[str, ...]:
    child = _child(node, "ref")
    if isinstance(child, Scalar):
        return (child.text,)
    return tuple(i.text for i in _items(child) if isinstance(i, Scalar))


def _plain_text(node: Node | None) -> str | None:
    return node.text if isinstance(node, Scalar) and isinstance(node.value, str) else None
