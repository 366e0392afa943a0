"""Listers: the options of a window in, the function that lists those that can be chosen out."""

from __future__ import annotations

import ast
from collections.abc import Callable

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.flow import clauses, parts_of
from interpreter.checker.types import Num, Thing, Type
from interpreter.compiler import pyast as py
from interpreter.compiler.folds import filtered
from interpreter.compiler.grids import Slices
from interpreter.compiler.hoist import Hoist, assigned
from interpreter.compiler.remembered import MEMORY
from interpreter.compiler.searches import searched
from interpreter.compiler.shared import SharedLists
from interpreter.compiler.values import Env, Values
from interpreter.compiler.windows import Cells, applies, things_of
from interpreter.dsl.vocabulary import MAX_OPTIONS

FEW = 8  # members that are not worth a list of their own


class Lister:
    """Emits the function that lists the options of one window."""

    def __init__(
        self, values: Values, window: c.Window, cells: Cells, numbers: dict[int, c.Option], done: int | None
    ) -> None:
        self.values = values
        self.window = window
        self.cells = cells
        self.numbers = numbers
        self.done = done
        self.now = 0  # the option that is being emitted
        self.used: dict[t.Variable, str] = {}
        self.shared = SharedLists()

    def function(self) -> ast.FunctionDef:
        env: Env = {}
        own = (*self.window.params, *(k for k, _ in self.window.keeps))
        for variable in own:
            env[variable] = self._loader(variable)
        made: list[tuple[bool, list[ast.stmt]]] = []
        for number, option in self.numbers.items():
            if number == self.done and not option.when:
                continue
            self.now = number
            made.append((option.anywhere, self.option(number, option, env)))
        first = self.shared.place()
        body = [statement for anywhere, part in made if not anywhere for statement in part]
        late = [statement for anywhere, part in made if anywhere for statement in part]
        if self.done is not None and (self.done not in self.numbers or not self.numbers[self.done].when):
            body.append(_append(ast.Tuple([py.number(self.done)], py.LOAD)))
        loads = [py.assign(word, py.cell(py.number(self._cell(variable)))) for variable, word in self.used.items()]
        if late:
            several = py.compare(py.call("len", py.name("out")), ">", py.number(1))
            body.append(py.if_(several, late))
        start: list[ast.stmt] = [py.assign("out", ast.List([], py.LOAD))]
        if any(MEMORY in py.names(statement) for statement in (*first, *body)):
            start.insert(0, py.assign(MEMORY, ast.Dict([], [])))
        rest = Slices(self.values.tables.values).body(searched([*start, *first, *body]))
        rest = Hoist(self.values.tables.values).body(rest, assigned(rest))
        whole = [*loads, *rest, py.returned(py.name("out"))]
        return py.function(f"o_{self.window.name}", ["S"], whole, self.window.at)

    def _cell(self, variable: t.Variable) -> int:
        own = (*self.window.params, *(k for k, _ in self.window.keeps))
        return (*self.cells.params, *self.cells.keeps)[own.index(variable)]

    def _loader(self, variable: t.Variable) -> Callable[[], ast.expr]:
        def load() -> ast.expr:
            return py.name(self.used.setdefault(variable, f"w_{variable.name}"))

        return load

    def option(self, number: int, option: c.Option, env: Env) -> list[ast.stmt]:
        tests = [(name, part) for name, formula in option.when if not formula.lets for part in clauses(formula.value)]
        names: list[tuple[ast.expr, Type]] = []
        loops: list[tuple[str, ast.expr]] = []
        bound: list[t.Variable] = []
        env = dict(env)
        conditions: list[list[ast.expr]] = [[]]
        if option.source is not None:
            me = self._source(option.source, env)
            if isinstance(me, tuple):
                loops.append(me)
                names.append((py.name(me[0]), Thing(option.source.carrier or "")))
                conditions.append([])
            elif me is not None:
                names.append((me, Thing(option.source.carrier or "")))
            if option.source.in_force is not None:
                conditions[-1].append(self.values.lets_inside(option.source.in_force, env))
        if number in self.cells.once and option.once is None:
            conditions[0].append(self.not_yet(number, None, env))
        pending = self._ready(tests, option, bound, conditions[-1], env)
        for variable, formula in option.picks:
            word = self.values.fresh(f"v_{variable.name}")
            narrowed = self._narrowed(formula, variable, pending, env)
            if narrowed is not None:
                domain, pending = narrowed
                tests_there: list[ast.expr] = []
            else:
                domain, tests_there = self._domain(formula, variable, word, env, first=not bound and not loops)
            loops.append((word, domain))
            names.append((py.name(word), variable.type))
            env[variable] = _namer(word)
            bound.append(variable)
            conditions.append(tests_there)
            if isinstance(option.once, t.Local) and option.once.variable is variable:
                conditions[-1].append(self.not_yet(number, option.once, env))
            pending = self._ready(pending, option, bound, conditions[-1], env)
        conditions[-1] += [self.values.emit(test, env) for _, test in pending]
        conditions[-1] += self.extra(option, env)
        if option.once is not None and not isinstance(option.once, t.Local):
            conditions[-1].append(self.not_yet(number, option.once, env))
        chosen = self.values.tables.grids.chosen(number, names)
        self.values.positive = frozenset()
        body = self._looped(chosen, loops, conditions, option)
        for node in body:
            py.place(node, option.at)
        return body

    def _looped(
        self, chosen: ast.expr, loops: list[tuple[str, ast.expr]], conditions: list[list[ast.expr]], option: c.Option
    ) -> list[ast.stmt]:
        """One by one (for few options faster than a comprehension), so that too many can be stopped."""
        body: list[ast.stmt] = [_append(chosen)]
        unbounded = self._could_be_many(option)
        for level in range(len(loops), -1, -1):
            if level == len(loops) - 1 and unbounded:
                site = ast.Constant(self.values.tables.site(option.at))
                many = py.compare(py.call("len", py.name("out")), ">", py.number(MAX_OPTIONS))
                body.append(py.if_(many, [ast.Expr(py.call("too_many", site))]))
            test = py.both(conditions[level], "and")
            outer = {word for word, _ in loops[: max(0, level - 1)]}
            if level > 0 and isinstance(test, ast.IfExp) and not py.names(test.test) & {loops[level - 1][0]}:
                body = self._switched(test, loops[level - 1], body, outer)
                if level == 1:
                    body = self._outermost(body, loops[0], conditions)
                continue
            if level > 1:
                body = [self._loop(*loops[level - 1], test, body, outer)]
                continue
            if not (isinstance(test, ast.Constant) and test.value is True):
                body = [py.if_(test, body)]
            if level > 0:
                word, domain = loops[level - 1]
                body = [ast.For(py.stored(word), domain, body, [])]
            if level == 1:
                body = self._outermost(body, loops[0], conditions)
        return body

    def _outermost(
        self, body: list[ast.stmt], loop: tuple[str, ast.expr], conditions: list[list[ast.expr]]
    ) -> list[ast.stmt]:
        """Around the outermost loop: not entered where one look shows that nothing will come of it."""
        held = _held(*loop, conditions[1])
        self.shared.spot(self.now, body, held is None and py.decided(py.both(conditions[0], "and")) is True)
        return body if held is None else [py.if_(held, body)]

    def _switched(
        self, test: ast.IfExp, loop: tuple[str, ast.expr], body: list[ast.stmt], outer: set[str]
    ) -> list[ast.stmt]:
        """A test that has two ways and does not depend on the loop is asked once, before it."""
        word, domain = loop
        ways = [
            self._loop(word, py.copier(domain)(), way, [py.clone(statement) for statement in body], outer)
            for way in (test.body, test.orelse)
        ]
        return [py.if_(test.test, [ways[0]], [ways[1]])]

    def _loop(self, word: str, domain: ast.expr, test: ast.expr, body: list[ast.stmt], outer: set[str]) -> ast.stmt:
        """A loop inside others; what it goes over is worked out once if it is the same in every round of those."""
        always = isinstance(test, ast.Constant) and test.value is True
        if not always and outer and not (py.names(domain) | py.names(test)) & outer and not _calls(domain, test):
            listed = py.comprehension(py.name(word), word, domain, [test])
            return ast.For(py.stored(word), self.shared.use(listed, self.now), body, [])
        return ast.For(py.stored(word), domain, body if always else [py.if_(test, body)], [])

    def _narrowed(
        self, formula: t.Formula, variable: t.Variable, pending: list[tuple[str, t.Value]], env: Env
    ) -> tuple[ast.expr, list[tuple[str, t.Value]]] | None:
        """All things of a kind without those that can never be picked here, and the clauses that are still to test."""
        if formula.lets or not isinstance(formula.value, t.AllOf):
            return None
        found = self.values.printed.narrowed(variable, formula.value.kind, [test for _, test in pending], env)
        if found is None:
            return None
        domain, left = found
        return domain, [(name, test) for name, test in pending if any(test is one for one in left)]

    def _domain(
        self, formula: t.Formula, variable: t.Variable, word: str, env: Env, first: bool
    ) -> tuple[ast.expr, list[ast.expr]]:
        """Where a pick comes from, and what narrows it; what several options start with is computed once."""
        value = formula.value
        if formula.lets or not isinstance(value, t.Fold | t.Asked | t.OfField):
            return self.values.lets_inside(formula, env), []
        if not first or self._size(value) <= FEW:
            flat = filtered(self.values, t.Clause(value.at, variable, value, None, (), False), env)
            return flat.domain(self.values), flat.emit_tests(self.values, _namer(word))
        count, self.values.counter = self.values.counter, 0  # the same text gives the same names
        domain = self.values.lets_inside(formula, env)
        self.values.counter = max(count, self.values.counter)
        if not isinstance(domain, ast.ListComp):
            return domain, []
        return self.shared.use(domain, self.now), []

    def _could_be_many(self, option: c.Option) -> bool:
        total = 1
        for _, formula in option.picks:
            total *= self._size(formula.value)
        return total > MAX_OPTIONS

    def _size(self, value: t.Value) -> int:
        match value:
            case t.OfField(kind=kind, field=field):
                return self.values.tables.most(kind, field)
            case t.AllOf(kind=kind) | t.Rotation(kind=kind):
                return self.values.layout.size(kind)
            case t.Listing(items=items):
                return len(items)
            case t.Fold(clause=clause):
                return self._size(clause.source)
            case t.Asked(quantity=name):
                return self._size(self.values.checked.quantities[name].formula.value)
            case t.Numbers(low=low, high=high) if isinstance(low.type, Num) and isinstance(high.type, Num):
                return max(0, high.type.high - low.type.low + 1)
            case _:
                return MAX_OPTIONS + 1

    def _ready(
        self,
        pending: list[tuple[str, t.Value]],
        option: c.Option,
        bound: list[t.Variable],
        place: list[ast.expr],
        env: Env,
    ) -> list[tuple[str, t.Value]]:
        """Test each clause as soon as its picks are known; a clause that leans on earlier ones waits for them."""
        picks = {variable for variable, _ in option.picks}
        rest: list[tuple[str, t.Value]] = []
        waiting: set[str] = set()  # clauses with a part that has to wait: what comes after it waits as well
        for name, test in pending:
            needs = {p.variable for p in parts_of(test) if isinstance(p, t.Local)} & picks
            if needs <= set(bound) and name not in waiting and not (rest and name in option.dependent):
                place.append(self.values.emit(test, env))
                self.values.positive |= self.values.above_zero(test, env)
            else:
                rest.append((name, test))
                waiting.add(name)
        return rest

    def _source(self, source: c.Source, env: Env) -> tuple[str, ast.expr] | ast.expr | None:
        """The things an offer comes from, to go through or, if there is one, by itself; None if it needs no name."""
        if source.carrier is None or source.me is None:
            return None
        things = things_of(self.values, source)
        if source.carrier == source.component_kind:
            env[source.me] = _constant(things[0])
            return None
        if len(things) == 1:
            env[source.me] = _constant(things[0])
            return py.number(things[0])
        word = self.values.fresh("v_self")
        env[source.me] = _namer(word)
        return word, py.constant(tuple(things))

    def extra(self, option: c.Option, env: Env) -> list[ast.expr]:
        tests: list[ast.expr] = []
        for formula in (f for _, f in option.when if f.lets):
            tests.append(self.values.lets_inside(formula, env))
        for source, when, _ in option.forbids:
            tests.append(py.negate(applies(self.values, source, when, env)))
        if option.replaces is not None:
            tests.append(py.negate(self.offered(option.replaces, option, env)))
        return tests

    def not_yet(self, number: int, once: t.Value | None, env: Env) -> ast.expr:
        """Each thing has a bit in the cell of an option that may be chosen once for it."""
        mask = py.cell(py.number(self.cells.once[number]))
        if once is None:
            return py.negate(mask)
        bit = py.binary(py.binary(mask, ">>", self.values.emit(once, env)), "&", py.number(1))
        return py.negate(bit)

    def offered(self, plain: c.Option, extended: c.Option, env: Env) -> ast.expr:
        """Whether the option itself, without the extension, can be chosen with these picks."""
        inner = dict(env)
        ours = {variable.name: variable for variable, _ in extended.picks}
        tests: list[ast.expr] = []
        for variable, formula in plain.picks:
            inner[variable] = env[ours[variable.name]]
            tests.append(py.compare(inner[variable](), "in", self.values.lets_inside(formula, inner)))
        tests += [self.values.lets_inside(formula, inner) for _, formula in plain.when]
        for source, when, _ in plain.forbids:
            tests.append(py.negate(applies(self.values, source, when, inner)))
        return py.both(tests, "and") if tests else ast.Constant(True)


