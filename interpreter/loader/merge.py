"""A ruleset folder and chosen modules in, one document out: base, layers, own files and modules laid on each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from interpreter.diagnostics import Finding, Report, Sources, Span
from interpreter.loader.document import Document, Letters, ParsedFile, Touch, blame, node_at
from interpreter.loader.forms import HEAD_KEYS, SECTIONS, expand_section
from interpreter.loader.lineage import Layer, Lineage, id_span, plan_layers, words
from interpreter.loader.patch_reader import Patch, is_change, read_patch, spread_patch
from interpreter.loader.patches import Gone, apply_patch
from interpreter.loader.paths import strip_letters
from interpreter.loader.reader import Entry, Mapping, Node, Scalar, Sequence, plain
from interpreter.memory import Memory

__all__ = ["Document", "Touch", "blame", "commute", "merge_ruleset", "node_at"]

_META_SECTIONS = ("players", "options")
_NOWHERE = Span("", 1, 1, 1, 1)


def merge_ruleset(
    folder: Path,
    modules: Iterable[str | Path] = (),
    report: Report | None = None,
    sources: Sources | None = None,
    search_path: Iterable[Path | str] | None = None,
) -> Document | None:
    """The document of a ruleset played with these modules; none if it cannot be put together at all."""
    report = Report() if report is None else report
    lineage = plan_layers(folder, modules, report, Sources() if sources is None else sources, search_path)
    if lineage is None:
        return None
    found = Report()
    unread = any(finding.code.startswith("R") for finding in report.errors)
    merger = _Merger(lineage, found)
    merger.apply_all(lineage.layers)
    _check_independence(lineage, found)
    # what a patch does not find may stand in a file that could not be read
    report.extend(finding for finding in found.findings if not (unread and finding.code == "N102"))
    return merger.document()


def commute(folder: Path, first: str, second: str, search_path: Iterable[Path | str] | None = None) -> list[str]:
    """The paths that come out differently when two modules are applied in the other order; none if they commute."""
    lineage = plan_layers(folder, (first, second), Report(), Sources(), search_path)
    if lineage is None or len(lineage.chosen) != 2:
        return []
    return _differences(lineage, *lineage.chosen)


class _Merger:
    """Applies layers one after the other to a growing tree of sections."""

    def __init__(self, lineage: Lineage, report: Report) -> None:
        self.lineage = lineage
        self.report = report
        self.root = Mapping({}, _NOWHERE)
        self.text: dict[str, Mapping] = {}
        self.letters: dict[str, Letters] = {}
        self.inherited: Letters = {}
        self.touched: dict[str, list[Touch]] = {}
        self.changed: dict[str, tuple[str, Span]] = {}
        self.changed_below: dict[str, list[str]] = {}
        self.gone: Gone = {}
        self.before: dict[str, Mapping] = {}
        self.owners: dict[str, str] = {}

    def apply_all(self, layers: tuple[Layer, ...]) -> None:
        """Begins with what has been merged before for another ruleset: variants begin with the layers of their base."""
        keys = [tuple(map(_key, layers[:length])) for length in range(1, len(layers) + 1)]
        done = max((place for place, key in enumerate(keys, start=1) if key in _MERGED), default=0)
        if done:
            self._take(_MERGED[keys[done - 1]])
        for key, layer in zip(keys[done:], layers[done:], strict=True):
            self.apply(layer)
            if len(_MERGED) >= _MOST_MERGED:
                _MERGED.clear()
            _MERGED[key] = _Merger(self.lineage, Report())
            _MERGED[key]._take(self)

    def _take(self, other: _Merger) -> None:
        """All that the other one has made and found, as if it had been made here."""
        self.report.extend(other.report.findings)
        for name, value in vars(other).items():
            if isinstance(value, dict):
                value = {key: list(inner) if isinstance(inner, list) else inner for key, inner in value.items()}
            if name not in ("lineage", "report"):
                setattr(self, name, value)

    def apply(self, layer: Layer) -> None:
        """First what the layer adds, then what it changes."""
        patches: list[Patch] = []
        self.before[layer.id] = self.root
        self._read_letters(layer)
        for file in layer.files:
            self.owners[file.file] = layer.id
            if file.kind == "text":
                self._add_text(file)
            if file.kind != "rules":
                continue
            for name, entry in file.node.entries.items():
                if name == "patches" and isinstance(entry.node, Sequence):
                    listed = (single for item in entry.node.items for single in spread_patch(item))
                    read = (read_patch(single, layer.id, self.report) for single in listed)
                    patches += [patch for patch in read if patch is not None]
                elif name in SECTIONS and isinstance(entry.node, Mapping):
                    self._add_section(layer, name, entry, entry.node)
                elif name in HEAD_KEYS and file.file != layer.main_file:
                    hint = f"move it to {layer.main_file}"
                    self.report.add(Finding("M116", entry.key.span, f"'{name}' stands only in ruleset.yaml", hint))
        for patch in patches:
            self._apply_patch(patch)

    def document(self) -> Document:
        lineage, own = self.lineage, self.lineage.own
        sections = {name: e.node for name, e in self.root.entries.items() if isinstance(e.node, Mapping)}
        meta: dict[str, Node] = {name: sections.pop(name) for name in _META_SECTIONS if name in sections}
        meta.update({name: own.main.entries[name].node for name in HEAD_KEYS if name in own.main.entries})
        meta.update(lineage.inherited_meta)
        parsed = tuple(file for layer in lineage.layers for file in layer.files)
        return Document(
            id=own.id,
            main=own.main_file,
            meta=meta,
            sections=sections,
            letters=self._letters_in_use(sections.get("kinds")),
            text=self.text,
            catalogues={file: path for layer in lineage.layers for file, path in layer.catalogues.items()},
            parsed=parsed,
            files=tuple(path for layer in lineage.layers for path in layer.paths),
            folders=tuple(layer.folder for layer in lineage.layers),
            layers=tuple(layer.id for layer in lineage.layers),
            modules=tuple(layer.id for layer in lineage.chosen),
            owners=self.owners,
            touched=self.touched,
        )

    # ------------------------------------------------------------ what a layer adds
    def _add_section(self, layer: Layer, section: str, head: Entry, node: Mapping) -> None:
        node, doubled = _EXPANDED.get(section, node) or _EXPANDED.keep(section, node, _expanded(section, node))
        for first, second in doubled:
            self._report_twice(layer, section, first.key.span, second.key)
        known = self.root.entries.get(section)
        if known is None or not isinstance(known.node, Mapping):
            merged = node
        elif section == "components":
            merged = self._join_kinds(layer, known.node, node)
        else:
            merged = self._join(layer, section, known.node, node)
        entry = Entry(head.key if known is None else known.key, merged)
        self.root = replace(self.root, entries={**self.root.entries, section: entry})

    def _join(self, layer: Layer, path: str, old: Mapping, new: Mapping) -> Mapping:
        entries = dict(old.entries)
        for name, entry in new.entries.items():
            known = entries.setdefault(name, entry)
            if known is not entry:
                self._report_twice(layer, path, known.key.span, entry.key)
        return replace(old, entries=entries)

    def _join_kinds(self, layer: Layer, old: Mapping, new: Mapping) -> Mapping:
        """Things of one kind may be spread over files and layers."""
        entries = dict(old.entries)
        for kind, entry in new.entries.items():
            known = entries.setdefault(kind, entry)
            if known is not entry and isinstance(known.node, Mapping) and isinstance(entry.node, Mapping):
                joined = self._join(layer, f"components.{kind}", known.node, entry.node)
                entries[kind] = Entry(known.key, joined)
        return replace(old, entries=entries)

    def _report_twice(self, layer: Layer, section: str, first: Span, key: Scalar) -> None:
        name = key.text.split("(")[0].strip()
        owner = self.owners.get(first.file)
        hint = "give one of them another name"
        if owner != layer.id:
            hint = f"to change what {owner} says, write a patch: '- replace: {section}.{name}'"
        message = f"'{name}' is defined twice in {section}"
        self.report.add(Finding("M101", key.span, message, hint, ((first, "first defined here"),)))

    def _add_text(self, file: ParsedFile) -> None:
        """A later layer's words win: texts are no rules and never conflict."""
        language = file.file.rsplit("/", 1)[-1].removesuffix(".yaml")
        self.text[language] = _overlay(self.text.get(language), file.node)

    # ------------------------------------------------------------ letters
    def _read_letters(self, layer: Layer) -> None:
        files = [file for file in layer.files if file.kind == "rules"]
        wide = self.inherited
        for file in files:
            if file.file == layer.main_file:
                wide = self._with_letters(wide, file)
        for file in files:
            own = wide if file.file == layer.main_file else self._with_letters(wide, file)
            self.letters[file.file] = own
        if not layer.is_module:
            self.inherited = wide

    def _with_letters(self, known: Letters, file: ParsedFile) -> Letters:
        entry = file.node.entries.get("names")
        if entry is None or not isinstance(entry.node, Mapping):
            return known
        letters = {kind: list(scalars) for kind, scalars in known.items()}
        kinds = {letter.text: (kind, letter) for kind, scalars in known.items() for letter in scalars}
        for kind, of_kind in entry.node.entries.items():
            for letter in words(of_kind.node):
                other, first = kinds.setdefault(letter.text, (kind, letter))
                if other != kind:
                    message = f"'{letter.text}' stands for {other} already and cannot stand for {kind}"
                    note = ((first.span, f"{other} here"),)
                    self.report.add(Finding("M112", letter.span, message, "choose another letter", note))
                elif letter.text not in [scalar.text for scalar in letters.get(kind, [])]:
                    letters.setdefault(kind, []).append(letter)
        return letters

    def _letters_in_use(self, kinds: Mapping | None) -> dict[str, Letters]:
        """A kind that a patch took away takes its letters with it."""
        gone = {f"kinds.{kind}" for letters in self.letters.values() for kind in letters} & self.changed.keys()
        gone -= {f"kinds.{kind}" for kind in (kinds.entries if kinds else ())}
        return {
            file: {kind: of_kind for kind, of_kind in letters.items() if f"kinds.{kind}" not in gone}
            for file, letters in self.letters.items()
        }

    # ------------------------------------------------------------ what a layer changes
    def _apply_patch(self, patch: Patch) -> None:
        applied = apply_patch(self.root, patch, self.report, self.gone, self.before.get)
        if applied is None:
            return
        self.root = applied.root
        if patch.operation == "remove":
            self.gone[applied.path] = (patch.layer, patch.target.span)
        elif patch.operation == "restore":
            self.gone.pop(applied.path, None)
        changed = f"move {applied.path}" if patch.operation == "move" else applied.path
        if is_change(patch):
            self._check_conflict(patch, changed)
        if is_change(patch) or patch.operation == "edit":
            self.changed[changed] = (patch.layer, patch.target.span)
            for upper in _uppers(changed):
                self.changed_below.setdefault(upper, []).append(changed)
        history = self.touched.setdefault(applied.path, [])
        if not history and applied.before is not None:
            history.append(Touch(self.owners.get(applied.before.file, patch.layer), applied.before, None))
        history.append(Touch(patch.layer, patch.target.span, patch.because))

    def _check_conflict(self, patch: Patch, path: str) -> None:
        met: set[str] = set()
        uppers = [upper for upper in _uppers(path) if upper in self.changed]
        for other in (*uppers, *([path] if path in self.changed else []), *self.changed_below.get(path, ())):
            layer, span = self.changed[other]
            met.add(layer)
            if layer != patch.layer and layer in [scalar.text for scalar in patch.over]:
                continue
            message = f"'{patch.target.text}' is changed twice"
            hint = "keep one of the two patches"
            if layer != patch.layer:
                message = f"'{patch.target.text}' is already changed by {layer}"
                hint = f"add 'over: {layer}' if this patch shall win"
            self.report.add(Finding("M102", patch.target.span, message, hint, ((span, "changed here first"),)))
        for scalar in patch.over:
            if scalar.text not in met:
                message = f"{scalar.text} does not change '{patch.target.text}'"
                hint = "remove 'over', or name the layer that does" if not met else f"did you mean '{sorted(met)[0]}'?"
                self.report.add(Finding("M113", scalar.span, message, hint))


