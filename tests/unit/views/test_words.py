"""Names, labels and log lines from text; ids where there is none."""

from types import SimpleNamespace
from typing import Any

from interpreter.views.words import Words


def kind(form: str, axes: tuple[tuple[str, str | None], ...] = (), pieces_of: str | None = None) -> Any:
    return SimpleNamespace(form=form, coordinates=tuple(SimpleNamespace(name=n, kind=k) for n, k in axes), pieces_of=pieces_of)


KINDS = {
    "player": kind("seats"),
    "crop": kind("ids"),
    "field": kind("per", (("owner", "player"), ("crop", "crop"))),
    "row": kind("per", (("field", "field"), ("number", None))),
    "card": kind("pieces", pieces_of="crop"),
}
TEXT = {
    "names": {"player": {"ann": "Ann"}, "crop": {"oats": "Hafer"}},
    "options": {"sow": {"plant": "säe {f.crop} für {n}"}},
    "moments": {"sown": "{p} hat {n} gesät"},
    "views": {"farm": {"title": "Der Hof"}},
}
WORDS = Words(TEXT, KINDS, {"ann": ["player"], "oats": ["crop"], "ann.oats": ["field"], "ann.oats.2": ["row"], "oats.1": ["card"]})


def test_names_are_put_together_from_parts() -> None:
    assert WORDS.thing("ann") == "Ann"
    assert WORDS.thing("ann.oats") == "Ann Hafer"
    assert WORDS.thing("ann.oats.2") == "Ann Hafer 2"
    assert WORDS.thing("oats.1") == "Hafer"
    assert WORDS.thing("nobody_known") == "nobody known"


def test_a_kind_may_have_a_pattern() -> None:
    words = Words({**TEXT, "names": {**TEXT["names"], "field": "{crop} von {owner}"}}, KINDS, {"ann.oats": ["field"]})
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
