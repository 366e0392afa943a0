"""The compile stage: a checked ruleset, a number of players and the chosen options in, a program out."""

from __future__ import annotations

import ast
from types import CodeType

from interpreter.checker import checked as c
from interpreter.checker.sight import HiddenParts
from interpreter.compiler import pyast as py
from interpreter.compiler.cells import fetched
from interpreter.compiler.description import describe_program
from interpreter.compiler.footprint import Footprint, sets_by_field
from interpreter.compiler.layout import Layout
from interpreter.compiler.options import WindowCode
from interpreter.compiler.program import Program
from interpreter.compiler.questions import QuestionCode
from interpreter.compiler.routines import Routines
from interpreter.compiler.searches import searched
from interpreter.compiler.segments import Segments
from interpreter.compiler.tables import Tables

FLAVOURS = ("plain", "told", "traced")


class Compiler:
    """Compiles one ruleset for one number of players; the pieces stay at hand for texts that come later."""

    def __init__(self, checked: c.Checked, players: int, options: dict[str, str | int]) -> None:
        self.checked = checked
        self.hidden = HiddenParts(checked)
        self.layout = Layout(checked.world, players, sets_by_field(checked))
        self.tables = Tables(self.layout, options, Footprint(checked))
        self.options = options
        self.players = players
        self.windows = WindowCode(checked, self.layout)

    # ------------------------------------------------------------ the whole program
    def compile(self) -> Program:
        code = {flavour: self.assemble(*self.flavour(flavour)) for flavour in FLAVOURS}
        return Program(describe_program(self), self.tables.values, code)

    def lay_out(self) -> None:
        """Everything but the code: numbers of cells, segments and tables as in the program compiled before."""
        for flavour in FLAVOURS:
            self.flavour(flavour)

    routines: Routines  # of the code made last
    segments: Segments

    def flavour(self, flavour: str) -> tuple[list[tuple[str, ast.FunctionDef]], list[ast.stmt]]:
        """The functions of a flavour with the files they come from, and the lists that hold them."""
        made: list[tuple[str, ast.FunctionDef]] = []
        segments = Segments(self.layout.end)
        routines = Routines(self.checked, self.layout, self.tables, segments, told=flavour == "told")
        if flavour == "traced":
            made += [(q.at.file, routines.quantity(q, True)) for q in self.checked.quantities.values()]
            made += self.windows.clause_functions(routines)
            return made, []
        if flavour == "plain":
            made += [(q.at.file, routines.quantity(q, False)) for q in self.checked.quantities.values()]
            made += [(n.at.file, routines.network(n)) for n in self.checked.networks.values()]
            questions = QuestionCode(self.checked, self.layout)
            made += questions.visibility(routines)
            made += questions.questions(routines)
        self.routines = routines
        routines.reserve()
        for name, window in self.checked.windows.items():
            self.windows.open_window(routines, name, window)
        for routine in self.checked.routines.values():
            made += [(routine.at.file, f) for f in routines.routine(routine)]
        for moment in self.checked.moments.values():
            made += [(moment.at.file, f) for f in routines.moment(moment)]
        for name, window in self.checked.windows.items():
            if flavour == "plain":
                made.append((window.at.file, self.windows.lister(routines, name)))
            made += self.windows.carry_out(routines, name, window)
        self.segments = segments
        segments.join()
        made += self.segment_functions(segments)
        for _, function in made:
            function.body = searched(function.body)
        return made, self.lists(segments, flavour)

    def assemble(self, made: list[tuple[str, ast.FunctionDef]], lists: list[ast.stmt]) -> list[CodeType]:
        files: dict[str, list[ast.stmt]] = {}
        for file, function in made:
            files.setdefault(file, []).append(function)
        done = []
        for file, body in [*files.items(), ("<lists>", lists)]:
            module = ast.Module(list(body), [])
            py.locate(module)
            done.append(compile(module, file, "exec"))
        return done

    def lists(self, segments: Segments, flavour: str) -> list[ast.stmt]:
        functions = [py.name(f"s_{segment.number}") for segment in segments.made]
        done: list[ast.stmt] = [py.assign("SEGMENTS", ast.List(list(functions), py.LOAD))]
        carried = [py.name(f"d_{number}") for number in range(self.windows.option_count)]
        done.append(py.assign("CARRY_OUT", ast.List(list(carried), py.LOAD)))
        if flavour == "plain":
            listers = [py.name(f"o_{name}") for name in self.windows.order]
            done += [py.assign("LISTERS", ast.List(list(listers), py.LOAD)), *self.tables.grids.tables()]
        return done

    def segment_functions(self, segments: Segments) -> list[tuple[str, ast.FunctionDef]]:
        return [(s.at.file, py.function(f"s_{s.number}", ["S"], fetched(s.body), s.at)) for s in segments.made]
