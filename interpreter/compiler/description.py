"""What a program says of itself: a compiled ruleset in, the names, places and layout as plain data out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.checker.types import Flag, Num, SetOf, Thing, Type
from interpreter.compiler.questions import ROOT
from interpreter.compiler.windows import pick_names
from interpreter.diagnostics import Span

if TYPE_CHECKING:
    from interpreter.compiler.assembly import Compiler


def describe_program(compiler: Compiler) -> dict[str, Any]:
    world = compiler.checked.world
    root = compiler.routines.frames.get(("routines", ROOT))
    return {
        "players": compiler.players,
        "options": dict(compiler.options),
        "kinds": {
            name: {
                "things": compiler.layout.things[name],
                "form": info.form,
                "coordinates": [[axis.name, axis.kind] for axis in info.coordinates],
                "pieces_of": info.pieces_of,
                "fields": {f.name: type_word(f.type) for f in info.state.values()},
            }
            for name, info in world.kinds.items()
            if not name.startswith("option ")
        },
        "columns": [
            [c.kind, c.field, c.start, c.size, c.low, c.high, c.clamped, c.default]
            for c in compiler.layout.columns.values()
        ],
        "held": [
            [compiler.layout.columns[key].start, compiler.layout.columns[key].size, first]
            for key, first in compiler.layout.held.items()
        ],
        "hidden": [[k.name, f.name] for k in world.kinds.values() for f in k.state.values() if f.seen is not None],
        "scopes": {name: list(cells) for name, cells in compiler.layout.scopes.items()},
        "entry": root[0].entry if root else None,
        "root_back": root[0].back if root else None,
        "root_plain": root is None,
        "windows": [describe_window(compiler, name) for name in compiler.windows.order],
        "moments": {
            name: {
                "params": [[v.name, type_word(v.type)] for v in m.params],
                "hidden": m.seen is not None,
                "ref": list(m.ref),
            }
            for name, m in compiler.checked.moments.items()
        },
        "phases": {
            name: {"params": [[v.name, type_word(v.type)] for v in r.params], "at": _place(r.at), "ref": list(r.ref)}
            for name, r in compiler.checked.routines.items()
            if r.phase
        },
        "quantities": {
            name: {
                "params": [[v.name, type_word(v.type)] for v in q.params],
                "type": type_word(q.formula.value.type),
                "hidden": ("quantities", name) in compiler.hidden.parts,
                "at": _place(q.at),
                "ref": list(q.ref),
            }
            for name, q in compiler.checked.quantities.items()
        },
        "constants": {
            name: {"at": _place(k.at), "ref": list(k.ref), "assumed": k.assumed} for name, k in world.constants.items()
        },
        "invariants": {name: _place(at) for name, (at, _) in compiler.checked.invariants.items()},
        "score": compiler.checked.scoring.score,
        "ranked": compiler.checked.scoring.ranked is not None,
    }


def describe_window(compiler: Compiler, name: str) -> dict[str, Any]:
    window, cells = compiler.checked.windows[name], compiler.windows.cells[name]
    options = [
        {
            "number": number,
            "name": option.name,
            "picks": [list(pick) for pick in pick_names(option)],
            "source": option.source.label if option.source else None,
            "anywhere": option.anywhere,
            "clauses": compiler.windows.clause_names(name, number, option),
            "hidden": [clause for clause, formula in option.when if compiler.hidden.formula(formula)],
            "dependent": sorted(option.dependent),
            "ref": list(option.ref),
            "at": _place(option.at),
            "like": list(option.like) if option.like else None,
        }
        for number, option in compiler.windows.numbers[name].items()
    ]
    done = compiler.windows.done.get(name)
    if done is not None and done not in compiler.windows.numbers[name]:
        options.append(
            {
                "number": done, "name": "done", "picks": [], "source": None, "anywhere": False, "clauses": [],
                "hidden": [], "dependent": [], "ref": [], "at": _place(window.at), "like": None,
            }
        )  # fmt: skip
    return {
        "name": name,
        "params": [[v.name, type_word(v.type), cell] for v, cell in zip(window.params, cells.params, strict=True)],
        "keeps": [[v.name, type_word(v.type), cell] for (v, _), cell in zip(window.keeps, cells.keeps, strict=True)],
        "choose": window.choose,
        "always": window.always,
        "secret": window.secret,
        "exit": cells.exit,
        "options": options,
        "done": done,
        "ref": list(window.ref),
        "at": _place(window.at),
    }


def type_word(type_: Type) -> str:
    """The word for a type in plain data: number, flag, a kind; of a set, that of its members."""
    match type_:
        case Num():
            return "number"
        case Flag():
            return "flag"
        case Thing(kind):
            return kind
        case SetOf(item):
            return type_word(item)
        case _:
            return "other"


def _place(at: Span) -> list[Any]:
    return [at.file, at.line, at.col, at.end_line, at.end_col]
