"""Every operation of a patch, and every way it can miss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpreter.diagnostics import Finding, Report
from interpreter.loader.document import Document
from interpreter.loader.shape import check_shape

At = Callable[[Document, str], Any]


class Shelf(Protocol):
    folder: Any

    def put(self, name: str, text: str, file: str = "ruleset.yaml") -> None: ...
    def try_merge(self, name: str, *modules: str) -> tuple[Document | None, Report]: ...
    def merge(self, name: str, *modules: str) -> Document: ...


BASE = """\
ruleset: base
players: {seats: [ann, bob], counts: [2]}
options: {start: [short, long]}
kinds:
  token: {facts: {worth: number}}
  colour: {ids: [red, green]}
components:
  token:
    foreman:
      worth: 1
      effects: [modify wage to value + 1]
constants: {loan: 10, prices: [1, 2, 3], rent: {red: 4, green: 5}}
quantities:
  wage: 3
  cost(p): {is: 2, stages: [early, late]}
procedures: {pay(p): stop}
windows:
  turn(p):
    options:
      work: {do: stop}
      rest: {}
phases:
  game: {first: stop, last: stop}
scoring: {score(p): p.cash, ranked: p in players}
"""


def change(shelf: Shelf, *patches: str, base: str = BASE) -> tuple[Document | None, Report]:
    shelf.put("base", base)
    listed = "".join(f"  - {patch}\n" for patch in patches)
    shelf.put("child", f"ruleset: child\nextends: base\npatches:\n{listed}")
    return shelf.try_merge("child")


def changed(shelf: Shelf, *patches: str) -> Document:
    document, report = change(shelf, *patches)
    assert report.ok, report.findings
    assert document is not None
    check_shape(document, report)
    assert report.ok, report.findings
    return document


def findings_of(shelf: Shelf, *patches: str) -> list[Finding]:
    return change(shelf, *patches)[1].findings


TABLES = """\
  track: {type: table 0..3 of number, is: [5, 6, 7, 8]}
  plan: [[red, green], [green, red]]
  openings: {type: table 2..3 of table colour of number, is: {2: [1, 2], 3: [3, 4]}}