_MERGED: dict[tuple[object, ...], _Merger] = {}
_MOST_MERGED = 50


def _key(layer: Layer) -> tuple[object, ...]:
    """What a layer is made of; a merger keeps its layers, so no other node can take the place of one of theirs."""
    files = tuple((file.file, file.kind, id(file.node)) for file in layer.files)
    return layer.id, layer.is_module, layer.main_file, files


_EXPANDED: Memory[tuple[Mapping, list[tuple[Entry, Entry]]]] = Memory()


def _expanded(section: str, node: Mapping) -> tuple[Mapping, list[tuple[Entry, Entry]]]:
    stripped, doubled = strip_letters(section, node)
    return expand_section(section, stripped), doubled


def _uppers(path: str) -> list[str]:
    """The paths above a path, from the top."""
    parts = path.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def _overlay(old: Node | None, new: Mapping) -> Mapping:
    if not isinstance(old, Mapping):
        return new
    entries = dict(old.entries)
    for name, entry in new.entries.items():
        known = entries.get(name)
        if known is not None and isinstance(entry.node, Mapping):
            entry = Entry(entry.key, _overlay(known.node, entry.node))
        entries[name] = entry
    return replace(old, entries=entries)


def _check_independence(lineage: Lineage, report: Report) -> None:
    """Modules that promise to commute are merged in both orders."""
    by_id = {layer.id: layer for layer in lineage.layers if layer.is_module}
    for layer in by_id.values():
        entry = layer.main.entries.get("independent_of")
        for other in words(entry.node) if entry else ():
            if other.text not in by_id or other.text == layer.id:
                continue
            paths = _differences(lineage, layer, by_id[other.text])
            if paths:
                message = f"in the other order {layer.id} and {other.text} make another '{paths[0]}'"
                hint = "change one of them, or remove the promise"
                note = (id_span(by_id[other.text]), "the other one")
                report.add(Finding("M114", other.span, message, hint, (note,)))


def _differences(lineage: Lineage, first: Layer, second: Layer) -> list[str]:
    swap = {first.id: second, second.id: first}
    orders = (lineage.layers, tuple(swap.get(layer.id, layer) for layer in lineage.layers))
    results = []
    for order in orders:
        merger = _Merger(lineage, Report())
        merger.apply_all(order)
        results.append(plain(merger.root))
    return _compare(results[0], results[1], "")


def _compare(one: object, two: object, path: str) -> list[str]:
    """Paths at which two plain trees differ; the order counts where a game can see it."""
    if not (isinstance(one, dict) and isinstance(two, dict)):
        return [] if one == two else [path]
    dotted = f"{path}." if path else ""
    found = [f"{dotted}{name}" for name in {**one, **two} if (name in one) != (name in two)]
    for name in one:
        if name in two:
            found += _compare(one[name], two[name], f"{dotted}{name}")
    steps = path.startswith("phases.") or path.endswith((".options", ".effects"))
    return found or ([path] if steps and list(one) != list(two) else [])
