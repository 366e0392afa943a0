"""RULESET in, JSON Schemas for an editor out: the static ones, and one with the ruleset's own words."""

import argparse
import json
from pathlib import Path

from interpreter.cli.arguments import add_modules, split_modules
from interpreter.cli.diff import leaves
from interpreter.cli.terminal import CannotRun, paint
from interpreter.loader.library import find_ruleset
from interpreter.pipeline import understand
from interpreter.places import SCHEMAS
from interpreter.views.derived_schema import derive_schema

EXAMPLES = """examples:
  cromford schema my_game                  prints the schema of this ruleset
  cromford schema my_game --into .schema   writes it there, beside the static ones
  cromford schema --into .schema           only the static ones

In a YAML file:  # yaml-language-server: $schema=.schema/my_game.schema.json"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ruleset", metavar="RULESET", nargs="?", help="name or folder of a ruleset")
    add_modules(parser)
    parser.add_argument("--into", metavar="FOLDER", help="write files into this folder")


def run(args: argparse.Namespace) -> int:
    if args.ruleset is None and args.into is None:
        raise CannotRun("name a ruleset to print its schema, or a folder with --into")
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(SCHEMAS.glob("*.schema.json"))}
    if args.ruleset is not None:
        front = understand(find_ruleset(args.ruleset), split_modules(args))
        paths = [path.removesuffix(".is").removesuffix(".do") for path in leaves(front.document)]
        derived = derive_schema(front, json.loads(files["ruleset.schema.json"]), paths)
        text = json.dumps(derived, indent=2, ensure_ascii=False) + "\n"
        if args.into is None:
            print(text, end="")
            return 0
        files[f"{front.document.id}.schema.json"] = text
    _write(files, Path(args.into))
    return 0


def _write(files: dict[str, str], folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
            print(paint("wrote", "green"), folder / name)
    except OSError as trouble:
        raise CannotRun(f"cannot write into '{folder}': {trouble.strerror}") from None
