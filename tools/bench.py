"""A ruleset in, its speed out: everything as measured here and now; only the ratios mean something elsewhere."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from interpreter import Game, Ruleset, load
from interpreter.bots.random_bot import RandomBot

ROOT = Path(__file__).resolve().parent.parent
CROMFORD = [sys.executable, "-m", "interpreter.cli.main"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset", nargs="?", default="spinning_jenny")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=4.0, help="how long each measurement runs")
    parser.add_argument(
        "--against", metavar="FILE", help="a plain Python engine of the same game that prints 'decisions/s N'"
    )
    args = parser.parse_args()
    ruleset = load(args.ruleset)

    plain = decisions_per_second(ruleset, args.players, args.seconds, told=False)
    say("random play, nothing told", f"{plain:,.0f} decisions/s")
    if args.against:
        other = run_other(args.against, args.seconds)
        say("the plain engine", f"{other:,.0f} decisions/s")
        say("ratio", f"{plain / other:.2f} (bar: 1.0)")
    told = decisions_per_second(ruleset, args.players, args.seconds, told=True)
    say("random play, everything told", f"{told:,.0f} decisions/s, {plain / told:.2f} times slower (bar: 3)")
    say("copying a state", f"{copy_microseconds(ruleset, args.players):.2f} µs (bar: 10)")
    say("play to the first decision, warm", f"{start_seconds(args.ruleset, warm=True):.3f} s (bar: 0.25)")
    say("play to the first decision, cold", f"{start_seconds(args.ruleset, warm=False):.3f} s (bar: 2)")
    say("validate all rulesets, warm", f"{timed(['validate', str(ROOT / 'rulesets')]):.3f} s (bar: 3)")
    return 0


def say(what: str, result: str) -> None:
    print(f"{what:<36}{result}", flush=True)


def decisions_per_second(ruleset: Ruleset, players: int, seconds: float, told: bool) -> float:
    count, seed, begin = 0, 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        seed += 1
        game, bot = ruleset.new_game(players=players, seed=seed, told=told), RandomBot(seed)
        if not told:
            count += game.play_out(bot.chance, 1_000_000)[0]
        while game.choices:
            game.choose(bot.below(len(game.choices)))
            count += 1
    return count / (time.perf_counter() - begin)


def copy_microseconds(ruleset: Ruleset, players: int) -> float:
    game = ruleset.new_game(players=players, seed=1, told=False)
    return best_of(5, lambda: repeat_copy(game, 10_000)) / 10_000 * 1e6


def repeat_copy(game: Game, times: int) -> None:
    for _ in range(times):
        game.copy()


def best_of(times: int, work: Callable[[], None]) -> float:
    results = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        results.append(time.perf_counter() - begin)
    return min(results)


def start_seconds(ruleset: str, warm: bool) -> float:
    """From the call of the command to its first question: the input ends there."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"XDG_CACHE_HOME": f"{folder}/cache", "XDG_STATE_HOME": f"{folder}/state"}
        first = timed(["play", ruleset, "--seed", "1"], environment)
        return min(timed(["play", ruleset, "--seed", "1"], environment) for _ in range(5)) if warm else first


def timed(words: list[str], environment: dict[str, str] | None = None) -> float:
    begin = time.perf_counter()
    subprocess.run(
        [*CROMFORD, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
        env={**os.environ, **(environment or {})},
    )
    return time.perf_counter() - begin


def run_other(path: str, seconds: float) -> float:
    done = subprocess.run(
        [sys.executable, path, str(max(1, round(seconds)))], capture_output=True, text=True, check=True
    )
    found = re.search(r"dec(?:isions)?/s(?: median)? ([\d.]+)", done.stdout)
    if found is None:
        raise SystemExit(f"'{path}' printed no 'decisions/s N':\n{done.stdout}")
    return float(found.group(1))


if __name__ == "__main__":
    sys.exit(main())