"""


@pytest.mark.parametrize(
    ("path", "full", "value"),
    [
        ("constants.track.0", "constants.track.is.1", 5),
        ("constants.track.3", "constants.track.is.4", 8),
        ("constants.plan.2.1", "constants.plan.is.2.1", "green"),
        ("constants.openings.3.green", "constants.openings.is.3.2", 4),
        ("token.foreman.pay.0", "components.token.foreman.pay.1", 9),
    ],
)
def test_a_path_counts_as_the_table_does(shelf: Shelf, at: At, path: str, full: str, value: object) -> None:
    base = BASE.replace("constants: {", "constants:\n" + TABLES + "  ").replace("}}\nquantities", "}\nquantities")
    base = base.replace("  loan: 10, prices: [1, 2, 3], rent:", "  loan: 10\n  prices: [1, 2, 3]\n  rent:")
    base = base.replace("{worth: number}", "{worth: number, pay: table 0..1 of number}").replace(
        "worth: 1\n", "worth: 1\n      pay: [9, 8]\n"
    )
    shelf.put("base", base)
    new = "red" if isinstance(value, str) else 77
    shelf.put("child", f"ruleset: child\nextends: base\npatches: [{{set: {path}, to: {new}, because: x}}]\n")
    assert at(shelf.merge("base"), full) == value
    assert at(shelf.merge("child"), full) == new
    shelf.put("wrong", f"ruleset: wrong\nextends: base\npatches: [{{set: {path}9, to: {new}, because: x}}]\n")
    assert [finding.code for finding in shelf.try_merge("wrong")[1].findings] == ["N102"]


def test_a_list_of_values_gets_no_new_entry(shelf: Shelf) -> None:
    (told,) = findings_of(shelf, "{add: players.counts.1, because: x}")
    assert (told.code, told.hint) == ("M111", "set the whole list")


def test_a_kind_that_is_removed_takes_its_letters_with_it(shelf: Shelf) -> None:
    shelf.put("base", BASE + "names: {token: [x], colour: [c]}\n")
    shelf.put("child", "ruleset: child\nextends: base\npatches: [{remove: kinds.colour, because: x}]\n")
    letters = shelf.merge("child").letters
    assert letters and all(list(of_file) == ["token"] for of_file in letters.values())


@pytest.mark.parametrize(
    ("patch", "path", "value"),
    [
        ("{set: constants.loan, to: 12, because: x}", "constants.loan.is", 12),
        ("{set: constants.loan.is, to: 12, because: x}", "constants.loan", {"is": 12}),
        ("{set: constants.prices, to: [9], because: x}", "constants.prices.is", [9]),
        ("{set: constants.prices.2, to: 9, because: x}", "constants.prices.is", [1, 9, 3]),
        ("{set: constants.rent.red, to: 9, because: x}", "constants.rent.is", {"red": 9, "green": 5}),
        ("{set: constants.rent, to: {red: 9}, because: x}", "constants.rent.is", {"red": 9}),
        ("{set: quantities.wage, to: 4, because: x}", "quantities.wage", {"is": 4}),
        ("{set: quantities.cost.is, to: 4, because: x}", "quantities.cost.is", 4),
        ("{set: procedures.pay, to: end, because: x}", "procedures.pay", {"do": "end"}),
        ("{set: phases.game.first, to: end, because: x}", "phases.game.first", {"do": "end"}),
        ("{set: token.foreman.worth, to: 4, because: x}", "components.token.foreman.worth", 4),
        ("{set: components.token.foreman.effects.1, to: on a do stop, because: x}",
         "components.token.foreman.effects", {"1": "on a do stop"}),
        ("{set: players.counts, to: [2, 3], because: x}", "players.counts", [2, 3]),
        ("{set: scoring.ranked, to: q in players, because: x}", "scoring.ranked", "q in players"),
        ("{add: constants.fee, value: 2, because: x}", "constants.fee", {"is": 2}),
        ("{add: quantities.tax(p), value: 2, because: x}", "quantities.tax", {"is": 2}),
        ("{add: token.clerk, value: {worth: 2, effects: [on a do stop]}, because: x}",
         "components.token.clerk", {"worth": 2, "effects": {"1": "on a do stop"}}),
        ("{add: colour.pink, value: {}, because: x}", "components.colour.pink", {}),
        ("{add: windows.turn.options.work.when.rested, value: true, because: x}",
         "windows.turn.options.work", {"do": "stop", "when": {"rested": True}}),
        ("{add: kinds.colour.ids.blue, because: x}", "kinds.colour.ids", ["red", "green", "blue"]),
        ("{add: kinds.token.state.owner, value: player, because: x}", "kinds.token.state", {"owner": "player"}),
        ("{add: phases.dusk, value: {rest: stop}, because: x}", "phases.dusk", {"rest": {"do": "stop"}}),
        ("{add: invariants.fair, value: true, because: x}", "invariants.fair", True),
        ("{add: rules.fair, value: on a do stop, because: x}", "rules.fair", {"effects": {"1": "on a do stop"}}),
        ("{remove: constants.loan, because: x}", "constants.loan", None),
        ("{remove: kinds.colour.ids.red, because: x}", "kinds.colour.ids", ["green"]),
        ("{remove: phases.game.first, because: x}", "phases.game", {"last": {"do": "stop"}}),
        ("{remove: [constants.loan, constants.rent], because: x}", "constants", {"prices": {"is": [1, 2, 3]}}),
        ("{replace: quantities.cost, with: 1, because: x}", "quantities.cost", {"is": 1}),
        ("{replace: phases.game, with: {only: stop}, because: x}", "phases.game", {"only": {"do": "stop"}}),
        ("{replace: windows.turn.options.rest, with: {do: end}, because: x}",
         "windows.turn.options.rest", {"do": "end"}),
        ("{insert before: phases.game.last, name: mid, step: stop, because: x}",
         "phases.game", {"first": {"do": "stop"}, "mid": {"do": "stop"}, "last": {"do": "stop"}}),
        ("{insert after: quantities.cost.stages.early, name: middle, because: x}",
         "quantities.cost.stages", ["early", "middle", "late"]),
        ("{insert after: windows.turn.options.work, name: nap, option: {do: stop}, because: x}",
         "windows.turn.options", {"work": {"do": "stop"}, "nap": {"do": "stop"}, "rest": {}}),
    ],
)  # fmt: skip
def test_what_a_patch_makes(shelf: Shelf, at: At, patch: str, path: str, value: object) -> None:
    made = at(changed(shelf, patch), path)
    assert made == value
    assert not isinstance(value, dict) or list(made) == list(value)


def test_a_replaced_entry_keeps_its_letters(shelf: Shelf) -> None:
    document = changed(shelf, "{replace: quantities.cost, with: 1, because: x}")
    assert document.sections["quantities"].entries["cost"].key.text == "cost(p)"


def test_an_added_entry_has_its_own_letters(shelf: Shelf) -> None:
    key = changed(shelf, "{add: quantities.tax(p), value: 2, because: x}").sections["quantities"].entries["tax"].key
    assert (key.text, key.span.end_col - key.span.col) == ("tax(p)", len("tax(p)"))


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("tokn.foreman.worth", "did you mean 'token.foreman.worth'?"),
        ("token.forman.worth", "did you mean 'token.foreman.worth'?"),
        ("components.token.forman.wort", "did you mean 'components.token.foreman.worth'?"),
        ("constant.laon", "did you mean 'constants.loan'?"),
        ("loan", "did you mean 'constants.loan'?"),
        ("constants.rent.grene", "did you mean 'constants.rent.green'?"),
        ("phases.game.middle", "'phases.game' has: first, last"),
        ("constants.prices.7", "'constants.prices' has: is, 1, 2, 3"),
        ("kinds.colour.ids.rde", "did you mean 'kinds.colour.ids.red'?"),
        ("constants.loan.is.deeper", None),
    ],
)
def test_a_path_that_does_not_exist(shelf: Shelf, path: str, hint: str | None) -> None:
    (finding,) = findings_of(shelf, f"{{set: {path}, to: 1, because: x}}")
    assert (finding.code, finding.message, finding.hint) == ("N102", f"unknown path '{path}'", hint)
    assert finding.span.end_col - finding.span.col == len(path)


@pytest.mark.parametrize(
    ("patch", "code"),
    [
        ("set constants.loan", "M109"),
        ("{}", "M109"),
        ("{st: constants.loan, to: 1, because: x}", "M109"),
        ("{set: constants.loan, remove: constants.loan, because: x}", "M109"),
        ("{set: constants.loan, with: 1, because: x}", "M109"),
        ("{set: constants.loan, because: x}", "M109"),
        ("{set: constants.loan, to: , because: x}", "M109"),
        ("{set: constants.loan, to: 1}", "M109"),
        ("{set: [a], to: 1, because: x}", "M109"),
        ("{set: 'quantities.cost(p)', to: 1, because: x}", "M109"),
        ("{insert after: phases.game.first, step: stop, because: x}", "M109"),
        ("{insert after: phases.game.first, name: mid, because: x}", "M109"),
        ("{insert after: phases.game.first, name: mid, step: stop, value: stop, because: x}", "M109"),
        ("{add: constants.fee, because: x}", "M109"),
        ("{add: constants.loan, value: 1, because: x}", "M110"),
        ("{insert after: phases.game.first, name: last, step: stop, because: x}", "M110"),
        ("{set: phases.game, to: 1, because: x}", "M111"),
        ("{set: windows.turn.options.work, to: stop, because: x}", "M111"),
        ("{add: constants.loan.is.more, value: 1, because: x}", "M111"),
        ("{add: players.counts.3, value: 1, because: x}", "M111"),
        ("{add: kinds.colour.ids.blue, value: 1, because: x}", "M111"),
        ("{remove: constants.prices.2, because: x}", "M111"),
        ("{insert after: constants.loan, name: fee, value: 1, because: x}", "M111"),
        ("{add: quantitys.tax, value: 1, because: x}", "N102"),
        ("{add: windows.trun.options.nap, value: {}, because: x}", "N102"),
        ("{remove: constants.laon, because: x}", "N102"),
        ("{remove: [constants.loan, constants.laon], because: x}", "N102"),
        ("{remove: [constants.loan, constants.loan], because: x}", "N102"),
        ("{remove: [constants.loan, 3], because: x}", "M109"),
        ("{remove: [], because: x}", "M109"),
        ("{set: '', to: 1, because: x}", "N102"),
        ("{set: '...', to: 1, because: x}", "N102"),
    ],
)
def test_what_is_no_patch_or_does_not_fit(shelf: Shelf, patch: str, code: str) -> None:
    assert [finding.code for finding in findings_of(shelf, patch)] == [code]


def test_a_misspelt_operation_is_guessed(shelf: Shelf) -> None:
    (finding,) = findings_of(shelf, "{insert befor: phases.game.first, name: a, step: stop, because: x}")
    assert finding.hint == "did you mean 'insert before'?"


LOAN = "patches: [{{set: constants.loan, to: {0}, because: x{1}}}]\n"


def test_two_layers_that_change_the_same_are_told_unless_one_goes_over_the_other(shelf: Shelf, at: At) -> None:
    shelf.put("base", BASE)
    shelf.put("one", "module: one\n" + LOAN.format(1, ""))
    shelf.put("two", "module: two\n" + LOAN.format(2, ""))
    shelf.put("three", "module: three\n" + LOAN.format(3, ", over: one"))
    _, report = shelf.try_merge("base", "one", "two")
    (finding,) = report.findings
    assert (finding.code, finding.hint) == ("M102", "add 'over: one' if this patch shall win")
    assert at(shelf.merge("base", "one", "three"), "constants.loan.is") == 3
    assert [f.code for f in shelf.try_merge("base", "three")[1].findings] == ["M113"]


@pytest.mark.parametrize("other", ["replace: constants.loan, with: 3", "remove: constants.loan"])
def test_a_change_of_the_whole_meets_a_change_of_a_part(shelf: Shelf, other: str) -> None:
    shelf.put("base", BASE)
    shelf.put("one", "module: one\n" + LOAN.format(1, ""))
    shelf.put("two", f"module: two\npatches: [{{{other}, because: x}}]\n")
    assert [finding.code for finding in shelf.try_merge("base", "one", "two")[1].findings] == ["M102"]


def test_one_layer_that_changes_the_same_twice_is_told(shelf: Shelf) -> None:
    patch = "{set: constants.loan, to: 1, because: x}"
    assert [finding.code for finding in findings_of(shelf, patch, patch)] == ["M102"]


def test_a_patched_value_must_have_its_shape(shelf: Shelf) -> None:
    document, report = change(shelf, "{set: token.foreman.effects.1, to: [x], because: x}")
    assert document is not None
    check_shape(document, report)
    assert [(finding.code, finding.span.line) for finding in report.findings] == [("S102", 4)]


WORDS = st.sampled_from(
    ["set", "add", "remove", "replace", "insert after", "to", "value", "with", "name", "step", "because", "over",
     "constants", "constants.loan", "phases.game.first", "token.foreman", "base", "x", "1", "is", "components",
     "kinds.colour.ids", ""],
)  # fmt: skip
TREES = st.recursive(
    WORDS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4), max_leaves=8
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(WORDS, TREES, min_size=1, max_size=5))
def test_no_patch_makes_the_loader_fail(shelf: Shelf, patch: dict[str, Any]) -> None:
    document, report = change(shelf, repr(patch).replace("\\", ""))
    if document is not None:
        check_shape(document, report)


RULES = """\
ruleset: rules
players: {seats: [ann, bob], counts: [2]}
names: {player: [p]}
kinds: {player: {state: {cash: 0..99 starting 9, debt: 0..9}}}
procedures:
  pay(p): |
    if p.cash > 5 then
      p.cash -= 5
    p.debt += 5
  earn(p): p.cash += 15
