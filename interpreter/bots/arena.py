"""A ruleset and seeds in, counted results out: whole games between bots, as fast as they go or checked step by step."""

import json
import time
from dataclasses import dataclass, field

from interpreter import Game, GameStopped, Ruleset
from interpreter.bots.ear import Heard, listen
from interpreter.bots.random_bot import RandomBot

DEARER = 10  # checks from one with the way through JSON to the next
MOST_DECISIONS = 200_000  # a game that asks more often than this does not end


class GameFailed(Exception):
    """A game of the arena broke a promise; the message names the seed and the decision."""


@dataclass(slots=True)
class SeatTally:
    """What one seat came to over all games."""

    wins: int = 0  # a first place that is tied counts for everybody who has it
    unranked: int = 0
    total: int = 0
    lowest: int | None = None
    highest: int | None = None
    places: dict[int, int] = field(default_factory=dict)

    def add(self, rank: int | None, score: int) -> None:
        self.total += score
        self.lowest = score if self.lowest is None else min(self.lowest, score)
        self.highest = score if self.highest is None else max(self.highest, score)
        if rank is None:
            self.unranked += 1
        else:
            self.places[rank] = self.places.get(rank, 0) + 1
            self.wins += rank == 1

    def merge(self, other: "SeatTally") -> None:
        self.wins += other.wins
        self.unranked += other.unranked
        self.total += other.total
        lows = [value for value in (self.lowest, other.lowest) if value is not None]
        highs = [value for value in (self.highest, other.highest) if value is not None]
        self.lowest, self.highest = min(lows, default=None), max(highs, default=None)
        for rank, count in other.places.items():
            self.places[rank] = self.places.get(rank, 0) + count


@dataclass(slots=True)
class Tally:
    """What came out of many games."""

    games: int = 0
    decisions: int = 0
    longest: int = 0
    seconds: float = 0.0
    seats: dict[str, SeatTally] = field(default_factory=dict)
    options: dict[str, int] = field(default_factory=dict)  # 'window.option' -> times chosen
    offered: int = 0  # options of all decisions together
    widest: int = 0  # most options in one decision
    heard: Heard = field(default_factory=dict)

    def merge(self, other: "Tally") -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.longest = max(self.longest, other.longest)
        self.seconds += other.seconds
        self.offered += other.offered
        self.widest = max(self.widest, other.widest)
        for seat, tally in other.seats.items():
            self.seats.setdefault(seat, SeatTally()).merge(tally)
        for name, count in other.options.items():
            self.options[name] = self.options.get(name, 0) + count
        for key, count in other.heard.items():
            self.heard[key] = self.heard.get(key, 0) + count


def play_games(
    ruleset: Ruleset, players: int, options: dict[str, str], seeds: range, every: int = 0, hear: bool = False
) -> Tally:
    """Play one game per seed between random bots; `every` so many decisions all promises are checked."""
    tally = Tally()
    for seed in seeds:
        begin = time.perf_counter()
        game = ruleset.new_game(players=players, seed=seed, options=options, told=hear)
        heard = tally.heard if hear else None
        count = _play(game, seed, tally, ruleset, every, heard)
        if heard is not None:
            listen(game, heard)
        tally.seconds += time.perf_counter() - begin
        tally.games += 1
        tally.decisions += count
        tally.longest = max(tally.longest, count)
        result = game.result
        if result is None:
            raise GameFailed(f"seed {seed}: the game stands still without an end")
        for standing in result.standings:
            tally.seats.setdefault(standing.seat, SeatTally()).add(standing.rank, standing.score or 0)
    return tally


def _play(game: Game, seed: int, tally: Tally, ruleset: Ruleset, every: int, heard: Heard | None) -> int:
    """Play on to the end; how many decisions that took."""
    bot = RandomBot(seed)

    def check(count: int) -> None:
        if (seed + count) % every == 0:
            _check_invariants(game, f"seed {seed}, decision {count + 1}")
        if (seed + count) % (every * DEARER) == 0:
            _check_state(ruleset, game, f"seed {seed}, decision {count + 1}", heard)

    try:
        count, total, widest, taken = game.play_out(bot.chance, MOST_DECISIONS, check if every else None)
    except GameStopped as stop:
        raise GameFailed(f"seed {seed}, decision {stop.decision}: {stop}") from None
    if game.decision is not None:
        raise GameFailed(f"seed {seed}: no end after {count} decisions")
    if every:
        _check_invariants(game, f"seed {seed}, at the end")
    tally.offered += total
    tally.widest = max(tally.widest, widest)
    for name, times in taken.items():
        tally.options[name] = tally.options.get(name, 0) + times
    return count


def _check_invariants(game: Game, place: str) -> None:
    broken = game.broken()
    if broken:
        raise GameFailed(f"{place}: {', '.join(broken)} does not hold")


def _check_state(ruleset: Ruleset, game: Game, place: str, heard: Heard | None) -> None:
    """The state comes back the same from JSON, what is not listed is refused."""
    if heard is not None:  # the game read from JSON runs on the same machine, and begins with silence
        listen(game, heard)
    again = ruleset.game_from_json(json.loads(json.dumps(game.to_json())))
    if again.hash() != game.hash() or again.choices != game.choices:
        raise GameFailed(f"{place}: the game is not the same after a way through JSON")
    copy = game.copy()
    if copy.choose("no such option") is None or copy.choose(len(game.choices)) is None or copy.hash() != game.hash():
        raise GameFailed(f"{place}: an option that is not listed was accepted")
