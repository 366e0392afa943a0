"""RULESET in, the picture of its phases, or of its map, out."""

import argparse

from interpreter.cli.arguments import add_language, add_ruleset, check_language, open_ruleset, split_modules
from interpreter.cli.terminal import CannotRun
from interpreter.diagnostics import did_you_mean

EXAMPLES = """examples:
  cromford graph my_game                          Mermaid, for GitHub and editors
  cromford graph my_game --format dot | dot -Tsvg > phases.svg
  cromford graph my_game --format text            an outline
  cromford graph my_game --map > map.svg          the network of its places"""

FORMATS = ("mermaid", "dot", "text")


def configure(parser: argparse.ArgumentParser) -> None:
    add_ruleset(parser)
    parser.add_argument("--format", choices=FORMATS, default="mermaid", help="mermaid (default), dot or text")
    parser.add_argument("--map", action="store_true", help="a network of the ruleset as a picture in SVG, instead")
    parser.add_argument("--network", metavar="NAME", help="which one (default: the first)")
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    if args.map or args.network:
        print(_map(args))
        return 0
    from interpreter.loader.library import find_ruleset
    from interpreter.pipeline import understand
    from interpreter.views.graph import draw_dot, draw_mermaid, draw_text, picture_of

    picture = picture_of(understand(find_ruleset(args.ruleset), split_modules(args)).checked)
    draw = {"mermaid": draw_mermaid, "dot": draw_dot, "text": draw_text}[args.format]
    print(draw(picture))
    return 0


def _map(args: argparse.Namespace) -> str:
    from interpreter.views.map import draw_svg, map_of, networks_of
    from interpreter.views.words import words_for

    ruleset = open_ruleset(args)
    game = ruleset.new_game(players=max(ruleset.players))
    networks = networks_of(game)
    name = args.network or next(iter(networks), None)
    if name is None:
        raise CannotRun(f"{ruleset.id} has no network that could be drawn")
    if name not in networks:
        hint = did_you_mean(name, networks) or f"there are: {', '.join(networks)}"
        raise CannotRun(f"no network is called '{name}'; {hint}")
    words = words_for(game, check_language(args.lang, ruleset.languages))
    return draw_svg(map_of(game, words, name))