phases:
  game: {first: pay(ann), second: earn(ann), third: earn(bob), last: pay(bob)}
scoring: {score(p): p.cash, ranked: p in players}
"""


@pytest.mark.parametrize(
    ("patches", "path", "value"),
    [
        (["{edit: procedures.pay, from: p.cash -= 5, to: p.cash -= 4, because: x}"],
         "procedures.pay.do", "if p.cash > 5 then\n  p.cash -= 4\np.debt += 5\n"),
        (["{edit: procedures.pay.do, from: 'p.debt   +=', to: p.debt -=, because: x}"],
         "procedures.pay.do", "if p.cash > 5 then\n  p.cash -= 5\np.debt -= 5\n"),
        (['{edit: procedures.pay, from: p.cash -= 5, to: "a\\nb", because: x}'],
         "procedures.pay.do", "if p.cash > 5 then\n  a\n  b\np.debt += 5\n"),
        (["{edit: procedures.pay, from: p.cash > 5, to: p.cash > 6, because: x}",
          "{edit: procedures.pay, from: p.debt, to: p.cash, because: x}"],
         "procedures.pay.do", "if p.cash > 6 then\n  p.cash -= 5\np.cash += 5\n"),
        (["{edit: procedures.earn, from: 15, to: 20, because: x}"], "procedures.earn.do", "p.cash += 20"),
        (["{insert before: procedures.earn, lines: stop, because: x}"], "procedures.earn.do", "stop\np.cash += 15"),
        (["{insert after: procedures.pay.do, lines: stop, because: x}"],
         "procedures.pay.do", "if p.cash > 5 then\n  p.cash -= 5\np.debt += 5\nstop"),
        (["{insert after: phases.game.first, lines: end, because: x}"], "phases.game.first.do", "pay(ann)\nend"),
    ],
)  # fmt: skip
def test_words_of_a_text_change(shelf: Shelf, at: At, patches: list[str], path: str, value: str) -> None:
    document, report = change(shelf, *patches, base=RULES)
    assert report.ok, report.findings
    assert document is not None and at(document, path) == value


@pytest.mark.parametrize(
    ("patch", "order"),
    [
        ("{move: phases.game.last, before: phases.game.first, because: x}", ["last", "first", "second", "third"]),
        ("{move: phases.game.first, after: phases.game.third, because: x}", ["second", "third", "first", "last"]),
        ("{move: phases.game.third, before: phases.game.last, because: x}", ["first", "second", "third", "last"]),
    ],
)
def test_a_step_moves(shelf: Shelf, at: At, patch: str, order: list[str]) -> None:
    document, report = change(shelf, patch, base=RULES)
    assert report.ok, report.findings
    assert document is not None and list(at(document, "phases.game")) == order


def test_what_was_taken_away_comes_back_to_its_place(shelf: Shelf, at: At) -> None:
    change(
        shelf,
        "{remove: [phases.game.second, phases.game.first], because: x}",
        "{set: procedures.earn, to: p.cash += 99, because: x}",
        base=RULES,
    )
    again = ["phases.game.second", "procedures.earn"]
    listed = "".join(f"  - {{restore: {path}, over: child, because: x}}\n" for path in again)
    shelf.put("again", f"ruleset: again\nextends: child\npatches:\n{listed}")
    document = shelf.merge("again")
    assert list(at(document, "phases.game")) == ["second", "third", "last"]
    assert at(document, "phases.game.second.do") == "earn(ann)" and at(document, "procedures.earn.do") == "p.cash += 15"


@pytest.mark.parametrize(
    ("patch", "code"),
    [
        ("{edit: procedures.earn, from: 1, to: 2, because: x}", "M117"),  # a part of 15
        ("{edit: procedures.pay, from: p.cash, to: p.debt, because: x}", "M117"),  # twice
        ("{edit: procedures.pay, to: p.debt, because: x}", "M109"),
        ("{edit: phases.game, from: a, to: b, because: x}", "M111"),
        ("{edit: procedures.earn, from: 15, to: [1], because: x}", "M111"),
        ("{insert after: phases.game, lines: a, because: x}", "M111"),
        ("{insert after: procedures.pay, lines: a, step: b, because: x}", "M109"),
        ("{move: phases.game.last, because: x}", "M109"),
        ("{move: phases.game.last, before: phases.game.frist, because: x}", "N102"),
        ("{move: phases.game.last, before: procedures.pay, because: x}", "M111"),
        ("{move: phases.game.last, before: phases.game.last, because: x}", "M111"),
        ("{move: procedures.pay, before: procedures.earn, because: x}", "M111"),
        ("{restore: phases.game.last, because: x}", "M109"),
        ("{restore: phases.game.last, over: nobody, because: x}", "M113"),
        ("{restore: phases.game.last, over: rules, because: x}", "N102"),
        ("{restore: phases.game.last, over: child, because: x}", "M113"),
    ],
)
def test_rewriting_that_does_not_fit(shelf: Shelf, patch: str, code: str) -> None:
    assert [finding.code for finding in change(shelf, patch, base=RULES)[1].findings] == [code]


def test_two_layers_may_edit_one_text_but_not_set_it_after_that(shelf: Shelf) -> None:
    change(shelf, "{edit: procedures.pay, from: p.cash > 5, to: p.cash > 6, because: x}", base=RULES)
    shelf.put(
        "both",
        "ruleset: both\nextends: child\npatches: [{edit: procedures.pay, from: p.debt, to: p.cash, because: x}]\n",
    )
    assert shelf.try_merge("both")[1].ok
    shelf.put("not_both", "ruleset: not_both\nextends: child\npatches: [{set: procedures.pay, to: stop, because: x}]\n")
    assert [finding.code for finding in shelf.try_merge("not_both")[1].findings] == ["M102"]
