"""Command-line words in, a checked ruleset and the settings of a game out; every mistake is one sentence."""

import argparse
import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from interpreter import Ruleset, RulesetInvalid, RulesetNotFound, load
from interpreter.cli.terminal import CannotRun
from interpreter.diagnostics import did_you_mean
from interpreter.loader.library import find_ruleset


@dataclass(frozen=True, slots=True)
class Settings:
    """How a game is set up: how many play, the seed of the dice, and the value of each option."""

    players: int
    seed: int
    options: dict[str, str] = field(default_factory=dict)


def add_ruleset(parser: argparse.ArgumentParser) -> None:
    """RULESET and the modules that go on top."""
    parser.add_argument("ruleset", metavar="RULESET", help="name or folder of a ruleset")
    add_modules(parser)


def add_modules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--with",
        dest="modules",
        metavar="MODULE",
        action="append",
        default=[],
        help="play with this module or variant; may be repeated",
    )


def add_setup(parser: argparse.ArgumentParser, seed: int | None) -> None:
    """How the game is set up; `seed` is the default, none means a fresh one every time."""
    parser.add_argument("--players", metavar="N", type=int, help="how many play (default: the highest number)")
    parser.add_argument(
        "--seed",
        metavar="N",
        type=int,
        default=seed,
        help="seed of the dice" + ("" if seed is None else f" (default {seed})"),
    )
    parser.add_argument(
        "--option",
        dest="options",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the ruleset; may be repeated",
    )
    parser.add_argument("--setup", metavar="VALUE", help="short for --option setup=VALUE")


def processes(asked: int, work: int) -> int:
    """How many processes are worth starting: no more than there are pieces of work, and a few for each processor."""
    return min(asked, work, 4 * (os.cpu_count() or 1))


def add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", metavar="LANG", default="en", help="language of names and log (default en)")


def open_ruleset(args: argparse.Namespace) -> Ruleset:
    """The ruleset the user named, with the modules asked for."""
    return load_playable(args.ruleset, split_modules(args))


def load_playable(name: str, modules: tuple[str, ...]) -> Ruleset:
    """A ruleset that can be played; a base or a module by itself cannot."""
    check_modules(modules)
    try:
        return load(name, modules=modules)
    except RulesetInvalid as trouble:
        if trouble.report.ok:
            raise CannotRun(
                f"'{name}' cannot be played by itself: it is a base or a module for other rulesets"
            ) from None
        raise


def check_modules(modules: Iterable[str]) -> None:
    """Complain about a --with that names nothing: the mistake stands on the command line, in no file."""
    for module in modules:
        try:
            find_ruleset(module)
        except RulesetNotFound as trouble:
            raise CannotRun(f"--with {module}: {trouble}".replace("no ruleset is", "no module is")) from None


def split_modules(args: argparse.Namespace) -> tuple[str, ...]:
    """The modules of all --with, lists like `a,b` taken apart."""
    return tuple(name for text in args.modules for name in text.split(",") if name)


def read_settings(args: argparse.Namespace, ruleset: Ruleset, seed: int) -> Settings:
    """Number of players, seed and options, checked against the ruleset."""
    players = args.players if args.players is not None else max(ruleset.players)
    if players not in ruleset.players:
        raise CannotRun(f"'{ruleset.id}' is for {spoken(ruleset.players)} players, not {players}")
    options: dict[str, str] = {}
    for name, value in [
        *map(_split_option, args.options),
        *([("setup", args.setup)] if args.setup is not None else []),
    ]:
        check_word(name, ruleset.options, f"option of '{ruleset.id}'")
        check_word(value, map(str, ruleset.options[name]), f"value of option '{name}'")
        if options.setdefault(name, value) != value:
            raise CannotRun(f"option '{name}' cannot be both '{options[name]}' and '{value}'; name it once")
    return Settings(players, args.seed if args.seed is not None else seed, options)


def _split_option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CannotRun(f"--option {text}: write NAME=VALUE")
    return name, value


def check_word(word: str, known: Iterable[str], what: str) -> None:
    """Complain unless the word is known; the sentence names the nearest one or all of them."""
    words = [str(item) for item in known]
    if word not in words:
        hint = did_you_mean(word, words) or (f"there are: {', '.join(words)}" if words else "there are none")
        raise CannotRun(f"'{word}' is no {what}; {hint}")


def check_language(language: str, known: Iterable[str]) -> str:
    """The language if the ruleset speaks it; English is always understood (by ids)."""
    words = list(known)
    if language != "en" or words:
        if language == "en" and "en" not in words:
            return language
        check_word(language, words, "language of this ruleset")
    return language


def spoken(numbers: Iterable[int]) -> str:
    """2, 3 or 4."""
    words = [str(number) for number in numbers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
