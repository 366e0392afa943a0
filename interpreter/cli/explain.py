"""A record (or a ruleset) and an expression in, its value with everything it is made of out."""

import argparse
import json

from interpreter.cli.arguments import add_modules, add_setup
from interpreter.cli.records import open_position
from interpreter.cli.terminal import edge, paint, width
from interpreter.views.explain import derivation_data, draw_derivation

EXAMPLES = """examples:
  cromford explain game.jsonl "points(red.wool)"            where it stands
  cromford explain game.jsonl --at 41 "points(red.wool)"    after 41 choices
  cromford explain my_game "most"                          at the start of a new game"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="FILE", help="a record, or a ruleset (then: a new game)")
    parser.add_argument("expression", metavar="EXPRESSION", help="a field, a quantity, or any expression of the rules")
    parser.add_argument("--at", metavar="N", type=int, help="after N choices of the record")
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_modules(parser)
    add_setup(parser, seed=1)


def run(args: argparse.Namespace) -> int:
    game = open_position(args)
    derivation = game.explain(args.expression)
    print(
        json.dumps(derivation_data(derivation), indent=2, ensure_ascii=False)
        if args.json
        else draw_derivation(derivation, width(), paint, edge=edge())
    )
    return 0
