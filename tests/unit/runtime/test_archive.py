"""Packed rulesets come back whole, and never out of their folder."""

import base64
import json
import zlib
from pathlib import Path

import pytest

from interpreter.runtime.archive import ArchiveBroken, collect_files, pack_files, unpack_files, write_files

FILES = {"toy/ruleset.yaml": "ruleset: toy\n", "toy/text/en.yaml": "names: {a: ä}\n"}


def packed(data: object) -> str:
    return base64.b64encode(zlib.compress(json.dumps(data).encode())).decode()


def test_files_go_through(tmp_path: Path) -> None:
    write_files(unpack_files(pack_files(FILES)), tmp_path)
    paths = [tmp_path / name for name in FILES]
    assert collect_files(paths, [tmp_path / "toy"]) == FILES


@pytest.mark.parametrize(
    "name", ["../x.yaml", "/etc/x.yaml", "a/../../x.yaml", "x.yaml", "a/x.py", "a\\x.yaml", "c:/x.yaml"]
)
def test_bad_names_are_refused(name: str) -> None:
    with pytest.raises(ArchiveBroken, match="bad name"):
        unpack_files(packed({name: ""}))


@pytest.mark.parametrize("text", ["", "!!!", "aGVsbG8=", packed([1]), packed({"a/b.yaml": 1}), pack_files(FILES)[:40]])
def test_damage_is_refused(text: str) -> None:
    with pytest.raises(ArchiveBroken):
        unpack_files(text)


def test_a_bomb_is_refused() -> None:
    bomb = base64.b64encode(zlib.compress(b" " * 40_000_000)).decode()
    with pytest.raises(ArchiveBroken, match="larger"):
        unpack_files(bomb)
