"""Questions about a running game: what is a value and why, why is an option not offered, what if this were run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.compiler.program import PC
from interpreter.diagnostics import did_you_mean
from interpreter.runtime.intrinsics import hand_over
from interpreter.runtime.machine import GAME_OVER, TEXT, Choice, Machine
from interpreter.runtime.trace import Derivation, Describe, Tracer

if TYPE_CHECKING:
    from interpreter.compiler.extension import Extension
    from interpreter.runtime.ruleset import Ruleset


class ClauseResult(NamedTuple):
    name: str
    holds: bool
    derivation: Derivation
    hidden: bool = False  # it reads a field that is hidden from some seat


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Whether an option is offered, and why not: a sentence with gaps, what fills them, and the clauses in question."""

    offered: bool
    sentence: str
    values: dict[str, str] = field(default_factory=dict)
    clauses: tuple[ClauseResult, ...] = ()
    ref: tuple[str, ...] = ()
    understood: bool = True  # false: no option, pick or thing is called so

    @property
    def message(self) -> str:
        return fill_gaps(self.sentence, self.values)

    @property
    def failing(self) -> tuple[str, ...]:
        return tuple(clause.name for clause in self.clauses if not clause.holds)


def fill_gaps(sentence: str, values: dict[str, str]) -> str:
    """The sentence with its `{gaps}` filled."""
    for name, value in values.items():
        sentence = sentence.replace(f"{{{name}}}", value)
    return sentence


class Impossible(ValueError):
    """A state that cannot be: an unknown path, a value out of its range."""


