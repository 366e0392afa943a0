"""A ruleset folder and chosen modules in, the layers to apply in order out, each with its files read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from interpreter import places
from interpreter.diagnostics import Finding, Report, RulesetNotFound, Sources, Span
from interpreter.loader.document import ParsedFile
from interpreter.loader.library import MAIN_FILE, find_ruleset, home_of
from interpreter.loader.reader import Mapping, Node, Scalar, Sequence, list_files, read_folder, shown_path
from interpreter.records import dataclass

_ID = re.compile(r"[^\W\d]\w*")
MOST_BASES = 20
_INHERITED_KEYS = ("edition",)
_RULESET_ONLY = ("extends", "layers", "modules", "abstract", "edition")
_MODULE_ONLY = ("fits", "excludes", "independent_of")


@dataclass(frozen=True, slots=True)
class Layer:
    """One folder, read: a ruleset's own files, or a module (or another ruleset) that is laid on top of one."""

    id: str
    folder: Path
    is_module: bool
    main_file: str
    main: Mapping
    files: tuple[ParsedFile, ...]
    catalogues: dict[str, Path]
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Lineage:
    """Everything to apply, in order; `own` is the ruleset itself, `chosen` the modules on top."""

    own: Layer
    layers: tuple[Layer, ...]
    chosen: tuple[Layer, ...]
    inherited_meta: dict[str, Node]


def plan_layers(
    folder: Path,
    modules: Iterable[str | Path],
    report: Report,
    sources: Sources,
    search_path: Iterable[Path | str] | None,
) -> Lineage | None:
    """Base first, then layers, then the ruleset, then chosen modules; none if a part is missing."""
    given = tuple(places.search_path() if search_path is None else search_path)
    return _Planner(report, sources, (folder, *home_of(folder), *given)).plan(folder, modules)


def words(node: Node | None) -> tuple[Scalar, ...]:
    """The names in a list, or the one name there is."""
    match node:
        case Scalar(value=str()):
            return (node,)
        case Sequence(items=items):
            return tuple(item for item in items if isinstance(item, Scalar) and isinstance(item.value, str))
        case _:
            return ()


