"""What is printed never changes: values that read nothing else in, tables worked out beforehand out.

A value that depends on one thing only becomes a look into a table; a set that is narrowed by what is printed becomes
the list of those that are left, for every other thing the answer may depend on.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from interpreter.checker import typed as t
from interpreter.checker.flow import children_of, parts_of
from interpreter.checker.types import Flag, Num, SetOf, Thing
from interpreter.compiler import pyast as py

if TYPE_CHECKING:
    from interpreter.compiler.values import Env, Values

Free = frozenset[t.Variable]
FREE: Free = frozenset()
CHAINED = (t.Fact, t.Entry, t.Local, t.Plain, t.Named, t.ConstantValue, t.OptionChoice, t.Arithmetic)
READ = (t.Fact, t.Entry, t.Fold, t.Asked)  # what makes a value worth a table
MOST = 20_000  # entries of a table for two things


class Printed:
    """Tables for the values of one function."""

    def __init__(self, values: Values) -> None:
        self.values = values

    def free(self, value: t.Value) -> Free | None:
        """The variables a value depends on; None if it depends on anything that is not printed."""
        known = self.values.tables.printed
        found = known.get(id(value))
        if found is None:
            found = known[id(value)] = value, self._free(value)
        return found[1]

    def _free(self, value: t.Value) -> Free | None:
        match value:
            case t.State() | t.NetworkQuestion():
                return None
            case t.OfField(kind=kind, field=field) if self.values.tables.members(kind, field) is None:
                return None
            case t.Local(variable=variable):
                return frozenset({variable})
            case t.Fold(clause=clause) if clause.random:
                return None
            case t.Asked(quantity=name):
                quantity = self.values.checked.quantities[name]
                inside = [let.value for let in quantity.formula.lets] + [quantity.formula.value]
                if quantity.modifiers or any(self.free(part) is None for part in inside):
                    return None
        found = FREE
        for part in children_of(value):
            needed = self.free(part)
            if needed is None:
                return None
            found |= needed
        return found - {value.clause.variable} if isinstance(value, t.Fold) else found

    def table(self, value: t.Value, env: Env) -> ast.expr | None:
        """A look into a table, or the result itself, instead of a value that is printed."""
        if not isinstance(value.type, Num | Flag | Thing) or self.values.tabling:
            return None
        free = self.free(value)
        if free is None or len(free) > 1 or not any(isinstance(part, READ) for part in parts_of(value)):
            return None
        size, key = 1, py.number(0)
        for variable in free:
            if not isinstance(variable.type, Thing) or variable.type.optional:
                return None
            size, key = self.values.layout.size(variable.type.kind), env[variable]()
        if not py.is_simple(key) and not py.is_safe(key):
            return None
        node = self._raw(value, {variable: lambda: py.name("x") for variable in free})
        if isinstance(value.type, Flag):
            node = py.call("bool", node)
        name = self.values.tables.worked_out(node, size)
        return None if name is None else self._entry(name, key)

    def _entry(self, name: str, key: ast.expr) -> ast.expr:
        """One entry; the entry itself where it is the same for all, or the key is known."""
        entries, place = self.values.tables.values[name], py.known(key)
        if len(set(entries)) == 1 or (place is not None and 0 <= place < len(entries)):
            entry = entries[place or 0]
            return ast.Constant(entry) if isinstance(entry, bool) else py.number(entry)
        return py.item(py.name(name), key)

    def chain(self, value: t.Fact | t.Entry, env: Env) -> ast.expr | None:
        """A printed value of a printed value, and so on, is one look into a table of its own."""
        values, parts = self.values, list(parts_of(value))
        names = {part.variable for part in parts if isinstance(part, t.Local)}
        if values.traced or values.tabling or len(parts) < 3 or len(names) != 1:
            return None
        if not all(isinstance(part, CHAINED) for part in parts):
            return None
        (variable,) = names
        if not isinstance(variable.type, Thing) or isinstance(value.type, SetOf):
            return None
        thing = env[variable]()
        if not py.is_simple(thing):
            return None
        values.tabling = True
        inside: Env = {variable: lambda: py.name("x")}
        if isinstance(value, t.Entry):
            plain = values.entry(value, inside)
        else:
            plain = values.lookup(values.tables.fact(value.kind, value.field), values.emit(value.owner, inside))
        values.tabling = False
        table = values.tables.worked_out(plain, values.layout.size(variable.type.kind))
        return None if table is None else values.lookup(table, thing)

    def _raw(self, value: t.Value, env: Env) -> ast.expr:
        """The value written out; the same text gives the same names."""
        values = self.values
        count, values.counter, values.tabling = values.counter, 0, True
        positive, values.positive = values.positive, frozenset()
        node = values.emit(value, env)
        values.counter, values.tabling, values.positive = max(count, values.counter), False, positive
        return node

    # ------------------------------------------------------------ sets
    def narrowed(
        self, variable: t.Variable, kind: str, tests: list[t.Value], env: Env, bits: bool = False
    ) -> tuple[ast.expr, list[t.Value]] | None:
        """The things of a kind that pass those tests that are printed, and the tests that are left."""
        if self.values.traced or not isinstance(variable.type, Thing):
            return None
        others: Free = FREE
        taken: list[t.Value] = []
        for test in tests:
            free = self.free(test)
            if free is None or variable not in free:
                continue
            more = others | free - {variable}
            if len(more) < 2 and all(self._looks_up(other, env) for other in more):
                others = more
                taken.append(test)
        if not taken:
            return None
        size, key = 1, None
        given: Env = {variable: lambda: py.name("y")}
        for other in others:
            assert isinstance(other.type, Thing)
            size, key = self.values.layout.size(other.type.kind), env[other]()
            given[other] = lambda: py.name("x")
        if size * self.values.layout.size(kind) > MOST:
            return None
        conditions = [py.both([self._raw(test, given) for test in taken], "and")]
        everything = py.constant(tuple(range(self.values.layout.size(kind))))
        listed = py.comprehension(py.name("y"), "y", everything, conditions)
        if bits:
            listed.elt = py.binary(py.number(1), "<<", listed.elt)
        name = self.values.tables.worked_out(py.call("sum" if bits else "tuple", listed), size)
        if name is None:
            return None
        if bits and key is None:
            domain = py.number(self.values.tables.values[name][0])
        elif key is None:
            domain = py.name(self.values.tables.table(f"{name}_all", self.values.tables.values[name][0]))
        else:
            domain = py.item(py.name(name), key)
        return domain, [test for test in tests if not any(test is one for one in taken)]

    def mask(self, variable: t.Variable, kind: str, test: t.Value, env: Env) -> ast.expr | None:
        """The things of a kind that pass a printed test, each as a bit."""
        found = self.narrowed(variable, kind, [test], env, bits=True)
        return None if found is None else found[0]

    def _looks_up(self, variable: t.Variable, env: Env) -> bool:
        """Whether a table can be made for all values of a variable, and looked into where it is known."""
        thing = isinstance(variable.type, Thing) and not variable.type.optional
        if not thing or variable not in env:
            return False
        key = env[variable]()
        return py.is_simple(key) or py.is_printed(key)
