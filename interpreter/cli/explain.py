"""A record (or a ruleset) and an expression in, its value with everything it is made of out."""

import argparse
import json

from interpreter.cli.arguments import add_modules, add_setup, check_language
from interpreter.cli.records import open_position
from interpreter.cli.terminal import edge, paint, width
from interpreter.views.explain import derivation_data, draw_derivation
from interpreter.views.naming import read_question
from interpreter.views.words import words_for

EXAMPLES = """examples:
  cromford explain game.jsonl "points(red.wool)"            where it stands
  cromford explain game.jsonl --at 41 "points(red.wool)"    after 41 choices
  cromford explain my_game "most"                          at the start of a new game"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="FILE", help="a record, or a ruleset (then: a new game)")
    parser.add_argument("expression", metavar="EXPRESSION", help="a field, a quantity, or any expression of the rules")
    parser.add_argument("--at", metavar="N", type=int, help="after N choices of the record")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--lang", metavar="LANG", help="call everything as players do, in this language")
    add_modules(parser)
    add_setup(parser, seed=1)


def run(args: argparse.Namespace) -> int:
    game = open_position(args)
    words = None
    if args.lang is not None:
        check_language(args.lang, game.ruleset.languages)
        words = words_for(game, args.lang)
    question = args.expression if words is None else read_question(args.expression, words, game.machine.info)
    derivation = game.explain(question)
    print(
        json.dumps(derivation_data(derivation), indent=2, ensure_ascii=False)
        if args.json
        else draw_derivation(derivation, width(), paint, edge=edge(), words=words)
    )
    return 0
