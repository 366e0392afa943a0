"""What players read is complete: every ruleset says in each language it offers all that a player can meet."""

from pathlib import Path

import pytest

from interpreter.pipeline import understand
from interpreter.views.text_gaps import missing_texts

ROOT = Path(__file__).resolve().parent.parent
OFFERED = [
    (folder.parent.name, file.stem)
    for folder in sorted((ROOT / "rulesets").glob("*/text"))
    for file in sorted(folder.glob("*.yaml"))
    if "module:" not in (folder.parent / "ruleset.yaml").read_text(encoding="utf-8")
]


def test_the_playable_rulesets_speak_english_and_german() -> None:
    for ruleset in ("spinning_jenny", "waterframe"):
        assert {(ruleset, "en"), (ruleset, "de")} <= set(OFFERED)


@pytest.mark.parametrize(("ruleset", "language"), OFFERED)
def test_nothing_is_shown_by_its_id(ruleset: str, language: str) -> None:
    folder = ROOT / "rulesets" / ruleset
    if "abstract: true" in (folder / "ruleset.yaml").read_text(encoding="utf-8"):
        return  # what it leaves open, the rulesets on top of it say
    front = understand(folder, (), (ROOT / "rulesets",))
    assert missing_texts(front.checked, front.document.text[language]) == []
