"""The one table of the language's words: it drives messages, checker, compiler and the reference page."""

from __future__ import annotations

from interpreter.records import dataclass

# ---------------------------------------------------------------- folds and functions


@dataclass(frozen=True, slots=True)
class Fold:
    """A word that goes over a clause."""

    name: str
    body: bool  # takes `E for CLAUSE`
    result: str  # number, flag, thing, thing or none, set, value (the type of the body)
    meaning: str


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    args: tuple[str, ...]  # number, thing, set, network; `...` repeats the last
    result: str  # number, flag, thing (of the first argument's kind), set (of that kind)
    meaning: str


FOLDS: dict[str, Fold] = {
    f.name: f
    for f in (
        Fold("count", False, "number", "how many"),
        Fold("any", False, "flag", "whether there is one"),
        Fold("all", True, "flag", "whether it holds for every one; true of nothing"),
        Fold("sum", True, "number", "all added; 0 of nothing"),
        Fold("min", True, "number", "the smallest; 0 of nothing"),
        Fold("max", True, "number", "the largest; 0 of nothing"),
        Fold("first", False, "thing or none", "the first, or none"),
        Fold("the", False, "thing", "the first; the game stops with a message if there is none"),
        Fold("those", False, "set", "all of them, in order"),
        Fold("best", False, "set", "all that tie for the first place"),
    )
}

FUNCTIONS: dict[str, Function] = {
    f.name: f
    for f in (
        Function("min", ("number", "number", "..."), "number", "the smallest of these"),
        Function("max", ("number", "number", "..."), "number", "the largest of these"),
        Function("abs", ("number",), "number", "without its sign"),
        Function("next", ("thing",), "thing", "the next of its kind, going round"),
        Function("previous", ("thing",), "thing", "the one before, going round"),
        Function("reversed", ("set",), "set", "backwards"),
        Function("position", ("thing", "set"), "number", "place in the set from 1; 0 if absent"),
        Function("reach", ("network", "thing"), "set", "the thing itself and all that can be reached from it"),
        Function("neighbours", ("network", "thing"), "set", "all one edge away"),
        Function("distance", ("network", "thing", "thing"), "number", "fewest edges between; 9999 if there is no way"),
    )
}

# ---------------------------------------------------------------- how tokens are called in messages
_SYMBOLS = {
    "LPAR": "(", "RPAR": ")", "LSQB": "[", "RSQB": "]", "COMMA": ",", "DOT": ".", "SLASH": "/", "EQUAL": "=",
    "PLUS": "+", "MINUS": "-", "TIMES": "*", "ROUNDED": "rounded up", "MOVE_FROM": "from", "__ANON_0": "..",
    "NAME": "a name", "NUMBER": "a number", "BY_RANDOM": "by random", "SEEN_WHEN": "seen when",
    "ASSIGN": "=", "COMPARE": "<",
}  # fmt: skip
RESERVED = frozenset(
    {
        "let", "if", "then", "else", "for", "do", "while", "repeat", "in", "where", "by", "is", "not", "and", "or",
        "mod", "none", "true", "false", "of", "from", "to", "ask", "announce", "clear", "option", "move", "rounded",
    }
)  # fmt: skip
_SOFT = ("modify", "on", "forbid", "at", "when", "starting", "during")  # special in one place, names elsewhere
WORDS: dict[str, str] = {word.upper(): word for word in (*sorted(RESERVED), *_SOFT)} | _SYMBOLS

# Spellings from other languages, and what to write here.
FOREIGN: dict[str, str] = {
    "==": "write 'is'",
    "=<": "write '<='",
    "=>": "write '>='",
    "<>": "write 'is not'",
    "!=": "write 'is not'",
    "≠": "write 'is not'",
    "≤": "write '<='",
    "≥": "write '>='",
    "++": "write '+= 1'",
    "--": "write '-= 1'",
    "**": "there are no powers; multiply",
    "*=": "write 'x = x * …'",
    "×": "write '*'",
    "·": "write '*'",
    "÷": "write 'a / b rounded down'",
    "–": "write '-'",
    "−": "write '-'",
    "…": "write '..' between the ends of a range",
    "&&": "write 'and'",
    "||": "write 'or'",
    "!": "write 'not'",
    "%": "write 'mod'",
    "?": "write 'A if C else B'",
    "//": "write 'a / b rounded down'",
    '"': "rule text has no quoted words; ids are written plainly",
    "'": "rule text has no quoted words; ids are written plainly",
    "„": "rule text has no quoted words; ids are written plainly",
    "“": "rule text has no quoted words; ids are written plainly",
    "”": "rule text has no quoted words; ids are written plainly",
    "’": "rule text has no quoted words; ids are written plainly",
    ";": "one statement stands on one line",
    "{": "a block is indented, without braces",
    "}": "a block is indented, without braces",
    ":": "rule text has no colons",
}

# ---------------------------------------------------------------- keys an author meets (also the reference page)
BUILT_IN_TYPES = ("number", "flag")
MAX_ROUNDS = 10_000  # of a while, a repeat or a range
MAX_OPTIONS = 5_000  # of one decision
