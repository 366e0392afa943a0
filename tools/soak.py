"""Rulesets in, a verdict out: many random games of every ruleset and number of players, every state checked."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from interpreter import RulesetInvalid, load
from interpreter.loader.library import list_rulesets

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", help="which (default: every playable one in rulesets/)")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--no-check", action="store_true", help="play only, without checking every state")
    args = parser.parse_args()
    failed = 0
    for name in args.rulesets or list_rulesets([ROOT / "rulesets"]):
        try:
            ruleset = load(name)
        except RulesetInvalid as trouble:
            if args.rulesets or any(finding.code != "M108" for finding in trouble.report.errors):
                raise
            continue  # a base or a module: not playable by itself
        for players in ruleset.players:
            for setup in ruleset.options.get("setup", ("",)):
                failed += soak(name, players, str(setup), args) != 0
    return 1 if failed else 0


def soak(name: str, players: int, setup: str, args: argparse.Namespace) -> int:
    """One number of players and one set-up through `cromford simulate`."""
    command = [sys.executable, "-m", "interpreter.cli.main", "simulate", name]
    command += ["--players", str(players), "--games", str(args.games), "--jobs", str(args.jobs)]
    command += ["--setup", setup] if setup else []
    command += [] if args.no_check else ["--check"]
    print("$", " ".join(["cromford", *command[3:]]), flush=True)
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
