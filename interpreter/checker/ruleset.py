"""The check stage: a ruleset model in, findings or the checked ruleset out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.bindings import EffectChecks, bent_quantities
from interpreter.checker.declarations import check_declarations, check_fields
from interpreter.checker.effects import check_order
from interpreter.checker.effort import check_effort
from interpreter.checker.expressions import Expressions
from interpreter.checker.flow import check_flow
from interpreter.checker.lookups import GET_SET, LEAVING
from interpreter.checker.order import ordered_quantities, ring
from interpreter.checker.scope import Scope, known_if, scope_of
from interpreter.checker.statements import Statements
from interpreter.checker.types import (
    FLAG,
    NUMBER,
    UNKNOWN,
    Flag,
    Num,
    SetOf,
    Thing,
    Type,
    Unknown,
    describe,
    loosen,
    one,
)
from interpreter.checker.unused import check_unused
from interpreter.checker.world import SEATS, World
from interpreter.diagnostics import Report, Span
from interpreter.dsl import nodes as n
from interpreter.dsl.vocabulary import FOLDS, FUNCTIONS, RESERVED
from interpreter.loader import model as m

ROOT = "game"
DEEPEST = 20  # quantities typed inside each other; with their order known, only rings go deeper


def check_ruleset(model: m.Model, report: Report) -> c.Checked | None:
    world = World(model, report)
    world.build()
    check_declarations(model, world)
    checker = Checker(model, world)
    checked = checker.check()
    if report.ok:
        check_order(checked, report)
        graph = check_flow(checked, report, model.document.text)
    if report.ok:
        check_effort(checked, report, reversed(graph.top_down()))
        check_unused(checked, report)
    return checked if report.ok else None


class Checker(EffectChecks):
    """Resolves one model. Quantities are typed on demand, so their order in the files does not matter."""

    def __init__(self, model: m.Model, world: World) -> None:
        self.model = model
        self.world = world
        self.expressions = Expressions(world, self)
        self.statements = Statements(self.expressions, self)
        self.quantities: dict[str, c.Quantity] = {}
        self._params: dict[tuple[str, str], tuple[t.Variable, ...]] = {}
        self._typing: list[str] = []
        self._bent = bent_quantities(model)
        self.windows: dict[str, c.Window] = {}
        self.moments: dict[str, c.Moment] = {}

    # ------------------------------------------------------------ signatures
    def quantity_names(self) -> Collection[str]:
        return self.model.quantities

    def network_names(self) -> list[str]:
        return list(self.model.networks)

    def routine_names(self) -> list[str]:
        return [*self.model.procedures, *self.model.phases]

    def moment_names(self) -> list[str]:
        return list(self.model.moments)

    def window_names(self) -> list[str]:
        return list(self.model.windows)

    def params(self, section: str, header: n.Header) -> tuple[t.Variable, ...]:
        key = (section, header.name)
        if key not in self._params:
            self._params[key] = tuple(self.parameter(name) for name in header.params)
            for place, name in enumerate(header.params):
                if name.id in [other.id for other in header.params[:place]]:
                    hint = f"digits may follow a letter: {name.id}, {name.id}2"
                    self.world.add("N117", name.at, f"the letter '{name.id}' stands here already", hint)
        return self._params[key]

    def parameter(self, name: n.Name) -> t.Variable:
        kind = self.world.letter(name.at.file, name.id)
        if kind is None:
            known = [*self.world.kinds, "number", "flag"]
            hint = f"declare it under 'names: {{KIND: [{name.id}]}}', or write the name of a kind"
            message = f"nothing says what the letter '{name.id}' means"
            self.world.add("N118", name.at, message, self.world.near(name.id, known) or hint)
            return t.Variable(name.id, UNKNOWN)
        if kind not in self.world.kinds and kind not in ("number", "flag"):
            return t.Variable(name.id, UNKNOWN)
        return t.Variable(name.id, self.world.letter_type(kind))

    def types(self, section: str, header: n.Header) -> tuple[Type, ...]:
        return tuple(variable.type for variable in self.params(section, header))

    def quantity_params(self, name: str) -> tuple[Type, ...]:
        return self.types("quantities", self.model.quantities[name].header)

    def routine_params(self, name: str) -> tuple[Type, ...] | None:
        for section, entries in (("procedures", self.model.procedures), ("phases", self.model.phases)):
            if name in entries:
                return self.types(section, entries[name].header)
        return None

    def moment_params(self, name: str) -> tuple[Type, ...] | None:
        return self.types("moments", self.model.moments[name].header) if name in self.model.moments else None

    def window_params(self, name: str) -> tuple[Type, ...] | None:
        return self.types("windows", self.model.windows[name].header) if name in self.model.windows else None

    def network_params(self, name: str) -> tuple[Type, ...] | None:
        return self.types("networks", self.model.networks[name].header) if name in self.model.networks else None

    def network_nodes(self, name: str) -> str | None:
        kind = self.model.networks[name].nodes.text
        return kind if kind in self.world.kinds else None

    def quantity_type(self, name: str) -> Type:
        if name in self._typing or len(self._typing) > DEEPEST:
            start = self._typing.index(name) if name in self._typing else 0
            message = f"'{name}' needs its own value: {ring([*self._typing[start:], name])}"
            self.world.add("F101", self.model.quantities[name].at, message, "let one of them do without the other")
            return UNKNOWN
        type_ = self.quantity(name).formula.value.type
        return loosen(type_, bent=name in self._bent)

    def quantity(self, name: str) -> c.Quantity:
        if name not in self.quantities:
            source = self.model.quantities[name]
            params = self.params("quantities", source.header)
            self._typing.append(name)
            formula = self.expressions.formula(source.formula, scope_of(params))
            self._typing.pop()
            self.quantities[name] = c.Quantity(name, params, formula, source.stages, source.at, source.ref)
        return self.quantities[name]

    # ------------------------------------------------------------ everything once
    def check(self) -> c.Checked:
        self.names()
        self.fields()
        for name in ordered_quantities(self.model.quantities):
            self.quantity(name)
        self.starts()
        networks = {name: self.network(net) for name, net in self.model.networks.items()}
        routines = {name: self.procedure(p) for name, p in self.model.procedures.items()}
        routines |= {name: self.phase(p) for name, p in self.model.phases.items()}
        for name, moment in self.model.moments.items():
            params = self.params("moments", moment.header)
            viewer = t.Variable("viewer", Thing(SEATS, optional=True))
            seen = None if moment.seen is None else self.flag(moment.seen, scope_of((*params, viewer)))
            self.moments[name] = c.Moment(name, params, seen, viewer, moment.at, moment.ref)
        for name, window in self.model.windows.items():
            self.windows[name] = self.window(window)
        sources = self.effects()
        invariants = {k: (at, self.flag(f, scope_of(()))) for k, (at, f) in self.model.invariants.items()}
        if ROOT not in self.model.phases:
            at = Span(self.model.document.main, 1, 1, 1, 2)
            self.world.add(
                "F102",
                at,
                f"there is no phase '{ROOT}', so the game cannot begin",
                self.world.near(ROOT, self.model.phases) or "add it: 'phases: {game: {start: …}}'",
            )
        return c.Checked(
            self.world,
            self.quantities,
            routines,
            self.windows,
            self.moments,
            networks,
            invariants,
            self.scoring(),
            sources,
        )

    def names(self) -> None:
        """One name, one meaning: between sections that rules call in the same way."""
        called: list[tuple[Mapping[str, m.Cited], str]] = [
            (self.model.quantities, "quantity"),
            (self.model.procedures, "procedure"),
            (self.model.phases, "phase"),
        ]
        seen: dict[str, str] = dict.fromkeys((*RESERVED, *FUNCTIONS, *FOLDS, *LEAVING), "a word of the language")
        kinds = {name for name, info in self.world.kinds.items() if info.form in ("per", "one")}
        for section, what in called:
            for name, entry in section.items():
                if what == "quantity" and name in kinds:
                    self.world.add("N104", entry.at, f"'{name}' is a kind already", "give this quantity another name")
                if name in seen:
                    message = f"'{name}' is {seen[name]} already"
                    self.world.add("N104", entry.at, message, f"give this {what} another name")
                seen[name] = f"a {what}"

    def fields(self) -> None:
        for kind in self.model.kinds.values():
            info = self.world.kinds[kind.name]
            me = t.Variable("self", Thing(kind.name))
            viewer = t.Variable("viewer", Thing(SEATS, optional=True))
            for name, declared in kind.state.items():
                if name in self.expressions.fields_of(info):
                    message = f"{one(kind.name)} has a field '{name}' already"
                    self.world.add("N104", declared.at, message, "give this field another name")
                    continue
                type_ = self.world.type_of(declared.type)
                if not isinstance(type_, Num | Flag | Thing | Unknown):
                    self.world.add(
                        "T126",
                        declared.at,
                        f"{describe(type_)} cannot be remembered",
                        "remember a number, a flag or a thing; or make a kind with `per`, one thing for each entry",
                    )
                    type_ = UNKNOWN
                if declared.clamped and declared.type.form != "range":
                    message, hint = "only a range has ends at which a value can stay", "write it as '0..9 clamped'"
                    self.world.add("T127", declared.at, message, hint)
                during = declared.during.id if declared.during else info.during
                if during is not None and during not in self.model.phases:
                    at = declared.during.at if declared.during else info.at
                    self.world.add(
                        "N101",
                        at,
                        f"no phase is called '{during}'",
                        self.world.near(during, self.model.phases) or "phases are listed under 'phases:'",
                    )
                info.state[name] = t.FieldInfo(
                    kind.name, name, type_, declared.clamped, None, during, None, me, viewer, declared.at
                )  # fmt: skip
        check_fields(self.world)

    def starts(self) -> None:
        """How fields start, who sees them, and when the effects of a kind work: formulas that may read quantities."""
        for kind in self.model.kinds.values():
            if kind.in_force is not None:
                self.flag(self.alone(kind.in_force), scope_of((t.Variable("self", Thing(kind.name)),)))
            for name, declared in kind.state.items():
                info = self.world.kinds[kind.name]
                field = info.state.get(name)
                if field is None or field.at is not declared.at:
                    continue
                scope = scope_of((field.self_variable,))
                starting = None
                if declared.starting is not None:
                    wanted: Type = NUMBER if isinstance(field.type, Num) else field.type
                    starting = self.expressions.wanted(declared.starting, scope, wanted)
                    self._starting(starting, field)
                seen = None
                if declared.seen is not None:
                    value = self.expressions.condition(declared.seen, scope.with_variable(field.viewer_variable))
                    seen = t.Formula((), value)
                info.state[name] = replace(field, starting=starting, seen=seen)

    def _starting(self, value: t.Value, field: t.FieldInfo) -> None:
        type_ = field.type
        if not isinstance(type_, Num) or not isinstance(value.type, Num) or value.type.soft:
            return
        if value.type.high < type_.low or value.type.low > type_.high:
            message = f"the start lies outside {type_.low}..{type_.high}, the range of this field"
            self.world.add("T104", value.at, message, "start within the range, or widen it")

    def flag(self, formula: n.Formula, scope: Scope) -> t.Formula:
        return self.expressions.formula(formula, scope, FLAG)

    def alone(self, formula: n.Formula) -> n.Formula:
        """A formula that stands where only a single expression fits."""
        for let in formula.lets:
            self.world.add("P104", let.at, "`let` cannot stand here", "make a quantity of it, and name that here")
        return formula if not formula.lets else replace(formula, lets=(), value=n.Truth(formula.at, True))

    def network(self, net: m.Network) -> c.Network:
        params = self.params("networks", net.header)
        if net.nodes.text not in self.world.kinds:
            self.world.add(
                "N103",
                net.nodes.span,
                f"no kind is called '{net.nodes.text}'",
                self.world.near(net.nodes.text, self.world.kinds),
            )
        clause, inner = self.expressions.clause(net.edges, scope_of(params))
        nodes = self.network_nodes(net.name)
        wanted = Thing(nodes) if nodes else None
        a, b = (self.expressions.wanted(self.alone(e).value, inner, None if e.lets else wanted) for e in net.ends)
        return c.Network(net.name, params, nodes or SEATS, clause, (a, b), net.at)

    def procedure(self, source: m.Procedure) -> c.Routine:
        params = self.params("procedures", source.header)
        body = self.statements.body(source.body, scope_of(params))
        return c.Routine(
            source.name, params, (c.Step("do", body, source.at, source.ref),), False, source.at, source.ref
        )

    def phase(self, source: m.Phase) -> c.Routine:
        params = self.params("phases", source.header)
        steps = tuple(
            c.Step(step.name, self.statements.body(step.body, scope_of(params)), step.at, step.ref)
            for step in source.steps.values()
        )
        return c.Routine(source.name, params, steps, True, source.at, source.ref)

    # ------------------------------------------------------------ windows
    def window(self, source: m.Window) -> c.Window:
        params = self.params("windows", source.header)
        if not params or params[0].type not in (Thing(SEATS), UNKNOWN):
            message = f"'{source.name}' does not say who is asked"
            hint = f"the first letter of a window stands for a player: '{source.name}(p)'"
            self.world.add("T128", source.at, message, hint)
        scope = scope_of(params)
        keeps = []
        for name, keep in source.keeps.items():
            wanted = None if keep.type is None else self.world.type_of(keep.type.type)
            formula = self.expressions.formula(keep.value, scope, wanted)
            type_ = wanted or formula.value.type
            if not isinstance(type_, Num | Flag | Thing | Unknown):
                self.world.add(
                    "T126", keep.value.at, f"{describe(type_)} cannot be kept", "keep a number, a flag or a thing"
                )
                type_ = UNKNOWN
            variable = t.Variable(name, NUMBER if isinstance(type_, Num) else type_, changes=True)
            keeps.append((variable, formula))
            scope = scope.with_variable(variable)
        limit = None if source.limit is None else self.expressions.formula(source.limit, scope, NUMBER)
        options = [self.option(option, scope) for option in source.options.values()]
        after = self.statements.body(source.after, scope)
        return c.Window(
            source.name, params, tuple(keeps), source.choose, limit, options, after, source.always, source.secret,
            source.at, source.ref,
        )  # fmt: skip

    def option(self, source: m.Option, scope: Scope, base: m.Option | None = None) -> c.Option:
        """An option seen from its window; an extension takes what it does not say itself from `base`."""
        parts = base or source
        picks = []
        for name in {**parts.picks, **source.picks}:
            formula = self.expressions.formula(source.picks.get(name, parts.picks.get(name)), scope)  # type: ignore[arg-type]
            variable = self.pick(name, formula)
            picks.append((variable, formula))
            scope = scope.with_variable(variable)
        when = []
        alone, dependent = scope, set()
        for name, clause in {**parts.when, **source.when}.items():
            formula = self.flag(clause, scope)
            if scope.known != alone.known and self.world.muted(lambda c=clause: self.flag(c, alone)):  # type: ignore[misc]
                dependent.add(name)
            when.append((name, formula))
            scope = scope.having(known_if(formula.value, True) if not formula.lets else ())
        once = None if parts.once is None else self.expressions.value(self.alone(parts.once).value, scope)
        if once is not None and not isinstance(once.type, Thing | Unknown) and parts.once and not parts.once.lets:
            message = f"`once` takes a thing that was picked, or true, but this is {describe(once.type)}"
            self.world.add("T107", once.at, message)
        own = self.statements.body(parts.do, scope, in_option=True)
        more = self.statements.body(source.do, scope, in_option=True) if base is not None else ()
        return c.Option(
            source.name, tuple(picks), tuple(when), once, parts.once_ever, own + more, source.at,
            source.ref or parts.ref, dependent=frozenset(dependent), like=source.like,
        )  # fmt: skip

    def pick(self, name: str, formula: t.Formula) -> t.Variable:
        type_ = formula.value.type
        if isinstance(type_, SetOf):
            return self.expressions.variable(name, type_.item, formula.value.at)
        if not isinstance(type_, Unknown):
            message = f"a pick chooses from a set, not from {describe(type_)}"
            self.world.add("T114", formula.value.at, message, GET_SET)
        return t.Variable(name, UNKNOWN)

    # ------------------------------------------------------------ scoring
    def scoring(self) -> c.Scoring:
        source = self.model.scoring
        if source is None:
            return c.Scoring(None, None, ())
        score = "score" if "score" in self.model.quantities else None
        if score is not None and self.quantity_params(score) != (Thing(SEATS),):
            message = "`score` does not say whose score it is"
            self.world.add("T128", self.model.quantities[score].at, message, "write 'score(p): …'")
        ranked = None
        if source.ranked is not None:
            ranked, _ = self.expressions.clause(source.ranked, scope_of(()))
            if ranked.variable.type not in (Thing(SEATS), UNKNOWN):
                message = f"players are ranked, but each of these is {describe(ranked.variable.type)}"
                self.world.add("T107", source.ranked.at, message, "write 'p in players by highest score(p)'")
        return c.Scoring(score, ranked, source.ref)
