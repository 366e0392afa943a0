"""Windows and options: checked declarations in, the segments and functions that open, carry out and test them out."""

from __future__ import annotations

import ast
from dataclasses import replace

from interpreter.checker import checked as c
from interpreter.checker.types import Flag
from interpreter.compiler import pyast as py
from interpreter.compiler.cells import fetched, in_cell
from interpreter.compiler.layout import Layout
from interpreter.compiler.listers import Lister
from interpreter.compiler.routines import Routines, named
from interpreter.compiler.segments import GAME_OVER, decision
from interpreter.compiler.statements import Leaving, Statements
from interpreter.compiler.values import Env, Values
from interpreter.compiler.windows import REPEATING, Cells

Made = list[tuple[str, ast.FunctionDef]]


class WindowCode:
    """Numbers all options of a program and emits what happens in its windows."""

    def __init__(self, checked: c.Checked, layout: Layout) -> None:
        self.checked = checked
        self.layout = layout
        self.order = list(checked.windows)
        self.numbers: dict[str, dict[int, c.Option]] = {}  # window -> option number -> option
        self.done: dict[str, int] = {}
        self.cells: dict[str, Cells] = {}
        self._number_options()

    def lister(self, routines: Routines, name: str) -> ast.FunctionDef:
        window = self.checked.windows[name]
        values = routines.values(window.at)
        values.remembers = True
        return Lister(values, window, self.cells[name], self.numbers[name], self.done.get(name)).function()

    def _number_options(self) -> None:
        number = 0
        for name, window in self.checked.windows.items():
            self.numbers[name] = {}
            for option in window.options:
                self.numbers[name][number] = option
                if option.name == "done" and window.choose != "one" and option.source is None:
                    self.done[name] = number
                number += 1
            if window.choose != "one" and name not in self.done:
                self.done[name] = number
                number += 1
        self.option_count = number

    # ------------------------------------------------------------ windows
    def open_window(self, routines: Routines, name: str, window: c.Window) -> None:
        """Cells and the segments that open and close a window."""
        frame, entry = routines.frames["windows", name]
        segments = routines.segments
        exit_ = segments.open(window.at)
        segments.pinned.add(exit_.number)
        keeps = tuple(segments.cells() for _ in window.keeps)
        once = {n: segments.cells() for n, o in self.numbers[name].items() if o.once is not None or o.once_ever}
        cells = Cells(
            self.order.index(name), frame.params, keeps, segments.cells(), segments.cells(), once, exit_.number
        )
        self.cells[name] = cells
        env = cells.env(window)
        values = routines.values(window.at)
        for cell, (_, formula) in zip(keeps, window.keeps, strict=True):
            lets, value = routines.formula(values, formula, env)
            plain = py.call("int", value) if isinstance(formula.value.type, Flag) else value
            entry.body += [*lets, py.set_cell(py.number(cell), plain)]
        entry.body += [py.set_cell(py.number(cell), py.number(0)) for cell in once.values()]
        ask: list[ast.stmt] = [py.returned(py.number(decision(cells.number)))]
        if window.limit is not None:
            lets, value = routines.formula(values, window.limit, env)
            entry.body += [
                *lets,
                py.set_cell(py.number(cells.limit), value),
                py.set_cell(py.number(cells.chosen), py.number(0)),
            ]
            none = py.compare(py.cell(py.number(cells.limit)), "<=", py.number(0))
            ask.insert(0, py.if_(none, [py.returned(segments.address(exit_.number))]))
        entry.body += ask
        back = py.returned(py.cell(py.number(frame.back)))
        leaving: dict[str, Leaving] = {
            "stop": lambda: [py.returned(py.cell(py.number(frame.back)))],
            "end": lambda: [py.returned(py.number(GAME_OVER))],
        }
        now = routines.flow(window.at, leaving).run(window.after, env, exit_)
        if now is not None:
            now.body.append(back)

    def carry_out(self, routines: Routines, name: str, window: c.Window) -> Made:
        """For every option the function that carries it out and says where the game goes on."""
        made = []
        cells = self.cells[name]
        for number, option in self.numbers[name].items():
            closes = number == self.done.get(name) or (window.choose not in REPEATING and not option.anywhere)
            made.append((option.at.file, self.option_function(routines, window, cells, number, option, closes)))
        done = self.done.get(name)
        if done is not None and done not in self.numbers[name]:
            body = [self.leave_window(routines, cells, window)]
            made.append((window.at.file, py.function(f"d_{done}", ["S", "o"], list(body), window.at)))
        return made

    def option_function(
        self, routines: Routines, window: c.Window, cells: Cells, number: int, option: c.Option, closes: bool
    ) -> ast.FunctionDef:
        values = routines.values(option.at)
        env = cells.env(window)
        words, picks = [], []
        if option.source is not None and option.source.me is not None:
            if option.source.carrier != option.source.component_kind:
                words.append("me")
                picks.append(option.source.me)
            else:
                place = self.layout.positions[option.source.carrier or ""][option.source.label]
                env[option.source.me] = lambda: py.number(place)
        for variable, _ in option.picks:
            words.append(values.fresh(f"v_{variable.name}"))
            picks.append(variable)
        asks = routines.asking.block(option.do)
        body: list[ast.stmt] = []
        for position, (variable, word) in enumerate(zip(picks, words, strict=True), start=1):
            taken = py.item(py.name("o"), py.number(position))
            if asks:
                cell = routines.segments.cells()
                body.append(py.set_cell(py.number(cell), taken))
                env[variable] = in_cell(cell)
            else:
                body.append(py.assign(word, taken))
                env[variable] = named(word)
        if number in cells.once:
            body.append(self.mark_once(values, cells.once[number], option, env))
        leaving: dict[str, Leaving] = {
            "stop": lambda: self.go_on(routines, cells, window, closes, option.anywhere),
            "close": lambda: [self.leave_window(routines, cells, window)],
            "end": lambda: [py.returned(py.number(GAME_OVER))],
        }
        if not asks:
            statements = Statements(values, routines.told, leaving)
            body += statements.block(option.do, env) + self.go_on(routines, cells, window, closes, option.anywhere)
            return py.function(f"d_{number}", ["S", "o"], fetched(body), option.at)
        first = routines.segments.open(option.at)
        end = routines.flow(option.at, leaving).run(option.do, env, first)
        if end is not None:
            end.body += self.go_on(routines, cells, window, closes, option.anywhere)
        body.append(py.returned(routines.segments.address(first.number)))
        routines.segments.pinned.add(first.number)
        return py.function(f"d_{number}", ["S", "o"], fetched(body), option.at)

    def mark_once(self, values: Values, cell: int, option: c.Option, env: Env) -> ast.stmt:
        mark: ast.expr = py.number(1)
        if option.once is not None:
            bit = py.binary(py.number(1), "<<", values.emit(option.once, env))
            mark = py.binary(py.cell(py.number(cell)), "|", bit)
        return py.set_cell(py.number(cell), mark)

    def leave_window(self, routines: Routines, cells: Cells, window: c.Window) -> ast.stmt:
        """Straight back to whoever asked, unless the window has something to do when it closes."""
        back = routines.frame("windows", window.name).back
        return py.returned(py.number(cells.exit) if window.after else py.cell(py.number(back)))

    def go_on(self, routines: Routines, cells: Cells, window: c.Window, closes: bool, free: bool) -> list[ast.stmt]:
        """After an option: close the window, or ask again; an offer at any time is no choice of the window."""
        if closes:
            return [self.leave_window(routines, cells, window)]
        again = py.returned(py.number(decision(cells.number)))
        if window.limit is None or free:
            return [again]
        chosen = py.number(cells.chosen)
        full = py.compare(py.cell(py.number(cells.chosen)), ">=", py.cell(py.number(cells.limit)))
        return [
            py.set_cell(chosen, py.binary(py.cell(py.number(cells.chosen)), "+", py.number(1))),
            py.if_(full, [self.leave_window(routines, cells, window)]),
            again,
        ]

    # ------------------------------------------------------------ questions about a state
    def clause_functions(self, routines: Routines) -> Made:
        """For every option: are the picks possible, and does each clause hold (for why-not)."""
        made = []
        for name, window in self.checked.windows.items():
            cells = self.cells[name]
            for number, option in self.numbers[name].items():
                made += self.clauses_of(routines, window, cells, number, option)
        return made

    def clauses_of(self, routines: Routines, window: c.Window, cells: Cells, number: int, option: c.Option) -> Made:
        values = routines.values(option.at, traced=True)
        env = cells.env(window)
        words: list[str] = []
        if option.source is not None and option.source.me is not None:
            if option.source.carrier != option.source.component_kind:
                words.append("me")
                env[option.source.me] = named("me")
            else:
                place = self.layout.positions[option.source.carrier or ""][option.source.label]
                env[option.source.me] = lambda: py.number(place)
        made: Made = []
        for index, (variable, formula) in enumerate(option.picks):
            domain = values.lets_inside(formula, env)
            body: list[ast.stmt] = [py.returned(py.call("list", domain))]
            made.append(
                (option.at.file, py.function(f"pick_{number}_{index}", ["S", *words], fetched(body), option.at))
            )
            words.append(f"v_{variable.name}_{index}")
            env[variable] = named(words[-1])
        tests: list[ast.expr] = []
        if option.source is not None and option.source.in_force is not None:
            tests.append(values.lets_inside(option.source.in_force, env))
        tests += [values.lets_inside(formula, env) for _, formula in option.when]
        lister = Lister(values, window, cells, {number: option}, None)
        if number in cells.once:
            tests.append(lister.not_yet(number, option.once, env))
        tests += lister.extra(_only_extra(option), env)
        for index, node in enumerate(tests):
            body = [py.returned(py.call("bool", node))]
            made.append(
                (option.at.file, py.function(f"when_{number}_{index}", ["S", *words], fetched(body), option.at))
            )
        return made

    def clause_names(self, window: str, number: int, option: c.Option) -> list[str]:
        """What the tests of an option are called, in the order of their functions."""
        names = ["in force"] if option.source is not None and option.source.in_force is not None else []
        names += [clause for clause, _ in option.when]
        names += ["once"] if number in self.cells[window].once else []
        return names + [f"forbidden {i}" for i in range(len(option.forbids) + (option.replaces is not None))]


def _only_extra(option: c.Option) -> c.Option:
    """The option without its named clauses, which are tested one by one."""
    return replace(option, when=())
