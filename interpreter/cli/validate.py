"""Rulesets and scenarios in; every finding, as text, JSON, GitHub annotations or SARIF, out."""

import argparse
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from interpreter.cli.arguments import check_modules, processes, split_modules
from interpreter.cli.terminal import CannotRun, counted, paint
from interpreter.diagnostics import Finding, Report, RulesetNotFound, Sources
from interpreter.loader.library import MAIN_FILE, find_ruleset, home_of, rulesets_in
from interpreter.loader.reader import Entry, Mapping, Scalar, Sequence, read_text
from interpreter.pipeline import diagnose, no_collecting
from interpreter.places import search_path
from interpreter.runtime.scenario import read_scenarios
from interpreter.views.findings import FORMATS, show_findings
from interpreter.views.text_check import check_text
from interpreter.views.text_gaps import check_gaps

Told = tuple[list[Finding], dict[str, str]]
MANY = 8  # rulesets for which it pays to start processes
PIECES = 3  # for each process, so that none waits long for another

EXAMPLES = """examples:
  cromford validate rulesets/              every ruleset in a folder
  cromford validate my_game                one ruleset, by name or folder
  cromford validate my_game --with my_module
  cromford validate rulesets/ --format github   annotations in a pull request
  cromford validate rulesets/ --format sarif > findings.sarif"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        metavar="WHAT",
        nargs="*",
        default=[],
        help="rulesets, folders of rulesets, or scenario files (default: rulesets/, or those here)",
    )
    parser.add_argument(
        "--with", dest="modules", metavar="MODULE", action="append", default=[], help="with this module or variant"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="text (default), json, github or sarif")
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="short for --format json")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    jobs = "how many processes (default: 1, or all processors for many rulesets)"
    parser.add_argument("--jobs", metavar="N", type=int, help=jobs)


def run(args: argparse.Namespace) -> int:
    with no_collecting():  # what several rulesets are made of stays until the end
        return _run(args)


def _run(args: argparse.Namespace) -> int:
    begin = time.perf_counter()
    findings: dict[Finding, None] = {}
    sources = Sources()
    folders, files = find_targets(args.what)
    modules = split_modules(args)
    check_modules(modules)
    if args.jobs is not None and args.jobs < 1:
        raise CannotRun("--jobs is at least 1")
    jobs = args.jobs or (os.cpu_count() or 1 if len(folders) >= MANY else 1)
    for told, texts in _validate_all(folders, modules, processes(jobs, len(folders))):
        findings.update(dict.fromkeys(told))
        for file, text in texts.items():
            sources.add(file, text)
    for path in files:
        report = Report()
        read_scenarios(path, report, sources)
        findings.update(dict.fromkeys(report.findings))
    ordered = sorted(findings, key=lambda one: (one.span.file, one.span.line, one.span.col))
    errors = sum(one.severity == "error" for one in ordered)
    shown = show_findings(ordered, sources, args.format, paint)
    if shown:
        print(shown)
    if args.format == "text":
        _print_verdict(folders, files, errors, len(ordered) - errors, time.perf_counter() - begin)
    return 1 if errors or (args.strict and ordered) else 0


def _validate_all(folders: list[Path], modules: tuple[str, ...], jobs: int) -> Iterator[Told]:
    """What is to be said about each ruleset, in their order."""
    if jobs <= 1:
        yield from (_tell(folder, modules) for folder in folders)
        return
    from concurrent.futures import ProcessPoolExecutor

    deaf = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for this process; the others just finish
    related = sorted(folders, key=_root_of)  # a process that knows a ruleset knows most of its variants
    size = max(1, len(folders) // (jobs * PIECES))
    pool = ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=deaf)
    try:
        told = dict(zip(related, pool.map(_tell, related, [modules] * len(folders), chunksize=size), strict=True))
    finally:
        pool.shutdown(cancel_futures=True)
    yield from (told[folder] for folder in folders)


def _tell(folder: Path, modules: tuple[str, ...]) -> Told:
    """All findings of a ruleset, and the texts of the files they point into."""
    findings: dict[Finding, None] = {}
    texts: dict[str, str] = {}
    with no_collecting():
        for report, sources in _validate_folder(folder, modules):
            findings.update(dict.fromkeys(report.findings))
            for one in report.findings:
                for span in (one.span, *(span for span, _ in one.related)):
                    texts[span.file] = sources.text(span.file) or ""
    return list(findings), texts


def _root_of(folder: Path) -> str:
    """The first of the rulesets that this one goes back to."""
    near, seen = _near(folder), set[Path]()
    while folder not in seen:
        seen.add(folder)
        base = _read_main(folder).get("extends")
        if base is None or not isinstance(base.node, Scalar):
            break
        try:
            folder = find_ruleset(base.node.text, near)
        except RulesetNotFound:
            break
    return folder.name


def find_targets(words: list[str]) -> tuple[list[Path], list[Path]]:
    """The ruleset folders and the scenario files the user means."""
    folders: list[Path] = []
    files: list[Path] = []
    for word in words or ["rulesets" if Path("rulesets").exists() else "."]:
        path = Path(word)
        if path.is_file() and path.name != MAIN_FILE:
            files.append(path)
        elif path.is_dir() and not (path / MAIN_FILE).is_file():
            below = rulesets_in(path)
            scenarios = [] if below else _scenarios_in(path)
            if not below and not scenarios:
                raise CannotRun(f"there is no ruleset in '{word}' (a ruleset is a folder with a {MAIN_FILE})")
            folders += below
            files += scenarios
        else:
            folders.append(find_ruleset(path if path.exists() else word))
    return folders, files


def _scenarios_in(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.yaml")) if "scenarios" in path.resolve().parts]


def _validate_folder(folder: Path, modules: tuple[str, ...]) -> Iterator[tuple[Report, Sources]]:
    """The ruleset with the modules asked for, or by itself and with each module it names; a module on what it fits."""
    main = _read_main(folder)
    bases = _words(main, "fits") if "module" in main else []
    if bases and not modules:
        for base in bases:
            yield _diagnose(find_ruleset(base, _near(folder)), (folder.name,), folder)
        return
    yield _diagnose(folder, modules, folder)
    for name in [] if modules else _words(main, "modules"):
        yield _diagnose(folder, (name,), folder)


def _diagnose(folder: Path, modules: tuple[str, ...], near: Path) -> tuple[Report, Sources]:
    report, sources, front = diagnose(folder, modules, _near(near))
    if front is not None:
        check_text(front.checked, front.document.text, report, front.document.inherited_files)
        check_gaps(front.checked, front.document, report)
    return report, sources


def _near(folder: Path) -> list[Path]:
    return [*home_of(folder), *search_path()]


def _read_main(folder: Path) -> dict[str, Entry]:
    try:
        node = read_text((folder / MAIN_FILE).read_text(encoding="utf-8"), str(folder / MAIN_FILE), Report())
    except (OSError, UnicodeDecodeError):
        return {}
    return node.entries if isinstance(node, Mapping) else {}


def _words(main: dict[str, Entry], key: str) -> list[str]:
    node = main[key].node if key in main else None
    return [item.text for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []


def _print_verdict(folders: list[Path], files: list[Path], errors: int, warnings: int, seconds: float) -> None:
    what = [counted(len(folders), "ruleset")] if folders else []
    what += [counted(len(files), "scenario file")] if files else []
    if errors or warnings:
        verdict = paint(f"{counted(errors, 'error')}, {counted(warnings, 'warning')}", "red" if errors else "yellow")
        print(f"\n{' and '.join(what)}: {verdict}, {seconds:.2f} s")
    else:
        print(f"{' and '.join(what)}: {paint('no findings', 'green')}, {seconds:.2f} s")
