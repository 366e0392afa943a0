"""Effects of components and rules: parsed effects in, bound to the quantities, moments and windows they change."""

from __future__ import annotations

from dataclasses import replace

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.declarations import CLOSING
from interpreter.checker.expressions import Expressions
from interpreter.checker.scope import Scope, known_if, scope_of
from interpreter.checker.statements import Statements
from interpreter.checker.types import (
    NUMBER,
    Num,
    Thing,
)
from interpreter.checker.world import World
from interpreter.diagnostics import Span, did_you_mean
from interpreter.dsl import nodes as n
from interpreter.loader import model as m

ANYWHERE = "any"
OWNER = "owner"  # in place of a letter: only where that is the owner of what carries the effect
MINE = "mine"  # the clause that says so in an offer


class EffectChecks:
    """The part of the checker that binds effects to what they bend, react to, offer, forbid and extend."""

    model: m.Model
    world: World
    expressions: Expressions
    statements: Statements
    quantities: dict[str, c.Quantity]
    windows: dict[str, c.Window]
    moments: dict[str, c.Moment]

    def alone(self, formula: n.Formula) -> n.Formula:
        raise NotImplementedError

    def flag(self, formula: n.Formula, scope: Scope) -> t.Formula:
        raise NotImplementedError

    def option(self, source: m.Option, scope: Scope, base: m.Option | None = None) -> c.Option:
        raise NotImplementedError

    def effects(self) -> list[c.Source]:
        sources = []
        for rule in self.model.rules.values():
            when = None if rule.when is None else self.flag(self.alone(rule.when), scope_of(()))
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
        scope = scope_of((me,))
        declared = self.model.kinds.get(carrier)
        in_force = None
        if declared is not None and declared.in_force is not None:
            in_force = self.flag(self.alone(declared.in_force), scope)
            scope = scope.having(known_if(in_force.value, True))
        info = self.world.kinds[carrier]
        if OWNER in self.expressions.fields_of(info):
            myself = t.Local(component.at, me.type, me)
            owner = self.expressions.read(myself, OWNER, component.at)
            scope = replace(scope, aliases={OWNER: owner})
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

    def owned(self, header: n.Header, scope: Scope) -> n.Expr | None:
        """What `owner` in place of a letter demands: that it is the owner."""
        for name in header.params:
            if name.id == OWNER:
                if OWNER in scope.aliases:
                    return n.Compare(name.at, "is", name, n.Field(name.at, n.Name(name.at, "self"), OWNER))
                message = "nothing that carries this effect has an owner"
                self.world.add("N101", name.at, message, "write a letter here, or give the kind a field 'owner'")
        return None

    def mine(self, option: m.Option, header: n.Header, scope: Scope) -> m.Option:
        owned = self.owned(header, scope)
        if owned is None:
            return option
        if MINE in option.when:
            message = f"with '{OWNER}' in place of a letter the clause '{MINE}' is there by itself"
            self.world.add("N104", option.when[MINE].at, message, "remove it, or give it another name")
        return replace(option, when={MINE: n.Formula(owned.at, (), owned)} | option.when)

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
        when, scope = self.holding(effect.when, effect.quantity, scope)
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
        when, scope = self.holding(effect.when, effect.moment, scope)
        body = self.statements.body(effect.body, scope)
        moment.reactions.append(c.Reaction(source, params, when, body, effect.at))

    def holding(self, when: n.Expr | None, header: n.Header, scope: Scope) -> tuple[t.Value | None, Scope]:
        """On what an effect depends, and what is known then."""
        parts = [part for part in (self.owned(header, scope), when) if part is not None]
        if not parts:
            return None, scope
        condition = parts[0] if len(parts) == 1 else n.Logic(header.at, "and", *parts)
        checked = self.expressions.condition(condition, scope)
        return checked, scope.having(known_if(checked, True))

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
            mine = self.mine(option, header, scope)
            offered = replace(self.option(mine, inner), source=source, anywhere=anywhere)
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
        parts = self.mine(effect.parts, effect.window, scope)
        extended = self.option(parts, scope, base=declared)
        window.options.append(replace(extended, source=source, replaces=plain))


def _similar(name: str, window: c.Window) -> str:
    """Which option of a window may have been meant."""
    names = list(dict.fromkeys(option.name for option in window.options))
    if name == CLOSING and window.choose != "one":
        return f"add it to the options of '{window.name}' first: '{CLOSING}: {{}}'"
    return did_you_mean(name, names) or (f"it has {', '.join(names)}" if names else "it has none")


def bent_quantities(model: m.Model) -> set[str]:
    parts: list[m.Rule | m.Component] = list(model.rules.values())
    parts += [component for listed in model.components.values() for component in listed.values()]
    effects = [effect for part in parts for effect in part.effects.values()]
    return {effect.quantity.name for effect in effects if isinstance(effect, n.Modify)}
