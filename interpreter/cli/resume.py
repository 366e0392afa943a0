"""A record in, the same game played on out."""

import argparse

from interpreter.cli.arguments import add_language, check_language
from interpreter.cli.hotseat import HotSeat
from interpreter.cli.play import read_line, seat_bots, sit_down
from interpreter.cli.records import choose_record, open_game, warn_cut
from interpreter.cli.terminal import paint
from interpreter.runtime.record import RecordWriter
from interpreter.runtime.session import Session
from interpreter.views.words import words_for

EXAMPLES = """examples:
  cromford resume                          the latest game you left
  cromford resume my_game.game.jsonl       a certain one"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="FILE", nargs="?", help="a record (default: the latest in your state folder)")
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    path = choose_record(args.record)
    told = open_game(path)
    check_language(args.lang, told.ruleset.languages)
    warn_cut(told.record)
    header = told.record.header
    writer = RecordWriter.reopen(told.record)
    bots = seat_bots(header.bots, header.players, header.seed + len(told.past))
    words = words_for(told.game, args.lang)
    numbers = {"n": len(header.players), "count": len(told.past)}
    after = words.fill(words.own("{n} players, after {count|# choice|# choices}"), numbers)
    print(f"{paint(told.ruleset.title, 'bold')}, {after}")
    print(paint(words.own("recorded in {file}").replace("{file}", str(path)), "dim"))
    session = Session(told.game, writer, told.past)
    return sit_down(HotSeat(session, words, bots, read_line, quiet=False))