class Questions:
    """The asking half of a game."""

    ruleset: Ruleset
    machine: Machine
    options: dict[str, str | int]
    state: list[int]
    choices: list[Choice]
    ran_out: bool

    def show(self, type_: str, value: Any) -> Any:
        raise NotImplementedError

    # ------------------------------------------------------------ values and reasons
    @property
    def extension(self) -> Extension:
        return self.ruleset.extension(self.machine)

    def evaluate(self, text: str) -> Any:
        """The value of an expression of the language, as people write it."""
        name, type_ = self._expression(text, traced=False)
        return self._shown(type_, self.machine.guarded(self.machine.names[name], self.state))

    def _shown(self, type_: str, value: Any) -> Any:
        if isinstance(value, list | tuple | range) and type_ != "flag":  # "is there one" may come as what was found
            return [self.show(type_, member) for member in value]
        return self.show(type_, bool(value) if type_ == "flag" else value)

    def _expression(self, text: str, traced: bool) -> tuple[str, str]:
        machine = self.machine
        known = machine.texts.get((text, traced))
        if known is None:
            name, code, type_ = self.extension.expression(text, traced)
            exec(code, machine.traced_names if traced else machine.names)
            machine.take_tables(self.extension.compiler.tables.values, self.extension.compiler.tables.places)
            known = machine.texts[text, traced] = (name, type_)
        return known

    def explain(self, text: str) -> Derivation:
        """The value of an expression with everything it was computed from."""
        name, type_ = self._expression(text, traced=True)
        value, root = self._trace(name, self.state, text=text)
        root.text = text
        root.value = self._shown(type_, value)
        if len(root.children) == 1 and root.children[0].value == root.value:
            return root.children[0]
        return root

    def reads_hidden(self, text: str) -> bool:
        """Whether an expression reads a field that is hidden from some seat."""
        return self.extension.reads_hidden(text)

    def _trace(self, function: str, *args: Any, text: str = "") -> tuple[Any, Derivation]:
        tracer = Tracer(_Describer(self, text))
        names = self.machine.traced_names
        names.update(tracer.names())
        return self.machine.guarded(names[function], *args), tracer.root

    # ------------------------------------------------------------ why not
    def why_not(self, text: str) -> WhyNot:
        """Which clauses keep an option from being offered now."""
        if self.state[PC] == GAME_OVER:
            return WhyNot(False, "the game is over, so nothing can be chosen")
        window = self.machine.info["windows"][-2 - self.state[PC]]
        name, *given = text.replace(",", " ").split() or [""]
        known = [option for option in window["options"] if option["name"] == name]
        if not known:
            return self._unknown_option(window, name)
        best: WhyNot | None = None
        for option in known:
            answer = self._why_not(option, given)
            if answer.offered:
                return answer
            if best is None or len(answer.clauses) > len(best.clauses):
                best = answer
        assert best is not None
        return best

    def askable(self) -> dict[str, list[str]]:
        """The options the open window has, offered or not, with the names of their picks."""
        if self.state[PC] == GAME_OVER:
            return {}
        window = self.machine.info["windows"][-2 - self.state[PC]]
        return {option["name"]: [name for name, _ in option["picks"] if name != "by"] for option in window["options"]}

    def _unknown_option(self, window: dict[str, Any], name: str) -> WhyNot:
        values = {"window": window["name"], "option": name}
        near = did_you_mean(name, [option["name"] for option in window["options"]])
        if near:
            return WhyNot(False, "the window '{window}' has no option '{option}'; " + near, values, understood=False)
        for other in self.machine.info["windows"]:
            if any(option["name"] == name for option in other["options"]):
                sentence = "'{option}' belongs to the window '{other}', which is not open now"
                return WhyNot(False, sentence, {**values, "other": other["name"]})
        values["known"] = ", ".join(dict.fromkeys(option["name"] for option in window["options"]))
        sentence = "the window '{window}' has no option '{option}'; it has {known}"
        return WhyNot(False, sentence, values, understood=False)

    def _why_not(self, option: dict[str, Any], given: list[str]) -> WhyNot:
        picks = dict(part.partition("=")[::2] for part in given)
        wanted = [name for name, _ in option["picks"]]
        for name in picks:
            if name not in wanted:
                told = {"option": option["name"], "pick": name, "known": ", ".join(wanted) or "–"}
                return WhyNot(False, "'{option}' has no pick '{pick}'; it has {known}", told, understood=False)
        values: list[int] = []
        place = 0
        for name, kind in option["picks"]:
            if name not in picks:
                told = {"option": option["name"], "pick": name}
                told["possible"] = self._possible(option, name, place, kind, values)
                return WhyNot(False, "'{option}' needs {pick}=…, one of {possible}", told)
            value = self._read(kind, picks[name])
            if value is None:
                told = {"word": picks[name], "kind": kind or "number"}
                told["possible"] = self._possible(option, name, place, kind, values)
                return WhyNot(False, "'{word}' is not a {kind}; possible: {possible}", told, understood=False)
            if name != "by" or kind is None:
                domain, _ = self._trace(f"pick_{option['number']}_{place}", self.state, *values)
                if value not in domain:
                    told = {"pick": f"{name}={picks[name]}", "possible": self._list(kind, domain)}
                    sentence = "{pick} cannot be picked here; possible: {possible}"
                    return WhyNot(False, sentence, told, ref=tuple(option["ref"]))
                place += 1
            values.append(value)
        return self._test(option, values)

    def _test(self, option: dict[str, Any], values: list[int]) -> WhyNot:
        results: list[ClauseResult] = []
        for index, clause in enumerate(option["clauses"]):
            failed = any(not r.holds for r in results)
            if failed and clause in option["dependent"]:
                continue
            holds, derivation = self._trace(f"when_{option['number']}_{index}", self.state, *values)
            derivation.text = clause
            derivation.value = bool(holds)
            results.append(ClauseResult(clause, bool(holds), derivation, clause in option["hidden"]))
        ref, told = tuple(option["ref"]), {"option": option["name"]}
        failing = [result.name for result in results if not result.holds]
        if failing:
            told["clauses"] = ", ".join(failing)
            return WhyNot(False, "'{option}' is not offered: {clauses} does not hold", told, tuple(results), ref)
        offered = (option["number"], *values) in self.choices
        sentence = "it is offered" if offered else "'{option}' is not offered now"
        return WhyNot(offered, sentence, told, tuple(results), ref)

    def _possible(self, option: dict[str, Any], name: str, place: int, kind: str | None, values: list[int]) -> str:
        function = f"pick_{option['number']}_{place}"
        if name == "by" or function not in self.machine.traced_names:
            return ", ".join(self.machine.info["kinds"][kind]["things"]) if kind else "a number"
        domain, _ = self._trace(function, self.state, *values)
        return self._list(kind, domain)

    def _list(self, kind: str | None, domain: Any) -> str:
        shown = [str(self.show(kind or "number", v)) for v in list(domain)[:12]]
        return ", ".join(shown) + (", …" if len(list(domain)) > 12 else "") if shown else "nothing"

    def _read(self, kind: str | None, word: str) -> int | None:
        if kind is None:
            return int(word) if word.lstrip("-").isdigit() else None
        if kind == "flag":
            return {"true": 1, "false": 0}.get(word)
        if word == "none":
            return -1
        things = self.machine.info["kinds"][kind]["things"]
        return things.index(word) if word in things else None

    # ------------------------------------------------------------ what if (scenarios)
    def set(self, path: str, value: Any) -> None:
        """Give a field a value: `ann.points`, `table.round`, `ann.tea.amount`. Raises Impossible."""
        info = self.machine.info
        kind, field, start, _, low, high, _, _ = self._column(path)
        thing = path.rpartition(".")[0]
        type_ = info["kinds"][kind]["fields"][field]
        if isinstance(value, bool) or type_ == "flag":
            number = int(value) if isinstance(value, bool) and type_ == "flag" else None
        elif isinstance(value, int):
            number = value if type_ == "number" else None
        else:
            number = self._read(None if type_ == "number" else type_, "none" if value is None else str(value))
        if number is None:
            raise Impossible(f"'{path}' is {_what(type_)}; it cannot be {value}")
        if not low <= number <= high:
            raise Impossible(f"'{path}' must stay within {low}..{high}; it cannot be {value}")
        cell = start + info["kinds"][kind]["things"].index(thing)
        for held in [first for begin, _, first in info["held"] if begin == start]:
            hand_over(self.state, cell, number, start, held)
        self.state[cell] = number
        if self.state[PC] != GAME_OVER:
            self.choices = self.machine.options(self.state)

    def _column(self, path: str) -> list[Any]:
        """Where a field is kept. Raises Impossible."""
        thing, _, field = path.rpartition(".")
        info = self.machine.info
        for column in info["columns"]:
            if column[1] == field and thing in info["kinds"][column[0]]["things"]:
                return list(column)
        raise Impossible(f"nothing is remembered as '{path}'" + self._path_hint(thing, field))

    def _path_hint(self, thing: str, field: str) -> str:
        info = self.machine.info
        fields = sorted({c[1] for c in info["columns"] if thing in info["kinds"][c[0]]["things"]})
        things = [t for kind in info["kinds"].values() if kind["fields"] for t in kind["things"]]
        hint = did_you_mean(field, fields) if fields else did_you_mean(thing, things)
        return f"; {hint}" if hint else ""

    def run(self, text: str) -> None:
        """Run statements here and now, until they ask somebody or are through."""
        number, codes, size = self.extension.statement(text)
        machine = self.machine
        for offset, code in enumerate(codes):
            exec(code, machine.names)
            place = number + offset
            machine.segments[place : place + 1] = [machine.names[f"s_{place}"]]
        machine.take_tables(self.extension.compiler.tables.values, self.extension.compiler.tables.places)
        self.state.extend([0] * (size - len(self.state)))
        machine.events.clear()
        machine.names["RAN_OUT"] = self._run_out
        self.ran_out = False
        self.choices = machine.advance(self.state, number)
        self._happened = list(machine.events)
        machine.events.clear()

    def _run_out(self) -> None:
        self.ran_out = True


