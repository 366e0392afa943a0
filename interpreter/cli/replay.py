"""A record in, the game told again out, or the proof that it comes out the same."""

import argparse
import json

from interpreter import Game
from interpreter.cli.arguments import add_language, check_language
from interpreter.cli.records import choose_record, open_game, warn_cut
from interpreter.cli.terminal import CannotRun, counted, paint, width
from interpreter.runtime.retelling import Retold
from interpreter.views.log import tell_game
from interpreter.views.text import draw_result, draw_state
from interpreter.views.words import Words, words_for

EXAMPLES = """examples:
  cromford replay game.jsonl               tell the game again
  cromford replay game.jsonl --at 41       the table after 41 choices
  cromford replay game.jsonl --verify      prove that it comes out the same, bit for bit"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="FILE", help="a record")
    parser.add_argument(
        "--verify", action="store_true", help="only check every recorded state; exit code 1 if one differs"
    )
    parser.add_argument("--at", metavar="N", type=int, help="only the table after N choices")
    parser.add_argument("--json", action="store_true", help="(with --verify) as JSON")
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    if args.json and not args.verify:
        raise CannotRun("--json goes with --verify")
    told = open_game(choose_record(args.record), args.at)
    check_language(args.lang, told.ruleset.languages)
    warn_cut(told.record)
    words = words_for(told.game, args.lang)
    if args.verify:
        _print_proof(told, args.json)
    elif args.at is not None:
        print(draw_state(told.game, words, None, width(), paint))
    else:
        _tell_again(told, words)
    return 0


def _print_proof(told: Retold, as_json: bool) -> None:
    choices, undone = len(told.past), sum(step.undo is not None for step in told.record.steps)
    if as_json:
        data = {
            "ruleset": told.record.header.ruleset,
            "choices": choices,
            "undos": undone,
            "finished": told.game.finished,
            "hash": told.game.hash(),
            "own_ruleset": told.own,
        }
        print(json.dumps(data, indent=2))
        return
    end = "to the end" if told.game.finished else "as far as it was played"
    rules = "; the ruleset has changed since, the record's own copy was used" if told.own else ""
    what = f"{counted(choices, 'choice')} of {told.record.header.ruleset}, {end}"
    print(f"{paint('verified', 'green')}: {what}, every state the same{rules}")


def _tell_again(told: Retold, words: Words) -> None:
    """The log of the whole game as an onlooker heard it, then the table and the result."""
    header = told.record.header
    print(paint(told.ruleset.title, "bold") + f", {len(header.players)} players, seed {header.seed}")
    game = told.ruleset.new_game(players=len(header.players), seed=header.seed, options=header.options, told=True)
    _print_log(game, words)
    for step in told.record.standing():
        game.choose(step.option)
        _print_log(game, words)
    print(f"\n{draw_state(game, words, None, width(), paint)}")
    if game.finished:
        print(f"\n{draw_result(game, words, paint)}")


def _print_log(game: Game, words: Words) -> None:
    for line in tell_game(game, words, changes=not words.text.get("moments")):
        if line.seen_by(None):
            print(line.text)