class _Planner:
    def __init__(self, report: Report, sources: Sources, search_path: tuple[Path | str, ...]) -> None:
        self.report = report
        self.sources = sources
        self.search_path = search_path
        self.layers: dict[str, Layer] = {}
        self.rulesets: list[Layer] = []

    def plan(self, folder: Path, modules: Iterable[str | Path]) -> Lineage | None:
        own = self._read(folder)
        if own is None:
            return None
        if own.is_module:
            fits = ", ".join(scalar.text for scalar in _named(own, "fits")) or "a ruleset"
            hint = f"choose it as a module of {fits}"
            self._add("M108", id_span(own), f"{own.id} is a module and cannot be played by itself", hint)
            return None
        if not self._add_ruleset(own, ()):
            return None
        chosen = self._choose(own, modules)
        self._check_known_modules()
        self._check_excludes()
        return Lineage(own, tuple(self.layers.values()), chosen, self._inherit_meta(own))

    def _add(self, code: str, span: Span, message: str, hint: str | None = None, *related: tuple[Span, str]) -> None:
        self.report.add(Finding(code, span, message, hint, related))

    # ------------------------------------------------------------ a ruleset and what it stands on
    def _add_ruleset(self, layer: Layer, above: tuple[Layer, ...]) -> bool:
        base = _named(layer, "extends")
        fine = not base or self._add_base(layer, base[0], above)
        self.rulesets.append(layer)
        for name in _named(layer, "layers"):
            module = self._fetch_named(name)
            fine = module is not None and self._add_module(module, name.span, ("layers", layer)) and fine
        if layer.id in self.layers:
            self._add("M104", id_span(layer), f"two rulesets are called {layer.id}", "give one of them another id")
            return False
        self.layers[layer.id] = layer
        return fine

    def _add_base(self, layer: Layer, name: Scalar, above: tuple[Layer, ...]) -> bool:
        base = self._fetch_named(name)
        if base is None:
            return False
        if base.is_module:
            self._add("M108", name.span, f"{base.id} is a module", "list it under 'layers' instead")
            return False
        ring = [*above, layer]
        if len(ring) > MOST_BASES:
            self._add("M104", name.span, f"more than {MOST_BASES} rulesets extend each other")
            return False
        if base.folder.resolve() in [other.folder.resolve() for other in ring]:
            names = " -> ".join([*(other.id for other in ring), base.id])
            back = _named(base, "extends")[0].span
            message, hint = f"rulesets extend each other: {names}", "one of them must stand by itself"
            self._add("M104", name.span, message, hint, (back, f"{base.id} goes on here"))
            return False
        return self._add_ruleset(base, tuple(ring))

    def _fetch_named(self, name: Scalar) -> Layer | None:
        """A ruleset that another one names: only by its name, never by a path."""
        return self._fetch(name.text, name.span) if self._is_known(name) else None

    def _is_known(self, name: Scalar) -> bool:
        if not _ID.fullmatch(name.text):
            self._add("M103", name.span, f"'{name.text}' is not the name of a ruleset or module")
            return False
        return self._look_up(name.text, name.span) is not None

    def _fetch(self, name: str | Path, span: Span) -> Layer | None:
        folder = self._look_up(name, span)
        return None if folder is None else self._read(folder)

    def _look_up(self, name: str | Path, span: Span) -> Path | None:
        try:
            return find_ruleset(name, self.search_path)
        except RulesetNotFound as problem:
            what, _, hint = str(problem).partition("; ")
            self._add("M103", span, what.replace("no ruleset is", "no ruleset or module is"), hint or None)
            return None

    # ------------------------------------------------------------ modules
    def _choose(self, own: Layer, modules: Iterable[str | Path]) -> tuple[Layer, ...]:
        chosen = []
        for name in modules:
            module = self._fetch(name, id_span(own))
            if module is not None and self._add_module(module, id_span(own), ("chosen", own)):
                chosen.append(module)
        return tuple(chosen)

    def _add_module(self, module: Layer, span: Span, how: tuple[str, Layer]) -> bool:
        _, ruleset = how
        if module.id in self.layers:
            self._add("M107", span, f"{module.id} is applied already", "name it once")
            return False
        if not module.is_module:
            return self._add_variant(module, span, how)
        fits = _named(module, "fits")
        lineage = [layer.id for layer in self.rulesets]
        listed = any(module.id == name.text for layer in self.rulesets for name in _named(layer, "modules"))
        if fits and not listed and not {name.text for name in fits} & set(lineage):
            names = ", ".join(name.text for name in fits)
            said = (fits[0].span, f"{module.id} says so here")
            self._add("M105", span, f"{module.id} does not fit {ruleset.id}", f"it fits {names}", said)
            return False
        self.layers[module.id] = module
        return True

    def _add_variant(self, variant: Layer, span: Span, how: tuple[str, Layer]) -> bool:
        """A ruleset that changes a game goes on top of that game, or of another variant of it, as a module does."""
        way, ruleset = how
        base = _named(variant, "extends")
        found = self.layers.get(base[0].text) if base else None
        if not base or (found is not None and "abstract" in found.main.entries):
            hint = "write 'extends' to build on it" if way == "layers" else "play it without the other one"
            self._add("M108", span, f"{variant.id} is a game of its own, no module and no variant", hint)
            return False
        if found is None:
            said = (base[0].span, f"{variant.id} says so here")
            hint = f"it builds on {base[0].text}, which is not among the layers before it"
            self._add("M105", span, f"{variant.id} does not fit {ruleset.id}", hint, said)
            return False
        for name in _named(variant, "layers"):
            module = None if name.text in self.layers else self._fetch_named(name)
            if module is not None and not self._add_module(module, name.span, how):
                return False
        self.layers[variant.id] = replace(variant, is_module=True)
        return True

    def _check_known_modules(self) -> None:
        """A name under `modules`, `excludes` or `independent_of` that nobody has is a slip of the pen."""
        for layer in self.layers.values():
            keys = ("independent_of", "excludes") if layer.is_module else ("modules",)
            for name in (scalar for key in keys for scalar in _named(layer, key)):
                self._is_known(name)

    def _check_excludes(self) -> None:
        for layer in self.layers.values():
            for name in _named(layer, "excludes"):
                if name.text in self.layers:
                    other = self.layers[name.text]
                    message = f"{layer.id} cannot be combined with {name.text}"
                    self._add("M106", name.span, message, "leave one of them out", (id_span(other), "the other one"))

    # ------------------------------------------------------------ one folder
    def _read(self, folder: Path) -> Layer | None:
        shown = shown_path(folder)
        main_file = MAIN_FILE if shown == "." else f"{shown}/{MAIN_FILE}"
        names = list_files(folder)
        wanted = [name for name in names if _kind_of(name) != "catalogue"]
        files = read_folder(folder, self.report, self.sources, shown, wanted)
        main = files.get(MAIN_FILE)
        if main is None:
            if not (folder / MAIN_FILE).is_file():
                self._add("M115", Span(main_file, 1, 1, 1, 1), "a ruleset has a file ruleset.yaml")
            return None
        heads = [name for name in ("ruleset", "module") if name in main.entries]
        node = main.entries[heads[0]].node if heads else None
        if len(heads) != 1 or not isinstance(node, Scalar) or not _ID.fullmatch(node.text):
            start = replace(main.span, end_line=main.span.line, end_col=main.span.col + 1)
            span = main.entries[heads[-1]].key.span if heads else start
            hint = "begin with 'ruleset: NAME' (or 'module: NAME'): letters, digits and '_'"
            self._add("M115", span, "ruleset.yaml gives one id", hint)
            return None
        self._check_heads(main, heads[0])
        prefix = main_file.removesuffix(MAIN_FILE)
        parsed = tuple(ParsedFile(node.text, _kind_of(name), prefix + name, file) for name, file in files.items())
        catalogues = {prefix + name: folder / name for name in names if name not in wanted}
        paths = tuple(folder / name for name in wanted)
        return Layer(node.text, folder, heads[0] == "module", main_file, main, parsed, catalogues, paths)

    def _check_heads(self, main: Mapping, head: str) -> None:
        wrong = _RULESET_ONLY if head == "module" else _MODULE_ONLY
        for name in wrong:
            if name in main.entries:
                self._add("M116", main.entries[name].key.span, f"'{name}' has no meaning in a {head}", "remove it")

    def _inherit_meta(self, own: Layer) -> dict[str, Node]:
        """The edition of the nearest ruleset that names one, and the modules of all of them."""
        meta: dict[str, Node] = {}
        for layer in reversed(self.rulesets):
            for name in _INHERITED_KEYS:
                if name in layer.main.entries and name not in own.main.entries:
                    meta.setdefault(name, layer.main.entries[name].node)
        modules = {name.text: name for layer in self.rulesets for name in _named(layer, "modules")}
        if modules:
            meta["modules"] = Sequence(tuple(modules.values()), next(iter(modules.values())).span)
        return meta


def _kind_of(name: str) -> str:
    if name.startswith("text/"):
        return "text"
    if name == "sources.yaml":
        return "sources"
    return "catalogue" if name.rsplit("/", 1)[-1].startswith("catalogue") else "rules"


def _named(layer: Layer, key: str) -> tuple[Scalar, ...]:
    entry = layer.main.entries.get(key)
    return words(entry.node) if entry else ()


def id_span(layer: Layer) -> Span:
    """Where a layer says what it is called."""
    return layer.main.entries["module" if "module" in layer.main.entries else "ruleset"].node.span
