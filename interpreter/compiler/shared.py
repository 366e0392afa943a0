"""Lists that loops of a lister go over: the same list asked for several times in, one made at the best place out."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from interpreter.compiler import pyast as py

Body = list[ast.stmt]


@dataclass(slots=True)
class _List:
    name: str
    made: ast.ListComp
    uses: int = 0
    options: list[int] = field(default_factory=list)


class SharedLists:
    """A list one option needs is made inside of it; one that several need is made once, unless all of them are rare."""

    def __init__(self) -> None:
        self._lists: dict[str, _List] = {}
        self._spots: dict[int, tuple[Body, bool]] = {}  # option -> where its loops stand, and whether always

    def use(self, made: ast.ListComp, option: int) -> ast.expr:
        """The name of a list."""
        word = made.generators[0].target
        assert isinstance(word, ast.Name)
        text = ast.dump(made).replace(f"'{word.id}'", "'x'")
        known = self._lists.setdefault(text, _List(f"shared_{len(self._lists)}", made))
        known.uses += 1
        if option not in known.options:
            known.options.append(option)
        return py.name(known.name)

    def spot(self, option: int, body: Body, always: bool) -> None:
        """Where the outermost loop of an option stands."""
        self._spots[option] = body, always

    def place(self) -> Body:
        """Make the lists; what is given back comes before all options."""
        first: Body = []
        for known in reversed(self._lists.values()):  # a list may need an earlier one
            spots = [self._spots[option] for option in known.options]
            if len(spots) > 1 and any(always for _, always in spots):
                first.insert(0, _made(known))
            elif known.uses == 1 and (loop := _loop_over(spots[0][0], known.name)) is not None:
                _narrow(loop, known.made)
            else:
                for body, _ in spots:
                    body.insert(0, _made(known))
        return first


def _made(known: _List) -> ast.stmt:
    return py.assign(known.name, py.copier(known.made)())


def _loop_over(body: Body, word: str) -> ast.For | None:
    for statement in body:
        if isinstance(statement, ast.For) and isinstance(statement.iter, ast.Name) and statement.iter.id == word:
            return statement
    return None


def _narrow(loop: ast.For, made: ast.ListComp) -> None:
    """Go over the members as they are found; no list is made."""
    clause, word = made.generators[0], loop.target
    assert isinstance(word, ast.Name) and isinstance(clause.target, ast.Name)
    tests = [py.renamed(test, clause.target.id, word.id) for test in clause.ifs]
    loop.iter = clause.iter
    loop.body = [py.like(py.if_(py.both(tests, "and"), loop.body), loop)]
