"""What players read is complete: every ruleset says in each language it offers all that a player can meet."""

from pathlib import Path
from typing import Any

import pytest

from interpreter import load
from interpreter.pipeline import understand
from interpreter.views.text_gaps import missing_texts
from interpreter.views.why import draw_why
from interpreter.views.words import words_for

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


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("module", ["asymmetric_factories", "east_india_company"])
def test_modules_say_what_they_add(module: str, language: str) -> None:
    front = understand(ROOT / "rulesets/waterframe", (module,), (ROOT / "rulesets",))
    assert missing_texts(front.checked, front.document.text[language]) == []


REFUSED: list[tuple[dict[str, Any], str, str, str, str, str]] = [
    (
        {"sloop.1.owner": "blue", "sloop.2.owner": "blue"}, "ask take_marker(blue)", "take_ship v=sloop",
        "both your piers are taken", "beide Anlegestellen sind belegt", "AW-SPEC-21",
    ),
    (
        {}, "ask take_marker(blue)", "take_ship v=bark",
        "ships of this size come in a later decade", "Schiffe dieser Größe kommen erst", "AW-SPEC-20",
    ),
    (
        {"bureaucracy.running": True}, "ask place_marker(blue)", "place m=factory_own.1 a=blue.2",
        "an event has locked this space", "ein Ereignis hat dieses Feld gesperrt", "AW-PLACE-22",
    ),
    (
        {"brig.1.owner": "blue", "sloop.1.owner": "blue", "turn.payment": 3}, "ask ship_action(blue)", "use s=brig.1",
        "the capacity would exceed what you have paid", "größer als die bezahlte Summe", "AW-SHIP-08",
    ),
    (
        {}, "ask factory_action(blue)", "modernise f=blue.food",
        "it has the current level", "sie hat die aktuelle Stufe", "AW-FACT-25",
    ),
    (
        {"blue.limit": 4, "turn.marker": "exchange_own.1"}, "ask exchange(blue)", "contract c=blue.food n=6",
        "that is above your contract limit", "das liegt über deiner Kontraktgrenze", "AW-EXCH-24",
    ),
    (
        {}, "ask take_marker(blue)", "take_tile y=office",
        "you have such a tile already", "so ein Plättchen hast du schon", "AW-SPEC-04",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("given", "asked", "option", "english", "german", "rule"), REFUSED)
def test_a_refusal_names_reason_and_rule(
    given: dict[str, Any], asked: str, option: str, english: str, german: str, rule: str
) -> None:
    game = load(ROOT / "rulesets/waterframe").new_game(players=3, seed=1)
    for path, value in given.items():
        game.set(path, value)
    game.run(asked)
    answer = game.why_not(option)
    assert game.decision is not None and not answer.offered
    for language, reason in (("en", english), ("de", german)):
        told = "\n".join(draw_why(option, answer, game.decision.window, words_for(game, language)))
        assert reason in told and rule in told, told
