"""Commands that read a ruleset without playing it."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]


def test_list(run: Any) -> None:
    code, out, _ = run("list")
    assert code == 0 and "nim_long_misere" in out and "Modules" in out
    found = {one["name"]: one for one in json.loads(run("list", "--json")[1])["rulesets"]}
    assert found["nim_long"]["players"] == "2" and found["nim_quick"]["what"] == "module"


def test_show(run: Any) -> None:
    assert "layers nim_base -> nim_long -> nim_long_misere" in run("show", "nim_long_misere")[1]
    assert "most:" in run("show", "nim_long_misere", "constants")[1]
    assert json.loads(run("show", "nim", "constants", "--json")[1]) == {"most": {"is": 3}}
    whole = json.loads(run("show", "nim", "--json")[1])
    assert whole["title"] == "Nim" and "phases" in whole


@pytest.mark.parametrize("name", sorted(path.parent.name for path in ROOT.glob("tests/minis/*/ruleset.yaml")))
def test_what_is_shown_is_yaml_that_means_the_same(run: Any, name: str) -> None:
    code, out, err = run("show", name, "--all")
    if code == 1:
        assert "module" in err
        return
    shown = yaml.load(out, Loader=yaml.BaseLoader)
    data = json.loads(run("show", name, "--json")[1])
    assert _texts(shown) == _texts(data)


def _texts(value: object) -> object:
    """All values as plain text: JSON knows numbers, the YAML is read without types; headers keep their letters."""
    if isinstance(value, dict):
        return {str(key).split("(")[0]: _texts(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_texts(inner) for inner in value]
    return (
        {True: "true", False: "false", None: ""}.get(value, str(value).rstrip("\n"))
        if not isinstance(value, int) or isinstance(value, bool)
        else str(value)
    )


def test_blame_names_layer_place_and_reason(run: Any) -> None:
    _, out, _ = run("blame", "nim_long_misere", "constants.most")
    assert "nim_base" in out and "with four the first player always wins" in out
    data = json.loads(run("blame", "nim_long_misere", "--json")[1])
    assert [touch["layer"] for touch in data["constants.most"]] == ["nim_base", "nim_long", "nim_long_misere"]


def test_diff(run: Any) -> None:
    _, out, _ = run("diff", "nim_long_misere")
    assert "constants.most.is  # with four the first player always wins\n  - 4\n  + 5" in out
    changes = json.loads(run("diff", "nim_base", "--with", "nim_quick", "--json")[1])["changes"]
    assert changes and all(change["because"] for change in changes)
    assert run("diff", "nim", "auction")[0] == 0


def test_graph(run: Any) -> None:
    assert "s_game__lay_out --> s_game__turns" in run("graph", "nim")[1]
    assert 'w_bid [label="bid?", shape=diamond]' in run("graph", "auction", "--format", "dot")[1]
    assert run("graph", "auction", "--format", "text")[1].startswith("game\n  lots -> sale\nsale\n  bids -> ask bid\n")


def test_schema(run: Any, home: Path) -> None:
    schema = json.loads(run("schema", "auction")[1])
    lots = schema["properties"]["components"]["properties"]["lot"]["additionalProperties"]
    assert lots["properties"]["value"]["type"] == "integer" and lots["additionalProperties"] is False
    assert "components.lot.vase.value" in json.dumps(schema["$defs"]["patch"])
    assert run("schema", "auction", "--into", "there")[0] == 0
    assert {path.name for path in (home / "there").iterdir()} >= {"auction.schema.json", "ruleset.schema.json"}


def test_validate_in_every_form(run: Any, home: Path) -> None:
    run("new", "wrong")
    main = home / "wrong/ruleset.yaml"
    main.write_text(main.read_text().replace("n <= table.left", "n <= table.lefd"))
    code, out, _ = run("validate", "wrong")
    assert code == 1 and "wrong/ruleset.yaml:" in out and "^" in out and "did you mean 'left'?" in out
    assert out.rstrip().split("\n")[-1].startswith("1 ruleset: 1 error, 0 warnings")
    finding = json.loads(run("validate", "wrong", "--json")[1])["findings"][0]
    assert finding["line"] == 21 and finding["severity"] == "error"
    assert run("validate", "wrong", "--format", "github")[1].startswith("::error file=wrong/ruleset.yaml,line=21,")
    assert (
        json.loads(run("validate", "wrong", "--format", "sarif")[1])["runs"][0]["results"][0]["ruleId"]
        == finding["code"]
    )
    assert run("play", "wrong")[0] == 1


def test_validate_folders_modules_and_scenarios(run: Any, home: Path) -> None:
    code, out, _ = run("validate", str(ROOT / "tests/minis"))
    assert code == 0 and "no findings" in out
    run("new", "mine")
    assert run("validate", "mine/scenarios/last_counter.yaml")[0] == 0
    (home / "mine/scenarios/last_counter.yaml").write_text("scenario: x\nrulset: mine\nthen: []\n")
    code, out, _ = run("validate", "mine/scenarios/last_counter.yaml")
    assert code == 1 and "C101 unknown key 'rulset'" in out and "did you mean 'ruleset'?" in out


def test_validate_says_the_same_with_several_processes(run: Any, home: Path) -> None:
    for number in range(3):
        run("new", f"mine_{number}")
        main = home / f"mine_{number}/ruleset.yaml"
        main.write_text(main.read_text() + f"\nconstnats: {{a: {number}}}\n")
    alone, together = (json.loads(run("validate", str(home), "--json", "--jobs", jobs)[1]) for jobs in ("1", "2"))
    assert alone["findings"] == together["findings"] and len(alone["findings"]) == 3
    shown = [run("validate", str(home), "--jobs", jobs)[1].rpartition(",")[0] for jobs in ("1", "2")]
    assert shown[0] == shown[1] and "did you mean" in shown[0]
    assert run("validate", "--jobs", "0")[0] == 2


def test_texts_and_views_are_checked(run: Any, home: Path) -> None:
    run("new", "mine")
    (home / "mine/text/en.yaml").write_text(
        """\
