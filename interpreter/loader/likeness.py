"""What is `like` something else in, the whole of it out: components with keys of a sibling, options of another."""

from collections.abc import Iterator

from interpreter.diagnostics import Finding, Report, did_you_mean
from interpreter.loader.reader import Entry, Mapping, Node, Scalar

Path = tuple[str, str]  # window, option


def component_parts(listed: dict[str, Entry]) -> dict[str, dict[str, Entry]]:
    """Every component's own keys over those of the sibling it is `like`."""
    parts: dict[str, dict[str, Entry]] = {}
    for name in listed:
        _inherit(name, listed, parts)
    return parts


def _inherit(name: str, listed: dict[str, Entry], parts: dict[str, dict[str, Entry]]) -> None:
    """Each is worked out once."""
    chain, seen = [name], {name}
    while (like := _like(listed[chain[-1]].node)) is not None:
        if like.text not in listed or like.text in seen or like.text in parts:
            break
        chain.append(like.text)
        seen.add(like.text)
    below = parts.get(like.text, {}) if like is not None else {}
    for link in reversed(chain):
        below = {**below, **_entries(listed[link].node)}
        parts.setdefault(link, below)


class OptionLikeness:
    """The options of all windows, each with what it takes over from the option it is `like`."""

    def __init__(self, windows: Node | None, report: Report) -> None:
        self.written = dict(_options(windows))
        self.report = report
        self._whole: dict[Path, Entry] = {}

    def whole(self, window: str, name: str) -> Entry:
        """The option as it stands after everything it is `like`: its own picks, clauses and texts win."""
        chain: list[Path] = []
        here: Path | None = (window, name)
        while here is not None and here not in self._whole:
            if here in chain:
                self._report_ring(chain[chain.index(here) :])
                break
            chain.append(here)
            here = self._above(here)
        for path in reversed(chain):
            above = self._above(path)
            below = None if above is None else self._whole.get(above)
            entry = self.written[path]
            self._whole[path] = entry if below is None else Entry(entry.key, _over(below, entry))
        return self._whole[window, name]

    def origin(self, window: str, name: str) -> Path | None:
        """The option this one is `like`."""
        return self._above((window, name))

    def check(self) -> None:
        """Report every option that is like one that does not exist."""
        for entry in self.written.values():
            like = _like(entry.node)
            if like is not None and _split(like) not in self.written:
                known = [".".join(path) for path in self.written]
                hint = did_you_mean(like.text, known) or "write 'like: WINDOW.OPTION'"
                self.report.add(Finding("N120", like.span, f"no option is called '{like.text}'", hint))

    def _above(self, path: Path) -> Path | None:
        like = _like(self.written[path].node)
        above = None if like is None else _split(like)
        return above if above in self.written else None

    def _report_ring(self, ring: list[Path]) -> None:
        names = " -> ".join(".".join(path) for path in [*ring, ring[0]])
        like = _like(self.written[ring[0]].node)
        assert like is not None
        message = f"these options are like each other: {names}"
        self.report.add(Finding("N120", like.span, message, "one of them must stand by itself"))


def _over(below: Entry, above: Entry) -> Node:
    """The keys of both; picks and clauses are laid over each other one by one, citations are not taken over."""
    merged = {key: entry for key, entry in _entries(below.node).items() if key not in ("like", "ref", "note")}
    for key, entry in _entries(above.node).items():
        under = merged.get(key)
        if key in ("pick", "when") and under is not None and isinstance(entry.node, Mapping):
            entry = Entry(entry.key, Mapping({**_entries(under.node), **entry.node.entries}, entry.node.span))
        merged[key] = entry
    return Mapping(merged, above.node.span)


def _options(windows: Node | None) -> Iterator[tuple[Path, Entry]]:
    for window, entry in _entries(windows).items():
        options = _entries(entry.node).get("options")
        for name, option in _entries(None if options is None else options.node).items():
            yield (window, name), option


def _split(like: Scalar) -> Path:
    window, _, option = like.text.partition(".")
    return window, option


def _like(node: Node) -> Scalar | None:
    entry = _entries(node).get("like")
    return entry.node if entry is not None and isinstance(entry.node, Scalar) and entry.node.value is not None else None


def _entries(node: Node | None) -> dict[str, Entry]:
    return dict(node.entries) if isinstance(node, Mapping) else {}
