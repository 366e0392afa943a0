"""Names, labels and log lines from text; ids where there is none."""

from typing import Any

from interpreter.views.words import Words


def kind(
    form: str, things: str, axes: tuple[tuple[str, str | None], ...] = (), pieces_of: str | None = None
) -> dict[str, Any]:
    return {
        "form": form,
        "things": things.split(),
        "coordinates": [list(axis) for axis in axes],
        "pieces_of": pieces_of,
        "fields": {},
    }


KINDS = {
    "player": kind("seats", "ann"),
    "crop": kind("ids", "oats"),
    "field": kind("per", "ann.oats", (("owner", "player"), ("crop", "crop"))),
    "row": kind("per", "ann.oats.1 ann.oats.2", (("field", "field"), ("number", None))),
    "card": kind("pieces", "oats.1", pieces_of="crop"),
}
TEXT: dict[str, Any] = {
    "names": {"player": {"ann": "Ann"}, "crop": {"oats": "Hafer"}},
    "options": {"sow": {"plant": "säe {f.crop} für {n}"}},
    "moments": {"sown": "{p} hat {n} gesät"},
    "views": {"farm": {"title": "Der Hof"}},
}
WORDS = Words(TEXT, KINDS)


def test_names_are_put_together_from_parts() -> None:
    assert WORDS.thing("ann") == "Ann"
    assert WORDS.thing("ann.oats") == "Ann Hafer"
    assert WORDS.thing("ann.oats.2") == "Ann Hafer 2"
    assert WORDS.thing("oats.1") == "Hafer"
    assert WORDS.thing("nobody_known") == "nobody known"


def test_a_kind_may_have_a_pattern() -> None:
    words = Words({**TEXT, "names": {**TEXT["names"], "field": "{crop} von {owner}"}}, KINDS)
    assert words.thing("ann.oats") == "Hafer von Ann"


def test_options_and_moments_fill_their_slots() -> None:
    assert WORDS.option("sow", "plant", {"f": "ann.oats", "n": 3}) == "säe Hafer für 3"
    assert WORDS.option("sow", "reap", {"f": "ann.oats"}) == "reap Ann Hafer"
    assert WORDS.option_title("sow", "plant") == "säe … für …"
    assert WORDS.moment("sown", {"p": "ann", "n": 2}) == "Ann hat 2 gesät"
    assert WORDS.moment("rained", {"n": 2}) == "rained: 2"


def test_values_are_words() -> None:
    assert [WORDS.value(value) for value in (None, True, 7, "ann", ["ann", 1])] == ["–", "yes", "7", "Ann", "Ann, 1"]
    assert WORDS.view("farm") == "Der Hof" and WORDS.view("field_plan") == "field plan"
