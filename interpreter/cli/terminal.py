"""Text in, text on the terminal out: colour where there is one, plain on a pipe, and one way to complain."""

import io
import os
import sys
import textwrap
from pathlib import Path
from typing import TextIO

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}


class CannotRun(Exception):
    """The command cannot do what was asked (exit code 2); the message is one clear sentence."""


class Refused(Exception):
    """Something the user gave is wrong in itself (exit code 1): a broken record, a failing check."""


def steady_streams() -> None:
    """A closed stream becomes one that leads nowhere, and a letter the terminal cannot show becomes a sign it can."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def coloured(stream: TextIO) -> bool:
    """Whether this stream shows colour: a terminal, unless NO_COLOR is set; FORCE_COLOR overrides."""
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, *styles: str, stream: TextIO | None = None) -> str:
    """The text in these styles if the stream (standard output) shows them."""
    if not styles or not coloured(stream or sys.stdout):
        return text
    codes = ";".join(_STYLES[style] for style in styles)
    return f"\x1b[{codes}m{text}\x1b[0m"


def complain(message: str) -> None:
    """One message on standard error, after everything printed so far."""
    sys.stdout.flush()
    print(paint("cromford:", "red", stream=sys.stderr), message, file=sys.stderr)


def counted(number: int, what: str) -> str:
    """1 choice, 2 choices."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def width() -> int:
    """How many columns there are to write in; 120 on a pipe."""
    if not sys.stdout.isatty():
        return 120
    try:
        return max(60, os.get_terminal_size(sys.stdout.fileno()).columns)
    except OSError:
        return 120


def height() -> int | None:
    """How many lines the terminal shows at a time; none on a pipe, where everything is shown."""
    if not sys.stdout.isatty():
        return None
    try:
        return max(16, os.get_terminal_size(sys.stdout.fileno()).lines)
    except OSError:
        return None


def edge(indent: int = 0) -> int | None:
    """Where long lines are broken: the width of the terminal; none on a pipe, where nothing needs to be broken."""
    return width() - indent if sys.stdout.isatty() else None


def broken(text: str, hanging: str = "") -> str:
    """The text with every line that does not fit the terminal broken between words."""
    room = edge()
    if room is None:
        return text
    return "\n".join(
        textwrap.fill(line, room, subsequent_indent=hanging, break_on_hyphens=False, break_long_words=False)
        if len(line) > room
        else line
        for line in text.split("\n")
    )


class Progress:
    """A bar on standard error for long work; silent when that is no terminal."""

    def __init__(self, total: int, what: str) -> None:
        self.total, self.what, self.done = max(1, total), what, 0
        self.shown = sys.stderr.isatty()

    def step(self, count: int = 1) -> None:
        self.done += count
        if self.shown:
            filled = 30 * self.done // self.total
            bar = "#" * filled + "." * (30 - filled)
            print(f"\r[{bar}] {self.done}/{self.total} {self.what}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.shown:
            print(
                "\r" + " " * (48 + len(self.what) + 2 * len(str(self.total))) + "\r",
                end="",
                file=sys.stderr,
                flush=True,
            )