def _what(type_: str) -> str:
    return {"number": "a number", "flag": "true or false"}.get(type_, f"a {type_}")


class _Describer(Describe):
    def __init__(self, game: Questions, text: str) -> None:
        self.game = game
        self.asked = text  # what was asked for, where that stands in no file
        self.info = game.machine.info
        self.sites = game.machine.sites
        self.sources = game.ruleset.sources

    def quantity(self, name: str, args: tuple[int, ...]) -> Derivation:
        known = self.info["quantities"][name]
        shown = [str(self.game.show(type_, arg)) for (_, type_), arg in zip(known["params"], args, strict=True)]
        text = f"{name}({', '.join(shown)})" if shown else name
        letters = {letter: id_ for (letter, _), id_ in zip(known["params"], shown, strict=True)}
        place, ref, about = tuple(known["at"][:3]), tuple(known["ref"]), ("quantities", name)
        return Derivation(text, place=place, ref=ref, about=about, args=tuple(shown), letters=letters)

    def effect(self, site: int, label: str, thing: int, carrier: str | None) -> Derivation:
        place = self.sites[site]
        who = self.game.show(carrier, thing) if carrier else label
        letters = {"self": str(who)} if carrier else {}
        return Derivation(f"{who}: {self.text(place)}", place=tuple(place[:3]), label=str(who), letters=letters)

    def leaf(self, site: int, value: Any, inside: Derivation) -> Derivation | None:
        place = self.sites[site]
        text = self.text(place)
        letter, dot, rest = text.partition(".")
        if dot and letter == "self" and letter not in inside.letters:
            return None  # whether an effect is in force at all: the effects that are stand beside it
        if dot and letter in inside.letters:
            text = f"{inside.letters[letter]}.{rest}"
        constant = self.info["constants"].get(text.partition("[")[0])
        if constant is not None:
            return Derivation(
                text,
                int(value) if isinstance(value, int) else value,
                tuple(constant["at"][:3]),
                tuple(constant["ref"]),
                constant["assumed"],
                about=("constants", text.partition("[")[0]),
            )
        return Derivation(
            text, int(value) if isinstance(value, int) else value, None if place[0] == TEXT else tuple(place[:3])
        )

    def value(self, node: Derivation, value: Any) -> Any:
        name = node.text.partition("(")[0]
        known = self.info["quantities"].get(name)
        type_ = known["type"] if known else "number"
        return self.game.show(type_, value) if type_ != "other" else value

    def text(self, place: list[Any]) -> str:
        file, line, col, end_line, end_col = place
        if file == TEXT:
            written = self.asked.split("\n")
            lines = written[line - 1 : end_line]
        else:
            lines = [self.sources.line(file, number) for number in range(line, end_line + 1)]
        if not lines or not lines[0]:
            return "…"
        lines[-1] = lines[-1][: end_col - 1]
        lines[0] = lines[0][col - 1 :]
        return " ".join(part.strip() for part in lines)
