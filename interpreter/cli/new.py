"""A name in, a folder with a small ruleset that plays out: the place from which an author starts."""

import argparse
import re
from pathlib import Path

from interpreter.cli.terminal import CannotRun, paint
from interpreter.loader.library import find_ruleset, list_rulesets
from interpreter.places import SCHEMAS

EXAMPLES = """examples:
  cromford new my_game                     a small game to grow from
  cromford new my_house_rule --extends my_game   a variant of a ruleset"""

_GAME = """\
# yaml-language-server: $schema={schema}
# Players take one to three counters in turn; whoever takes the last one wins.
ruleset: {name}
title: {title}
players: {{seats: [first, second], counts: [2]}}
names: {{player: [p], number: [n]}}

constants:
  heap: 12                 # counters at the start
  most: 3                  # how many a player may take at once

kinds:
  table: {{one: true, state: {{left: 0..99, winner: player or none}}}}

windows:
  turn(p):
    options:
      take:
        pick: {{n: 1..most}}
        when:
          enough: n <= table.left
        do: |
          table.left -= n
          if table.left is 0 then table.winner = p

phases:
  game:
    set_up: table.left = heap
    turns: |
      let p = the(players)
      while table.left > 0 do
        ask turn(p)
        p = next(p)

scoring:
  score(p): 1 if table.winner is p else 0
  ranked: p in players by highest score(p)
"""

_TEXT = """\
names:
  player: {first: First, second: Second}
fields:
  table: {left: counters left, winner: the winner}
windows: {turn: Take counters}
options:
  turn: {take: "take {n}"}
clauses:
  turn:
    take: {enough: not so many are left}
"""

_SCENARIO = """\
scenario: whoever takes the last counter wins
ruleset: {name}
given:
  set: {{table.left: 2}}
when:
  - choose: {{seat: first, option: take n=2}}
then:
  - finished: true
  - equal: {{score(first): 1, score(second): 0}}
"""

_VARIANT = """\
# yaml-language-server: $schema={schema}
# A variant says only what differs from its base; every change has a reason. What there is: cromford show {base}
ruleset: {name}
title: {title}
extends: {base}
# patches:                         # take away these '#', or write your own below
#   - set: constants.NAME          # see what there is: cromford show {base} constants
#     to: 4
#     because: why this is better
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="name of the new ruleset: small letters, digits and _")
    parser.add_argument("--extends", metavar="RULESET", help="make a variant of this ruleset")
    parser.add_argument("--into", metavar="FOLDER", default=".", help="folder in which it is made (default: here)")


def run(args: argparse.Namespace) -> int:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", args.name):
        raise CannotRun(f"'{args.name}' cannot be a name: use small letters, digits and _, beginning with a letter")
    folder = Path(args.into) / args.name
    if folder.exists():
        raise CannotRun(f"'{folder}' exists already; nothing was changed")
    taken = list_rulesets().get(args.name)
    if taken is not None:
        raise CannotRun(f"there is a ruleset '{args.name}' already, in '{taken}'; choose another name")
    for name, text in _contents(args.name, args.extends).items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as trouble:
            raise CannotRun(f"cannot write '{path}': {trouble.strerror}") from None
        print(paint("made", "green"), path)
    print(f"\nNext: cromford validate {folder}\n      cromford play {folder}")
    if not args.extends:
        print(f"      cromford test {folder}")
    return 0


def _contents(name: str, base: str | None) -> dict[str, str]:
    title = name.replace("_", " ").capitalize()
    if base is None:
        return {
            "ruleset.yaml": _GAME.format(name=name, title=title, schema=SCHEMAS / "ruleset.schema.json"),
            "text/en.yaml": _TEXT,
            "scenarios/last_counter.yaml": _SCENARIO.format(name=name),
        }
    find_ruleset(base)
    return {"ruleset.yaml": _VARIANT.format(name=name, title=title, base=base, schema=SCHEMAS / "ruleset.schema.json")}
