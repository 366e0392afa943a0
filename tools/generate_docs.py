"""The code in, the generated pages of docs/ out: findings, vocabulary and commands as they are."""

import argparse
import contextlib
import io
import os
import sys
from pathlib import Path

from interpreter.cli.main import COMMANDS, main, overview
from interpreter.diagnostics import CODES
from interpreter.dsl.vocabulary import FOLDS, FOREIGN, FUNCTIONS, RESERVED

ROOT = Path(__file__).resolve().parent.parent
STAGES = {
    "C": "Scenarios",
    "D": "Records of games",
    "E": "Effects",
    "F": "Flow",
    "M": "Merging layers",
    "N": "Names",
    "P": "Rule text",
    "R": "Reading YAML",
    "S": "Shape",
    "T": "Types",
    "V": "Texts and views",
    "X": "A running game was stopped",
}
RIGHT = "right.yaml"  # beside a wrong example: the same without the mistake
LONGEST, WIDEST = 24, 160  # lines and columns of an example
MADE = "<!-- made by tools/generate_docs.py; do not edit -->\n"


def diagnostics_page() -> str:
    """Every code with its meaning, the smallest ruleset that causes it, what is said, and how it is right."""
    parts = ["# Findings\n", MADE, "The letter names the stage; a code never changes its meaning.\n"]
    stage = ""
    for code, meaning in sorted(CODES.items()):
        if code[0] != stage:
            stage = code[0]
            parts.append(f"## {STAGES.get(stage, stage)}\n")
        parts.append(f"### {code}: {meaning}\n")
        folders = sorted((ROOT / "tests/bad").glob(f"{code}_*"))
        shown = next((folder for folder in folders if (folder / RIGHT).exists()), folders[0] if folders else None)
        if shown is not None:
            parts += [*_wrong(shown), _said(shown), *_right(shown)]
        others = [_said(folder) for folder in folders if folder != shown]
        parts += ["It is also said here:\n", *others] if others else []
    return "\n".join(parts)


def _wrong(folder: Path) -> list[str]:
    """The files of the ruleset; their names only where there are several."""
    files = [path for path in sorted(folder.rglob("*.y*ml"), key=_place) if path != folder / RIGHT]
    parts = []
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        parts.append((f"`{path.relative_to(folder).as_posix()}`\n\n" if len(files) > 1 else "") + _block(text, "yaml"))
    return parts


def _place(path: Path) -> tuple[int, str]:
    return len(path.parts), path.as_posix()


def _said(folder: Path) -> str:
    return _block((folder / "expected.txt").read_text(encoding="utf-8"))


def _right(folder: Path) -> list[str]:
    path = folder / RIGHT
    return ["Right:\n", _block(path.read_text(encoding="utf-8"), "yaml")] if path.exists() else []


def _block(text: str, language: str = "") -> str:
    """A text as a block of the page: long ones are cut, and what cannot be printed is shown as a box."""
    clean = "".join(char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}" for char in text)
    lines = [line if len(line) <= WIDEST else f"{line[:WIDEST]}…" for line in clean.rstrip().split("\n")]
    if len(lines) > LONGEST:
        lines = [*lines[: LONGEST - 2], "…", lines[-1]]
    return f"```{language}\n" + "\n".join(lines) + "\n```\n"


def vocabulary_page() -> str:
    """The words that go over sets, and the functions."""
    lines = ["# Words of the language\n", MADE, "The whole language is explained in [language.md](language.md).\n"]
    lines += ["## Over a clause\n", "| word | gives | meaning |", "|---|---|---|"]
    for fold in FOLDS.values():
        shape = f"{fold.name}(E for CLAUSE)" if fold.body else f"{fold.name}(CLAUSE)"
        lines.append(f"| `{shape}` | {fold.result} | {fold.meaning} |")
    lines += ["\n## Functions\n", "| function | gives | meaning |", "|---|---|---|"]
    lines += [f"| `{f.name}({', '.join(f.args)})` | {f.result} | {f.meaning} |" for f in FUNCTIONS.values()]
    lines += ["\n## Words that cannot be names\n", ", ".join(f"`{word}`" for word in sorted(RESERVED))]
    lines += ["\n## Signs of other languages\n", "| instead of | do this |", "|---|---|"]
    lines += [f"| `{sign.replace('|', chr(92) + '|')}` | {advice} |" for sign, advice in FOREIGN.items()]
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    """The help of every command, as it prints it."""
    parts = ["# Commands\n", MADE, f"```\n{overview()}\n```\n"]
    for name in COMMANDS:
        parts.append(f"## cromford {name}\n\n```\n{_help(name)}\n```\n")
    return "\n".join(parts)


def _help(name: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main([name, "--help"])
    return out.getvalue().rstrip()


PAGES = {
    "docs/diagnostics.md": diagnostics_page,
    "docs/vocabulary.md": vocabulary_page,
    "docs/commands.md": commands_page,
}


def run() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a page is out of date")
    args = parser.parse_args()
    os.environ["COLUMNS"] = "100"  # help is wrapped to the terminal; the page must not depend on it
    stale = []
    for name, make in PAGES.items():
        path, text = ROOT / name, make()
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not args.check:
            path.write_text(text, encoding="utf-8")
    if stale:
        print("out of date:" if args.check else "wrote:", ", ".join(stale))
    return 1 if stale and args.check else 0


if __name__ == "__main__":
    sys.exit(run())