def _held(word: str, domain: ast.expr, tests: list[ast.expr]) -> ast.expr | None:
    """Whether any of a few known things passes one of the tests on it, asked of all of them at once."""
    things = [py.known(item) for item in domain.elts] if isinstance(domain, ast.Tuple) else []
    if not things or len(things) > FEW:
        return None
    for test in tests:
        match test:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                for field, other in ((left, right), (right, left)):
                    start = _field_of(field, word)
                    if start is not None and py.is_simple(other) and word not in py.names(other):
                        cells = [py.cell(py.number(start + thing)) for thing in things if thing is not None]
                        return py.both([py.compare(py.copier(other)(), "==", cell) for cell in cells], "or")
    return None


def _field_of(node: ast.expr, word: str) -> int | None:
    """The start of the column, where a field of the thing with that name is read."""
    match node:
        case ast.Subscript(value=ast.Name(id="S"), slice=ast.BinOp(left=left, op=ast.Add(), right=ast.Name(id=name))):
            return py.known(left) if name == word else None
    return None


def _calls(*nodes: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) for node in nodes for part in py.walk(node))


def _append(value: ast.expr) -> ast.stmt:
    return ast.Expr(py.method(py.name("out"), "append", value))


def _namer(word: str) -> Callable[[], ast.expr]:
    return lambda: py.name(word)


def _constant(value: int) -> Callable[[], ast.expr]:
    return lambda: py.number(value)
