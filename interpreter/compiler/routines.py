"""Quantities, networks, procedures, phases and reactions: declarations in, Python functions and segments out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.flow import statements_in
from interpreter.compiler import pyast as py
from interpreter.compiler.cells import in_cell
from interpreter.compiler.flow import Flow
from interpreter.compiler.layout import Layout
from interpreter.compiler.segments import GAME_OVER, Frame, Segment, Segments
from interpreter.compiler.statements import Leaving, Statements
from interpreter.compiler.tables import Tables
from interpreter.compiler.values import Env, Values
from interpreter.compiler.windows import applies, things_of
from interpreter.diagnostics import Span


class Asking:
    """Which parts of a ruleset ask somebody (or end the game), directly or through what they run."""

    def __init__(self, checked: c.Checked) -> None:
        self.checked = checked
        self.routines: set[str] = set()
        self.moments: set[str] = set()
        changed = True
        while changed:
            before = len(self.routines) + len(self.moments)
            self.routines |= {n for n, r in checked.routines.items() if any(self.block(s.body) for s in r.steps)}
            self.moments |= {n for n, m in checked.moments.items() if any(self.block(r.body) for r in m.reactions)}
            changed = len(self.routines) + len(self.moments) > before

    def block(self, block: t.Block) -> bool:
        return any(self._asks(statement) for statement in statements_in(block))

    def statement(self, statement: t.Statement) -> bool:
        return self.block((statement,))

    def _asks(self, statement: t.Statement) -> bool:
        match statement:
            case t.Ask() | t.Leave(how="end"):
                return True
            case t.Run(routine=name):
                return name in self.routines
            case t.Announce(moment=name):
                return name in self.moments
            case _:
                return False


def argument_names(params: tuple[t.Variable, ...]) -> tuple[list[str], Env]:
    words = [f"a_{variable.name}" for variable in params]
    env: Env = {}
    for variable, word in zip(params, words, strict=True):
        env[variable] = named(word)
    return words, env


def named(word: str) -> Callable[[], ast.expr]:
    return lambda: py.name(word)


class Routines:
    """Emits everything but windows. `told` code tells its changes, `traced` formulas their derivation."""

    def __init__(self, checked: c.Checked, layout: Layout, tables: Tables, segments: Segments, told: bool) -> None:
        self.checked = checked
        self.layout = layout
        self.tables = tables
        self.segments = segments
        self.told = told
        self.asking = Asking(checked)
        self.frames: dict[tuple[str, str], tuple[Frame, Segment]] = {}

    def values(self, at: Span, traced: bool = False) -> Values:
        return Values(self.checked, self.layout, self.tables, at.file, traced)

    def frame(self, section: str, name: str) -> Frame:
        return self.frames[section, name][0]

    def reserve(self) -> None:
        """Every routine, moment and window that asks gets its frame before any code refers to it."""
        for name in sorted(self.asking.routines):
            routine = self.checked.routines[name]
            self.frames["routines", name] = self.segments.frame(len(routine.params), routine.at)
        for name in sorted(self.asking.moments):
            moment = self.checked.moments[name]
            self.frames["moments", name] = self.segments.frame(len(moment.params), moment.at)
        for name, window in self.checked.windows.items():
            self.frames["windows", name] = self.segments.frame(len(window.params), window.at)

    # ------------------------------------------------------------ formulas
    def formula(self, values: Values, formula: t.Formula, env: Env) -> tuple[list[ast.stmt], ast.expr]:
        done: list[ast.stmt] = []
        env = dict(env)
        for let in formula.lets:
            word = values.fresh(f"v_{let.variable.name}")
            done.append(py.assign(word, values.emit(let.value, env)))
            env[let.variable] = named(word)
        return done, values.emit(formula.value, env)

    def quantity(self, quantity: c.Quantity, traced: bool, remembers: bool = False) -> ast.FunctionDef:
        values = self.values(quantity.at, traced)
        values.remembers = remembers
        words, env = argument_names(quantity.params)
        lets, value = self.formula(values, quantity.formula, env)
        body: list[ast.stmt] = []
        if traced:
            given = ast.Tuple([py.name(word) for word in words], py.LOAD)
            body.append(ast.Expr(py.call("ENTER", ast.Constant(quantity.name), given)))
            body += [*lets, py.assign("value", py.call("BASE", value, ast.Constant(bool(quantity.modifiers))))]
        else:
            body += [*lets, py.assign("value", value)] if quantity.modifiers else lets
        for modifier in ordered_modifiers(quantity):
            body += self.modifier(values, modifier, env, quantity.params, traced)
        result = py.name("value") if quantity.modifiers or traced else value
        body.append(py.returned(py.call("LEAVE", result) if traced else result))
        return py.function(("t_" if traced else "q_") + quantity.name, ["S", *words], body, quantity.at)

    def remembering(self, quantity: c.Quantity) -> ast.FunctionDef:
        """The same quantity for a lister, which asks for it again and again."""
        plain = self.quantity(quantity, False, remembers=True)
        words, _ = argument_names(quantity.params)
        return self.tables.remembered.function(quantity, words, plain.body)

    def modifier(
        self, values: Values, modifier: c.Modifier, outer: Env, params: tuple[t.Variable, ...], traced: bool
    ) -> Iterator[ast.stmt]:
        env: Env = {modifier.before: named("value")}
        for variable, original in zip(modifier.params, params, strict=True):
            env[variable] = outer[original]
        source = modifier.source
        things = things_of(values, source) if source.me is not None else [-1]
        for thing in things:
            inner = dict(env)
            if source.me is not None:
                inner[source.me] = lambda thing=thing: py.number(thing)  # type: ignore[misc]
            one = c.Source(source.label, None, None, None, source.in_force, source.at, source.ref)
            test = applies(values, one, modifier.when, inner)
            change: list[ast.stmt] = [py.assign("value", values.emit(modifier.to, inner))]
            if traced:
                site = ast.Constant(self.tables.site(modifier.at))
                begin = py.call(
                    "BEND", site, ast.Constant(source.label), py.number(thing), ast.Constant(source.carrier)
                )
                change = [ast.Expr(begin), py.assign("value", py.call("BENT", values.emit(modifier.to, inner)))]
            yield py.if_(test, change)

    def network(self, network: c.Network) -> ast.FunctionDef:
        values = self.values(network.at)
        words, env = argument_names(network.params)
        x = values.fresh("v_edge")
        inner: Env = {**env, network.edges.variable: named(x)}
        conditions = [values.emit(network.edges.where, inner)] if network.edges.where is not None else []
        ends = ast.Tuple([values.emit(end, inner) for end in network.ends], py.LOAD)
        edges = py.comprehension(ends, x, values.set(network.edges.source, env), conditions)
        graph = py.call("graph", py.number(self.layout.size(network.nodes)), edges)
        known = py.method(py.name("NETWORKS"), "get", py.name("key"))
        made = py.method(py.name("NETWORKS"), "keep", py.name("key"), graph)
        body = [
            py.assign("key", self.network_key(network, words)),
            py.assign("found", known),
            py.if_(ast.Compare(py.name("found"), [ast.Is()], [ast.Constant(None)]), [py.assign("found", made)]),
            py.returned(py.name("found")),
        ]
        return py.function(f"net_{network.name}", ["S", *words], body, network.at)

    def network_key(self, network: c.Network, words: list[str]) -> ast.expr:
        """Which network it is and all cells its edges depend on: with the same key it is the same network."""
        key: list[ast.expr] = [py.number(list(self.checked.networks).index(network.name))]
        key += [py.name(word) for word in words]
        for kind, field in sorted(self.tables.footprint.network(network) & self.layout.columns.keys()):
            low, high = self.layout.cells(kind, field)
            key.append(ast.Starred(py.cell(ast.Slice(py.number(low), py.number(high), None)), py.LOAD))
        return ast.Tuple(key, py.LOAD)

    # ------------------------------------------------------------ procedures and phases
    def routine(self, routine: c.Routine) -> list[ast.FunctionDef]:
        if routine.name in self.asking.routines:
            self.flowing(routine)
            return []
        values = self.values(routine.at)
        words, env = argument_names(routine.params)
        leaving: dict[str, Leaving] = {"stop": lambda: [*self.forget(routine), ast.Return(None)]}
        statements = Statements(values, self.told, leaving)
        body = self.enter(routine, [py.name(word) for word in words])
        for step in routine.steps:
            body += statements.block(step.body, env)
        return [py.function(f"p_{routine.name}", ["S", *words], body + self.forget(routine), routine.at)]

    def flowing(self, routine: c.Routine) -> None:
        frame, here = self.frames["routines", routine.name]
        env: Env = {v: in_cell(cell) for v, cell in zip(routine.params, frame.params, strict=True)}
        back = [py.returned(py.cell(py.number(frame.back)))]
        leaving: dict[str, Leaving] = {
            "stop": lambda: [*self.forget(routine), py.returned(py.cell(py.number(frame.back)))],
            "end": lambda: [py.returned(py.number(GAME_OVER))],
        }
        flow = self.flow(routine.at, leaving)
        here.body += self.enter(routine, [py.cell(py.number(cell)) for cell in frame.params])
        now: Segment | None = here
        for step in routine.steps:
            if now is None:
                break
            now = flow.run(step.body, env, now)
        if now is not None:
            now.body += self.forget(routine) + back

    def flow(self, at: Span, leaving: dict[str, Leaving]) -> Flow:
        return Flow(self.values(at), self.segments, self.told, leaving, self.asking.statement, self.frame)

    def enter(self, routine: c.Routine, args: list[ast.expr]) -> list[ast.stmt]:
        if not routine.phase or not self.told:
            return []
        site = ast.Constant(self.tables.site(routine.at))
        return [ast.Expr(py.call("ENTERED", site, ast.Constant(routine.name), ast.Tuple(args, py.LOAD)))]

    def forget(self, routine: c.Routine) -> list[ast.stmt]:
        """The cells of fields that live only during this phase go back to their start."""
        if not routine.phase or routine.name not in self.layout.scopes:
            return []
        low, high = self.layout.scopes[routine.name]
        bounds = ast.Slice(py.number(low), py.number(high), None)
        return [ast.Assign([ast.Subscript(py.name("S"), bounds, py.STORE)], py.name(f"FRESH_{routine.name}"))]

    # ------------------------------------------------------------ reactions
    def moment(self, moment: c.Moment) -> list[ast.FunctionDef]:
        if not moment.reactions:
            return []
        if moment.name in self.asking.moments:
            self.flowing_moment(moment)
            return []
        words = [f"a_{variable.name}" for variable in moment.params]
        made: list[ast.FunctionDef] = []
        calls: list[ast.stmt] = []
        for number, reaction in enumerate(moment.reactions):
            values = self.values(reaction.at)
            env: Env = {v: named(word) for v, word in zip(reaction.params, words, strict=True)}
            things: list[int] = [-1]
            if reaction.source.me is not None:
                env[reaction.source.me] = named("me")
                things = things_of(values, reaction.source)
            test = self.reacts(values, reaction, env)
            statements = Statements(values, self.told, {"stop": lambda: [ast.Return(None)]})
            body = statements.block(reaction.body, env)
            word = f"r_{moment.name}_{number}"
            made.append(py.function(word, ["S", "me", *words], [py.if_(test, body)], reaction.at))
            for thing in things:
                args = [py.number(thing), *(py.name(w) for w in words)]
                calls.append(ast.Expr(py.call(word, py.name("S"), *args)))
        made.append(py.function(f"a_{moment.name}", ["S", *words], calls, moment.at))
        return made

    def reacts(self, values: Values, reaction: c.Reaction, env: Env) -> ast.expr:
        plain = c.Source(reaction.source.label, None, None, None, reaction.source.in_force, reaction.at, ())
        return applies(values, plain, reaction.when, env)

    def flowing_moment(self, moment: c.Moment) -> None:
        frame, here = self.frames["moments", moment.name]
        for reaction in moment.reactions:
            values = self.values(reaction.at)
            me, place = self.segments.cells(), self.segments.cells()
            env: Env = {v: in_cell(cell) for v, cell in zip(reaction.params, frame.params, strict=True)}
            things = [0]
            if reaction.source.me is not None:
                env[reaction.source.me] = in_cell(me)
                things = things_of(values, reaction.source)
            head, after = self.segments.open(reaction.at), self.segments.open(reaction.at)
            here.body += [py.set_cell(py.number(place), py.number(0)), py.returned(self.segments.address(head.number))]
            done = py.compare(py.cell(py.number(place)), ">=", py.number(len(things)))
            member = py.item(py.constant(tuple(things)), py.cell(py.number(place)))
            up = py.binary(py.cell(py.number(place)), "+", py.number(1))
            head.body += [
                py.if_(done, [py.returned(self.segments.address(after.number))]),
                py.set_cell(py.number(me), member),
                py.set_cell(py.number(place), up),
            ]
            again = py.returned(self.segments.address(head.number))
            head.body.append(py.if_(py.negate(self.reacts(values, reaction, env)), [again]))
            leaving: dict[str, Leaving] = {
                "stop": lambda head=head: [py.returned(self.segments.address(head.number))],  # type: ignore[misc]
                "end": lambda: [py.returned(py.number(GAME_OVER))],
            }
            end = self.flow(reaction.at, leaving).run(reaction.body, env, head)
            if end is not None:
                end.body.append(py.returned(self.segments.address(head.number)))
            here = after
        here.body.append(py.returned(py.cell(py.number(frame.back))))


def ordered_modifiers(quantity: c.Quantity) -> list[c.Modifier]:
    """Stage by stage; those without a stage first."""
    stages = [None, *quantity.stages]
    return [modifier for stage in stages for modifier in quantity.modifiers if modifier.stage == stage]
