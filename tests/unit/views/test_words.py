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


def test_a_form_is_chosen_by_the_number() -> None:
    text = "{p} buys {n|# share|# shares}"
    assert [WORDS.fill(text, {"p": "ann", "n": n}) for n in (0, 1, 2)] == [
        "Ann buys 0 shares",
        "Ann buys 1 share",
        "Ann buys 2 shares",
    ]
    moved = "{n|0=stays|<0=falls by # of {p}|rises} {n|# space|# spaces}"
    assert WORDS.fill("{n|0=stays|<0=falls by|rises by} {n|# space|# spaces}", {"n": -1}) == "falls by 1 space"
    assert WORDS.fill("{n|0=stays|<0=falls|rises}", {"n": 0}) == "stays"
    assert WORDS.fill("{c|oats=the oats|something}", {"c": "oats"}) == "the oats"
    assert WORDS.fill(moved, {"n": 1, "p": "ann"}).startswith("{n|0")  # slots do not stand inside each other


def test_a_name_has_a_form_for_one() -> None:
    words = Words({**TEXT, "names": {**TEXT["names"], "crop": {"oats": "oat|oats"}}}, KINDS)
    assert words.thing("oats", "crop") == "oats"
    assert [words.fill("{n} {f.crop for n}", {"f": "ann.oats", "n": n}) for n in (1, 2)] == ["1 oat", "2 oats"]
    assert words.fill("an {f.crop for 1} field", {"f": "ann.oats"}) == "an oat field"


def test_any_window_may_lend_its_texts() -> None:
    text: dict[str, Any] = {
        **TEXT,
        "options": {"any": {"done": "finish", "plant": "plant {f}"}, "sow": {"plant": "sow {f.crop}"}},
        "clauses": {
            "any": {"any": {"mine": "not yours"}, "plant": {"dry": "too wet"}},
            "sow": {"plant": {"dry": "rain"}},
        },
        "choices": {"any": {"done": ""}, "sow": {"any": "", "plant": "{seat} sows {f.crop}."}},
    }
    words = Words(text, KINDS)
    assert words.option("sow", "plant", {"f": "ann.oats"}) == "sow Hafer"
    assert words.option("reap", "plant", {"f": "ann.oats"}) == "plant Ann Hafer"
    assert words.option("reap", "done", {}) == "finish"
    assert [words.clause(window, "plant", "dry") for window in ("sow", "reap")] == ["rain", "too wet"]
    assert words.clause("sow", "plant", "mine") == "not yours"
    assert words.choice("ann", "sow", "plant", {"f": "ann.oats"}) == "Ann sows Hafer."
    assert words.choice("ann", "sow", "weed", {}) is None and words.choice("ann", "reap", "done", {}) is None
    assert words.choice("ann", "reap", "cut", {}) == "Ann: cut"


def test_an_empty_text_is_not_told() -> None:
    words = Words({**TEXT, "moments": {"sown": ""}, "phases": {"spring": ""}}, KINDS)
    assert words.moment("sown", {"n": 1}) is None and words.phase("spring", {}) is None


def test_values_are_words() -> None:
    assert [WORDS.value(value) for value in (None, True, 7, "ann", ["ann", 1])] == ["–", "yes", "7", "Ann", "Ann, 1"]
    assert WORDS.view("farm") == "Der Hof" and WORDS.view("field_plan") == "field plan"
