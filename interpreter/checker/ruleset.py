"""The check stage: a ruleset model in, findings or the checked ruleset out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.declarations import CLOSING, check_declarations, check_fields
from interpreter.checker.effects import check_order
from interpreter.checker.effort import check_effort
from interpreter.checker.expressions import GET_SET, LEAVING, Expressions
from interpreter.checker.flow import check_asked, check_flow
from interpreter.checker.order import ordered_quantities, ring
from interpreter.checker.scope import Scope, known_if
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
from interpreter.checker.world import SEATS, World
from interpreter.diagnostics import Report, Span, did_you_mean
from interpreter.dsl import nodes as n
from interpreter.dsl.vocabulary import FOLDS, FUNCTIONS, RESERVED
from interpreter.loader import model as m

ROOT = "game"
DEEPEST = 20  # quantities typed inside each other; with their order known, only rings go deeper
ANYWHERE = "any"


def check_ruleset(model: m.Model, report: Report) -> c.Checked | None:
    world = World(model, report)
    world.build()
    check_declarations(model, world)
    checker = Checker(model, world)
    checked = checker.check()
    if report.ok:
        check_order(checked, report)
        check_flow(checked, report)
    if report.ok:
        check_effort(checked, report)
    if report.ok:
        check_asked(checked, report)
    return checked if report.ok else None


class Checker:
    """Resolves one model. Quantities are typed on demand, so their order in the files does not matter."""

    def __init__(self, model: m.Model, world: World) -> None:
        self.model = model
        self.world = world
        self.expressions = Expressions(world, self)
        self.statements = Statements(self.expressions, self)
        self.quantities: dict[str, c.Quantity] = {}
        self._params: dict[tuple[str, str], tuple[t.Variable, ...]] = {}
        self._typing: list[str] = []
        self._bent = _bent_quantities(model)
        self.windows: dict[str, c.Window] = {}
        self.moments: dict[str, c.Moment] = {}

    # ------------------------------------------------------------ signatures
    def quantity_names(self) -> list[str]:
        return list(self.model.quantities)

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
        return loosen(type_) if name in self._bent else type_  # an effect may leave any bounds

    def quantity(self, name: str) -> c.Quantity:
        if name not in self.quantities:
            source = self.model.quantities[name]
            params = self.params("quantities", source.header)
            self._typing.append(name)
            formula = self.expressions.formula(source.formula, _scope(params))
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
            seen = None if moment.seen is None else self.flag(moment.seen, _scope((*params, viewer)))
            self.moments[name] = c.Moment(name, params, seen, viewer, moment.at, moment.ref)
        for name, window in self.model.windows.items():
            self.windows[name] = self.window(window)
        sources = self.effects()
        invariants = {k: (at, self.flag(f, _scope(()))) for k, (at, f) in self.model.invariants.items()}
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
                self.flag(self.alone(kind.in_force), _scope((t.Variable("self", Thing(kind.name)),)))
            for name, declared in kind.state.items():
                info = self.world.kinds[kind.name]
                field = info.state.get(name)
                if field is None or field.at is not declared.at:
                    continue
                scope = _scope((field.self_variable,))
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
        clause, inner = self.expressions.clause(net.edges, _scope(params))
        nodes = self.network_nodes(net.name)
        wanted = Thing(nodes) if nodes else None
        a, b = (self.expressions.wanted(self.alone(e).value, inner, None if e.lets else wanted) for e in net.ends)
        return c.Network(net.name, params, nodes or SEATS, clause, (a, b), net.at)

    def procedure(self, source: m.Procedure) -> c.Routine:
        params = self.params("procedures", source.header)
        body = self.statements.body(source.body, _scope(params))
        return c.Routine(
            source.name, params, (c.Step("do", body, source.at, source.ref),), False, source.at, source.ref
        )

    def phase(self, source: m.Phase) -> c.Routine:
        params = self.params("phases", source.header)
        steps = tuple(
            c.Step(step.name, self.statements.body(step.body, _scope(params)), step.at, step.ref)
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
        scope = _scope(params)
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
            source.ref or parts.ref, dependent=frozenset(dependent),
        )  # fmt: skip

    def pick(self, name: str, formula: t.Formula) -> t.Variable:
        type_ = formula.value.type
        if isinstance(type_, SetOf):
            return self.expressions.variable(name, type_.item, formula.value.at)
        if not isinstance(type_, Unknown):
            message = f"a pick chooses from a set, not from {describe(type_)}"
            self.world.add("T114", formula.value.at, message, GET_SET)
        return t.Variable(name, UNKNOWN)

    # ------------------------------------------------------------ effects
    def effects(self) -> list[c.Source]:
        sources = []
        for rule in self.model.rules.values():
            when = None if rule.when is None else self.flag(self.alone(rule.when), _scope(()))
            source = c.Source(rule.name, None, None, None, when, rule.at, rule.ref)
            sources.append(source)
            for effect in rule.effects.values():
                self.effect(effect, source, Scope(known=known_if(when.value, True) if when else frozenset()))
        for kind, components in self.model.components.items():
            if kind not in self.world.kinds:
                continue
            for component in components.values():
                if component.effects:
                    source, scope = self.source(kind, component)
                    sources.append(source)
                    for effect in component.effects.values():
                        self.effect(effect, source, scope)
        return sources

    def source(self, kind: str, component: m.Component) -> tuple[c.Source, Scope]:
        pieces = [name for name, info in self.world.kinds.items() if info.pieces_of == kind]
        if len(pieces) > 1:
            self.world.add(
                "N119",
                component.at,
                f"both {' and '.join(pieces)} are pieces of {kind}, so it is open which of them carry these effects",
                f"let only one kind have 'pieces: {kind}'",
            )
        carrier = pieces[0] if pieces else kind
        me = t.Variable("self", Thing(carrier))
        scope = _scope((me,))
        declared = self.model.kinds.get(carrier)
        in_force = None
        if declared is not None and declared.in_force is not None:
            in_force = self.flag(self.alone(declared.in_force), scope)
            scope = scope.having(known_if(in_force.value, True))
        info = self.world.kinds[carrier]
        if "owner" in self.expressions.fields_of(info):
            myself = t.Local(component.at, me.type, me)
            owner = self.expressions.read(myself, "owner", component.at)
            scope = replace(scope, aliases={"owner": owner})
        return c.Source(component.name, kind, carrier, me, in_force, component.at, component.ref), scope

    def effect(self, effect: m.Effect, source: c.Source, scope: Scope) -> None:
        match effect:
            case n.Modify():
                self.modify(effect, source, scope)
            case n.On():
                self.react(effect, source, scope)
            case n.Forbid():
                self.forbid(effect, source, scope)
            case m.Offer():
                for header in effect.windows:
                    self.offer(effect.option, header, source, scope)
            case m.Extend():
                self.extend(effect, source, scope)

    def bound(
        self, header: n.Header, declared: tuple[t.Variable, ...], scope: Scope
    ) -> tuple[tuple[t.Variable, ...], Scope] | None:
        """The letters of an effect, by position, with the kinds the target declares."""
        if len(header.params) != len(declared):
            self.letters(header, declared)
            return None
        variables = []
        for name, original in zip(header.params, declared, strict=True):
            variable = self.expressions.variable(name.id, original.type, name.at)
            variables.append(variable)
            scope = scope.with_variable(variable)
        return tuple(variables), scope

    def letters(self, header: n.Header, declared: tuple[t.Variable, ...]) -> None:
        """The target of an effect is written with another number of letters than it has."""
        names = ", ".join(variable.name for variable in declared)
        right = f"{header.name}({names})" if declared else header.name
        count = "1 letter" if len(declared) == 1 else f"{len(declared) or 'no'} letters"
        message = f"'{header.name}' has {count}, but {len(header.params) or 'none'} stand here"
        self.world.add("T113", header.at, message, f"write '{right}'")

    def modify(self, effect: n.Modify, source: c.Source, scope: Scope) -> None:
        quantity = self.quantities.get(effect.quantity.name)
        if quantity is None:
            hint = self.world.near(effect.quantity.name, self.quantities)
            message = f"no quantity is called '{effect.quantity.name}', so nothing can bend it"
            self.world.add("N101", effect.quantity.at, message, hint or "quantities are listed under 'quantities:'")
            return
        bound = self.bound(effect.quantity, quantity.params, scope)
        if bound is None:
            return
        params, scope = bound
        stage = effect.stage.id if effect.stage else None
        if stage is not None and stage not in quantity.stages and effect.stage is not None:
            hint = self.world.near(stage, quantity.stages) or f"add 'stages: [{stage}]' to the quantity"
            self.world.add("N101", effect.stage.at, f"'{quantity.name}' has no stage '{stage}'", hint)
        when = None if effect.when is None else self.expressions.condition(effect.when, scope)
        if when is not None:
            scope = scope.having(known_if(when, True))
        result = quantity.formula.value.type
        result = NUMBER if isinstance(result, Num) else result
        before = t.Variable("value", result)
        to = self.expressions.wanted(effect.to, scope.with_variable(before), result)
        quantity.modifiers.append(c.Modifier(source, params, before, stage, when, to, effect.at))

    def react(self, effect: n.On, source: c.Source, scope: Scope) -> None:
        moment = self.moments.get(effect.moment.name)
        if moment is None:
            hint = self.world.near(effect.moment.name, self.moments)
            message = f"no moment is called '{effect.moment.name}', so nothing can react to it"
            self.world.add("N101", effect.moment.at, message, hint or "moments are listed under 'moments:'")
            return
        bound = self.bound(effect.moment, moment.params, scope)
        if bound is None:
            return
        params, scope = bound
        when = None if effect.when is None else self.expressions.condition(effect.when, scope)
        if when is not None:
            scope = scope.having(known_if(when, True))
        body = self.statements.body(effect.body, scope)
        moment.reactions.append(c.Reaction(source, params, when, body, effect.at))

    def target(self, name: str, at: Span) -> c.Window | None:
        window = self.windows.get(name)
        if window is None:
            hint = self.world.near(name, self.windows) or "windows are listed under 'windows:'"
            self.world.add("N101", at, f"no window is called '{name}'", hint)
        return window

    def forbid(self, effect: n.Forbid, source: c.Source, scope: Scope) -> None:
        window = self.target(effect.window.id, effect.window.at)
        if window is None:
            return
        options = [o for o in window.options if o.name == effect.option.id]
        if not options:
            message = f"'{window.name}' has no option '{effect.option.id}'"
            self.world.add("N101", effect.option.at, message, _similar(effect.option.id, window))
        for option in options:
            inner = scope
            for variable in (*window.params, *(k for k, _ in window.keeps), *(p for p, _ in option.picks)):
                inner = inner.with_variable(variable)
            for _, clause in option.when:
                inner = inner.having(known_if(clause.value, True) if not clause.lets else ())
            when = None if effect.when is None else self.expressions.condition(effect.when, inner)
            option.forbids.append((source, when, effect.at))

    def offer(self, option: m.Option, header: n.Header, source: c.Source, scope: Scope) -> None:
        anywhere = header.name == ANYWHERE and ANYWHERE not in self.windows
        windows = list(self.windows.values()) if anywhere else [self.target(header.name, header.at)]
        for window in windows:
            if window is None:
                continue
            shown = window.params[: len(header.params)] if anywhere or not header.params else window.params
            if header.params and len(header.params) != len(shown):
                self.letters(header, window.params)
                continue
            inner = scope
            for variable in (*window.params, *(() if anywhere else (k for k, _ in window.keeps))):
                inner = inner.with_variable(variable)
            for name, variable in zip(header.params, shown, strict=False):
                self.expressions.variable(name.id, variable.type, name.at)
                inner = replace(inner, variables={**inner.variables, name.id: variable})
            offered = replace(self.option(option, inner), source=source, anywhere=anywhere)
            closing = option.name == CLOSING and window.choose != "one" and not anywhere
            if closing or any(o.name == offered.name and o.source is None for o in window.options):
                message = f"'{window.name}' has an option '{option.name}' already"
                self.world.add("N104", option.at, message, "give the offer another name, or use `extend`")
            window.options.append(offered)

    def extend(self, effect: m.Extend, source: c.Source, scope: Scope) -> None:
        window = self.target(effect.window.name, effect.window.at)
        if window is None:
            return
        declared = self.model.windows[window.name].options.get(effect.parts.name)
        plain = next((o for o in window.options if o.name == effect.parts.name and o.source is None), None)
        if declared is None or plain is None:
            message = f"'{window.name}' has no option '{effect.parts.name}'"
            self.world.add("N101", effect.parts.at, message, _similar(effect.parts.name, window))
            return
        if effect.window.params and len(effect.window.params) != len(window.params):
            self.letters(effect.window, window.params)
        for variable in (*window.params, *(k for k, _ in window.keeps)):
            scope = scope.with_variable(variable)
        for name, variable in zip(effect.window.params, window.params, strict=False):
            self.expressions.variable(name.id, variable.type, name.at)
            scope = replace(scope, variables={**scope.variables, name.id: variable})
        extended = self.option(effect.parts, scope, base=declared)
        window.options.append(replace(extended, source=source, replaces=plain))

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
            ranked, _ = self.expressions.clause(source.ranked, _scope(()))
            if ranked.variable.type not in (Thing(SEATS), UNKNOWN):
                message = f"players are ranked, but each of these is {describe(ranked.variable.type)}"
                self.world.add("T107", source.ranked.at, message, "write 'p in players by highest score(p)'")
        return c.Scoring(score, ranked, source.ref)


def _scope(variables: tuple[t.Variable, ...]) -> Scope:
    return Scope(variables={variable.name: variable for variable in variables})


def _bent_quantities(model: m.Model) -> set[str]:
    parts: list[m.Rule | m.Component] = list(model.rules.values())
    parts += [component for listed in model.components.values() for component in listed.values()]
    effects = [effect for part in parts for effect in part.effects.values()]
    return {effect.quantity.name for effect in effects if isinstance(effect, n.Modify)}


def _similar(name: str, window: c.Window) -> str:
    """Which option of a window may have been meant."""
    names = list(dict.fromkeys(option.name for option in window.options))
    if name == CLOSING and window.choose != "one":
        return f"add it to the options of '{window.name}' first: '{CLOSING}: {{}}'"
    return did_you_mean(name, names) or (f"it has {', '.join(names)}" if names else "it has none")
