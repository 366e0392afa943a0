"""Scenario files in, the ones that fail out, each with the line, what was expected and what came."""

import argparse
import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from interpreter import Event, Game, Ruleset, RulesetInvalid, RulesetNotFound, load
from interpreter.cli.arguments import check_word, processes
from interpreter.cli.terminal import CannotRun, counted, paint
from interpreter.diagnostics import Finding, Report, Sources
from interpreter.loader.library import MAIN_FILE, list_rulesets
from interpreter.runtime.rehearsal import rehearse
from interpreter.runtime.scenario import Scenario, read_scenarios
from interpreter.views.findings import finding_data, show_findings
from interpreter.views.log import tell_events
from interpreter.views.words import words_for

EXAMPLES = """examples:
  cromford test                            every scenario below tests/scenarios
  cromford test my_game                    those of one ruleset
  cromford test my_game/scenarios/a.yaml   one file
  cromford test -k last                    those with 'last' in their name"""

SCENARIOS = Path("tests/scenarios")
Loaded = dict[tuple[str, tuple[str, ...]], Ruleset | str]  # rulesets by name and modules, or why they cannot be played
_loaded: Loaded = {}  # of one process, for all files it runs


@dataclass(frozen=True, slots=True)
class Outcome:
    """One scenario and what was found; nothing: it passed."""

    file: str
    name: str
    findings: tuple[Finding, ...]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", nargs="*", help="rulesets, folders or scenario files")
    parser.add_argument("-k", metavar="TEXT", default="", help="only scenarios with this in their name")
    parser.add_argument("-v", "--verbose", action="store_true", help="name every scenario")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="how many processes (default 1)")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    if args.jobs < 1:
        raise CannotRun("--jobs is at least 1")
    files = find_files(args.what)
    begin = time.perf_counter()
    sources = Sources()
    _loaded.clear()
    outcomes = [one for found in _run_files(files, args.k, args.jobs) for one in found]
    for file in {one.file for one in outcomes if one.findings}:
        sources.add(file, Path(file).read_text(encoding="utf-8", errors="replace"))
    seconds = time.perf_counter() - begin
    if not outcomes:
        raise CannotRun(f"no scenario has '{args.k}' in its name" if args.k else "there is no scenario in these files")
    failed = [outcome for outcome in outcomes if outcome.findings]
    if args.json:
        rows = [
            {
                "file": one.file,
                "scenario": one.name,
                "passed": not one.findings,
                "findings": [*map(finding_data, one.findings)],
            }
            for one in outcomes
        ]
        print(
            json.dumps(
                {"scenarios": len(outcomes), "failed": len(failed), "seconds": round(seconds, 3), "results": rows},
                indent=2,
                ensure_ascii=False,
            )
        )
    else:
        _print(outcomes, failed, sources, seconds, args.verbose)
    return 1 if failed else 0


def _print(outcomes: list[Outcome], failed: list[Outcome], sources: Sources, seconds: float, verbose: bool) -> None:
    for outcome in outcomes if verbose else failed:
        mark = paint("FAILED", "red", "bold") if outcome.findings else paint("ok", "green")
        print(f"{mark} {outcome.name}")
        if outcome.findings:
            print(show_findings(outcome.findings, sources, "text", paint) + "\n")
    verdict = paint(f"{len(failed)} failed", "red", "bold") if failed else paint("all passed", "green")
    print(f"{counted(len(outcomes), 'scenario')}, {verdict}, {seconds:.2f} s")


def find_files(what: list[str]) -> dict[Path, str | None]:
    """The scenario files the user means, each with the one ruleset that is wanted of it, if only one is."""
    if not what:
        folders = [SCENARIOS, *(folder / "scenarios" for folder in list_rulesets().values())]
        files: dict[Path, str | None] = {path: None for folder in folders for path in _below(folder)}
        if not files:
            raise CannotRun(f"there are no scenarios in '{SCENARIOS}' here; name a ruleset, a folder or a file")
        return files
    found: dict[Path, str | None] = {}
    for word in what:
        for path, only in _find(word).items():
            found[path] = only if found.get(path, only) == only else None
    return found


def _find(word: str) -> dict[Path, str | None]:
    path = Path(word)
    if path.is_file():
        return {path: None}
    known = list_rulesets()
    if path.is_dir() and not (path / MAIN_FILE).is_file():
        files: dict[Path, str | None] = dict.fromkeys(_below(path))
    elif path.is_dir():
        files = _of_ruleset(path.name, path)
    else:
        if not (SCENARIOS / word).is_dir():
            check_word(word, known, "ruleset, folder or file")
        files = _of_ruleset(word, known.get(word))
    if not files:
        raise CannotRun(f"'{word}' has no scenarios")
    return files


def _of_ruleset(name: str, folder: Path | None) -> dict[Path, str | None]:
    """The scenarios in its own folders, and those elsewhere that name it beside other rulesets."""
    files: dict[Path, str | None] = dict.fromkeys(_below(folder / "scenarios") if folder else [])
    for path in _below(SCENARIOS):
        if path.is_relative_to(SCENARIOS / name) or name in path.read_text(encoding="utf-8", errors="replace"):
            files[path] = name
    return files


def _below(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.yaml")) if folder.is_dir() else []


def _run_files(files: dict[Path, str | None], wanted: str, jobs: int) -> Iterator[list[Outcome]]:
    """The outcomes of each file, in the order of the files."""
    if jobs == 1:
        yield from (_run_file(path, only, wanted) for path, only in files.items())
        return
    deaf = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for this process; the others just finish
    pool = ProcessPoolExecutor(processes(jobs, len(files)), initializer=signal.signal, initargs=deaf)
    try:
        yield from pool.map(_run_file, files, files.values(), [wanted] * len(files), chunksize=2)
    finally:
        pool.shutdown(cancel_futures=True)


def _run_file(path: Path, only: str | None, wanted: str) -> list[Outcome]:
    report = Report()
    scenarios = read_scenarios(path, report, Sources())
    outcomes = [Outcome(str(path), str(path), tuple(report.findings))] if report.findings else []
    for scenario in scenarios:
        elsewhere = only is not None and scenario.ruleset != only and scenario.ruleset in list_rulesets()
        if wanted in scenario.name and not elsewhere:
            outcomes.append(Outcome(str(path), scenario.name, tuple(_run_scenario(path, scenario))))
    return outcomes


def _run_scenario(path: Path, scenario: Scenario) -> list[Finding]:
    key = (_locate(path, scenario), scenario.modules)
    if key not in _loaded:
        _loaded[key] = _load(*key)
    ruleset = _loaded[key]
    if isinstance(ruleset, str):
        return [Finding("C102", scenario.ruleset_span, ruleset)]
    return rehearse(scenario, ruleset, tell_english)


def _locate(path: Path, scenario: Scenario) -> str:
    """A scenario that lies in a ruleset's own folder means that ruleset; otherwise its name is looked up."""
    for folder in path.resolve().parents:
        if (folder / MAIN_FILE).is_file() and folder.name == scenario.ruleset:
            return str(folder)
    return scenario.ruleset


def _load(name: str, modules: tuple[str, ...]) -> Ruleset | str:
    try:
        return load(name, modules=modules)
    except RulesetNotFound as trouble:
        return str(trouble)
    except RulesetInvalid as trouble:
        first = trouble.report.errors[0]
        return (
            f"the ruleset has findings; the first is {first.span.file}:{first.span.line}: {first.code} {first.message}"
        )


def tell_english(game: Game, events: list[Event]) -> list[str]:
    """The log as the English text tells it."""
    return [line.text for line in tell_events(events, words_for(game, "en"))]
