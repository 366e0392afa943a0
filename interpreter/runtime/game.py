"""One game: decisions out, choices in. Bots, simulations, the command and later a web page use nothing else."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from interpreter.compiler.program import PC
from interpreter.diagnostics import Span, did_you_mean
from interpreter.runtime.decisions import Event, Option, Refusal, Result, Standing
from interpreter.runtime.machine import GAME_OVER, Choice, GameStopped, Machine, Playing
from interpreter.runtime.questions import Impossible, Questions, WhyNot
from interpreter.runtime.trace import Derivation

if TYPE_CHECKING:
    from interpreter.runtime.ruleset import Ruleset


class Options(Sequence[Option]):
    """The options of a decision; ids are written only when somebody looks."""

    def __init__(self, game: Game, choices: list[Choice]) -> None:
        self.game = game
        self.choices = choices

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self.game.describe(i, self.choices[i]) for i in range(*index.indices(len(self.choices)))]
        if index < 0:
            index += len(self.choices)
        return self.game.describe(index, self.choices[index])

    def __iter__(self) -> Iterator[Option]:
        return (self.game.describe(i, choice) for i, choice in enumerate(self.choices))


@dataclass(frozen=True, slots=True)
class Decision:
    seat: str
    window: str
    options: Options
    secret: bool
    ref: tuple[str, ...]


class Game(Questions):
    def __init__(
        self, ruleset: Ruleset, machine: Machine, options: dict[str, str | int], state: list[int], choices: list[Choice]
    ) -> None:
        self.ruleset = ruleset
        self.machine = machine
        self.options = options
        self.state = state
        self.choices = choices
        self._earlier: list[str] = []  # ids of choices made before this game was read from JSON
        self._taken: list[Choice] = []
        self.ran_out = False  # a scenario's statement has come to its end
        self._before = state
        self._happened: list[tuple[Any, ...]] = list(machine.events)
        machine.events.clear()

    # ------------------------------------------------------------ decisions
    @property
    def players(self) -> int:
        return int(self.machine.info["players"])

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(self.machine.info["kinds"]["player"]["things"])

    @property
    def finished(self) -> bool:
        return self.state[PC] == GAME_OVER and not self.ran_out

    @property
    def _window(self) -> dict[str, Any]:
        window: dict[str, Any] = self.machine.info["windows"][-2 - self.state[PC]]
        return window

    @property
    def decision(self) -> Decision | None:
        if self.state[PC] == GAME_OVER:
            return None
        window = self._window
        seat = self.seats[self.state[window["params"][0][2]]]
        return Decision(seat, window["name"], Options(self, self.choices), window["secret"], tuple(window["ref"]))

    def asked_about(self) -> dict[str, tuple[str, Any]]:
        """What the open window was asked with and what it keeps: letter -> (kind, value)."""
        if self.state[PC] == GAME_OVER:
            return {}
        known = [*self._window["params"], *self._window["keeps"]]
        return {name: (type_, self.show(type_, self.state[cell])) for name, type_, cell in known}

    def describe(self, index: int, choice: Choice) -> Option:
        known = self._option_info[choice[0]]
        picks: dict[str, str | int | bool] = {}
        for (name, kind), value in zip(known["picks"], choice[1:], strict=True):
            picks[name] = self.show(kind or "number", value)
        if "by" in picks:  # the piece comes last
            picks["by"] = picks.pop("by")
        words = [known["name"], *(f"{name}={_word(value)}" for name, value in picks.items())]
        return Option(
            " ".join(words), known["name"], picks, index, known["source"], known["anywhere"], tuple(known["ref"])
        )

    @cached_property
    def _option_info(self) -> dict[int, dict[str, Any]]:
        return {option["number"]: option for window in self.machine.info["windows"] for option in window["options"]}

    def show(self, type_: str, value: Any) -> Any:
        """A cell's integer as people write it: an id, a number, true or false, or None for none."""
        if isinstance(value, list | tuple):
            return [self.show(type_, member) for member in value]
        if type_ == "flag":
            return bool(value)
        kind = self.machine.info["kinds"].get(type_)
        if kind is None:
            return int(value)
        return None if value < 0 else kind["things"][value] if value < len(kind["things"]) else None

    def choose(self, option: Option | str | int) -> Refusal | None:
        """Make a choice: an option, its id, or its place in the list. A refusal leaves the game as it was."""
        index = option.index if isinstance(option, Option) else option
        if isinstance(index, str):
            found = self.find(index)
            if isinstance(found, Refusal):
                return found
            index = found
        if self.state[PC] == GAME_OVER:
            return Refusal("the game is over")
        if not 0 <= index < len(self.choices):
            return Refusal(f"there are {len(self.choices)} options, numbered from 0")
        choice = self.choices[index]
        machine, state = self.machine, self.state
        machine.events.clear()
        self._before = state.copy()
        try:
            self.choices = machine.choose(state, choice)
        except GameStopped:
            state[:] = self._before  # a rule that went wrong leaves the game where it was
            raise
        self._taken.append(choice)
        self._happened = machine.events.copy()
        machine.events.clear()
        return None

    @property
    def trail(self) -> list[str]:
        """The ids of all choices made so far."""
        return self._earlier + [self.describe(0, choice).id for choice in self._taken]

    def play_out(
        self, chance: Callable[[], float], most: int, check: Callable[[int], None] | None = None
    ) -> tuple[int, int, int, dict[str, int]]:
        """Play on to the end, each choice by a number from 0 up to 1; nothing is told or kept on the way.

        `check` is called before every choice with the number of choices made. Gives the number of decisions, the
        options of all of them, the most in one, and how often each option was taken.
        """
        playing, state = Playing(chance, most), self.state
        try:
            if check is None:
                self.choices = self.machine.advance(state, state[PC], None, playing)
            while self.choices and check is not None and len(playing.taken) < most:
                check(len(playing.taken))
                size = len(self.choices)
                choice = self.choices[int(chance() * size)]
                playing.taken.append(choice[0])
                playing.sizes.append(size)
                self.choices = self.machine.choose(state, choice)
        except GameStopped as stop:
            stop.decision = len(playing.taken)
            raise
        names = self.machine.option_names
        taken = {names[number]: times for number, times in Counter(playing.taken).items()}
        return len(playing.taken), sum(playing.sizes), max(playing.sizes, default=0), taken

    def resume_trail(self, trail: list[str]) -> None:
        """The choices that led to a state read from elsewhere."""
        self._earlier = trail

    @property
    def _chosen(self) -> Event | None:
        """The last choice as an event."""
        if not self._taken:
            return None
        described = self.describe(0, self._taken[-1])
        window = self.machine.info["windows"][-2 - self._before[PC]]
        seat = self.seats[self._before[window["params"][0][2]]]
        others = tuple(s for s in self.seats if s != seat) if window["secret"] else ()
        return Event(
            "choice", path=window["name"], new=described.id, name=described.name, args=tuple(described.picks.items()),
            actor=seat, ref=described.ref, hidden_from=others,
        )  # fmt: skip

    def find(self, text: str) -> int | Refusal:
        """The place of the option with this id; spaces and the order of picks do not matter."""
        if self.state[PC] == GAME_OVER:
            return Refusal("the game is over")
        wanted = _parts(text)
        ids = []
        for index, choice in enumerate(self.choices):
            option = self.describe(index, choice)
            if _parts(option.id) == wanted:
                return index
            ids.append(option.id)
        why = self.why_not(text)
        hint = did_you_mean(" ".join(text.split()), ids)
        failing = tuple(clause.name for clause in why.clauses if not clause.holds)
        needed = hint is not None and not failing and "did you mean" not in why.message
        return Refusal(f"{why.message}; {hint}" if needed else why.message, failing)

    # ------------------------------------------------------------ results
    @property
    def result(self) -> Result | None:
        if not self.finished:
            return None
        machine, seats = self.machine, self.seats
        scores = [self.score(seat) for seat in seats]
        if not machine.info["ranked"]:
            return Result(tuple(Standing(seat, None, scores[p]) for p, seat in enumerate(seats)))
        ranked = machine.guarded(machine.names["rank_who"], self.state)
        keys = {p: machine.guarded(machine.names["rank_key"], self.state, p) for p in ranked}
        ranked.sort(key=lambda p: keys[p])
        standings = [Standing(seats[p], 1 + sum(keys[q] < keys[p] for q in ranked), scores[p]) for p in ranked]
        standings += [Standing(seat, None, scores[p]) for p, seat in enumerate(seats) if p not in ranked]
        return Result(tuple(standings))

    def score(self, seat: str) -> int | None:
        """What a seat would score if the game ended now."""
        quantity = self.machine.info["score"]
        if quantity is None:
            return None
        return int(self.machine.guarded(self.machine.names[f"q_{quantity}"], self.state, self.seats.index(seat)))

    def broken(self) -> list[str]:
        """Names of the invariants that do not hold now."""
        machine = self.machine
        return [
            name
            for name in machine.info["invariants"]
            if not machine.guarded(machine.names[f"holds_{name}"], self.state)
        ]

    # ------------------------------------------------------------ copies and views
    def copy(self) -> Game:
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.state = self.state.copy()
        twin._taken = self._taken.copy()
        return twin

    def hash(self) -> str:
        return hashlib.sha256(",".join(map(str, self.state)).encode()).hexdigest()[:16]

    def to_json(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset.id,
            "fingerprint": self.ruleset.fingerprint,
            "players": self.players,
            "options": self.options,
            "told": self.machine.program.told,
            "state": self.state.copy(),
            "trail": self.trail,
        }

    def visible(self, kind: str, field: str, thing: int, viewer: int, state: list[int]) -> bool:
        """Whether a seat may see a field now; -1, who only watches, sees what every seat may see."""
        if [kind, field] not in self.machine.info["hidden"]:
            return True
        if viewer < 0:
            return all(self.visible(kind, field, thing, seat, state) for seat in range(self.players))
        return bool(self.machine.guarded(self.machine.names[f"seen_{kind}_{field}"], state, thing, viewer))

    def sees(self, seat: str | None, path: str) -> bool:
        """Whether a seat (none: somebody who only watches) may see a field now. Raises Impossible."""
        if seat is not None and seat not in self.seats:
            raise Impossible(f"no seat of this game is called '{seat}'")
        kind, field, *_ = self._column(path)
        thing = self.machine.info["kinds"][kind]["things"].index(path.rpartition(".")[0])
        return self.visible(kind, field, thing, -1 if seat is None else self.seats.index(seat), self.state)

    def observe(self, seat: str | None = None) -> dict[str, dict[str, dict[str, Any]]]:
        """Every field a seat may see, by kind and thing; a hidden value is '?'. Without a seat: what all may see."""
        viewer = -1 if seat is None else self.seats.index(seat)
        seen: dict[str, dict[str, dict[str, Any]]] = {}
        info = self.machine.info
        for kind, field, start, size, *_ in info["columns"]:
            things = info["kinds"][kind]["things"]
            type_ = info["kinds"][kind]["fields"][field]
            for thing in range(size):
                value = self.show(type_, self.state[start + thing])
                open_ = self.visible(kind, field, thing, viewer, self.state)
                seen.setdefault(kind, {}).setdefault(things[thing], {})[field] = value if open_ else "?"
        return seen

    @property
    def events(self) -> list[Event]:
        """What happened since the choice before the last decision."""
        chosen = self._chosen
        actor = None if chosen is None else chosen.actor
        return ([] if chosen is None else [chosen]) + [self._event(raw, actor) for raw in self._happened]

    def heard(self) -> list[tuple[str, tuple[int, ...]]]:
        """The moments since this was last asked, as numbers: for whoever counts them over many games."""
        events = self._happened + self.machine.events
        self._happened = []
        self.machine.events.clear()
        return [(raw[2], raw[3]) for raw in events if raw[0] == "moment"]

    def _event(self, raw: tuple[Any, ...], actor: str | None) -> Event:
        sort, site, *rest = raw
        place = tuple(self.machine.sites[site][:3]) if site >= 0 else None
        info = self.machine.info
        if sort == "change":
            cell, old, new = rest
            kind, field, thing, type_ = self._cells[cell]
            name = info["kinds"][kind]["things"][thing]
            return Event(
                "change", path=f"{name}.{field}", old=self.show(type_, old), new=self.show(type_, new), name=field,
                actor=actor, place=place, hidden_from=self._unseen(kind, field, thing),
            )  # fmt: skip
        name, args = rest
        described = info["moments" if sort == "moment" else "phases"][name]
        shown = tuple((p, self.show(t, a)) for (p, t), a in zip(described["params"], args, strict=True))
        hidden: tuple[str, ...] = ()
        if sort == "moment" and described["hidden"]:
            hears = self.machine.names[f"heard_{name}"]
            hidden = tuple(s for i, s in enumerate(self.seats) if not hears(self.state, *args, i))
        return Event(
            sort, name=name, args=shown, actor=actor, ref=tuple(described["ref"]), place=place, hidden_from=hidden
        )

    def _unseen(self, kind: str, field: str, thing: int) -> tuple[str, ...]:
        """Seats that may not see a changed field now; whether they saw it before does not matter."""
        if [kind, field] not in self.machine.info["hidden"]:
            return ()
        return tuple(
            seat for viewer, seat in enumerate(self.seats) if not self.visible(kind, field, thing, viewer, self.state)
        )

    @cached_property
    def _cells(self) -> dict[int, tuple[str, str, int, str]]:
        info = self.machine.info
        return {
            start + thing: (kind, field, thing, info["kinds"][kind]["fields"][field])
            for kind, field, start, size, *_ in info["columns"]
            for thing in range(size)
        }


def _word(value: str | int | bool | None) -> str:
    if value is None or isinstance(value, bool):
        return "none" if value is None else str(value).lower()
    return str(value)


def _parts(text: str) -> tuple[str, frozenset[str]]:
    name, *picks = text.replace(",", " ").split() or [""]
    return name, frozenset(picks)


__all__ = [
    "Decision",
    "Derivation",
    "Event",
    "Game",
    "Option",
    "Options",
    "Refusal",
    "Result",
    "Span",
    "Standing",
    "WhyNot",
]