names: {player: {frist: First}, pleyer: {}}
fields: {table: {lefd: left}}
windows: {turm: x}
options: {turn: {take: "take {m}", tak: x}}
clauses: {turn: {take: {enogh: x}}}
views:
  board: {rows: tabel, columns: [left]}
  table: {rows: table, columns: [left, winner, winer]}
  some: {rows: player, only: lefft, columns: [score]}
  bare: {title: Bare}
"""
    )
    code, out, _ = run("validate", "mine")
    assert code == 0 and run("validate", "mine", "--strict")[0] == 1
    for word in ("first", "player", "left", "turn", "take", "enough", "table", "winner"):
        assert f"did you mean '{word}'?" in out, word
    assert "'{m}' stands for nothing" in out
    assert "0 errors, 10 warnings" in out
    code, out, _ = run("play", "mine")
    assert code == 0 and "winer ?" in out


def test_a_language_that_says_less_is_noticed(run: Any, home: Path) -> None:
    run("new", "mine")
    (home / "mine/text/en.yaml").write_text(
        'windows: {turn: Your turn}\noptions: {turn: {take: "take {n|#|# of them}"}}\n'
    )
    assert run("validate", "mine")[1].startswith("1 ruleset: no findings")  # one language: ids do
    (home / "mine/text/de.yaml").write_text("windows: {turn: Du bist dran}\n")
    code, out, _ = run("validate", "mine")
    assert code == 0 and "mine/text/de.yaml:1:1: V103 warning: no text for options.turn.take, which another" in out
    (home / "mine/text/de.yaml").write_text(
        'windows: {turn: Los}\noptions: {turn: {take: "{n|a|b|c} und {m for n}"}}\n'
    )
    out = run("validate", "mine")[1]
    assert "V103" not in out and "'{n|a|b|c}' cannot be read" in out and "'{m for n}' stands for nothing" in out


def test_views_are_drawn(run: Any, home: Path) -> None:
    run("new", "mine")
    with (home / "mine/text/en.yaml").open("a") as file:
        file.write("views:\n  heap: {title: The heap, rows: table, columns: {here: left, most at once: winner}}\n")
        file.write("  people: {title: People, rows: player, columns: [score]}\n")
    assert run("validate", "mine")[1].startswith("1 ruleset: no findings")
    out = run("play", "mine")[1]
    assert "The heap\nhere 12 · most at once –" in out
    assert "People\n        score\nFirst       0\nSecond      0" in out


def test_sources(run: Any, home: Path) -> None:
    run("new", "mine")
    (home / "mine/catalogue.yaml").write_text(
        """\
