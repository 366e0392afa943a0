"""The compile stage: a checked ruleset, a number of players and the chosen options in, a program out."""

from __future__ import annotations

import ast
from dataclasses import replace
from types import CodeType
from typing import Any

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.checker.sight import HiddenParts
from interpreter.checker.types import Flag, Num, Thing, Type
from interpreter.compiler import pyast as py
from interpreter.compiler.flow import GAME_OVER, Segments, decision
from interpreter.compiler.layout import Layout
from interpreter.compiler.program import HEADER, Program
from interpreter.compiler.routines import Routines, argument_names, in_cell, named
from interpreter.compiler.statements import Leaving, Statements
from interpreter.compiler.tables import Tables
from interpreter.compiler.values import Env
from interpreter.compiler.windows import REPEATING, Cells, Lister, pick_names
from interpreter.diagnostics import Span

ROOT = "game"


class Compiler:
    """Compiles one ruleset for one number of players; `more` adds texts of a scenario or an explanation later."""

    def __init__(self, checked: c.Checked, players: int, options: dict[str, str | int]) -> None:
        self.checked = checked
        self.hidden = HiddenParts(checked)
        self.layout = Layout(checked.world, players)
        self.tables = Tables(self.layout, options)
        self.options = options
        self.players = players
        self.numbers: dict[str, dict[int, c.Option]] = {}  # window -> option number -> option
        self.done: dict[str, int] = {}
        self.cells: dict[str, Cells] = {}
        self.clause_names: dict[int, list[str]] = {}
        self.window_order = list(checked.windows)
        self._number_options()

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

    # ------------------------------------------------------------ the whole program
    def compile(self) -> Program:
        code = {flavour: self.assemble(*self.flavour(flavour)) for flavour in ("plain", "told", "traced")}
        return Program(self.describe(), self.tables.values, code)

    def flavour(self, flavour: str) -> tuple[list[tuple[str, ast.FunctionDef]], list[ast.stmt]]:
        """The functions of a flavour with the files they come from, and the lists that hold them."""
        made: list[tuple[str, ast.FunctionDef]] = []
        segments = Segments(self.layout.end)
        routines = Routines(self.checked, self.layout, self.tables, segments, told=flavour == "told")
        if flavour == "traced":
            made += [(q.at.file, routines.quantity(q, True)) for q in self.checked.quantities.values()]
            made += self.clause_functions(routines)
            return made, []
        if flavour == "plain":
            made += [(q.at.file, routines.quantity(q, False)) for q in self.checked.quantities.values()]
            made += [(n.at.file, routines.network(n)) for n in self.checked.networks.values()]
            made += self.visibility(routines)
            made += self.questions(routines)
        self.routines = routines
        routines.reserve()
        for name, window in self.checked.windows.items():
            self.open_window(routines, name, window)
        for routine in self.checked.routines.values():
            made += [(routine.at.file, f) for f in routines.routine(routine)]
        for moment in self.checked.moments.values():
            made += [(moment.at.file, f) for f in routines.moment(moment)]
        for name, window in self.checked.windows.items():
            if flavour == "plain":
                lister = Lister(
                    routines.values(window.at), window, self.cells[name], self.numbers[name], self.done.get(name)
                )
                made.append((window.at.file, lister.function()))
            made += self.carry_out(routines, name, window)
        self.segments = segments
        segments.join()
        made += self.segment_functions(segments)
        return made, self.lists(segments, flavour)

    def assemble(self, made: list[tuple[str, ast.FunctionDef]], lists: list[ast.stmt]) -> list[CodeType]:
        files: dict[str, list[ast.stmt]] = {}
        for file, function in made:
            files.setdefault(file, []).append(function)
        done = []
        for file, body in [*files.items(), ("<lists>", lists)]:
            module = ast.Module(list(body), [])
            ast.fix_missing_locations(module)
            done.append(compile(module, file, "exec"))
        return done

    def lists(self, segments: Segments, flavour: str) -> list[ast.stmt]:
        functions = [py.name(f"s_{segment.number}") for segment in segments.made]
        done: list[ast.stmt] = [py.assign("SEGMENTS", ast.List(list(functions), py.LOAD))]
        carried = [py.name(f"d_{number}") for number in range(self.option_count)]
        done.append(py.assign("CARRY_OUT", ast.List(list(carried), py.LOAD)))
        if flavour == "plain":
            listers = [py.name(f"o_{name}") for name in self.window_order]
            done.append(py.assign("LISTERS", ast.List(list(listers), py.LOAD)))
        return done

    def segment_functions(self, segments: Segments) -> list[tuple[str, ast.FunctionDef]]:
        return [(s.at.file, py.function(f"s_{s.number}", ["S"], s.body, s.at)) for s in segments.made]

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
            self.window_order.index(name), frame.params, keeps, segments.cells(), segments.cells(), once, exit_.number
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

    def carry_out(self, routines: Routines, name: str, window: c.Window) -> list[tuple[str, ast.FunctionDef]]:
        """For every option the function that carries it out and says where the game goes on."""
        made = []
        cells = self.cells[name]
        for number, option in self.numbers[name].items():
            closes = number == self.done.get(name) or window.choose not in REPEATING
            made.append((option.at.file, self.option_function(routines, window, cells, number, option, closes)))
        done = self.done.get(name)
        if done is not None and done not in self.numbers[name]:
            body = [self.leave_window(cells, window)]
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
            "stop": lambda: self.go_on(cells, window, closes),
            "close": lambda: [self.leave_window(cells, window)],
            "end": lambda: [py.returned(py.number(GAME_OVER))],
        }
        if not asks:
            statements = Statements(values, routines.told, leaving)
            body += statements.block(option.do, env) + self.go_on(cells, window, closes)
            return py.function(f"d_{number}", ["S", "o"], body, option.at)
        first = routines.segments.open(option.at)
        end = routines.flow(option.at, leaving).run(option.do, env, first)
        if end is not None:
            end.body += self.go_on(cells, window, closes)
        body.append(py.returned(routines.segments.address(first.number)))
        routines.segments.pinned.add(first.number)
        return py.function(f"d_{number}", ["S", "o"], body, option.at)

    def mark_once(self, values: Any, cell: int, option: c.Option, env: Env) -> ast.stmt:
        mark: ast.expr = py.number(1)
        if option.once is not None:
            bit = py.binary(py.number(1), "<<", values.emit(option.once, env))
            mark = py.binary(py.cell(py.number(cell)), "|", bit)
        return py.set_cell(py.number(cell), mark)

    def leave_window(self, cells: Cells, window: c.Window) -> ast.stmt:
        """Straight back to whoever asked, unless the window has something to do when it closes."""
        back = self.routines.frame("windows", window.name).back
        return py.returned(py.number(cells.exit) if window.after else py.cell(py.number(back)))

    def go_on(self, cells: Cells, window: c.Window, closes: bool) -> list[ast.stmt]:
        """After an option: close the window, or ask again."""
        if closes:
            return [self.leave_window(cells, window)]
        again = py.returned(py.number(decision(cells.number)))
        if window.limit is None:
            return [again]
        chosen = py.number(cells.chosen)
        full = py.compare(py.cell(py.number(cells.chosen)), ">=", py.cell(py.number(cells.limit)))
        return [
            py.set_cell(chosen, py.binary(py.cell(py.number(cells.chosen)), "+", py.number(1))),
            py.if_(full, [self.leave_window(cells, window)]),
            again,
        ]

    # ------------------------------------------------------------ questions about a state
    def clause_functions(self, routines: Routines) -> list[tuple[str, ast.FunctionDef]]:
        """For every option: are the picks possible, and does each clause hold (for why-not)."""
        made = []
        for name, window in self.checked.windows.items():
            cells = self.cells[name]
            for number, option in self.numbers[name].items():
                made += self.clauses_of(routines, window, cells, number, option)
        return made

    def clauses_of(
        self, routines: Routines, window: c.Window, cells: Cells, number: int, option: c.Option
    ) -> list[tuple[str, ast.FunctionDef]]:
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
        made: list[tuple[str, ast.FunctionDef]] = []
        for index, (variable, formula) in enumerate(option.picks):
            domain = values.lets_inside(formula, env)
            body = [py.returned(py.call("list", domain))]
            made.append((option.at.file, py.function(f"pick_{number}_{index}", ["S", *words], list(body), option.at)))
            words.append(f"v_{variable.name}_{index}")
            env[variable] = named(words[-1])
        tests: list[tuple[str, ast.expr]] = []
        if option.source is not None and option.source.in_force is not None:
            tests.append(("in force", values.lets_inside(option.source.in_force, env)))
        tests += [(clause, values.lets_inside(formula, env)) for clause, formula in option.when]
        lister = Lister(values, window, cells, {number: option}, None)
        if number in cells.once:
            tests.append(("once", lister.not_yet(number, option.once, env)))
        tests += [(f"forbidden {i}", node) for i, node in enumerate(lister.extra(_only_extra(option), env))]
        for index, (_, node) in enumerate(tests):
            body = [py.returned(py.call("bool", node))]
            made.append((option.at.file, py.function(f"when_{number}_{index}", ["S", *words], list(body), option.at)))
        self.clause_names.setdefault(number, [clause for clause, _ in tests])
        return made

    def visibility(self, routines: Routines) -> list[tuple[str, ast.FunctionDef]]:
        made = []
        for kind in self.checked.world.kinds.values():
            for field in kind.state.values():
                if field.seen is not None:
                    env: Env = {field.self_variable: named("me"), field.viewer_variable: named("viewer")}
                    values = routines.values(field.at)
                    body = [py.returned(py.call("bool", values.emit(field.seen.value, env)))]
                    word = f"seen_{kind.name}_{field.name}"
                    made.append((field.at.file, py.function(word, ["S", "me", "viewer"], list(body), field.at)))
        for moment in self.checked.moments.values():
            if moment.seen is not None:
                words, env = argument_names(moment.params)
                env[moment.viewer] = named("viewer")
                values = routines.values(moment.at)
                body = [py.returned(py.call("bool", values.emit(moment.seen.value, env)))]
                made.append(
                    (
                        moment.at.file,
                        py.function(f"heard_{moment.name}", ["S", *words, "viewer"], list(body), moment.at),
                    )
                )
        return made

    def questions(self, routines: Routines) -> list[tuple[str, ast.FunctionDef]]:
        """Start values, scoring, ranking and invariants."""
        made: list[tuple[str, ast.FunctionDef]] = []
        start: list[ast.stmt] = []
        for kind in self.checked.world.kinds.values():
            for field in kind.state.values():
                if field.starting is not None:
                    column = self.layout.columns[kind.name, field.name]
                    values = routines.values(field.at)
                    env: Env = {field.self_variable: named("me")}
                    value = py.call("int", values.emit(field.starting, env))
                    index = py.binary(py.number(column.start), "+", py.name("me"))
                    domain = py.call("range", py.number(column.size))
                    start.append(ast.For(py.stored("me"), domain, [py.set_cell(index, value)], []))
        file = self.checked.routines[ROOT].at
        made.append((file.file, py.function("begin", ["S"], start, file)))
        for name, (at, formula) in self.checked.invariants.items():
            lets, value = routines.formula(routines.values(at), formula, {})
            made.append((at.file, py.function(f"holds_{name}", ["S"], [*lets, py.returned(value)], at)))
        scoring = self.checked.scoring
        if scoring.ranked is not None:
            values = routines.values(scoring.ranked.at)
            env = {scoring.ranked.variable: named("x")}
            keys = [values.emit(key.value, env) for key in scoring.ranked.keys]
            keys = [
                ast.UnaryOp(ast.USub(), node) if key.highest else node
                for node, key in zip(keys, scoring.ranked.keys, strict=True)
            ]
            plain = t.Clause(
                scoring.ranked.at, scoring.ranked.variable, scoring.ranked.source, scoring.ranked.where, (), False
            )
            listed = values.clause(plain, {})
            at = scoring.ranked.at
            made.append(
                (at.file, py.function("rank_key", ["S", "x"], [py.returned(ast.Tuple(list(keys), py.LOAD))], at))
            )
            made.append((at.file, py.function("rank_who", ["S"], [py.returned(py.call("list", listed))], at)))
        return made

    # ------------------------------------------------------------ what the program says of itself
    def describe(self) -> dict[str, Any]:
        world = self.checked.world
        root = self.routines.frames.get(("routines", ROOT))
        return {
            "players": self.players,
            "options": dict(self.options),
            "kinds": {
                name: {
                    "things": self.layout.things[name],
                    "form": info.form,
                    "coordinates": [[axis.name, axis.kind] for axis in info.coordinates],
                    "pieces_of": info.pieces_of,
                    "fields": {f.name: _type(f.type) for f in info.state.values()},
                }
                for name, info in world.kinds.items()
                if not name.startswith("option ")
            },
            "columns": [
                [c.kind, c.field, c.start, c.size, c.low, c.high, c.clamped, c.default]
                for c in self.layout.columns.values()
            ],
            "hidden": [[k.name, f.name] for k in world.kinds.values() for f in k.state.values() if f.seen is not None],
            "scopes": {name: list(cells) for name, cells in self.layout.scopes.items()},
            "fields_end": self.layout.end,
            "size": self.segments.next_cell,
            "header": HEADER,
            "entry": root[0].entry if root else None,
            "root_back": root[0].back if root else None,
            "root_plain": root is None,
            "windows": [self.describe_window(name) for name in self.window_order],
            "sites": [_place(at) for at in self.tables.sites],
            "moments": {
                name: {
                    "params": [[v.name, _type(v.type)] for v in m.params],
                    "hidden": m.seen is not None,
                    "ref": list(m.ref),
                }
                for name, m in self.checked.moments.items()
            },
            "phases": {
                name: {"params": [[v.name, _type(v.type)] for v in r.params], "at": _place(r.at), "ref": list(r.ref)}
                for name, r in self.checked.routines.items()
                if r.phase
            },
            "quantities": {
                name: {
                    "params": [[v.name, _type(v.type)] for v in q.params],
                    "type": _type(q.formula.value.type),
                    "hidden": ("quantities", name) in self.hidden.parts,
                    "at": _place(q.at),
                    "ref": list(q.ref),
                }
                for name, q in self.checked.quantities.items()
            },
            "constants": {
                name: {"at": _place(k.at), "ref": list(k.ref), "assumed": k.assumed}
                for name, k in world.constants.items()
            },
            "invariants": {name: _place(at) for name, (at, _) in self.checked.invariants.items()},
            "score": self.checked.scoring.score,
            "ranked": self.checked.scoring.ranked is not None,
        }

    def describe_window(self, name: str) -> dict[str, Any]:
        window, cells = self.checked.windows[name], self.cells[name]
        options = [
            {
                "number": number,
                "name": option.name,
                "picks": [list(pick) for pick in pick_names(option)],
                "source": option.source.label if option.source else None,
                "anywhere": option.anywhere,
                "clauses": self.clause_names.get(number, []),
                "hidden": [clause for clause, formula in option.when if self.hidden.formula(formula)],
                "dependent": sorted(option.dependent),
                "ref": list(option.ref),
                "at": _place(option.at),
            }
            for number, option in self.numbers[name].items()
        ]
        done = self.done.get(name)
        if done is not None and done not in self.numbers[name]:
            options.append(
                {
                    "number": done, "name": "done", "picks": [], "source": None, "anywhere": False, "clauses": [], "hidden": [],
                    "dependent": [], "ref": [], "at": _place(window.at),
                }
            )  # fmt: skip
        return {
            "name": name,
            "params": [[v.name, _type(v.type), cell] for v, cell in zip(window.params, cells.params, strict=True)],
            "keeps": [[v.name, _type(v.type), cell] for (v, _), cell in zip(window.keeps, cells.keeps, strict=True)],
            "choose": window.choose,
            "always": window.always,
            "secret": window.secret,
            "exit": cells.exit,
            "options": options,
            "done": done,
            "ref": list(window.ref),
            "at": _place(window.at),
        }


def _only_extra(option: c.Option) -> c.Option:
    """The option without its named clauses, which are tested one by one."""
    return replace(option, when=())


def _type(type_: Type) -> Any:
    match type_:
        case Num():
            return "number"
        case Flag():
            return "flag"
        case Thing(kind):
            return kind
        case _:
            return "other"


def _place(at: Span) -> list[Any]:
    return [at.file, at.line, at.col, at.end_line, at.end_col]
