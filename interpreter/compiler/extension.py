"""Texts that come later (explanations, scenarios): an expression or a statement in, code for a running program out."""

from __future__ import annotations

import ast
from types import CodeType

from interpreter.checker import typed as t
from interpreter.checker.checked import Checked
from interpreter.checker.ruleset import Checker
from interpreter.checker.scope import Scope
from interpreter.compiler import pyast as py
from interpreter.compiler.assembly import Compiler
from interpreter.compiler.cells import fetched
from interpreter.compiler.description import type_word
from interpreter.compiler.segments import GAME_OVER
from interpreter.diagnostics import Finding, Report, Span
from interpreter.dsl import parser
from interpreter.loader.model import Model

FILE = "<text>"


class PlainText:
    """A text that stands in no file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.span = Span(FILE, 1, 1, 1, len(text) + 1)

    def locate(self, offset: int) -> tuple[int, int]:
        before = self.text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1

    def file_at(self, _: int) -> str:
        return FILE


class TextInvalid(ValueError):
    """The text is not right; the finding says where and why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message + (f"; {finding.hint}" if finding.hint else ""))
        self.finding = finding


class Extension:
    """Compiles texts against one program. Its segments and cells follow those of the program."""

    def __init__(self, model: Model, compiler: Compiler, segments: int, size: int) -> None:
        """`segments` and `size` are those of the program."""
        self.checked: Checked = compiler.checked
        self.compiler = compiler
        self.checker = Checker(model, self.checked.world)
        self.count = 0
        compiler.segments.follow(segments, size)

    def expression(self, text: str, traced: bool) -> tuple[str, CodeType, str]:
        """Name and code of a function of the state, and the type of what it gives."""
        typed = self._formula(text)
        self.count += 1
        name = f"x_{self.count}"
        routines = self.compiler.routines
        lets, value = routines.formula(routines.values(PlainText(text).span, traced), typed, {})
        made = py.function(name, ["S"], [*lets, py.returned(value)], PlainText(text).span)
        return name, _code([made]), type_word(typed.value.type)

    def reads_hidden(self, text: str) -> bool:
        """Whether an expression reads a field that is hidden from some seat."""
        return self.compiler.hidden.formula(self._formula(text))

    def _formula(self, text: str) -> t.Formula:
        report = Report()
        formula = parser.parse_formula(PlainText(text), report)
        typed = None
        if formula is not None:
            kept, self.checked.world.report = self.checked.world.report, report
            typed = self.checker.expressions.formula(formula, Scope())
            self.checked.world.report = kept
        if typed is None or not report.ok:
            raise TextInvalid(report.errors[0])
        return typed

    def statement(self, text: str) -> tuple[int, list[CodeType], int]:
        """The first new segment, the code of all new ones (named s_NUMBER), and the size a state must have."""
        report = Report()
        block = parser.parse_block(PlainText(text + "\n"), report)
        body: t.Block = ()
        if block is not None:
            kept, self.checked.world.report = self.checked.world.report, report
            body = self.checker.statements.body(block, Scope())
            self.checked.world.report = kept
        if not report.ok:
            raise TextInvalid(report.errors[0])
        routines = self.compiler.routines
        segments = routines.segments
        first = segments.open(PlainText(text).span)
        over: list[ast.stmt] = [ast.Expr(py.call("RAN_OUT")), py.returned(py.number(GAME_OVER))]
        flow = routines.flow(
            PlainText(text).span,
            {"stop": lambda: [ast.Expr(py.call("RAN_OUT")), py.returned(py.number(GAME_OVER))],
             "end": lambda: [py.returned(py.number(GAME_OVER))]},
        )  # fmt: skip
        end = flow.run(body, {}, first)
        if end is not None:
            end.body += over
        made = [py.function(f"s_{s.number}", ["S"], fetched(s.body), s.at) for s in segments.made[first.number :]]
        return first.number, [_code([function]) for function in made], segments.next_cell


def _code(functions: list[ast.FunctionDef]) -> CodeType:
    module = ast.Module(list(functions), [])
    ast.fix_missing_locations(module)
    return compile(module, FILE, "exec")
