"""RULESET and a number of games in, counted results out: bots play, on as many processors as asked."""

import argparse
import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import cache
from typing import Any

from interpreter import GameStopped, Ruleset, load
from interpreter.bots.arena import GameFailed, Tally, play_games
from interpreter.bots.ear import with_silent
from interpreter.cli.arguments import (
    Settings,
    add_ruleset,
    add_setup,
    open_ruleset,
    processes,
    read_settings,
    split_modules,
)
from interpreter.cli.terminal import CannotRun, Progress, Refused, paint, width
from interpreter.diagnostics import Finding
from interpreter.views.tables import Table, draw_table

EXAMPLES = """examples:
  cromford simulate my_game --players 4 --games 1000 --jobs 2
  cromford simulate my_variant --games 200 --check --json
  cromford simulate my_game --games 500 --moments   what was announced how often, or never"""

CHUNK = 25  # games a process plays before it reports


def configure(parser: argparse.ArgumentParser) -> None:
    add_ruleset(parser)
    add_setup(parser, seed=1)
    parser.add_argument("--games", metavar="N", type=int, default=100, help="how many games (default 100)")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="how many processes (default 1)")
    parser.add_argument(
        "--check", action="store_true", help="check invariants at every decision, JSON and refusals at every tenth"
    )
    parser.add_argument(
        "--check-every", metavar="N", type=int, help="as --check, but at every Nth decision and the end (faster)"
    )
    parser.add_argument(
        "--moments", action="store_true", help="also count what was announced, and for which things (slower)"
    )
    parser.add_argument("--json", action="store_true", help="results as JSON")


def run(args: argparse.Namespace) -> int:
    if args.games < 1 or args.jobs < 1 or (args.check_every is not None and args.check_every < 1):
        raise CannotRun("--games, --jobs and --check-every are at least 1")
    ruleset = open_ruleset(args)
    settings = read_settings(args, ruleset, seed=1)
    seeds = range(settings.seed, settings.seed + args.games)
    begin = time.perf_counter()
    progress = Progress(args.games, "games")
    try:
        if args.jobs == 1:
            tally = _play_here(args, settings, seeds, progress)
        else:
            tally = _play_apart(args, settings, seeds, progress)
    except GameFailed as trouble:
        raise Refused(str(trouble)) from None
    finally:
        progress.close()
    wall = time.perf_counter() - begin
    print(json.dumps(_data(args, settings, tally, wall), indent=2) if args.json else _text(args, settings, tally, wall))
    return 0


def _play_here(args: argparse.Namespace, settings: Settings, seeds: range, progress: Progress) -> Tally:
    tally = Tally()
    for start in range(0, len(seeds), CHUNK):
        part = seeds[start : start + CHUNK]
        tally.merge(_play_part(args.ruleset, split_modules(args), settings, part, _every(args), args.moments))
        progress.step(len(part))
    return tally


def _play_apart(args: argparse.Namespace, settings: Settings, seeds: range, progress: Progress) -> Tally:
    tally = Tally()
    parts = [seeds[start : start + CHUNK] for start in range(0, len(seeds), CHUNK)]
    deaf = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for this process; the others just finish
    pool = ProcessPoolExecutor(processes(args.jobs, len(parts)), initializer=signal.signal, initargs=deaf)
    modules, every = split_modules(args), _every(args)
    try:
        pending = {
            pool.submit(_report_part, args.ruleset, modules, settings, part, every, args.moments): part
            for part in parts
        }
        while pending:
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                part = pending.pop(future)
                came = future.result()
                if isinstance(came, Finding):
                    raise GameStopped(came)
                tally.merge(came)
                progress.step(len(part))
    finally:  # whoever interrupts does not wait for the games that have not begun
        pool.shutdown(cancel_futures=True)
    return tally


def _report_part(
    name: str, modules: tuple[str, ...], settings: Settings, seeds: range, every: int, hear: bool
) -> Tally | Finding:
    """For another process: what stopped a game comes back as a value, because the exception cannot be sent."""
    try:
        return _play_part(name, modules, settings, seeds, every, hear)
    except GameStopped as stopped:
        return stopped.finding


def _play_part(name: str, modules: tuple[str, ...], settings: Settings, seeds: range, every: int, hear: bool) -> Tally:
    return play_games(_load(name, modules), settings.players, settings.options, seeds, every, hear)


