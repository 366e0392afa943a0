"""Rulesets in, a verdict out: many random games of every ruleset, number of players, option and module, checked."""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from interpreter import Ruleset, RulesetInvalid, load
from interpreter.loader.library import list_rulesets

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", help="which (default: every playable one in rulesets/)")
    parser.add_argument("--with", dest="modules", metavar="MODULES", help="also with every combination of these (a,b)")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--every", type=int, default=1, help="decisions from one check to the next; 0 for none")
    args = parser.parse_args()
    failed = 0
    for name in args.rulesets or list_rulesets([ROOT / "rulesets"]):
        try:
            ruleset = load(name)
        except RulesetInvalid as trouble:
            if args.rulesets or any(finding.code != "M108" for finding in trouble.report.errors):
                raise
            continue  # a base or a module: not playable by itself
        for chosen in choices(ruleset, args.modules.split(",") if args.modules else []):
            for players in ruleset.players:
                failed += soak(["simulate", name, "--players", str(players), *chosen], args) != 0
    print(f"{failed} failed" if failed else "all ended well")
    return 1 if failed else 0


def choices(ruleset: Ruleset, modules: list[str]) -> Iterator[list[str]]:
    """As it comes, then with each other value of each option, then with each combination of the modules."""
    yield []
    for option, values in ruleset.options.items():
        yield from (["--option", f"{option}={value}"] for value in values[1:])
    for count in range(1, len(modules) + 1):
        yield from (["--with", ",".join(some)] for some in combinations(modules, count))


def soak(command: list[str], args: argparse.Namespace) -> int:
    """One run of `cromford simulate`; of what it says, the table of results."""
    command += ["--games", str(args.games), "--jobs", str(args.jobs)]
    command += ["--check-every", str(args.every)] if args.every else []
    print("$ cromford", *command, flush=True)
    told = subprocess.run(
        [sys.executable, "-m", "interpreter.cli.main", *command], stdout=subprocess.PIPE, text=True, check=False
    )
    print(told.stdout.partition("\nChoices")[0], flush=True)
    return told.returncode


if __name__ == "__main__":
    sys.exit(main())
