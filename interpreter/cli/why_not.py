"""A record (or a ruleset) and an option in, the clauses that stand in its way out."""

import argparse
import json

from interpreter.cli.arguments import add_language, add_modules, add_setup, check_language
from interpreter.cli.records import open_position
from interpreter.cli.terminal import broken, edge, paint, width
from interpreter.views.explain import derivation_data
from interpreter.views.why import draw_why
from interpreter.views.words import words_for

EXAMPLES = """examples:
  cromford why-not game.jsonl "raise f=red.wool"
  cromford why-not game.jsonl --at 41 "raise f=red.wool"
  cromford why-not my_game "take n=4"                      in a new game"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="FILE", help="a record, or a ruleset (then: a new game)")
    parser.add_argument("option", metavar="OPTION", help="an option as it is written in the record")
    parser.add_argument("--at", metavar="N", type=int, help="after N choices of the record")
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_language(parser)
    add_modules(parser)
    add_setup(parser, seed=1)


def run(args: argparse.Namespace) -> int:
    game = open_position(args)
    check_language(args.lang, game.ruleset.languages)
    answer = game.why_not(args.option)
    if args.json:
        clauses = [
            {"clause": clause.name, "holds": clause.holds, "because": derivation_data(clause.derivation)}
            for clause in answer.clauses
        ]
        print(
            json.dumps(
                {
                    "option": args.option,
                    "offered": answer.offered,
                    "message": answer.message,
                    "clauses": clauses,
                    "ref": list(answer.ref),
                },
                indent=2,
                ensure_ascii=False,
            )
        )
        return 0 if answer.understood else 1
    decision = game.decision
    words = words_for(game, args.lang)
    window = decision.window if decision is not None else ""
    for line in draw_why(args.option, answer, window, words, width(), paint, edge(), open_to_all=True):
        print(broken(line, "  "))
    return 0 if answer.understood else 1
