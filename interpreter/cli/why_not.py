"""A record (or a ruleset) and an option in, the clauses that stand in its way out."""

import argparse
import json
import textwrap

from interpreter.cli.arguments import add_modules, add_setup
from interpreter.cli.records import open_position
from interpreter.cli.terminal import edge, paint, width
from interpreter.views.explain import derivation_data, draw_derivation

EXAMPLES = """examples:
  cromford why-not game.jsonl "raise f=red.wool"
  cromford why-not game.jsonl --at 41 "raise f=red.wool"
  cromford why-not my_game "take n=4"                      in a new game"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="FILE", help="a record, or a ruleset (then: a new game)")
    parser.add_argument("option", metavar="OPTION", help="an option as it is written in the record")
    parser.add_argument("--at", metavar="N", type=int, help="after N choices of the record")
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_modules(parser)
    add_setup(parser, seed=1)


def run(args: argparse.Namespace) -> int:
    game = open_position(args)
    answer = game.why_not(args.option)
    if args.json:
        clauses = [
            {"clause": clause.name, "holds": clause.holds, "because": derivation_data(clause.derivation)}
            for clause in answer.clauses
        ]
        print(
            json.dumps(
                {"option": args.option, "offered": answer.offered, "message": answer.message, "clauses": clauses},
                indent=2,
                ensure_ascii=False,
            )
        )
        return 0
    print(answer.message)
    for clause in answer.clauses:
        print(f"{paint('yes', 'green') if clause.holds else paint('no ', 'red')} {clause.name}")
        for child in clause.derivation.children:
            print(textwrap.indent(draw_derivation(child, width() - 6, paint, edge=edge(6)), "      "))
    return 0
