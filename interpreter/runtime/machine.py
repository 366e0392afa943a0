"""The machine: a program and a state in, the next decision out. It knows nothing but segments, options and stops."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as given
from functools import cached_property
from typing import Any

from interpreter.compiler.program import DRAWS, PC, SEED, Part, Program
from interpreter.diagnostics import Finding, Span
from interpreter.runtime import intrinsics
from interpreter.runtime.intrinsics import METER, Stopped
from interpreter.runtime.networks import Networks

GAME_OVER = -1
MAX_SILENT = 200_000  # segments that may run without anybody being asked
HINTS = {
    "X101": "ask before whether it still fits (a clause, an `if`, min or max), or widen the range of the field",
    "X103": "change inside the loop what its end depends on, or let it run over fewer",
    "X108": "say what is meant then: '… if DIVISOR > 0 else 0'",
}
TEXT = "<text>"  # the file of a text that came later, and stands in none
Choice = tuple[int, ...]


class GameStopped(Exception):
    """A rule of this ruleset went wrong while a game was running; the finding says where."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(
            f"{finding.span.file}:{finding.span.line}:{finding.span.col}: {finding.code} {finding.message}"
        )
        self.finding = finding
        self.decision: int | None = None  # where many choices were made at once: which one it was

    def __reduce__(self) -> tuple[type[GameStopped], tuple[Finding]]:
        return GameStopped, (self.finding,)  # it may have to come back from another process


@dataclass(slots=True)
class Playing:
    """A game that plays itself: where its choices come from, how many there may be, and what became of it."""

    chance: Callable[[], float]  # a number from 0 up to, but not including, 1
    most: int
    taken: list[int] = given(default_factory=list)  # numbers of the options, in order
    sizes: list[int] = given(default_factory=list)  # how many options there were


