"""Rulesets in, their speed out: in processor time, here and now; only the ratios mean something elsewhere."""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from interpreter import Game, Ruleset, load
from interpreter.bots.random_bot import RandomBot
from interpreter.compiler.program import PC
from interpreter.runtime.machine import Machine, Playing

Call = tuple[Callable[..., Any], list[int], tuple[Any, ...]]
ROOT = Path(__file__).resolve().parent.parent
CROMFORD = [sys.executable, "-m", "interpreter.cli.main"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=["spinning_jenny", "waterframe", "brass"])
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=4.0, help="how long each measurement runs")
    parser.add_argument(
        "--against", metavar="FILE", help="a plain Python engine of the first game that prints 'decisions/s N'"
    )
    args = parser.parse_args()
    for number, name in enumerate(args.rulesets):
        measure(name, args.players, args.seconds, args.against if number == 0 else None)
    say("validate all rulesets, warm", f"{timed(['validate', str(ROOT / 'rulesets')]):.3f} s (bar: 3)")
    return 0


def measure(name: str, players: int, seconds: float, against: str | None) -> None:
    print(name, flush=True)
    ruleset = load(name)
    plain = decisions_per_second(ruleset, players, seconds, told=False)
    say("random play, nothing told", f"{plain:,.0f} decisions/s")
    if against:
        other = run_other(against, seconds)
        say("the plain engine", f"{other:,.0f} decisions/s")
        say("ratio", f"{plain / other:.2f} (bar: 1.0)")
    parts = where_time_goes(ruleset, players)
    whole = sum(parts.values())
    shown = [f"{what} {spent / whole:.0%}" for what, spent in parts.items()]
    say("where it goes", ", ".join(shown))
    told = decisions_per_second(ruleset, players, seconds, told=True)
    say("random play, everything told", f"{told:,.0f} decisions/s, {plain / told:.2f} times slower (bar: 3)")
    say("copying a state", f"{copy_microseconds(ruleset, players):.2f} µs (bar: 10)")
    say("play to the first decision, warm", f"{start_seconds(name, warm=True):.3f} s (bar: 0.25)")
    say("play to the first decision, cold", f"{start_seconds(name, warm=False):.3f} s (bar: 2)")


def say(what: str, result: str) -> None:
    print(f"  {what:<36}{result}", flush=True)


def decisions_per_second(ruleset: Ruleset, players: int, seconds: float, told: bool) -> float:
    count, seed, begin = 0, 0, time.process_time()
    while time.process_time() - begin < seconds:
        seed += 1
        game, bot = ruleset.new_game(players=players, seed=seed, told=told), RandomBot(seed)
        if not told:
            count += game.play_out(bot.chance, 1_000_000)[0]
        while game.choices:
            game.choose(bot.below(len(game.choices)))
            count += 1
    return count / (time.process_time() - begin)


def where_time_goes(ruleset: Ruleset, players: int, games: int = 3) -> dict[str, float]:
    """Every call of some games noted with the state it found, then made again, group by group, against the clock."""
    program = ruleset.new_game(players=players, seed=1, told=False).machine.program
    machine = Machine(program)
    groups: dict[str, list[Any]] = {
        "listing options": machine.waiting,
        "between decisions": machine.segments,
        "carrying options out": machine.carry_out,
    }
    calls: dict[str, list[Call]] = {}
    for what, functions in groups.items():
        noted: list[Call] = []
        calls[what] = noted
        functions[:] = [noting(function, noted) for function in functions]
    for seed in range(1, games + 1):
        state, _ = machine.begin(seed)
        machine.advance(state, state[PC], None, Playing(RandomBot(seed).chance, 1_000_000))
    return {what: seconds_of(noted) for what, noted in calls.items()}


def noting(function: Callable[..., Any], noted: list[Call]) -> Callable[..., Any]:
    def note(state: list[int], *args: Any) -> Any:
        noted.append((function, state.copy(), args))
        return function(state, *args)

    return note


def seconds_of(calls: list[Call]) -> float:
    """The time of the calls by themselves, without that of calling them."""
    return best_of(5, lambda: again(calls), calls) - best_of(5, lambda: again(calls, nothing), calls)


def again(calls: list[Call], instead: Callable[..., Any] | None = None) -> None:
    for function, state, args in calls:
        (instead or function)(state, *args)


def nothing(*_: Any) -> None:
    pass


def copy_microseconds(ruleset: Ruleset, players: int) -> float:
    game = ruleset.new_game(players=players, seed=1, told=False)
    return best_of(5, lambda: repeat_copy(game, 10_000)) / 10_000 * 1e6


def repeat_copy(game: Game, times: int) -> None:
    for _ in range(times):
        game.copy()


def best_of(times: int, work: Callable[[], None], calls: list[Call] | None = None) -> float:
    """The shortest of several times; states that calls change are given back as they were."""
    results = []
    kept = [state.copy() for _, state, _ in calls or []]
    for _ in range(times):
        begin = time.process_time()
        work()
        results.append(time.process_time() - begin)
        for (_, state, _), before in zip(calls or [], kept, strict=True):
            state[:] = before
    return min(results)


def start_seconds(ruleset: str, warm: bool) -> float:
    """From the call of the command to its first question: the input ends there."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"XDG_CACHE_HOME": f"{folder}/cache", "XDG_STATE_HOME": f"{folder}/state"}
        first = timed(["play", ruleset, "--seed", "1"], environment)
        return min(timed(["play", ruleset, "--seed", "1"], environment) for _ in range(5)) if warm else first


def timed(words: list[str], environment: dict[str, str] | None = None) -> float:
    """The processor time of a command: what it takes where nothing else runs."""
    before = children()
    subprocess.run(
        [*CROMFORD, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
        env={**os.environ, **(environment or {})},
    )
    return children() - before


def children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def run_other(path: str, seconds: float) -> float:
    """What another engine says, as if nothing else had run beside it."""
    before, begin = children(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, path, str(max(1, round(seconds)))], capture_output=True, text=True, check=True
    )
    busy = (children() - before) / (time.perf_counter() - begin)
    found = re.search(r"dec(?:isions)?/s(?: median)? ([\d.]+)", done.stdout)
    if found is None:
        raise SystemExit(f"'{path}' printed no 'decisions/s N':\n{done.stdout}")
    return float(found.group(1)) / busy


if __name__ == "__main__":
    sys.exit(main())
