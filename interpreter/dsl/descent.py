"""Rule text in, the tree out that the grammar would make of it; nothing out where the text is not right.

The grammar defines the language and says what is wrong with a text. This reads what is right, many times as fast.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.dsl.words import NAMES, Branch, Tree, Unread, Word, word, words_of

DEEPEST = 40  # what lies deeper is left to the grammar
# How tightly operators bind. After one that cannot be repeated nothing as tight may follow.
_OR, _AND, _NOT, _COMPARE, _RANGE, _SUM, _PRODUCT = range(1, 8)
_BINDS = {
    "OR": _OR, "AND": _AND, "IS": _COMPARE, "IN": _COMPARE, "NOT": _COMPARE, "COMPARE": _COMPARE, "DOTS": _RANGE,
    "PLUS": _SUM, "MINUS": _SUM, "TIMES": _PRODUCT, "MOD": _PRODUCT, "SLASH": _PRODUCT,
}  # fmt: skip
_ONCE = (_COMPARE, _RANGE)
_OPERATIONS = {
    "OR": "or_", "AND": "and_", "IS": "same", "IN": "member", "NOT": "absent", "COMPARE": "order_of", "DOTS": "range",
    "PLUS": "binary", "MINUS": "binary", "TIMES": "binary", "MOD": "binary", "SLASH": "divide",
}  # fmt: skip
_WITH_SIGN = ("binary", "same", "differs", "order_of")
_PLAIN = {"NUMBER": "number", "TRUE": "truth", "FALSE": "truth", "NONE": "nothing"}


def read(start: str, text: str) -> Branch | None:
    try:
        return Descent(text, start).whole(start)
    except Unread:
        return None


class Descent:
    def __init__(self, text: str, start: str) -> None:
        self.words = words_of(text, blocks=start in ("block", "effect"))
        self.words.append(word("", "", len(text), len(text)))
        self.place = 0
        self.depth = 0
        self.type = self.words[0].type

    # ------------------------------------------------------------ words
    def next(self) -> Word:
        if not self.type:
            raise Unread
        found = self.words[self.place]
        self.place += 1
        self.type = self.words[self.place].type
        return found

    def take(self, type_: str) -> Word:
        if self.type != type_:
            raise Unread
        return self.next()

    def name(self) -> Word:
        if self.type not in NAMES:
            raise Unread
        return self.next()

    def several(self, part: Callable[[], Tree]) -> list[Tree]:
        """One or more, with commas between them."""
        found = [part()]
        while self.type == "COMMA":
            self.next()
            found.append(part())
        return found

    def last(self) -> Word:
        """The word before this one."""
        return self.words[self.place - 1]

    def down(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unread

    # ------------------------------------------------------------ whole texts
    def whole(self, start: str) -> Branch:
        first = self.words[0]
        made: Branch
        match start:
            case "block":
                made = Branch("block", self.statements(), first, first)
            case "effect":
                made = self.effect()
            case "header":
                made = self.header()
            case "decl":
                made = self.declaration()
            case "ranking":
                made = Branch("ranking", [self.clause()], first, self.line_ends())
            case _:
                lets = []
                while self.type == "LET":
                    lets.append(self.let())
                    self.take("_NL")
                made = Branch("formula", [*lets, self.expr()], first, self.line_ends())
        self.line_ends()
        if self.place != len(self.words) - 1:
            raise Unread
        return made

    def line_ends(self) -> Word:
        while self.type == "_NL":
            self.next()
        return self.last()

    def header(self) -> Branch:
        name = self.name()
        names: list[Tree] = [name]
        if self.type == "LPAR":
            self.next()
            if self.type != "RPAR":
                names += self.several(self.name)
            self.take("RPAR")
        return Branch("header", names, name, self.last())

    def declaration(self) -> Branch:
        type_ = self.type_text()
        clamped = self.next() if self.type == "CLAMPED" else None
        starting = [self.next(), self.expr()] if self.type == "STARTING" else [None, None]
        during = [self.next(), self.name()] if self.type == "DURING" else [None, None]
        seen = [self.next(), self.expr()] if self.type == "SEEN_WHEN" else [None, None]
        return Branch("decl", [type_, clamped, *starting, *during, *seen], type_, self.line_ends())

    def type_text(self) -> Branch:
        first = self.words[self.place]
        if self.type in ("NUMBER", "MINUS"):
            data = "t_range" if self.type == "NUMBER" else "t_range_below"
            if self.type == "MINUS":
                self.next()
            low = self.take("NUMBER")
            self.take("DOTS")
            high = self.take("NUMBER")
            return Branch(data, [low, high], first, high)
        name = self.name()
        if name.type == "TABLE" and (self.type in NAMES or self.type in ("NUMBER", "MINUS")):
            self.down()
            index = self.type_text()
            of = self.take("OF")
            entry = self.type_text()
            self.depth -= 1
            return Branch("t_table", [name, index, of, entry], name, entry)
        if self.type == "OR":
            self.next()
            return Branch("t_optional", [name], name, self.take("NONE"))
        return Branch("t_name", [name], name, name)

    def effect(self) -> Branch:
        verb = self.next()
        match verb.type:
            case "MODIFY":
                header, stage = self.header(), None
                if self.type == "IN":
                    self.next()
                    stage = self.name()
                when = self.when()
                self.take("TO")
                return Branch("modify", [verb, header, stage, *when, self.expr()], verb, self.line_ends())
            case "ON":
                header, when = self.header(), self.when()
                self.take("DO")
                body = self.body()
                return Branch("on", [verb, header, *when, body], verb, body)
            case "FORBID":
                option, at, window = self.name(), self.take("AT"), self.name()
                return Branch("forbid", [verb, option, at, window, *self.when()], verb, self.line_ends())
        raise Unread

    def when(self) -> list[Tree]:
        return [self.next(), self.expr()] if self.type == "WHEN" else [None, None]

    # ------------------------------------------------------------ expressions
    def clause(self, data: str = "clause", first: Tree = None) -> Branch:
        first = self.expr() if first is None else first
        where = [self.next(), self.expr()] if self.type == "WHERE" else [None, None]
        order = self.order()
        last = order or where[1] or first
        return Branch(data, [first, *where, order], first, last)

    def order(self) -> Branch | None:
        if self.type == "BY_RANDOM":
            random = self.next()
            return Branch("by_random", [random], random, random)
        if self.type != "BY":
            return None
        by = self.next()
        keys = self.several(self.key)
        return Branch("by_keys", keys, by, keys[-1])

    def key(self) -> Branch:
        if self.type not in ("HIGHEST", "LOWEST"):
            raise Unread
        order = self.next()
        value = self.operators(_SUM)
        return Branch("key", [order, value], order, value)

    def expr(self) -> Branch:
        self.down()
        found = self.operators(_OR)
        if self.type == "IF":
            self.next()
            condition = self.operators(_OR)
            self.take("ELSE")
            otherwise = self.expr()
            found = Branch("choose", [found, condition, otherwise], found, otherwise)
        self.depth -= 1
        return found

    def operators(self, level: int) -> Branch:
        """An expression whose operators bind at least as tightly as `level`."""
        if self.type == "NOT" and level <= _NOT:
            self.down()
            sign = self.next()
            inner = self.operators(_NOT)
            left = Branch("negation", [inner], sign, inner)
            self.depth -= 1
            tightest = _NOT
        else:
            left = self.unary()
            tightest = _PRODUCT
        while level <= (binds := _BINDS.get(self.type, 0)) <= tightest:
            left = self.operation(left, self.next(), binds)
            tightest = binds - 1 if binds in _ONCE else binds
        return left

    def operation(self, left: Branch, sign: Word, binds: int) -> Branch:
        data = _OPERATIONS[sign.type]
        if data == "divide":
            right = self.unary()
            rounded = self.take("ROUNDED")
            return Branch(data, [left, right, rounded], left, rounded)
        if data == "same" and self.type == "NOT":
            self.next()
            data = "differs"
        elif data == "absent":
            self.take("IN")
        right = self.unary() if binds == _PRODUCT else self.operators(binds + 1)
        children = [left, sign, right] if data in _WITH_SIGN else [left, right]
        return Branch(data, children, left, right)

    def unary(self) -> Branch:
        if self.type != "MINUS":
            return self.path()
        self.down()
        sign = self.next()
        inner = self.unary()
        self.depth -= 1
        return Branch("negate", [inner], sign, inner)

    def path(self) -> Branch:
        found = self.atom()
        while True:
            if self.type == "DOT":
                self.next()
                number = self.type == "NUMBER"
                name = self.next() if number else self.name()
                found = Branch("numbered" if number else "field", [found, name], found, name)
            elif self.type == "LSQB":
                self.next()
                keys = self.several(self.expr)
                found = Branch("index", [found, *keys], found, self.take("RSQB"))
            else:
                return found

    def atom(self) -> Branch:
        if self.type in NAMES:
            return self.named()
        first = self.next()
        match first.type:
            case type_ if type_ in _PLAIN:
                return Branch(_PLAIN[type_], [first], first, first)
            case "OPTION":
                name = self.name()
                return Branch("option", [name], first, name)
            case "LPAR":
                items = self.several(self.expr)
                last = self.take("RPAR")
                if len(items) > 1:
                    return Branch("listed", items, first, last)
                alone: Branch = items[0]
                alone.outer_start, alone.outer_end = first.start_pos, last.end_pos
                return alone
        raise Unread

    def named(self) -> Branch:
        name = self.next()
        if self.type == "LPAR":
            self.next()
            arguments = [None] if self.type == "RPAR" else self.several(self.argument)
            return Branch("call", [name, *arguments], name, self.take("RPAR"))
        if self.type in ("OF", "FROM"):
            self.down()
            link = self.next()
            inner = self.path()
            self.depth -= 1
            if link.type == "OF":
                return Branch("of", [name, link, inner], name, inner)
            return Branch("rotated", [name, inner], name, inner)
        return Branch("named", [name], name, name)

    def argument(self) -> Branch:
        value = self.expr()
        if self.type != "FOR":
            return self.clause("argument", value)
        self.next()
        clause = self.clause()
        return Branch("folded", [value, clause], value, clause)

    # ------------------------------------------------------------ statements
    def statements(self) -> list[Tree]:
        found = [self.statement()]
        while self.type not in ("", "_DEDENT"):
            found.append(self.statement())
        return found

    def statement(self) -> Branch:
        if self.type == "IF":
            first = self.next()
            return self.condition("if_", first)
        return self.loop() or self.simple_line()

    def condition(self, data: str, first: Word) -> Branch:
        test = self.expr()
        self.take("THEN")
        body = self.body()
        rest = None
        if self.type == "ELSE":
            otherwise = self.next()
            if self.type == "IF":
                self.down()
                self.next()
                rest = self.condition("else_if", otherwise)
                self.depth -= 1
            else:
                last = self.body()
                rest = Branch("else_", [last], otherwise, last)
        return Branch(data, [test, body, rest], first, rest or body)

    def loop(self) -> Branch | None:
        if self.type not in ("FOR", "WHILE", "REPEAT"):
            return None
        first = self.next()
        goal = self.clause() if first.type == "FOR" else self.expr()
        self.take("DO")
        body = self.body()
        return Branch(first.type.lower() + "_", [goal, body], first, body)

    def simple_line(self) -> Branch:
        """A statement of one line; whoever holds it counts its line break."""
        found = self.simple()
        found.outer_end = self.take("_NL").end_pos
        return found

    def simple(self) -> Branch:
        match self.type:
            case "LET":
                return self.let()
            case "MOVE":
                move, amount = self.next(), self.expr()
                origin, source = self.take("MOVE_FROM"), self.path()
                self.take("TO")
                target = self.path()
                return Branch("move", [move, amount, origin, source, target], move, target)
            case "CLEAR" | "ANNOUNCE" | "ASK":
                verb = self.next()
                target = self.path()
                return Branch(verb.type.lower(), [target], verb, target)
        target = self.path()
        if self.type != "ASSIGN":
            return Branch("run", [target], target, target)
        sign, value = self.next(), self.expr()
        return Branch("assign", [target, sign, value], target, value)

    def let(self) -> Branch:
        first, name, sign, value = self.take("LET"), self.name(), self.take("ASSIGN"), self.expr()
        return Branch("let", [name, sign, value], first, value)

    def body(self) -> Branch:
        self.down()
        if self.type == "_NL":
            first = self.next()
            self.take("_INDENT")
            inside = self.statements()
            found = Branch("body", inside, first, self.take("_DEDENT"))
        else:
            line = self.loop() or self.simple_line()
            found = Branch("body", [line], line, line)
        self.depth -= 1
        return found
