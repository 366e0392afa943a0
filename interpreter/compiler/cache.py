"""Compiled rulesets on disk: the files a ruleset was made from in, its stored parts out if none of them has changed."""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from interpreter import places
from interpreter.compiler.program import Part

FORMAT = 2


def fingerprint(texts: Iterable[tuple[str, bytes]]) -> str:
    """One value for the contents of some files, whatever folder they lie in."""
    digest = hashlib.sha256()
    for name, content in sorted(texts):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _engine() -> str:
    """Changes whenever the interpreter or Python does."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(f"{FORMAT} {sys.version}".encode())
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.lark")]):
        status = path.stat()
        digest.update(f"{path.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:16]


class Cache:
    """A folder of marshalled values; every failure to read or write is as if nothing were stored."""

    def __init__(self) -> None:
        folder = places.cache_folder()
        self.folder = None if folder is None else folder / "compiled"
        self.engine = _engine()

    def _path(self, *key: object) -> Path | None:
        if self.folder is None:
            return None
        word = hashlib.sha256(repr((self.engine, key)).encode()).hexdigest()[:32]
        return self.folder / f"{word}.bin"

    def load(self, *key: object) -> Any:
        path = self._path(*key)
        try:
            return None if path is None else marshal.loads(path.read_bytes())
        except (OSError, ValueError, EOFError, TypeError):
            return None

    def store(self, value: Any, *key: object) -> None:
        path = self._path(*key)
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(f".{os.getpid()}.part")
            part.write_bytes(marshal.dumps(value))
            part.replace(path)
        except (OSError, ValueError):
            return

    # ------------------------------------------------------------ programs
    def load_part(self, *key: object) -> Part | None:
        found = self.load(*key)
        return None if found is None else Part(*found)

    def store_part(self, part: Part, *key: object) -> None:
        self.store((part.info, part.tables, part.sites, part.code), *key)


def snapshot(files: Iterable[Path], folders: Iterable[Path]) -> dict[str, str]:
    """The contents of files and the names in folders, as they are now."""
    seen = {}
    for path in files:
        try:
            seen[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError:
            seen[str(path)] = "missing"
    for folder in folders:
        names = sorted(str(p.relative_to(folder)) for p in folder.rglob("*.yaml")) if folder.is_dir() else []
        seen[str(folder)] = hashlib.sha256("\n".join(names).encode()).hexdigest()
    return seen
