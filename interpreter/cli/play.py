"""RULESET and how it is set up in, a played game and its record out."""

import argparse
import secrets
import shlex
import sys
import time
from contextlib import suppress
from pathlib import Path

from interpreter import Game, GameStopped, Ruleset
from interpreter.bots.roster import BOTS, Bot, make_bot
from interpreter.cli.arguments import (
    Settings,
    add_language,
    add_ruleset,
    add_setup,
    check_language,
    check_word,
    open_ruleset,
    read_settings,
)
from interpreter.cli.hotseat import HotSeat
from interpreter.cli.terminal import CannotRun, paint
from interpreter.places import state_folder
from interpreter.runtime.questions import fill_gaps
from interpreter.runtime.record import RecordBroken, RecordWriter, read_record
from interpreter.runtime.retelling import start_record
from interpreter.runtime.session import Session
from interpreter.views.words import Words, words_for

EXAMPLES = """examples:
  cromford play my_game                          everybody at this screen
  cromford play my_game --players 3 --bots 2     you against two bots
  cromford play my_game --bots red,green --seed 7 --setup advanced --lang de
  cromford play my_game --auto                   bots play, you watch"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_ruleset(parser)
    add_setup(parser, seed=None)
    add_language(parser)
    parser.add_argument("--bots", metavar="SEATS", help="seats played by bots: names (red,green), how many, or 'all'")
    parser.add_argument(
        "--bot", metavar="NAME", default="random", help=f"which bot: {', '.join(BOTS)} (default random)"
    )
    parser.add_argument("--auto", action="store_true", help="bots play all seats")
    parser.add_argument("--quiet", action="store_true", help="(with --auto) only the result")
    parser.add_argument("--changes", action="store_true", help="tell every change of a value in the log")
    parser.add_argument(
        "--record", metavar="FILE", help="where the record goes (default: a new file in your state folder)"
    )


def run(args: argparse.Namespace) -> int:
    ruleset = open_ruleset(args)
    settings = read_settings(args, ruleset, seed=secrets.randbelow(1_000_000))
    check_language(args.lang, ruleset.languages)
    seats = tuple(ruleset.seats[: settings.players])
    bots = read_bots(args, seats, settings.seed)
    game = ruleset.new_game(players=settings.players, seed=settings.seed, options=settings.options, told=True)
    writer = _open_record(args, ruleset, settings, game, bots)
    table = HotSeat(Session(game, writer), words_for(game, args.lang), bots, read_line, args.quiet, args.changes)
    numbers = {"n": str(settings.players), "seed": str(settings.seed)}
    told = fill_gaps(table.words.own("{n} players, seed {seed}"), numbers)
    print(f"{paint(ruleset.title, 'bold')}, {told}{_told_options(settings, table.words)}")
    if writer is not None:
        print(paint(table.words.own("recorded in {file}").replace("{file}", str(writer.path)), "dim"))
    return sit_down(table)


def sit_down(table: HotSeat) -> int:
    """Play; whatever ends it, the record is closed and the way back is told."""
    try:
        finished = table.play()
    except KeyboardInterrupt:
        finished = False
    except GameStopped:
        if table.session.writer is not None:
            print(f"\nthe game up to here is in {table.session.writer.path}")
        raise
    finally:
        table.session.close()
    writer = table.session.writer
    if not finished and writer is not None:
        told = table.words.own("left; go on with: {command}")
        print("\n" + told.replace("{command}", f"cromford resume {shlex.quote(str(writer.path))}"))
    elif not finished:
        print("\n" + table.words.own("left; this game was not recorded"))
    return 0


def read_bots(args: argparse.Namespace, seats: tuple[str, ...], seed: int) -> dict[str, Bot]:
    """Which seats bots play, and the bot for each."""
    check_word(args.bot, BOTS, "bot")
    if args.auto or args.bots == "all":
        chosen = seats
    elif args.bots is None:
        chosen = ()
    elif args.bots.isdecimal():
        count = int(args.bots)
        if count > len(seats):
            raise CannotRun(f"--bots {count}: there are only {len(seats)} seats")
        chosen = seats[len(seats) - count :]
    else:
        chosen = tuple(args.bots.split(","))
        for seat in chosen:
            check_word(seat, seats, "seat of this game")
    return seat_bots(dict.fromkeys(chosen, args.bot), seats, seed)


def seat_bots(names: dict[str, str], seats: tuple[str, ...], seed: int) -> dict[str, Bot]:
    """A bot for each of these seats; its chance depends on the seed of the game and on its seat."""
    return {seat: make_bot(name, seed * 64 + seats.index(seat)) for seat, name in names.items()}


def _open_record(
    args: argparse.Namespace, ruleset: Ruleset, settings: Settings, game: Game, bots: dict[str, Bot]
) -> RecordWriter | None:
    """A game with people is always recorded; one between bots only when asked."""
    if args.record is None and len(bots) == len(game.seats):
        return None
    path = Path(args.record).expanduser() if args.record else _free_name(ruleset.id)
    try:
        return start_record(path, game, settings.seed, dict.fromkeys(bots, args.bot))
    except FileExistsError:
        raise CannotRun(_what_is_there(path)) from None
    except OSError as trouble:
        raise CannotRun(f"cannot write '{path}': {trouble.strerror}") from None


def _what_is_there(path: Path) -> str:
    """Why a new record cannot go here, and what to do instead."""
    if path.is_dir():
        return f"'{path}' is a folder; name a file in it"
    if not path.exists():
        return f"cannot write '{path}': '{path.parent}' is a file, not a folder"
    if not path.is_file():
        return f"'{path}' exists already and is no record; choose another name"
    try:
        read_record(path)
    except RecordBroken as trouble:
        why = "is no record" if trouble.finding.code == "D101" else "is a record one cannot go on with"
        return f"'{path}' exists already and {why}; choose another name"
    return f"'{path}' exists already; go on with it: cromford resume {shlex.quote(str(path))}"


def _free_name(ruleset: str) -> Path:
    folder = state_folder()
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    path = folder / f"{ruleset}-{stamp}.game.jsonl"
    number = 2
    while path.exists():
        path, number = folder / f"{ruleset}-{stamp}-{number}.game.jsonl", number + 1
    return path


def _told_options(settings: Settings, words: Words) -> str:
    return "".join(f", {words.chosen(name, value)}" for name, value in settings.options.items())


def read_line(prompt: str) -> str | None:
    """One line from the player, none at the end; on a pipe the line is echoed, so that a transcript reads well."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  (only its effect on input() is wanted: editing and history)
        try:
            return input(prompt)
        except EOFError:
            return None
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    print(line.rstrip("\n"))
    return line.rstrip("\n") if line else None
