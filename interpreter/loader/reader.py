"""YAML files in, nodes with positions out: a strict YAML without anchors, tags, folding and guessed types."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from interpreter.diagnostics import Finding, Report, Sources, Span
from interpreter.loader.composer import MAX_CHARACTERS, SPLIT_FILE, TOO_BIG, compose_text
from interpreter.loader.tree import Entry, Mapping, Node, Scalar, Sequence, plain
from interpreter.places import shown_path

__all__ = [
    "Entry", "Mapping", "Node", "Scalar", "Sequence",
    "list_files", "plain", "read_file", "read_folder", "read_text", "shown_path",
]  # fmt: skip

SKIPPED_FOLDERS = frozenset({"games", "scenarios", "tests"})
"""Folders of a ruleset that hold YAML of another kind."""


def read_text(text: str, file: str, report: Report) -> Node | None:
    """The node the text stands for, or none with at least one finding; every finding lies inside the text."""
    node, findings = _composed(text, file)
    report.extend(findings)
    return node


@lru_cache(maxsize=256)
def _composed(text: str, file: str) -> tuple[Node | None, tuple[Finding, ...]]:
    """A file that several rulesets are made of is read once. Nodes never change."""
    return compose_text(text, file)


def read_file(path: Path, file: str, report: Report, sources: Sources) -> Node | None:
    """The same for a file on disk, shown to the author as `file`."""
    start = Span(file, 1, 1, 1, 1)
    try:
        if path.stat().st_size > MAX_CHARACTERS:
            report.add(Finding("R111", start, TOO_BIG, SPLIT_FILE))
            return None
        raw = path.read_bytes()
    except OSError as problem:
        report.add(Finding("R117", start, f"this file cannot be read: {problem.strerror or 'unknown problem'}"))
        return None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        sources.add(file, raw.decode("utf-8", errors="replace"))
        before = raw[: problem.start].decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
        line, col = before.count("\n") + 1, len(before) - before.rfind("\n")
        hint = "save the file as UTF-8 in your editor"
        report.add(Finding("R102", Span(file, line, col, line, col + 1), "this is not UTF-8 text", hint))
        return None
    sources.add(file, text)
    return read_text(text, file, report)


def read_folder(
    path: Path, report: Report, sources: Sources, shown: str | None = None, names: Iterable[str] | None = None
) -> dict[str, Mapping]:
    """Every YAML file of a ruleset by its path inside the folder: ruleset.yaml first, then by name.

    `shown` is how the folder is called in findings; `names` are the files wanted, if not all.
    """
    shown = shown_path(path) if shown is None else shown
    files: dict[str, Mapping] = {}
    for name in list_files(path) if names is None else names:
        file = name if shown in ("", ".") else f"{shown}/{name}"
        if name.endswith(".yml"):
            hint = f"rename it to {name.rsplit('/', 1)[-1].removesuffix('.yml')}.yaml"
            report.add(Finding("R117", Span(file, 1, 1, 1, 1), "this file is not read", hint))
            continue
        match read_file(path / name, file, report, sources):
            case Mapping() as mapping:
                files[name] = mapping
            case Scalar(value=None, span=span):
                files[name] = Mapping({}, span)
            case None:
                pass
            case node:
                span = Span(file, node.span.line, node.span.col, node.span.line, node.span.col + 1)
                report.add(Finding("R116", span, "a file is a map of sections", "begin with 'constants:' or the like"))
    return files


def list_files(path: Path) -> list[str]:
    """The YAML files of a ruleset folder, without examples and without those of rulesets that lie inside it."""
    names = sorted(_walk(path, ""))
    return sorted(names, key=lambda name: name != "ruleset.yaml")


def _walk(path: Path, prefix: str) -> list[str]:
    try:
        inside = sorted(path.iterdir())
    except OSError:
        return []
    names: list[str] = []
    for child in inside:
        if child.name.startswith("."):
            continue
        if child.is_file() and child.suffix in (".yaml", ".yml") and not child.stem.endswith(".example"):
            names.append(prefix + child.name)
        elif child.is_dir() and not child.is_symlink() and not _is_apart(child):
            names += _walk(child, f"{prefix}{child.name}/")
    return names


def _is_apart(folder: Path) -> bool:
    """Whether the folder is none of the ruleset's own: another ruleset, or files of another kind."""
    return folder.name in SKIPPED_FOLDERS or (folder / "ruleset.yaml").exists()
