"""Ruleset files in, one printable text out, and back into a folder: how a record carries its own rules."""

import base64
import binascii
import json
import zlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

LIMIT = 32 * 1024 * 1024  # bytes a ruleset may unpack to


class ArchiveBroken(Exception):
    """The packed files cannot be trusted; the message says why."""


def collect_files(files: Iterable[Path], folders: Iterable[Path]) -> dict[str, str]:
    """These files under 'FOLDER/relative/path.yaml', FOLDER being the name of the ruleset folder each lies in."""
    homes = list(folders)
    collected = {}
    for path in files:
        home = next(folder for folder in homes if path.is_relative_to(folder))
        name = PurePosixPath(home.name, *path.relative_to(home).parts)
        collected[str(name)] = path.read_text(encoding="utf-8")
    return collected


def pack_files(files: dict[str, str]) -> str:
    """Files as one line of printable text."""
    text = json.dumps(files, ensure_ascii=False, sort_keys=True)
    return base64.b64encode(zlib.compress(text.encode(), 6)).decode()


def unpack_files(packed: str) -> dict[str, str]:
    """The files again; refuses what is damaged, far too big, or points out of its folder."""
    try:
        engine = zlib.decompressobj()
        content = engine.decompress(base64.b64decode(packed, validate=True), LIMIT)
        if engine.unconsumed_tail:
            raise ArchiveBroken("the packed ruleset is larger than any ruleset may be")
        files = json.loads(content)
    except (binascii.Error, zlib.error, ValueError):
        raise ArchiveBroken("the packed ruleset is damaged") from None
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
        raise ArchiveBroken("the packed ruleset is damaged")
    for name in files:
        parts = PurePosixPath(name).parts
        if (
            len(parts) < 2
            or name.startswith("/")
            or ".." in parts
            or "\\" in name
            or ":" in name
            or not name.endswith(".yaml")
        ):
            raise ArchiveBroken(f"the packed ruleset holds a file with a bad name: {name!r}")
    return files


def write_files(files: dict[str, str], folder: Path) -> None:
    """Lay the files out under a folder, so that they can be loaded like any ruleset."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