@cache
def _load(name: str, modules: tuple[str, ...]) -> Ruleset:
    """Once in every process."""
    return load(name, modules=modules)


def _data(args: argparse.Namespace, settings: Settings, tally: Tally, wall: float) -> dict[str, Any]:
    return {
        "ruleset": args.ruleset,
        "modules": list(split_modules(args)),
        "players": settings.players,
        "options": settings.options,
        "first_seed": settings.seed,
        "jobs": args.jobs,
        "checked_every": _every(args) or None,
        "games": tally.games,
        "decisions": tally.decisions,
        "longest_game": tally.longest,
        "mean_options": round(tally.offered / tally.decisions, 2) if tally.decisions else None,
        "most_options": tally.widest,
        "seconds": round(wall, 3),
        "decisions_per_second": round(tally.decisions / wall) if wall else None,
        "decisions_per_second_and_job": round(tally.decisions / tally.seconds) if tally.seconds else None,
        "seats": {
            seat: {
                "wins": part.wins,
                "mean_score": round(part.total / tally.games, 3),
                "lowest_score": part.lowest,
                "highest_score": part.highest,
                "ranks": {str(rank): count for rank, count in sorted(part.places.items())},
                "unranked": part.unranked,
            }
            for seat, part in sorted(tally.seats.items())
        },
        "options_chosen": dict(sorted(tally.options.items())),
        **({"moments": _moments_data(args, settings, tally)} if args.moments else {}),
    }


def _moments(args: argparse.Namespace, settings: Settings, tally: Tally) -> Iterator[tuple[str, str, str, int]]:
    game = _load(args.ruleset, split_modules(args)).new_game(players=settings.players, options=settings.options)
    return with_silent(game, tally.heard)


def _moments_data(args: argparse.Namespace, settings: Settings, tally: Tally) -> dict[str, dict[str, Any]]:
    data: dict[str, dict[str, Any]] = {}
    for name, letter, thing, times in _moments(args, settings, tally):
        if letter:
            data[name].setdefault(letter, {})[thing] = times
        else:
            data[name] = {"times": times}
    return data


def _moments_table(args: argparse.Namespace, settings: Settings, tally: Tally) -> Table:
    rows = tuple(
        (f"  {letter} = {thing}" if letter else name, str(times), f"{times / tally.games:.2f}" if times else "never")
        for name, letter, thing, times in _moments(args, settings, tally)
    )
    return Table("Moments", ("moment", "times", "a game"), rows)


def _every(args: argparse.Namespace) -> int:
    """Decisions from one check to the next; 0 for none."""
    return int(args.check_every or args.check)


def _checked(every: int) -> str:
    match every:
        case 0:
            return ""
        case 1:
            return "; invariants checked at every decision"
        case _:
            return f"; invariants checked at one decision in {every} and at the end"


def _text(args: argparse.Namespace, settings: Settings, tally: Tally, wall: float) -> str:
    rows = tuple(
        (
            seat,
            f"{100 * part.wins / tally.games:.1f} %",
            f"{part.total / tally.games:.1f}",
            str(part.lowest),
            str(part.highest),
            str(part.unranked),
        )
        for seat, part in sorted(tally.seats.items())
    )
    chosen = tuple((name, str(count), f"{count / tally.games:.2f}") for name, count in sorted(tally.options.items()))
    head = f"{tally.games} games of {args.ruleset} with {settings.players} players: "
    speed = f"{tally.decisions} decisions in {wall:.2f} s, {tally.decisions / wall:.0f} a second"
    length = f"{tally.decisions / tally.games:.0f} decisions a game, {tally.longest} in the longest"
    length += f"; {tally.offered / max(1, tally.decisions):.1f} options on average, at most {tally.widest}"
    return "\n".join(
        [
            paint(head, "bold") + speed,
            length + _checked(_every(args)),
            "",
            draw_table(
                Table("Results", ("seat", "first", "mean score", "lowest", "highest", "unranked"), rows), width(), paint
            ),
            "",
            draw_table(Table("Choices", ("option", "times", "a game"), chosen), width(), paint),
            *(["", draw_table(_moments_table(args, settings, tally), width(), paint)] if args.moments else []),
        ]
    )
