"""RULESET in; which rules of the book are said in YAML and shown by a test, or which values are assumed, out."""

import argparse
import json
from pathlib import Path

from interpreter.cli.arguments import add_ruleset
from interpreter.cli.documents import open_document
from interpreter.cli.terminal import paint
from interpreter.views.coverage import Assumed, Coverage, assumed_values, measure_coverage

EXAMPLES = """examples:
  cromford sources my_game             how much of the book is covered
  cromford sources my_game --assumed   every value that is a guess, and why
  cromford sources my_game --json --check   for CI: exit code 1 if a rule is not covered"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_ruleset(parser)
    parser.add_argument("--assumed", action="store_true", help="list the values that are assumed")
    parser.add_argument(
        "--tests",
        metavar="FOLDER",
        action="append",
        help="where scenarios and tests lie (default: tests, and scenarios of the ruleset)",
    )
    parser.add_argument("--check", action="store_true", help="exit code 1 if a rule has no YAML or no test")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    document = open_document(args)
    if args.assumed:
        _print_assumed(assumed_values(document), args.json)
        return 0
    folders = [Path(name) for name in args.tests] if args.tests else [Path("tests"), *document.folders]
    coverage = measure_coverage(document, [folder for folder in folders if folder.is_dir()])
    print(
        json.dumps(_data(document.id, coverage), indent=2, ensure_ascii=False)
        if args.json
        else _text(document.id, coverage)
    )
    missing = coverage.without_yaml() or coverage.without_test() or coverage.unknown
    return 1 if args.check and missing else 0


def _print_assumed(values: list[Assumed], as_json: bool) -> None:
    if as_json:
        rows = [
            {"path": one.path, "value": one.value, "assumed": one.reason, "file": one.span.file, "line": one.span.line}
            for one in values
        ]
        print(json.dumps({"assumed": rows}, indent=2, ensure_ascii=False))
        return
    for one in values:
        value = f" = {one.value}" if one.value else ""
        reason = one.reason.replace("\n", "\n    ")
        print(f"{paint(one.path, 'bold')}{value}\n    {reason}\n    {paint(f'{one.span.file}:{one.span.line}', 'dim')}")
    print(f"\n{len(values)} assumed values.")
    print("If you own the game, correct one with a patch: set: PATH, to: VALUE, because: the book says so.")


def _data(ruleset: str, coverage: Coverage) -> dict[str, object]:
    return {
        "ruleset": ruleset,
        "edition": coverage.edition,
        "rules": len(coverage.rules),
        "without_yaml": coverage.without_yaml(),
        "without_test": coverage.without_test(),
        "unknown": coverage.unknown,
        "cited": {
            rule.id: {
                "source": rule.source,
                "yaml": rule.yaml,
                "tests": rule.tests,
                **({"elsewhere": rule.elsewhere} if rule.elsewhere else {}),
            }
            for rule in coverage.rules.values()
        },
    }


def _text(ruleset: str, coverage: Coverage) -> str:
    total = len(coverage.rules)
    if not total:
        return f"{ruleset}: there is no catalogue of rules" + (
            f" for the edition '{coverage.edition}'" if coverage.edition else ""
        )
    no_yaml, no_test = coverage.without_yaml(), coverage.without_test()
    edition = f" of the edition '{coverage.edition}'" if coverage.edition else ""
    lines = [
        f"{paint(ruleset, 'bold')}: {total} rules{edition}",
        f"  said in YAML       {total - len(no_yaml):>5}  {_percent(total - len(no_yaml), total)}",
        f"  shown by a test    {total - len(no_test):>5}  {_percent(total - len(no_test), total)}",
    ]
    if len(no_test) == total:
        lines += ["", "no test here cites any of them; where the tests lie elsewhere: --tests FOLDER"]
        no_test = []
    for title, ids in (("not said in YAML", no_yaml), ("not shown by a test", no_test)):
        if ids:
            lines += ["", f"{paint(title, 'yellow')} ({len(ids)}):"]
            lines += [f"  {id_}  {coverage.rules[id_].text[:110]}" for id_ in ids]
    if coverage.unknown:
        lines += ["", paint("cited, but in no catalogue:", "red")]
        lines += [f"  {id_}  {places[0]}" for id_, places in coverage.unknown.items()]
    return "\n".join(lines)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"