catalogue:
  BK-A-01: {rule: Take one to three., editions: [first], source: "1"}
  BK-A-02: {rule: The last one wins., editions: [first], source: "2"}
  BK-B-01: {rule: Only later., editions: [second], source: "3"}
  BK-M-01: {rule: Only with more heaps., editions: [first], module: heaps, source: "4"}
"""
    )
    main = home / "mine/ruleset.yaml"
    text = main.read_text().replace(
        "heap: 12 ", "heap: {is: 12, assumed: the number is lost, ref: [BK-A-01, BK-X-09]} "
    )
    main.write_text(text + "edition: first\n")
    scenario = home / "mine/scenarios/last_counter.yaml"
    scenario.write_text(scenario.read_text().replace("given:", "ref: [BK-A-02]\ngiven:"))
    data = json.loads(run("sources", "mine", "--json")[1])
    assert data["rules"] == 2
    assert data["without_yaml"] == ["BK-A-02"] and data["without_test"] == ["BK-A-01"]
    assert list(data["unknown"]) == ["BK-X-09"]
    assert run("sources", "mine", "--check")[0] == 1 and run("sources", "mine")[0] == 0
    _, out, _ = run("sources", "mine", "--assumed")
    assert "constants.heap = 12\n    the number is lost\n" in out


def test_a_scenario_of_several_rulesets_holds_in_each(run: Any, home: Path) -> None:
    run("new", "mine")
    run("new", "other", "--extends", "mine")
    shared = home / "tests/scenarios/shared.yaml"
    shared.parent.mkdir(parents=True)
    shared.write_text(
        "scenario: whoever takes the last counter wins\nruleset: [mine, other]\ngiven: {set: {table.left: 1}}\n"
        "when: [{choose: take n=1}]\nthen: [{finished: true}]\n"
    )
    _, out, _ = run("test", "other", "-v")
    assert "ok whoever takes the last counter wins (other)" in out and "(mine)" not in out
    _, out, _ = run("test", "-v", "tests/scenarios/shared.yaml")
    assert "wins (mine)" in out and "wins (other)" in out and "2 scenarios, all passed" in out
    shared.write_text(shared.read_text().replace("[mine, other]", "[]"))
    code, out, _ = run("test", "tests/scenarios/shared.yaml")
    assert code == 1 and "the list of rulesets is empty" in out


def test_new(run: Any) -> None:
    assert run("new", "mine")[0] == 0
    assert run("validate", "mine")[0] == 0 and run("test", "mine")[0] == 0
    assert run("play", "mine", "--auto", "--seed", "1")[0] == 0
    assert run("new", "other", "--extends", "mine")[0] == 0
    assert run("validate", "other")[0] == 0
    code, _, err = run("new", "mine")
    assert code == 2 and "exists already" in err


def test_blame_of_a_kind_names_the_layer_of_each_thing(run: Any) -> None:
    _, out, _ = run("blame", "sixth_decade", "decade")
    layers = [line.split()[1] for line in out.splitlines()[1:]]
    assert layers == ["arkwright"] * 3 + ["waterframe"] * 2 + ["sixth_decade"]