class Machine:
    """One program made ready to run. It serves all games of the program and holds no state of any game."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.info: dict[str, Any] = {}
        self.sites: dict[int, list[Any]] = {}  # number -> place in the author's files
        self.events: list[tuple[Any, ...]] = []
        self.names: dict[str, Any] = {"__builtins__": {}} | intrinsics.FUNCTIONS
        self.names |= {"TELL": self._tell, "SAY": self._say, "ENTERED": self._entered}
        self.names["NETWORKS"] = Networks()
        self.texts: dict[tuple[str, bool], tuple[str, str]] = {}
        for name in ("rules", "told" if program.told else "plain"):
            self._take(program.part(name), self.names)
        self.segments: list[Callable[[list[int]], int]] = self.names["SEGMENTS"]
        self.listers: list[Callable[[list[int]], list[Choice]]] = self.names["LISTERS"]
        # What to ask where the game stands: waiting[-1] when it is over, waiting[-2] in the first window, and so on.
        self.waiting: list[Callable[[list[int]], list[Choice]]] = [*reversed(self.listers), lambda _: []]
        self.carry_out: list[Callable[[list[int], Choice], int]] = self.names["CARRY_OUT"]
        self.alone = [window["always"] for window in self.info["windows"]]
        self.exits: list[int] = [window["exit"] for window in self.info["windows"]]
        # Go on at a segment, or after a choice, to the next decision; its options (none: the game is over).
        self.advance = self._driver()
        self.start = self._start()
        for phase, (low, high) in self.info["scopes"].items():
            self.names[f"FRESH_{phase}"] = self.start[low:high]
        self.names["START"] = tuple(self.start)

    def _take(self, part: Part, names: dict[str, Any]) -> None:
        self.info |= part.info
        self.sites |= part.sites
        names |= part.tables
        for code in part.code:
            exec(code, names)  # compiled by us from checked nodes; author text never gets here

    def _start(self) -> list[int]:
        state = [0] * self.info["size"]
        for _, _, start, size, _, _, _, default in self.info["columns"]:
            state[start : start + size] = [default] * size
        self.guarded(self.names["begin"], state)
        for kind, field, start, size, low, high, clamped, _ in self.info["columns"]:
            for cell in range(start, start + size):
                if clamped:
                    state[cell] = min(high, max(low, state[cell]))
                elif not low <= state[cell] <= high:
                    at = Span(self.info["phases"]["game"]["at"][0], 1, 1, 1, 2)
                    message = f"'{field}' of {kind} starts at {state[cell]}, outside {low}..{high}"
                    raise GameStopped(Finding("X101", at, message, "let it start inside, or widen the range"))
        for start, size, first in self.info["held"]:
            for thing, owner in enumerate(state[start : start + size]):
                if owner >= 0:
                    state[first + owner] |= 1 << thing
        return state

    # ------------------------------------------------------------ running
    def begin(self, seed: int) -> tuple[list[int], list[Choice]]:
        state = self.start.copy()
        state[SEED], state[DRAWS] = seed & ((1 << 64) - 1), 0
        if self.info["root_plain"]:
            self.guarded(self.names["p_game"], state)
            state[PC] = GAME_OVER
            return state, []
        state[self.info["root_back"]] = GAME_OVER
        return state, self.advance(state, self.info["entry"])

    def choose(self, state: list[int], choice: Choice) -> list[Choice]:
        """Carry a listed option out and go on to the next decision; its options (none: the game is over)."""
        return self.advance(state, 0, choice)

    def _driver(self) -> Callable[..., list[Choice]]:
        """The loop everything runs in; what it looks up all the time is at hand."""
        segments, waiting, carry_out, meter = self.segments, self.waiting, self.carry_out, METER
        alone, exits = self.alone, self.exits

        def advance(
            state: list[int], number: int, choice: Choice | None = None, playing: Playing | None = None
        ) -> list[Choice]:
            meter.steps = silent = left = 0
            if playing is not None:
                chance, left = playing.chance, playing.most
                took, offered = playing.taken.append, playing.sizes.append
            try:
                if choice is not None:
                    number = carry_out[choice[0]](state, choice)
                while True:
                    while number >= 0:
                        number = segments[number](state)
                    options = waiting[number](state)
                    size = len(options)
                    if size > 1 or (size and alone[-2 - number]):
                        if not left:
                            state[PC] = number
                            return options
                        left -= 1
                        offered(size)
                        choice = options[int(chance() * size)]
                        option = choice[0]
                        took(option)
                        meter.steps = silent = 0
                        number = carry_out[option](state, choice)
                        continue
                    if number == GAME_OVER:
                        state[PC] = number
                        return options
                    silent += 1
                    if silent > MAX_SILENT:
                        self._stuck(-2 - number)
                    number = carry_out[options[0][0]](state, options[0]) if options else exits[-2 - number]
            except Exception as problem:
                raise self.stopped(problem) from problem

        return advance

    def options(self, state: list[int]) -> list[Choice]:
        number = state[PC]
        if number >= GAME_OVER:
            return []
        try:
            return self.listers[-2 - number](state)
        except Exception as problem:
            raise self.stopped(problem) from problem

    def guarded(self, function: Callable[..., Any], *args: Any) -> Any:
        try:
            METER.steps = 0
            return function(*args)
        except Exception as problem:
            raise self.stopped(problem) from problem

    # ------------------------------------------------------------ stops
    def _stuck(self, window: int) -> None:
        described = self.info["windows"][window]
        at = Span(*described["at"])
        message = f"the window '{described['name']}' is opened again and again without a choice"
        raise GameStopped(
            Finding("X103", at, message, "ask it only while there is something to choose, or end the loop around it")
        )

    def stopped(self, problem: Exception) -> Exception:
        """A stop of a rule as a finding at its place; anything else is a mistake of ours and stays what it is."""
        if isinstance(problem, GameStopped):
            return problem
        if isinstance(problem, Stopped):
            message = problem.message
            if problem.cell is not None:
                path, low, high = self.cell_range(problem.cell)
                message = f"{path} {message}, but must stay within {low}..{high}"
            at = Span(*self.sites[problem.site])
            return GameStopped(Finding(problem.code, at, message, HINTS.get(problem.code)))
        if isinstance(problem, ZeroDivisionError):
            return GameStopped(Finding("X108", self._place(problem), "this divides by 0", HINTS["X108"]))
        return problem

    def _place(self, problem: Exception) -> Span:
        files = {site[0] for site in self.sites.values()} | {w["at"][0] for w in self.info["windows"]}
        files |= {q["at"][0] for q in self.info["quantities"].values()} | {
            p["at"][0] for p in self.info["phases"].values()
        }
        files.add(TEXT)
        frame = next(f for f in reversed(traceback.extract_tb(problem.__traceback__)) if f.filename in files)
        line, col = frame.lineno or 1, (frame.colno or 0) + 1
        return Span(frame.filename, line, col, frame.end_lineno or line, (frame.end_colno or col) + 1)

    # ------------------------------------------------------------ texts that come later
    @cached_property
    def traced_names(self) -> dict[str, Any]:
        """The same rules, but formulas tell how they come to their value."""
        names = dict(self.names)
        self._take(self.program.part("traced"), names)
        return names

    @cached_property
    def option_names(self) -> dict[int, str]:
        """Number of an option -> 'window.option'."""
        return {o["number"]: f"{w['name']}.{o['name']}" for w in self.info["windows"] for o in w["options"]}

    def take_tables(self, tables: dict[str, Any], sites: dict[int, list[Any]]) -> None:
        self.sites |= sites
        for name, value in tables.items():
            self.names.setdefault(name, value)
        if "traced_names" in self.__dict__:
            for name, value in tables.items():
                self.traced_names.setdefault(name, value)

    # ------------------------------------------------------------ cells and their names
    def cell_range(self, cell: int) -> tuple[str, int, int]:
        for kind, field, start, size, low, high, _, _ in self.info["columns"]:
            if start <= cell < start + size:
                return f"{self.info['kinds'][kind]['things'][cell - start]}.{field}", low, high
        return "a value", 0, 0

    def _tell(self, site: int, cell: int, old: int, new: int) -> None:
        if old != new:
            self.events.append(("change", site, cell, old, new))

    def _say(self, site: int, moment: str, args: tuple[int, ...]) -> None:
        self.events.append(("moment", site, moment, tuple(int(a) for a in args)))

    def _entered(self, site: int, phase: str, args: tuple[int, ...]) -> None:
        self.events.append(("phase", site, phase, tuple(int(a) for a in args)))
