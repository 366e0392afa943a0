"""RULESET in, the picture of its phases out."""

import argparse

from interpreter.cli.arguments import add_ruleset, split_modules

EXAMPLES = """examples:
  cromford graph my_game                          Mermaid, for GitHub and editors
  cromford graph my_game --format dot | dot -Tsvg > phases.svg
  cromford graph my_game --format text            an outline"""

FORMATS = ("mermaid", "dot", "text")


def configure(parser: argparse.ArgumentParser) -> None:
    add_ruleset(parser)
    parser.add_argument("--format", choices=FORMATS, default="mermaid", help="mermaid (default), dot or text")


def run(args: argparse.Namespace) -> int:
    from interpreter.loader.library import find_ruleset
    from interpreter.pipeline import understand
    from interpreter.views.graph import draw_dot, draw_mermaid, draw_text, picture_of

    picture = picture_of(understand(find_ruleset(args.ruleset), split_modules(args)).checked)
    draw = {"mermaid": draw_mermaid, "dot": draw_dot, "text": draw_text}[args.format]
    print(draw(picture))
    return 0
