"""Command line in, exit code out: finds the module of a command; every known trouble becomes one clear message."""

import argparse
import importlib
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from interpreter.cli.terminal import CannotRun, Refused, complain, steady_streams
from interpreter.diagnostics import Finding, Sources, did_you_mean, render_finding

FINE, FINDINGS, CANNOT_RUN = 0, 1, 2

# command -> (module, one line for the overview); the modules are imported on demand so that a start stays light
COMMANDS: dict[str, tuple[str, str]] = {
    "list": ("list", "which rulesets and modules there are"),
    "play": ("play", "play a game, alone, with others at one screen, or against bots"),
    "resume": ("resume", "go on with a recorded game"),
    "replay": ("replay", "tell a recorded game again, or verify it"),
    "explain": ("explain", "where a number of a recorded game comes from"),
    "why-not": ("why_not", "why an option is not offered"),
    "validate": ("validate", "check rulesets and scenarios: every finding with file, line and column"),
    "test": ("test", "run scenarios"),
    "show": ("show", "a ruleset, or one part of it, as it is after all layers"),
    "diff": ("diff", "what a ruleset or a module changes"),
    "blame": ("blame", "which file and layer each part of a ruleset comes from"),
    "graph": ("graph", "the phases as a picture (Mermaid or Graphviz)"),
    "sources": ("sources", "which rules of the book are covered, and which values are assumed"),
    "schema": ("schema", "write the JSON Schemas for an editor"),
    "new": ("new", "start a ruleset of your own"),
    "simulate": ("simulate", "play many games with bots and count"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 (fine), 1 (findings) or 2 (cannot run)."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    steady_streams()
    try:
        code = _dispatch(words)
        sys.stdout.flush()
        return code
    except Refused as trouble:
        complain(str(trouble))
        return FINDINGS
    except CannotRun as trouble:
        complain(str(trouble))
        return CANNOT_RUN
    except KeyboardInterrupt:
        complain("stopped")
        return CANNOT_RUN
    except BrokenPipeError:  # the reader of our output has gone (| head): not our trouble
        _give_up_output()
        return FINE
    except OSError as trouble:  # most likely what was printed: a full disk, a terminal that has gone
        _give_up_output()
        where = f"'{trouble.filename}': " if trouble.filename else ""
        complain(f"cannot go on: {where}{trouble.strerror or trouble}")
        return CANNOT_RUN


def _give_up_output() -> None:
    """What could not be written would be tried again, and fail again, when the process ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        if len(words) > 1 and words[1] in COMMANDS:
            return _dispatch([words[1], "--help"])
        print(overview())
        return FINE if words else CANNOT_RUN
    if words[0] in ("-V", "--version"):
        print(f"cromford {_version()}")
        return FINE
    name = words[0]
    if name not in COMMANDS:
        raise CannotRun(_unknown_command(name))
    command = importlib.import_module(f"interpreter.cli.{COMMANDS[name][0]}")
    parser = _Parser(
        prog=f"cromford {name}",
        description=COMMANDS[name][1][0].upper() + COMMANDS[name][1][1:] + ".",
        epilog=command.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.configure(parser)
    try:
        code: int = command.run(parser.read(words[1:]))
    except _known_troubles() as trouble:
        return _report_trouble(trouble)
    return code


class _Parser(argparse.ArgumentParser):
    """argparse, saying what is wrong in one sentence and pointing to the help."""

    def read(self, words: list[str]) -> argparse.Namespace:
        """The words of the command line; options may stand before, between and behind the others."""
        if "-h" in words or "--help" in words:
            return self.parse_args(words)
        return self.parse_intermixed_args(words)

    def error(self, message: str) -> None:  # type: ignore[override]
        number = re.fullmatch(r"argument (\S+): invalid int value: '(.*)'", message)
        if number:
            raise CannotRun(f"{number[1]} {number[2]}: write a whole number")
        unknown = re.match(r"unrecognized arguments: (--?[^\s=]+)", message)
        hint = did_you_mean(unknown[1], self._option_string_actions) if unknown else None
        if unknown and hint:
            raise CannotRun(f"there is no option {unknown[1]}; {hint}; see {self.prog} --help")
        raise CannotRun(f"{message}; see {self.prog} --help")


def overview() -> str:
    """The help of the command as a whole."""
    width = max(len(name) for name in COMMANDS)
    lines = ["cromford COMMAND ...: board games whose rules are data", ""]
    lines += [f"  {name:<{width}}  {about}" for name, (_, about) in COMMANDS.items()]
    lines += ["", "Start with: cromford list", "Help on one command: cromford COMMAND --help"]
    return "\n".join(lines)


def _unknown_command(name: str) -> str:
    hint = did_you_mean(name, COMMANDS)
    return f"there is no command '{name}'" + (f"; {hint}" if hint else "; cromford --help lists them all")


def _known_troubles() -> tuple[type[BaseException], ...]:
    from interpreter import GameStopped, RulesetInvalid, RulesetNotFound, Unplayable
    from interpreter.compiler.extension import TextInvalid
    from interpreter.runtime.record import RecordBroken

    return (GameStopped, RulesetInvalid, RulesetNotFound, TextInvalid, Unplayable, RecordBroken)


def _report_trouble(trouble: BaseException) -> int:
    from interpreter import GameStopped, RulesetInvalid, RulesetNotFound
    from interpreter.runtime.record import RecordBroken

    match trouble:
        case RulesetInvalid():
            sys.stdout.flush()
            print(trouble.report.render(trouble.sources), file=sys.stderr)
            return FINDINGS
        case GameStopped(finding=finding):
            complain("the game was stopped by a rule")
            print(render_finding(finding, _sources_of(finding)), file=sys.stderr)
            return FINDINGS
        case RecordBroken():
            complain(str(trouble))
            return FINDINGS
        case RulesetNotFound() if "; " not in str(trouble):
            complain(f"{trouble}; cromford list shows what there is")
            return CANNOT_RUN
        case _:
            complain(str(trouble))
            return CANNOT_RUN


def _sources_of(finding: Finding) -> Sources:
    """The file a rule stands in, for the line with the caret; the rules that run may come from the cache."""
    sources = Sources()
    with suppress(OSError, UnicodeDecodeError):
        sources.add(finding.span.file, Path(finding.span.file).read_text(encoding="utf-8"))
    return sources


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cromford")
    except PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
