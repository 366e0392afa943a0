"""Scenario YAML in, scenarios with a place for every line out: what the author wrote, before anything is played."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics import Finding, Report, Sources, Span, did_you_mean
from interpreter.loader.reader import Entry, Mapping, Node, Scalar, Sequence, read_text

KEYS = (
    "scenario", "ruleset", "in", "with", "options", "players", "seed", "source", "ref", "note", "given", "when", "then",
)  # fmt: skip
STEPS = ("run", "choose", "set")
EXPECTATIONS = (
    "equal", "offered", "only_offered", "not_offered", "log", "explain", "asks", "finished", "ranks", "absent",
    "seen", "hidden",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Clause:
    """One step of `when` or one expectation of `then`: its verb, what it is about, and where it stands."""

    verb: str
    node: Node
    span: Span


@dataclass(frozen=True, slots=True)
class Scenario:
    """One example: a game, some fields set, some steps made, and what must hold then."""

    name: str
    at: Scalar
    span: Span
    ruleset: str
    ruleset_span: Span
    modules: tuple[str, ...]
    options: dict[str, str]
    players: int | tuple[str, ...] | None
    seed: int
    refs: tuple[str, ...]
    source: str
    given: tuple[tuple[Scalar, Node], ...]
    when: tuple[Clause, ...]
    then: tuple[Clause, ...]


class ShapeTrouble(Exception):
    """A part of a scenario that is not written as it should be."""

    def __init__(self, span: Span, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.finding = Finding("C101", span, message, hint)


def read_scenarios(path: Path, report: Report, sources: Sources) -> list[Scenario]:
    """All scenarios of one file; what is not well written becomes findings."""
    file = str(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        report.add(Finding("C101", Span(file, 1, 1, 1, 2), f"the file cannot be read: {trouble}"))
        return []
    sources.add(file, text)
    root = read_text(text, file, report)
    if root is None:
        return []
    found = []
    for node, defaults in _spread(root, file, report):
        try:
            found += _read_scenario(node, defaults)
        except ShapeTrouble as trouble:
            report.add(trouble.finding)
    if isinstance(root, Mapping) and "scenarios" in root.entries:
        try:
            _refuse_others(root.entries, {scenario.ruleset: 0 for scenario in found})
        except ShapeTrouble as trouble:
            report.add(trouble.finding)
    return found


def _spread(root: Node, file: str, report: Report) -> Iterator[tuple[Mapping, dict[str, Entry]]]:
    """The scenarios of a file: itself, or those under `scenarios`, which take over what stands beside that."""
    if not isinstance(root, Mapping):
        report.add(
            Finding("C101", Span(file, 1, 1, 1, 2), "a scenario file is a map that begins with 'scenario: NAME'")
        )
    elif "scenarios" not in root.entries:
        yield root, {}
    else:
        defaults = {key: entry for key, entry in root.entries.items() if key != "scenarios"}
        listed = root.entries["scenarios"].node
        for item in listed.items if isinstance(listed, Sequence) else (listed,):
            if isinstance(item, Mapping):
                yield item, defaults
            else:
                report.add(Finding("C101", item.span, "expected a scenario: a map that begins with 'scenario: NAME'"))


def _read_scenario(node: Mapping, defaults: dict[str, Entry]) -> list[Scenario]:
    """One scenario for each ruleset it names: what is the same in several is written once and shown for all."""
    entries = {**defaults, **node.entries}
    for key, entry in entries.items():
        if key not in KEYS:
            raise ShapeTrouble(entry.key.span, f"unknown key '{key}'", did_you_mean(key, KEYS))
    for key in ("scenario", "ruleset", "then"):
        if key not in entries:
            raise ShapeTrouble(node.span, f"the scenario has no '{key}'")
    named = entries["ruleset"].node
    rulesets = [as_scalar(item) for item in (named.items if isinstance(named, Sequence) else (named,))]
    if not rulesets:
        raise ShapeTrouble(named.span, "the list of rulesets is empty")
    _refuse_others(node.entries, as_texts(named))
    own = [_own_settings(part) for part in (defaults, node.entries)]
    return [_read_for(entries, ruleset, len(rulesets) > 1, own) for ruleset in rulesets]


def _own_settings(entries: dict[str, Entry]) -> dict[str, Entry]:
    """What stands under `in`, by ruleset."""
    return as_mapping(entries["in"].node).entries if "in" in entries else {}


def _refuse_others(entries: dict[str, Entry], rulesets: Iterable[str]) -> None:
    """A ruleset under `in` that nothing here is about is a slip of the pen."""
    known = tuple(rulesets)
    for key, entry in _own_settings(entries).items():
        if key not in known:
            raise ShapeTrouble(entry.key.span, f"no scenario here is about '{key}'", did_you_mean(key, known))


def _read_for(
    entries: dict[str, Entry], ruleset: Scalar, one_of_several: bool, own: list[dict[str, Entry]]
) -> Scenario:
    name = as_text(entries["scenario"].node)
    return Scenario(
        name=f"{name} ({ruleset.text})" if one_of_several else name,
        at=as_scalar(entries["scenario"].node),
        span=entries["scenario"].key.span,
        ruleset=ruleset.text,
        ruleset_span=ruleset.span,
        modules=as_texts(entries["with"].node) if "with" in entries else (),
        options={key: as_text(value) for key, value in _pairs_of(entries, "options")},
        players=_read_players(entries["players"].node) if "players" in entries else None,
        seed=_read_number(entries["seed"].node) if "seed" in entries else 1,
        refs=as_texts(entries["ref"].node) if "ref" in entries else (),
        source=as_text(entries["source"].node) if "source" in entries else "",
        given=(
            *(pair for part in own if ruleset.text in part for pair in read_settings(part[ruleset.text].node)),
            *(_read_given(entries["given"].node) if "given" in entries else ()),
        ),
        when=_read_clauses(entries["when"].node, STEPS) if "when" in entries else (),
        then=_read_clauses(entries["then"].node, EXPECTATIONS),
    )


def _read_given(node: Node) -> tuple[tuple[Scalar, Node], ...]:
    given = as_mapping(node)
    for key, entry in given.entries.items():
        if key != "set":
            raise ShapeTrouble(entry.key.span, f"unknown key '{key}' under 'given'", did_you_mean(key, ("set",)))
    return read_settings(given.entries["set"].node) if "set" in given.entries else ()


def read_settings(node: Node) -> tuple[tuple[Scalar, Node], ...]:
    """PATH: VALUE pairs."""
    return tuple((entry.key, entry.node) for entry in as_mapping(node).entries.values())


def _read_clauses(node: Node, known: tuple[str, ...]) -> tuple[Clause, ...]:
    """A list of one-key maps; a single one may stand without the list."""
    clauses = []
    for item in node.items if isinstance(node, Sequence) else (node,):
        for verb, entry in as_mapping(item).entries.items():
            if verb not in known:
                hint = did_you_mean(verb, known) or f"there are: {', '.join(known)}"
                raise ShapeTrouble(entry.key.span, f"unknown step '{verb}'", hint)
            clauses.append(Clause(verb, entry.node, entry.key.span))
    return tuple(clauses)


def _read_players(node: Node) -> int | tuple[str, ...]:
    if isinstance(node, Sequence):
        return as_texts(node)
    return _read_number(node)


def _read_number(node: Node) -> int:
    if isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return node.value
    raise ShapeTrouble(node.span, "expected a whole number")


def _pairs_of(entries: dict[str, Entry], key: str) -> list[tuple[str, Node]]:
    if key not in entries:
        return []
    return [(name, entry.node) for name, entry in as_mapping(entries[key].node).entries.items()]


def as_mapping(node: Node) -> Mapping:
    if isinstance(node, Mapping):
        return node
    raise ShapeTrouble(node.span, "expected a map: 'key: value'")


def as_scalar(node: Node) -> Scalar:
    if isinstance(node, Scalar):
        return node
    raise ShapeTrouble(node.span, "expected one value")


def as_text(node: Node) -> str:
    """The text of one value, whatever it looks like."""
    return as_scalar(node).text.strip()


def as_texts(node: Node) -> tuple[str, ...]:
    """One text or a list of texts."""
    return tuple(as_text(item) for item in node.items) if isinstance(node, Sequence) else (as_text(node),)
