"""A checked ruleset and its texts in; what a language that it offers does not say yet, out."""

from collections.abc import Iterator
from pathlib import PurePath

from interpreter.checker.checked import Checked
from interpreter.diagnostics import Finding, Report
from interpreter.loader.document import Document, ParsedFile
from interpreter.loader.reader import Mapping, Scalar
from interpreter.views.words import ANY

SHOWN = 8  # missing texts that are named in a finding
Path = tuple[str, ...]


def check_gaps(checked: Checked, document: Document, report: Report) -> None:
    """A warning for each language in which the ruleset leaves out what it says itself in another one.

    What its base leaves out is not its fault, and where there is but one language ids may do.
    """
    files = [file for file in document.parsed if file.kind == "text" and file.layer == document.layers[-1]]
    for file in files:
        text, others = document.text[_language(file)], [other.node for other in files if other is not file]
        missing = [
            ".".join(paths[0])
            for paths in dict.fromkeys(_wanted(checked))
            if not any(_says(text, path) for path in paths)
            and any(_says(other, path) for other in others for path in paths)
        ]
        if missing:
            more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
            message = f"no text for {', '.join(missing[:SHOWN])}{more}, which another language has"
            at = next((entry.key.span for entry in file.node.entries.values()), file.node.span)
            report.add(Finding("V103", at, message, "write it here, else players read it in English", (), "warning"))


def _language(file: ParsedFile) -> str:
    return PurePath(file.file.replace("\\", "/")).stem


def missing_texts(checked: Checked, text: Mapping) -> list[str]:
    """The paths of everything players can meet that this language has no text for."""
    missing = [".".join(paths[0]) for paths in _wanted(checked) if not any(_says(text, path) for path in paths)]
    return list(dict.fromkeys(missing))


def _says(text: Mapping, path: Path) -> bool:
    node: object = text
    for part in path:
        if not isinstance(node, Mapping) or part not in node.entries:
            return False
        node = node.entries[part].node
    return isinstance(node, Scalar)


def _wanted(checked: Checked) -> Iterator[tuple[Path, ...]]:
    """For everything that needs a text the paths that may hold it, the usual one first."""
    world = checked.world
    for kind, info in world.kinds.items():
        if kind.startswith("option "):
            continue
        if info.form not in ("per", "pieces", "one"):
            for thing in world.thing_ids(kind, max(world.player_counts)):
                yield ("names", kind, thing), ("names", kind)
        for field in (*info.state, *info.facts):
            yield (("fields", kind, field),)
    yield from _wanted_by_windows(checked)
    for section, names in (
        ("moments", checked.moments),
        ("quantities", checked.quantities),
        ("constants", world.constants),
    ):
        for name in names:
            yield ((section, name),)
    for option, values in world.options.items():
        for value in values:
            yield (("values", option, str(value)),)


def _wanted_by_windows(checked: Checked) -> Iterator[tuple[Path, ...]]:
    for name, window in checked.windows.items():
        yield (("windows", name),)
        if window.choose != "one":
            yield ("options", name, "done"), ("options", ANY, "done")
        for option in window.options:
            places = ((name, option.name), *([option.like] if option.like else []), (ANY, option.name))
            yield tuple(("options", *place) for place in places)
            for clause, _ in option.when:
                yield tuple(("clauses", *place, clause) for place in (*places, (ANY, ANY)))
