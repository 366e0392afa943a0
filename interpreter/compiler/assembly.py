"""The compile stage: a checked ruleset, a number of players and the chosen options in, the parts of a program out."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any

from interpreter.checker import checked as c
from interpreter.checker.sight import HiddenParts
from interpreter.compiler import pyast as py
from interpreter.compiler.cells import fetched
from interpreter.compiler.description import describe_program
from interpreter.compiler.footprint import Footprint, sets_by_field
from interpreter.compiler.layout import Layout
from interpreter.compiler.options import WindowCode
from interpreter.compiler.program import PARTS, ROOM, Part
from interpreter.compiler.questions import QuestionCode
from interpreter.compiler.routines import Routines
from interpreter.compiler.searches import searched
from interpreter.compiler.segments import Segments
from interpreter.compiler.tables import Tables

Made = list[tuple[str, ast.FunctionDef]]  # functions with the files they come from


class Compiler:
    """Compiles one part of a program: of one ruleset, for one number of players and these options."""

    def __init__(self, checked: c.Checked, players: int, options: dict[str, str | int], part: str) -> None:
        self.checked = checked
        self.hidden = HiddenParts(checked)
        self.layout = Layout(checked.world, players, sets_by_field(checked))
        number = PARTS.index(part) if part in PARTS else len(PARTS)
        self.tables = Tables(self.layout, options, Footprint(checked), number * ROOM)
        self.options = options
        self.players = players
        self.part = part
        self.segments = Segments(self.layout.end)
        self.routines = Routines(checked, self.layout, self.tables, self.segments, told=part not in ("rules", "plain"))
        self.routines.reserve()
        self.windows = WindowCode(checked, self.layout)
        for name, window in checked.windows.items():
            self.windows.open_window(self.routines, name, window)

    def compile(self) -> Part:
        info: dict[str, Any] = {}
        match self.part:
            case "rules":
                made = self.searched(self.rules())
                lists = [named_list("LISTERS", "o_", self.windows.order), *self.tables.grids.tables()]
                info = describe_program(self)
            case "traced":
                made, lists = self.reasons(), []
            case _:
                made = self.searched(self.steps())
                lists = [
                    named_list("SEGMENTS", "s_", (segment.number for segment in self.segments.made)),
                    named_list("CARRY_OUT", "d_", range(self.windows.option_count)),
                ]
                info = {"size": self.segments.next_cell, "segments": len(self.segments.made)}
        return Part(info, self.tables.values, self.tables.places, assemble(made, lists))

    def rules(self) -> Made:
        """What every game asks: quantities, networks, who sees what, scoring, and which options there are."""
        made: Made = [(q.at.file, self.routines.quantity(q, False)) for q in self.checked.quantities.values()]
        self.tables.remembered.look(function for _, function in made)
        made += [(n.at.file, self.routines.network(n)) for n in self.checked.networks.values()]
        questions = QuestionCode(self.checked, self.layout)
        made += questions.visibility(self.routines)
        made += questions.questions(self.routines)
        made += [(w.at.file, self.windows.lister(self.routines, name)) for name, w in self.checked.windows.items()]
        made += self.remembering()
        return made

    def remembering(self) -> Iterator[tuple[str, ast.FunctionDef]]:
        """What listers ask for again and again; making one may show that another is asked for as well."""
        done: set[str] = set()
        while waiting := [name for name in self.tables.remembered.wanted if name not in done]:
            for name in waiting:
                done.add(name)
                quantity = self.checked.quantities[name]
                yield quantity.at.file, self.routines.remembering(quantity)

    def steps(self) -> Made:
        """What happens: procedures, phases, reactions and what options do."""
        made: Made = []
        for routine in self.checked.routines.values():
            made += [(routine.at.file, f) for f in self.routines.routine(routine)]
        for moment in self.checked.moments.values():
            made += [(moment.at.file, f) for f in self.routines.moment(moment)]
        for name, window in self.checked.windows.items():
            made += self.windows.carry_out(self.routines, name, window)
        self.segments.join()
        made += [(s.at.file, py.function(f"s_{s.number}", ["S"], fetched(s.body), s.at)) for s in self.segments.made]
        return made

    def reasons(self) -> Made:
        """How quantities come to their values, and which tests an option passes."""
        made: Made = [(q.at.file, self.routines.quantity(q, True)) for q in self.checked.quantities.values()]
        return made + self.windows.clause_functions(self.routines)

    def searched(self, made: Made) -> Made:
        for _, function in made:
            function.body = searched(function.body)
        return made


def assemble(made: Made, lists: list[ast.stmt]) -> list[CodeType]:
    files: dict[str, list[ast.stmt]] = {}
    for file, function in made:
        files.setdefault(file, []).append(function)
    done = []
    for file, body in [*files.items(), ("<lists>", lists)]:
        module = ast.Module(list(body), [])
        py.locate(module)
        done.append(compile(module, file, "exec"))
    return done


def named_list(name: str, prefix: str, words: Iterable[object]) -> ast.stmt:
    """A list of functions that are called alike, under a name."""
    return py.assign(name, ast.List([py.name(f"{prefix}{word}") for word in words], py.LOAD))
