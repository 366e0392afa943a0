"""A parse tree in, our own nodes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from interpreter.diagnostics import Span
from interpreter.dsl import nodes as n
from interpreter.dsl.vocabulary import FOLDS
from interpreter.dsl.words import Branch as Quick

Branch = Any  # a part of a tree, from the grammar or from the quick reader, or a word: a str that knows its place
SpanOf = Callable[[int, int], Span]
CALLS: dict[str, type[n.Run] | type[n.Announce] | type[n.Ask]] = {"run": n.Run, "announce": n.Announce, "ask": n.Ask}
DEEPEST = 60  # levels of brackets, operators and blocks in one text
MAX_DIGITS = 9
LEAVING: dict[str, type[n.Stop] | type[n.Close] | type[n.End]] = {"stop": n.Stop, "close": n.Close, "end": n.End}


class Misused(Exception):
    """A text that fits the grammar but makes no sense."""

    def __init__(self, code: str, at: Span, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.code, self.at, self.message, self.hint = code, at, message, hint


class Builder:
    def __init__(self, span_of: SpanOf) -> None:
        self.span_of = span_of
        self.depth = 0

    def down(self, branch: Branch) -> None:
        """Count one level more; every caller goes up again when it is done."""
        self.depth += 1
        if self.depth > DEEPEST:
            hint = "name parts of it with `let`, or make quantities and procedures of them"
            message = f"this text has more than {DEEPEST} levels of brackets, operators and blocks"
            raise Misused("P103", self.at(branch), message, hint)

    def at(self, branch: Branch) -> Span:
        place: Any = branch if isinstance(branch, str | Quick) else branch.meta
        if getattr(place, "empty", False):
            return self.span_of(0, 1)
        return self.span_of(place.start_pos or 0, place.end_pos or 0)

    # ------------------------------------------------------------ headers and types
    def header(self, tree: Branch) -> n.Header:
        name, *params = [c for c in tree.children if c is not None]
        return n.Header(self.at(name), str(name), tuple(self.name(p) for p in params))

    def name(self, token: Branch) -> n.Name:
        return n.Name(self.at(token), str(token))

    def declaration(self, tree: Branch) -> n.Declaration:
        type_, clamped, _, starting, _, during, _, seen = tree.children
        return n.Declaration(
            self.at(tree),
            self.type(type_),
            clamped is not None,
            None if starting is None else self.expr(starting),
            None if during is None else self.name(during),
            None if seen is None else self.expr(seen),
        )

    def type(self, tree: Branch) -> n.TypeText:
        at = self.at(tree)
        match tree.data:
            case "t_range":
                low, high = tree.children
                return n.TypeText(at, "range", low=self.whole(low), high=self.whole(high))
            case "t_range_below":
                low, high = tree.children
                return n.TypeText(at, "range", low=-self.whole(low), high=self.whole(high))
            case "t_table":
                self.down(tree)
                index, entry = (self.type(c) for c in tree.children if not isinstance(c, str))
                self.depth -= 1
                return n.TypeText(at, "table", index=index, entry=entry)
            case _:
                return n.TypeText(at, "name", name=str(tree.children[0]), optional=tree.data == "t_optional")

    def whole(self, token: Branch) -> int:
        if len(token) > MAX_DIGITS:
            raise Misused("P105", self.at(token), f"a number has at most {MAX_DIGITS} digits")
        return int(token)

    # ------------------------------------------------------------ expressions
    def formula(self, tree: Branch) -> n.Formula:
        *lets, value = tree.children
        return n.Formula(self.at(tree), tuple(self.let(item) for item in lets), self.expr(value))

    def ranking(self, tree: Branch) -> n.Clause:
        return self.clause(tree.children[0])

    def clause(self, tree: Branch) -> n.Clause:
        source, _, where, order = tree.children
        return self.make_clause(self.at(tree), self.expr(source), where, order)

    def make_clause(self, at: Span, source: n.Expr, where: Branch, order: Branch) -> n.Clause:
        variable = None
        if isinstance(source, n.Compare) and source.op == "in" and isinstance(source.left, n.Name):
            variable, source = source.left.id, source.right
        elif where is not None or order is not None:
            things = source.id if isinstance(source, n.Name) else "…"
            rest = "where …" if where is not None else "by …"
            hint = f"write 'x in {things} {rest}' and speak of x"
            raise Misused("P104", at, "'where' and 'by' need a name for each thing they look at", hint)
        return n.Clause(at, variable, source, None if where is None else self.expr(where), self.keys(order))

    def keys(self, order: Branch) -> tuple[n.Key, ...]:
        if order is None:
            return ()
        if order.data == "by_random":
            return (n.Key(self.at(order), "random", None),)
        return tuple(
            n.Key(self.at(key), cast(Any, str(key.children[0])), self.expr(key.children[1])) for key in order.children
        )

    def expr(self, tree: Branch) -> n.Expr:
        self.down(tree)
        node = self._expr(tree)
        self.depth -= 1
        return node

    def _expr(self, tree: Branch) -> n.Expr:
        at = self.at(tree)
        kids = tree.children
        match tree.data:
            case "number":
                return n.Number(at, self.whole(kids[0]))
            case "truth":
                return n.Truth(at, kids[0] == "true")
            case "nothing":
                return n.Nothing(at)
            case "named":
                return n.Name(at, str(kids[0]))
            case "numbered" if kids[0].data == "number":
                hint = "all numbers are whole; a fraction is a division that rounds: 3 / 2 rounded down"
                raise Misused("P101", at, f"'{kids[0].children[0]}.{kids[1]}' is not a whole number", hint)
            case "numbered" if kids[0].data == "number":
                raise Misused("P101", at, "numbers are whole", "say how to round: 3 / 2 rounded down")
            case "field" | "numbered":
                return n.Field(at, self.expr(kids[0]), str(kids[1]))
            case "index":
                return n.Index(at, self.expr(kids[0]), tuple(self.expr(k) for k in kids[1:]))
            case "call":
                return self.call(at, str(kids[0]), [k for k in kids[1:] if k is not None])
            case "of":
                return n.Of(at, str(kids[0]), self.expr(kids[2]))
            case "rotated":
                return n.Rotated(at, str(kids[0]), self.expr(kids[1]))
            case "option":
                return n.OptionValue(at, str(kids[0]))
            case "listed":
                return n.Listed(at, tuple(self.expr(k) for k in kids))
            case "range":
                return n.Range(at, self.expr(kids[0]), self.expr(kids[1]))
            case "binary":
                return n.Binary(at, str(kids[1]), self.expr(kids[0]), self.expr(kids[2]))
            case "divide":
                return n.Binary(at, "/ " + str(kids[2]).split()[1], self.expr(kids[0]), self.expr(kids[1]))
            case "negate":
                value = self.expr(kids[0])
                return n.Number(at, -value.value) if isinstance(value, n.Number) else n.Negate(at, value)
            case "or_" | "and_":
                return n.Logic(at, "or" if tree.data == "or_" else "and", self.expr(kids[0]), self.expr(kids[1]))
            case "negation":
                return n.Not(at, self.expr(kids[0]))
            case "choose":
                return n.Choose(at, self.expr(kids[1]), self.expr(kids[0]), self.expr(kids[2]))
            case _:
                return self.comparison(at, tree)

    def comparison(self, at: Span, tree: Branch) -> n.Expr:
        left, right = self.expr(tree.children[0]), self.expr(tree.children[-1])
        words = {"same": "is", "differs": "is not", "member": "in", "absent": "not in"}
        op = words.get(tree.data) or str(tree.children[1])
        return n.Compare(at, op, left, right)

    def call(self, at: Span, name: str, arguments: list[Branch]) -> n.Expr:
        plain = all(a.data == "argument" and a.children[2] is None and a.children[3] is None for a in arguments)
        fold = FOLDS.get(name)
        if fold is not None and len(arguments) == 1:
            (argument,) = arguments
            if argument.data == "folded":
                if not fold.body:
                    hint = f"write '{name}(x in … where …)'"
                    raise Misused("P104", at, f"'{name}' looks at things, not at a value for each", hint)
                clause = self.clause(argument.children[1])
                return n.Fold(at, name, self.expr(argument.children[0]), clause)
            if fold.body:
                raise Misused("P104", at, f"'{name}' does not say of which value", f"write '{name}(… for x in …)'")
            source, _, where, order = argument.children
            return n.Fold(at, name, None, self.make_clause(self.at(argument), self.expr(source), where, order))
        if not plain:
            hint = f"only {', '.join(FOLDS)} do"
            raise Misused("P104", at, f"'{name}' takes no 'for', 'where' or 'by'", hint)
        return n.Call(at, name, tuple(self.expr(a.children[0]) for a in arguments))

    # ------------------------------------------------------------ statements
    def block(self, trees: list[Branch]) -> n.Block:
        return tuple(self.stmt(t) for t in trees)

    def body(self, tree: Branch) -> n.Block:
        return self.block(tree.children)

    def let(self, tree: Branch) -> n.Let:
        name, sign, value = tree.children
        if sign != "=":
            message = f"'let' names a new value, so there is nothing to change with '{sign}'"
            raise Misused("P104", self.at(sign), message, f"write 'let {name} = …'")
        return n.Let(self.at(tree), str(name), self.expr(value))

    def stmt(self, tree: Branch) -> n.Stmt:
        self.down(tree)
        node = self._stmt(tree)
        self.depth -= 1
        return node

    def _stmt(self, tree: Branch) -> n.Stmt:
        at = self.at(tree)
        kids = tree.children
        match tree.data:
            case "let":
                return self.let(tree)
            case "assign":
                return n.Assign(at, self.expr(kids[0]), str(kids[1]), self.expr(kids[2]))
            case "move":
                return n.Move(at, self.expr(kids[1]), self.expr(kids[3]), self.expr(kids[4]), "up" in str(kids[0]))
            case "run" if kids[0].data == "named" and str(kids[0].children[0]) in LEAVING:
                return LEAVING[str(kids[0].children[0])](at)
            case "run" | "announce" | "ask":
                return self.called(at, kids[0], tree.data)
            case "clear":
                return n.Clear(at, self.expr(kids[0]))
            case "if_":
                return self.condition(at, tree)
            case "for_":
                return n.For(at, self.clause(kids[0]), self.body(kids[1]))
            case "while_":
                return n.While(at, self.expr(kids[0]), self.body(kids[1]))
            case _:
                return n.Repeat(at, self.expr(kids[0]), self.body(kids[1]))

    def called(self, at: Span, tree: Branch, verb: str) -> n.Stmt:
        target = self.expr(tree)
        if isinstance(target, n.Name):
            return CALLS[verb](at, target.id, (), target.at)
        if isinstance(target, n.Call):
            return CALLS[verb](at, target.name, target.args, target.at)
        if verb == "run":
            hint = "say what happens to it: '… = …', '… += …', or name a procedure"
            raise Misused("P104", target.at, "a value alone does nothing", hint)
        what = "window" if verb == "ask" else "moment"
        raise Misused("P104", target.at, f"'{verb}' needs the name of a {what}", f"write '{verb} {what}(…)'")

    def condition(self, at: Span, tree: Branch) -> n.If:
        branches: list[tuple[n.Expr, n.Block]] = []
        part = tree
        while True:
            condition, body, rest = part.children
            branches.append((self.expr(condition), self.body(body)))
            if len(branches) > DEEPEST:
                hint = "put what differs into a table, or make several procedures of it"
                raise Misused("P103", self.at(part), f"this has more than {DEEPEST} branches", hint)
            if rest is None:
                return n.If(at, tuple(branches), ())
            if rest.data == "else_":
                return n.If(at, tuple(branches), self.body(rest.children[0]))
            part = rest

    # ------------------------------------------------------------ effects
    def effect(self, tree: Branch) -> n.Effect:
        at = self.at(tree)
        kids = tree.children
        match tree.data:
            case "modify":
                _, header, stage, _, when, to = kids
                return n.Modify(
                    at,
                    self.header(header),
                    None if stage is None else self.name(stage),
                    None if when is None else self.expr(when),
                    self.expr(to),
                )
            case "on":
                _, header, _, when, body = kids
                return n.On(at, self.header(header), None if when is None else self.expr(when), self.body(body))
            case _:
                _, option, _, window, _, when = kids
                return n.Forbid(at, self.name(option), self.name(window), None if when is None else self.expr(when))
