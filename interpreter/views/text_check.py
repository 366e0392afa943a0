"""The texts of a checked ruleset in, findings out: a text or a column that names nothing would never be shown."""

from collections.abc import Callable, Iterable, Iterator

from interpreter.checker.checked import Checked
from interpreter.checker.types import Flag, Thing
from interpreter.diagnostics import Finding, Report, did_you_mean
from interpreter.loader.reader import Entry, Mapping, Node, Scalar, Sequence
from interpreter.views.templates import read_slot, slots_of, without_slots
from interpreter.views.words import ANY

SECTIONS = (
    "names",
    "about",
    "fields",
    "windows",
    "options",
    "choices",
    "clauses",
    "moments",
    "phases",
    "quantities",
    "constants",
    "values",
    "views",
    "maps",
    "help",
    "interpreter",
)


def check_text(
    checked: Checked, texts: dict[str, Mapping], report: Report, inherited: frozenset[str] = frozenset()
) -> None:
    """Check the texts of every language against what the ruleset has; inherited files may name what a patch removed."""
    for text in texts.values():
        checker = _TextChecker(checked, report, inherited)
        for name, entry in text.entries.items():
            check = checker.sections.get(name)
            if check is not None and isinstance(entry.node, Mapping):
                check(entry.node)


class _TextChecker:
    def __init__(self, checked: Checked, report: Report, inherited: frozenset[str]) -> None:
        self.inherited = inherited
        self.checked = checked
        self.world = checked.world
        self.report = report
        self.phases = {name: routine for name, routine in checked.routines.items() if routine.phase}
        self.sections: dict[str, Callable[[Mapping], None]] = {
            "names": self._names,
            "about": self._names,
            "fields": self._fields,
            "windows": self._windows,
            "help": lambda node: self._flat(node, checked.windows, "window"),
            "options": self._options,
            "choices": self._choices,
            "clauses": self._clauses,
            "moments": self._moments,
            "phases": self._phases,
            "quantities": lambda node: self._flat(node, checked.quantities, "quantity"),
            "constants": lambda node: self._flat(node, self.world.constants, "constant"),
            "values": self._values,
            "views": self._views,
            "maps": self._maps,
        }

    def _known(self, node: Mapping, known: Iterable[str], what: str) -> Iterator[tuple[str, Entry]]:
        """The entries whose key is known; the others are reported."""
        words = list(known)
        for key, entry in node.entries.items():
            if key in words:
                yield key, entry
            elif entry.key.span.file not in self.inherited:
                self._add(
                    "V101", entry.key, f"a text for the {what} '{key}', which does not exist", did_you_mean(key, words)
                )

    def _add(self, code: str, at: Scalar, message: str, hint: str | None) -> None:
        if at.span.file not in self.inherited:  # what a patch has removed is no mistake of the text below it
            self.report.add(Finding(code, at.span, message, hint, (), "warning"))

    def _flat(self, node: Mapping, known: Iterable[str], what: str) -> None:
        for _ in self._known(node, known, what):
            pass

    def _names(self, node: Mapping) -> None:
        for kind, entry in self._known(node, self.world.kinds, "kind"):
            if isinstance(entry.node, Mapping):
                ids = self.world.thing_ids(kind, max(self.world.player_counts))
                self._flat(entry.node, ids, kind)
            elif isinstance(entry.node, Scalar):
                self._slots(entry.node, [axis.name for axis in self.world.kinds[kind].coordinates] + ["type", "copy"])

    def _fields(self, node: Mapping) -> None:
        for kind, entry in self._known(node, self.world.kinds, "kind"):
            if isinstance(entry.node, Mapping):
                self._flat(entry.node, self._fields_of(kind), f"field of {kind}")

    def _fields_of(self, kind: str) -> list[str]:
        info = self.world.kinds[kind]
        built_in = {"pieces": ["type", "copy"], "seats": ["seat"]}.get(info.form, [])
        return [*info.state, *info.facts, *(axis.name for axis in info.coordinates), *built_in]

    def _shown_of(self, kind: str) -> list[str]:
        """What a view can show of a thing: facts are not part of a game's state, a quantity can read them."""
        return [name for name in self._fields_of(kind) if name not in self.world.kinds[kind].facts and name != "seat"]

    def _windows(self, node: Mapping) -> None:
        for name, entry in self._known(node, self.checked.windows, "window"):
            window = self.checked.windows[name]
            kept = [variable.name for variable, _ in window.keeps]
            self._slots(entry.node, [*(variable.name for variable in window.params), *kept])

    def _picks(self, window: str) -> dict[str, list[str]]:
        """The picks of every option of a window, or of all windows: what stands for `any` must fit one of them."""
        names = self.checked.windows if window == ANY else [window]
        picks: dict[str, list[str]] = {"done": []}
        for name in names:
            for option in self.checked.windows[name].options:
                own = [variable.name for variable, _ in option.picks]
                picks.setdefault(option.name, []).extend([*own, "by"] if option.source else own)
        return picks

    def _options(self, node: Mapping) -> None:
        for window, entry in self._known(node, [*self.checked.windows, ANY], "window"):
            if isinstance(entry.node, Mapping):
                picks = self._picks(window)
                for name, inner in self._known(entry.node, picks, f"option of {window}"):
                    self._slots(inner.node, picks[name])

    def _choices(self, node: Mapping) -> None:
        for window, entry in self._known(node, [*self.checked.windows, ANY], "window"):
            if isinstance(entry.node, Mapping):
                picks = self._picks(window)
                for name, inner in self._known(entry.node, [*picks, ANY], f"option of {window}"):
                    self._slots(inner.node, ["seat", *picks.get(name, [])])

    def _clauses_of(self, window: str, option: str) -> list[str]:
        names = self.checked.windows if window == ANY else [window]
        found = [one for name in names for one in self.checked.windows[name].options if option in (ANY, one.name)]
        return list(dict.fromkeys(clause for one in found for clause, _ in one.when))

    def _clauses(self, node: Mapping) -> None:
        for window, entry in self._known(node, [*self.checked.windows, ANY], "window"):
            if isinstance(entry.node, Mapping):
                known = [*self._picks(window), *([ANY] if window == ANY else [])]
                for name, inner in self._known(entry.node, known, f"option of {window}"):
                    if isinstance(inner.node, Mapping):
                        self._flat(inner.node, self._clauses_of(window, name), f"clause of {window}.{name}")

    def _moments(self, node: Mapping) -> None:
        for name, entry in self._known(node, self.checked.moments, "moment"):
            self._slots(entry.node, [variable.name for variable in self.checked.moments[name].params])

    def _phases(self, node: Mapping) -> None:
        for name, entry in self._known(node, self.phases, "phase"):
            self._slots(entry.node, [variable.name for variable in self.phases[name].params])

    def _values(self, node: Mapping) -> None:
        for option, entry in self._known(node, self.world.options, "option of the game"):
            if isinstance(entry.node, Mapping):
                self._flat(entry.node, map(str, self.world.options[option]), f"value of {option}")

    def _maps(self, node: Mapping) -> None:
        for network, entry in self._known(node, self.checked.networks, "network"):
            if isinstance(entry.node, Mapping):
                kind = self.checked.networks[network].nodes
                ids = self.world.thing_ids(kind, max(self.world.player_counts))
                for key, inner in self._known(entry.node, [*ids, "legend"], kind):
                    if key == "legend" and isinstance(inner.node, Mapping):
                        joins = getattr(self.checked.networks[network].edges.source.type, "item", None)
                        facts = self.world.kinds[joins.kind].facts if isinstance(joins, Thing) else {}
                        flags = [name for name, fact in facts.items() if isinstance(fact.type, Flag)]
                        self._flat(inner.node, ["none", *flags], "flag of a link")

    def _slots(self, node: Node, known: list[str]) -> None:
        if isinstance(node, Scalar):
            for text in slots_of(node.text):
                slot = read_slot(text)
                if slot is None:
                    hint = "write {NAME}, or {NAME|FORM FOR 1|OTHER FORM} with forms like 0=none before them"
                    self._add("V101", node, f"'{{{text}}}' cannot be read", hint)
                    continue
                for name in [slot.path[0], *slot.count[:1]]:
                    if name in known or name.isdecimal():
                        continue
                    hint = did_you_mean(name, known) or (
                        f"there are: {', '.join(dict.fromkeys(known))}" if known else "there is nothing to fill in here"
                    )
                    self._add("V101", node, f"'{{{text}}}' stands for nothing", hint)
            if {"{", "}"} & set(without_slots(node.text)):
                self._add("V101", node, "a '{' or '}' stands alone", "write {NAME} with both of them")

    # ------------------------------------------------------------ views
    def _views(self, node: Mapping) -> None:
        for entry in node.entries.values():
            if isinstance(entry.node, Mapping):
                self._view(entry.node)

    def _view(self, node: Mapping) -> None:
        rows = node.entries.get("rows")
        if rows is None or not isinstance(rows.node, Scalar):
            return  # only a title in another language; what it belongs to has the rows
        kind = rows.node.text
        if kind not in self.world.kinds and rows.node.span.file in self.inherited:
            return  # it went with its kind
        if kind not in self.world.kinds:
            self._add("V102", rows.node, f"no kind is called '{kind}'", did_you_mean(kind, self.world.kinds))
            return
        if "at" in node.entries:
            for window in _scalars(node.entries["at"].node):
                if window.text not in self.checked.windows:
                    hint = did_you_mean(window.text, self.checked.windows)
                    self._add("V102", window, f"no window is called '{window.text}'", hint)
        for name in ("only", "by", "own"):
            if name in node.entries and isinstance(path := node.entries[name].node, Scalar):
                self._path(kind, path)
        if "columns" in node.entries:
            for column in _scalars(node.entries["columns"].node):
                self._path(kind, column)

    def _path(self, kind: str, path: Scalar) -> None:
        """A column is a field of the row or of a thing it leads to, or a quantity (`name()` beside such a field)."""
        if path.text.endswith("()") and path.text[:-2] in self.checked.quantities:
            self._quantity(kind, path)
            return
        current: str | None = kind
        for part in path.text.split("."):
            fields = self._shown_of(current) if current else []
            if part in fields and current is not None:
                current = self._kind_of_field(current, part)
            elif part == path.text and part in self.checked.quantities:
                self._quantity(kind, path)
                return
            else:
                known = [*fields, *(self.checked.quantities if part == path.text else [])]
                self._add(
                    "V102",
                    path,
                    f"a {current or 'number'} has no field '{part}', and no quantity is called so",
                    did_you_mean(part, known),
                )
                return

    def _quantity(self, kind: str, path: Scalar) -> None:
        params = self.checked.quantities[path.text.removesuffix("()")].params
        if len(params) > 1 or (len(params) == 1 and getattr(params[0].type, "kind", None) != kind):
            self._add("V102", path, f"the quantity '{path.text}' is not about one {kind}", None)

    def _kind_of_field(self, kind: str, name: str) -> str | None:
        info = self.world.kinds[kind]
        if name == "type" and info.form == "pieces":
            return info.pieces_of
        for axis in info.coordinates:
            if axis.name == name:
                return axis.kind
        declared = info.state.get(name) or info.facts.get(name)
        return getattr(declared.type, "kind", None) if declared else None


def _scalars(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case Sequence(items=items):
            for item in items:
                yield from _scalars(item)
        case Mapping(entries=entries):
            for entry in entries.values():
                yield from _scalars(entry.node)
