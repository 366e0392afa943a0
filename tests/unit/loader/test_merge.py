"""Base, layers, own files and modules laid on each other."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest

from interpreter import places
from interpreter.diagnostics import Report
from interpreter.loader import merge
from interpreter.loader.document import Document, blame
from interpreter.loader.library import find_ruleset
from interpreter.loader.merge import commute, merge_ruleset
from interpreter.loader.reader import plain

At = Callable[[Document, str], Any]


class Shelf(Protocol):
    folder: Any

    def put(self, name: str, text: str, file: str = "ruleset.yaml") -> None: ...
    def try_merge(self, name: str, *modules: str) -> tuple[Document | None, Report]: ...
    def merge(self, name: str, *modules: str) -> Document: ...
    def codes(self, name: str, *modules: str) -> list[str]: ...


BASE = """\
ruleset: base
title: Base
edition: first
players: {seats: [ann, bob], counts: [2]}
options: {start: [short, long]}
modules: [extra]
names: {player: [p], number: n}
kinds: {token: {}}
components: {token: {red: {worth: 1}}}
constants: {loan: 10, prices: [1, 2, 3], rent: {red: 4}}
quantities: {wage(p): loan + 1}
phases:
  game: {first: stop}
"""
EXTRA = "module: extra\nfits: [base]\nconstants: {fee: 2}\n"


@pytest.fixture
def family(shelf: Shelf) -> Shelf:
    shelf.put("base", BASE)
    shelf.put("extra", EXTRA)
    shelf.put("child", "ruleset: child\nextends: base\nconstants: {toll: 3}\n")
    return shelf


def test_short_forms_become_long(family: Shelf, at: At) -> None:
    base = family.merge("base")
    assert at(base, "constants.loan") == {"is": 10}
    assert at(base, "constants.rent") == {"is": {"red": 4}}
    assert at(base, "quantities.wage") == {"is": "loan + 1"}
    assert at(base, "phases.game") == {"first": {"do": "stop"}}


def test_long_forms_stay_and_nothing_becomes_an_empty_map(shelf: Shelf, at: At) -> None:
    shelf.put("toy", "ruleset: toy\nconstants: {loan: {is: 3, note: x}}\nmoments: {sold(p): }\nkinds:\n  token:\n")
    toy = shelf.merge("toy")
    assert at(toy, "constants.loan") == {"is": 3, "note": "x"}
    assert at(toy, "moments.sold") == {}
    assert at(toy, "kinds.token") == {}


def test_effects_get_names(shelf: Shelf, at: At) -> None:
    effects = "components:\n  token:\n    red:\n      effects:\n        - on a do stop\n        - forbid x at y\n"
    rules = "rules:\n  one: on a do stop\n  two: [on a do stop]\n  three: {offer: x, at: y}\n"
    shelf.put("toy", f"ruleset: toy\n{effects}{rules}  four: {{effects: {{b: on a do stop}}}}\n")
    toy = shelf.merge("toy")
    assert at(toy, "components.token.red.effects") == {"1": "on a do stop", "2": "forbid x at y"}
    assert at(toy, "rules.one") == at(toy, "rules.two") == {"effects": {"1": "on a do stop"}}
    assert at(toy, "rules.three") == {"effects": {"1": {"offer": "x", "at": "y"}}}
    assert at(toy, "rules.four.effects") == {"b": "on a do stop"}


def test_names_lose_their_letters_and_keys_keep_them(family: Shelf) -> None:
    entry = family.merge("base").sections["quantities"].entries["wage"]
    assert entry.key.text == "wage(p)"


def test_a_child_has_what_its_base_has(family: Shelf, at: At) -> None:
    child = family.merge("child")
    assert list(child.sections["constants"].entries) == ["loan", "prices", "rent", "toll"]
    assert plain(child.meta["players"]) == {"seats": ["ann", "bob"], "counts": [2]}
    assert plain(child.meta["modules"]) == ["extra"]
    assert plain(child.meta["edition"]) == "first"
    assert "title" not in child.meta
    assert child.layers == ("base", "child")
    assert at(child, "constants.toll.is") == 3


def test_a_chosen_module_comes_last(family: Shelf, at: At) -> None:
    child = family.merge("child", "extra")
    assert child.layers == ("base", "child", "extra")
    assert child.modules == ("extra",)
    assert at(child, "constants.fee.is") == 2


def test_every_node_keeps_the_file_it_came_from(family: Shelf) -> None:
    child = family.merge("child", "extra")
    files = {name: entry.key.span.file for name, entry in child.sections["constants"].entries.items()}
    owners = {name: child.owners[file] for name, file in files.items()}
    assert owners == {"loan": "base", "prices": "base", "rent": "base", "toll": "child", "fee": "extra"}


def test_a_name_that_exists_asks_for_a_patch(family: Shelf) -> None:
    family.put("child", "ruleset: child\nextends: base\nconstants: {loan: 3}\n")
    _, report = family.try_merge("child")
    (finding,) = report.findings
    assert finding.code == "M101"
    assert finding.hint == "to change what base says, write a patch: '- replace: constants.loan'"
    assert len(finding.related) == 1


@pytest.mark.parametrize(
    "text", ["quantities: {wage(p): 1}", "components: {token: {red: {}}}", "players: {counts: [3]}"]
)
def test_no_section_takes_a_name_twice(family: Shelf, text: str) -> None:
    family.put("child", text, "more.yaml")
    assert family.codes("child") == ["M101"]


def test_things_of_a_kind_may_be_spread_over_files(family: Shelf, at: At) -> None:
    family.put("child", "components: {token: {blue: {worth: 2}}}", "components/tokens.yaml")
    assert list(at(family.merge("child"), "components.token")) == ["red", "blue"]


def test_letters_hold_in_their_file_and_those_of_the_base_everywhere(family: Shelf) -> None:
    family.put("child", "names: {token: [t]}", "more.yaml")
    family.put("extra", EXTRA + "names: {token: [x]}\n")
    child = family.merge("child", "extra")
    held = {
        "/".join(file.split("/")[-2:]): {kind: [letter.text for letter in letters] for kind, letters in of.items()}
        for file, of in child.letters.items()
    }
    wide = {"player": ["p"], "number": ["n"]}
    assert held == {
        "base/ruleset.yaml": wide,
        "child/ruleset.yaml": wide,
        "child/more.yaml": {**wide, "token": ["t"]},
        "extra/ruleset.yaml": {**wide, "token": ["x"]},
    }


def test_later_texts_win(family: Shelf) -> None:
    family.put("base", "names: {token: {red: red, blue: blue}}", "text/en.yaml")
    family.put("child", "names: {token: {red: scarlet}}", "text/en.yaml")
    assert plain(family.merge("child").text["en"]) == {"names": {"token": {"red": "scarlet", "blue": "blue"}}}


def test_sources_and_catalogues_are_no_rules(family: Shelf) -> None:
    family.put("base", "books: {}", "sources.yaml")
    family.put("base", "catalogue: {A-1: {rule: x}}", "catalogue.yaml")
    base = family.merge("base")
    assert sorted(file.rsplit("/", 1)[-1] for file in base.sources_files) == ["catalogue.yaml", "sources.yaml"]
    assert "catalogue" not in base.sections
    assert "catalogue.yaml" not in [path.name for path in base.files]


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ("extends: nowhere", "M103"),
        ("extends: ../base", "M103"),
        ("extends: child", "M104"),
        ("extends: extra", "M108"),
        ("extends: base\nlayers: [extra, extra]", "M107"),
        ("extends: base\nlayers: [base]", "M107"),
        ("layers: [extra]", "M105"),
        ("extends: base\nmodules: [extar]", "M103"),
        ("extends: base\nfits: [base]", "M116"),
    ],
)
def test_what_does_not_go_together(family: Shelf, head: str, code: str) -> None:
    family.put("child", f"ruleset: child\n{head}\n")
    assert family.codes("child") == [code]


def test_modules_that_cannot_be_chosen(family: Shelf) -> None:
    family.put("other", "module: other\nexcludes: [extra]\n")
    family.put("alone", "ruleset: alone\n")
    assert family.codes("child", "extra", "other") == ["M106"]
    assert family.codes("child", "extra", "extra") == ["M107"]
    assert family.codes("child", "extar") == ["M103"]
    assert family.codes("child", "base") == ["M107"]
    assert family.codes("child", "alone") == ["M108"]
    assert family.codes("alone", "extra") == ["M105"]
    assert family.codes("extra") == ["M108"]


def test_a_variant_goes_on_top_of_another_variant_of_its_base(family: Shelf, at: At) -> None:
    letters = "names: {player: [w]}\nquantities: {twice(w): 2 * toll}\n"
    family.put("second", f"ruleset: second\nextends: base\nlayers: [extra]\n{letters}")
    family.put("third", "ruleset: third\nextends: second\nnames: {colour: [w]}\nconstants: {levy: 1}\n")
    both = family.merge("child", "second", "third")
    assert both.layers == ("base", "child", "extra", "second", "third") and both.modules == ("second", "third")
    assert at(both, "constants.toll") == {"is": 3} and at(both, "constants.levy") == {"is": 1}
    family.put("joined", "ruleset: joined\nextends: child\nlayers: [second]\n")
    assert family.merge("joined").layers == ("base", "child", "extra", "second", "joined")


def test_a_variant_needs_the_game_it_changes(family: Shelf) -> None:
    family.put("second", "ruleset: second\nextends: base\n")
    family.put("third", "ruleset: third\nextends: second\n")
    family.put("root", "ruleset: root\nabstract: true\n")
    family.put("game", "ruleset: game\nextends: root\n")
    family.put("other_game", "ruleset: other_game\nextends: root\n")
    assert family.codes("child", "third") == ["M105"]
    assert family.codes("game", "other_game") == ["M108"]
    family.put("dearer", "ruleset: dearer\nextends: base\npatches: [{set: constants.loan, to: 3, because: x}]\n")
    family.put("too", "ruleset: too\nextends: base\npatches: [{set: constants.loan, to: 4, because: x}]\n")
    assert family.codes("dearer", "too") == ["M102"]


def test_a_ruleset_that_lists_a_module_vouches_for_it(family: Shelf) -> None:
    family.put("alone", "ruleset: alone\nmodules: [extra]\n")
    assert family.codes("alone", "extra") == []


def test_an_endless_row_of_bases_is_refused(shelf: Shelf) -> None:
    for number in range(40):
        shelf.put(f"r{number}", f"ruleset: r{number}\nextends: r{number + 1}\n")
    assert shelf.codes("r0") == ["M104"]


def test_a_file_that_cannot_be_read_leads_to_no_further_findings(family: Shelf) -> None:
    family.put("base", BASE + "  broken\n")
    family.put("base", "constants: [\n", "more.yaml")
    family.put("child", "ruleset: child\nextends: base\npatches: [{set: constants.toll, to: 1, because: x}]\n")
    assert {code[0] for code in family.codes("child")} == {"R"}


STEP = "patches:\n  - insert after: phases.game.first\n    name: {0}\n    step: stop\n    because: x\n"


def test_modules_that_touch_different_things_commute(family: Shelf) -> None:
    family.put("second", "module: second\nconstants: {tip: 1}\n")
    assert commute(family.folder / "child", "extra", "second", (family.folder,)) == []


def test_modules_that_depend_on_their_order_are_found_out(family: Shelf) -> None:
    family.put("early", "module: early\nindependent_of: [late]\n" + STEP.format("early"))
    family.put("late", "module: late\n" + STEP.format("late"))
    assert commute(family.folder / "child", "early", "late", (family.folder,)) == ["phases.game"]
    assert family.codes("child", "late", "early") == ["M114"]


MODULES = ("east_india_company", "asymmetric_factories")


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """A copy of the full game, its two modules and what they stand on, to plant mistakes in."""
    for name in ("arkwright", "waterframe", "lasting_fame", *MODULES):
        shutil.copytree(find_ruleset(name, (places.RULESETS,)), tmp_path / name)
    return tmp_path


def test_the_two_modules_commute(real: Path) -> None:
    assert commute(real / "waterframe", *MODULES, (real,)) == []


def test_a_step_planted_in_both_modules_at_one_place_is_reported(real: Path) -> None:
    for name in MODULES:
        plant = f"patches: [{{insert after: phases.cycle.decay, name: {name}, step: stop, because: planted}}]\n"
        (real / name / "patches" / "planted.yaml").write_text(plant, encoding="utf-8")
    report = Report()
    merge_ruleset(real / "waterframe", MODULES, report, None, (real,))
    assert [finding.code for finding in report.errors] == ["M114", "M114"]  # both promise
    assert "make another 'phases.cycle'" in report.errors[0].message
    assert all(name in report.errors[0].message for name in MODULES)


def test_a_value_planted_in_both_modules_is_reported_with_both_places(real: Path) -> None:
    for number, name in enumerate(MODULES, 1):
        plant = f"patches: [{{set: constants.tile_limit, to: {number}, because: planted}}]\n"
        (real / name / "patches" / "planted.yaml").write_text(plant, encoding="utf-8")
    report = Report()
    merge_ruleset(real / "waterframe", MODULES, report, None, (real,))
    conflict = next(finding for finding in report.errors if finding.code == "M102")
    assert "already changed by east_india_company" in conflict.message
    assert "asymmetric_factories/patches/planted.yaml" in conflict.span.file
    assert "east_india_company/patches/planted.yaml" in conflict.related[0][0].file
    assert [finding.code for finding in report.errors if finding is not conflict] == ["M114", "M114"]


def test_a_module_that_needs_what_a_variant_removed_names_both(real: Path) -> None:
    plant = "patches:\n  - insert after: phases.cycle.decay\n    name: late\n    step: stop\n    because: planted\n"
    (real / "east_india_company" / "patches" / "planted.yaml").write_text(plant, encoding="utf-8")
    report = Report()
    merge_ruleset(real / "lasting_fame", MODULES[:1], report, None, (real,))
    assert [(f.code, f.message) for f in report.errors] == [
        ("N102", "east_india_company changes 'phases.cycle.decay', but lasting_fame has removed 'phases.cycle.decay'")
    ]


def test_blame_tells_definition_and_patches_in_order(family: Shelf) -> None:
    family.put("child", "ruleset: child\nextends: base\npatches: [{set: constants.loan, to: 12, because: dearer}]\n")
    child = family.merge("child")
    for path in ("constants.loan", "constants.loan.is", "constants"):
        told = [(touch.layer, touch.because) for touch in blame(child, path)]
        assert ("base", None) in told
        assert told[-1] == ("child", "dearer")
    assert [(touch.layer, touch.because) for touch in blame(child, "constants.prices")] == [("base", None)]


def test_merging_twice_gives_the_same(family: Shelf) -> None:
    first, second = family.merge("child", "extra"), family.merge("child", "extra")
    assert first == second


@pytest.mark.parametrize("order", [("waterframe", "waterframe_2014"), ("waterframe_2014", "waterframe")])
def test_what_was_merged_before_for_another_ruleset_makes_no_difference(order: tuple[str, str]) -> None:
    def merged(name: str) -> tuple[Document | None, list[Any]]:
        report = Report()
        return merge_ruleset(find_ruleset(name), (), report), report.findings

    merge._MERGED.clear()
    later = [merged(name) for name in order]
    assert merge._MERGED
    for name, result in zip(order, later, strict=True):
        merge._MERGED.clear()
        assert merged(name) == result


def test_findings_of_a_base_are_told_of_every_variant(family: Shelf) -> None:
    family.put("base", "constants: {loan: 1}\npatches: [{set: constants.zzz, to: 1, because: x}]\n", "more.yaml")
    family.put("other", "ruleset: other\nextends: base\nconstants: {toll: 4}\n")
    told = [family.codes(name) for name in ("base", "child", "child", "other")]
    assert told == [["M101", "N102"]] * 4
