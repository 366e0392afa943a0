"""Questions every game asks of its rules: who may see what, how a game starts, what holds, who is ranked."""

from __future__ import annotations

import ast

from interpreter.checker import checked as c
from interpreter.checker import typed as t
from interpreter.compiler import pyast as py
from interpreter.compiler.layout import Layout
from interpreter.compiler.routines import Routines, argument_names, named
from interpreter.compiler.values import Env

ROOT = "game"
Made = list[tuple[str, ast.FunctionDef]]


class QuestionCode:
    def __init__(self, checked: c.Checked, layout: Layout) -> None:
        self.checked = checked
        self.layout = layout

    def visibility(self, routines: Routines) -> Made:
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

    def questions(self, routines: Routines) -> Made:
        """Start values, scoring, ranking and invariants."""
        made: Made = []
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
