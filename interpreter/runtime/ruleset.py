"""A ruleset ready to be played: a name or path in, games out. A warm start reads nothing but the cache."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.compiler.cache import Cache, fingerprint, snapshot
from interpreter.compiler.program import Part, Program
from interpreter.diagnostics import Sources, did_you_mean
from interpreter.loader.library import find_ruleset
from interpreter.places import shown_path
from interpreter.runtime.game import Game
from interpreter.runtime.machine import Machine

if TYPE_CHECKING:
    from interpreter.compiler.extension import Extension
    from interpreter.pipeline import Front


class Unplayable(ValueError):
    """The ruleset is fine but cannot be played as asked: a number of players or an option it does not have."""


def load(
    name_or_path: str | Path, modules: Iterable[str] = (), search_path: Iterable[Path | str] | None = None
) -> Ruleset:
    """A ruleset by name or folder, with modules on top. Raises RulesetNotFound or RulesetInvalid."""
    folder = find_ruleset(name_or_path, search_path)
    return Ruleset(folder, tuple(modules), None if search_path is None else tuple(Path(p) for p in search_path))


class Ruleset:
    def __init__(self, folder: Path, modules: tuple[str, ...], search_path: tuple[Path, ...] | None) -> None:
        self.folder = folder
        self.modules = modules
        self.search_path = search_path
        self._cache = Cache()
        self._machines: dict[tuple[Any, ...], Machine] = {}
        self._extensions: dict[int, Extension] = {}
        key = ("outline", str(folder.resolve()), shown_path(folder), modules)
        outline = self._cache.load(*key)
        if (
            outline is None
            or snapshot(map(Path, outline["files"]), map(Path, outline["folders"])) != outline["snapshot"]
        ):
            outline = self._outline()
            self._cache.store(outline, *key)
        self.outline: dict[str, Any] = outline
        self.id: str = outline["id"]
        self.title: str = outline["title"]
        self.about: str = outline["about"]
        self.players: tuple[int, ...] = tuple(outline["players"])
        self.seats: tuple[str, ...] = tuple(outline["seats"])
        self.options: dict[str, tuple[str | int, ...]] = {k: tuple(v) for k, v in outline["options"].items()}
        self.fingerprint: str = outline["fingerprint"]
        self.languages: tuple[str, ...] = tuple(outline["texts"])
        self.files: tuple[Path, ...] = tuple(Path(f) for f in outline["files"])
        self.folders: tuple[Path, ...] = tuple(Path(f) for f in outline["folders"])
        self.warnings: str = outline["warnings"]

    @cached_property
    def front(self) -> Front:
        """What the front end understood; read again only where texts have to be compiled."""
        from interpreter.pipeline import understand  # heavy imports, not needed for a warm start

        return understand(self.folder, self.modules, self.search_path)

    @cached_property
    def sources(self) -> Sources:
        """The files of the ruleset as texts, under the names they have in messages."""
        sources = Sources()
        for file in self.files:
            sources.add(shown_path(file), file.read_text(encoding="utf-8", errors="replace"))
        return sources

    def _outline(self) -> dict[str, Any]:
        from interpreter.loader.reader import plain

        front = self.front
        document, world = front.document, front.checked.world
        contents = [(_short(path, document.folders), path.read_bytes()) for path in document.files]
        title = document.meta.get("title")
        about = document.meta.get("about")
        return {
            "id": document.id,
            "title": str(plain(title)) if title is not None else document.id,
            "about": str(plain(about)) if about is not None else "",
            "players": list(world.player_counts),
            "seats": list(world.seats),
            "options": {name: list(values) for name, values in world.options.items()},
            "fingerprint": fingerprint(contents),
            "files": [str(path) for path in document.files],
            "folders": [str(path) for path in document.folders],
            "snapshot": snapshot(document.files, document.folders),
            "texts": {lang: plain(node) for lang, node in document.text.items()},
            "hides": any(f.seen is not None for k in world.kinds.values() for f in k.state.values()),
            "warnings": front.report.render(front.sources),
        }

    @property
    def hides(self) -> bool:
        """Whether any field is hidden from some seat."""
        return bool(self.outline["hides"])

    def text(self, language: str) -> dict[str, Any]:
        texts: dict[str, Any] = self.outline["texts"]
        return dict(texts.get(language, {}))

    # ------------------------------------------------------------ programs and games
    def settle(self, options: dict[str, Any] | None) -> dict[str, str | int]:
        """All options with their values: the given ones, else the defaults. Raises Unplayable."""
        settled: dict[str, str | int] = {name: values[0] for name, values in self.options.items()}
        for name, value in (options or {}).items():
            if name not in self.options:
                hint = did_you_mean(name, self.options) or (
                    f"it has {', '.join(self.options)}" if self.options else "it has none"
                )
                raise Unplayable(f"{self.id} has no option '{name}'; {hint}")
            match = next((v for v in self.options[name] if str(v) == str(value)), None)
            if match is None:
                known = ", ".join(str(v) for v in self.options[name])
                raise Unplayable(f"the option '{name}' cannot be '{value}'; it is one of {known}")
            settled[name] = match
        return settled

    def part(self, name: str, players: int, options: dict[str, str | int]) -> Part:
        """One part of a program: from the cache, or compiled now."""
        shown = [shown_path(file) for file in self.files]  # messages name files as they are seen from here
        chosen = sorted(options.items())
        key = ("program", name, self.fingerprint, self.outline["snapshot"], shown, players, chosen)
        part = self._cache.load_part(*key)
        if part is None:
            from interpreter.pipeline import compiled

            part = compiled(self.front, players, options, name)
            self._cache.store_part(part, *key)
        return part

    def machine(self, players: int, options: dict[str, str | int], told: bool) -> Machine:
        if players not in self.players:
            counts = ", ".join(str(p) for p in self.players)
            raise Unplayable(f"{self.id} is not for {players} players; it is for {counts}")
        key = (players, tuple(sorted(options.items())), told)
        if key not in self._machines:
            self._machines[key] = Machine(Program(told, lambda name: self.part(name, players, options)))
        return self._machines[key]

    def extension(self, machine: Machine) -> Extension:
        """What compiles texts for a machine; made when the first such text comes."""
        if id(machine) not in self._extensions:
            from interpreter.compiler.extension import Extension
            from interpreter.pipeline import compiler_for

            info, front = machine.info, self.front
            compiler = compiler_for(front, info["players"], info["options"], "texts")
            self._extensions[id(machine)] = Extension(front.model, compiler, info["segments"], info["size"])
        return self._extensions[id(machine)]

    def new_game(
        self, players: int | None = None, seed: int = 1, options: dict[str, Any] | None = None, told: bool = True
    ) -> Game:
        """A game at its first decision. `told` games collect events; the others are faster."""
        count = max(self.players) if players is None else players
        settled = self.settle(options)
        machine = self.machine(count, settled, told)
        state, choices = machine.begin(seed)
        return Game(self, machine, settled, state, choices)

    def game_from_json(self, data: dict[str, Any]) -> Game:
        settled = self.settle(data["options"])
        machine = self.machine(int(data["players"]), settled, bool(data["told"]))
        state = [int(number) for number in data["state"]]
        game = Game(self, machine, settled, state, machine.options(state))
        game.resume_trail(list(data["trail"]))
        return game


def _short(path: Path, folders: tuple[Path, ...]) -> str:
    """A name for a file that does not depend on where the rulesets lie."""
    for folder in folders:
        if path.is_relative_to(folder):
            return f"{folder.name}/{path.relative_to(folder).as_posix()}"
    return path.name
