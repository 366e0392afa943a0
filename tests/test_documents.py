"""What the documentation shows is true: every ruleset in it plays, every command answers as printed."""

from __future__ import annotations

import contextlib
import io
import random
import re
import shlex
from pathlib import Path

import pytest

from interpreter import Game, load
from interpreter.cli.main import main

DOCS = Path(__file__).parent.parent / "docs"
RECORDS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TIMING = re.compile(r"\d+\.\d+ s\b|\d+ a second")
CHANCE = re.compile(r"[ ]*\d+(\.\d+)?")  # what bots do may change; what is told about it may not
PART = re.compile(
    r"^<!-- file: (?P<file>\S+) -->\n```\w+\n(?P<text>.*?)^```$|^```console\n(?P<console>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


def _snippets() -> dict[str, str]:
    found = {}
    for record in RECORDS:
        for text in BLOCK.findall(record.read_text(encoding="utf-8")):
            name = re.match(r"ruleset: (\w+)\n", text)
            assert name is not None, f"{record.name}: a snippet is not a whole ruleset"
            assert name[1] not in found, f"{record.name}: {name[1]} is shown twice"
            found[name[1]] = text
    return found


SNIPPETS = _snippets()


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shelf")
    for name, text in SNIPPETS.items():
        (folder / name).mkdir()
        (folder / name / "ruleset.yaml").write_text(text, encoding="utf-8")
    return folder


def new_game(shelf: Path, name: str, players: int = 2) -> Game:
    return load(shelf / name, search_path=(shelf,)).new_game(players=players, seed=1)


@pytest.mark.parametrize("name", SNIPPETS)
def test_each_ruleset_of_the_decision_records_plays_to_its_end(name: str, shelf: Path) -> None:
    ruleset = load(shelf / name, search_path=(shelf,))
    for players in ruleset.players:
        for seed in range(5):
            game = ruleset.new_game(players=players, seed=seed)
            dice = random.Random(seed)
            for _ in range(2_000):
                if game.decision is None:
                    break
                game.choose(dice.choice(game.decision.options))
            assert game.finished


def test_records_are_numbered_without_gaps_and_titled_alike() -> None:
    for number, record in enumerate(RECORDS, 1):
        assert record.name.startswith(f"{number:04d}-"), record.name
        text = record.read_text(encoding="utf-8")
        assert text.startswith(f"# {number}. ")
        for part in ("**Context.**", "**Decision.**", "**In data.**", "**Rejected.**"):
            assert part in text, f"{record.name} has no {part}"


# ---------------------------------------------------------------- what some of the records claim
def sale(shelf: Path, demand: int, importer: int, sellers: dict[str, tuple[int, int, int]]) -> dict[str, object]:
    """Sellers as (appeal, quality, goods)."""
    game = new_game(shelf, "home_sale", players=3)
    game.set("table.demand", demand)
    game.set("table.importer", importer)
    for seat, (appeal, quality, goods) in sellers.items():
        marketing = max(0, appeal - quality + 1)
        game.run(f"factory({seat}).quality = {quality}")
        game.run(f"factory({seat}).marketing = {marketing}")
        game.run(f"factory({seat}).price = {quality + marketing - appeal}")
        game.run(f"factory({seat}).goods = {goods}")
        assert game.evaluate(f"appeal(factory({seat}))") == appeal
    game.run("sell_at_home")
    sold = {seat: game.evaluate(f"factory({seat}).sold") for seat in sellers}
    return sold | {"importer": game.evaluate("table.imported")}


@pytest.mark.parametrize(
    ("demand", "importer", "sellers", "sold"),
    [
        (20, 3, {"blue": (4, 5, 9), "red": (2, 5, 9), "green": (0, 5, 9)}, (4, 2, 0, 3)),  # appeal is the limit
        (20, 3, {"blue": (4, 5, 1), "red": (2, 5, 9), "green": (0, 5, 9)}, (1, 2, 0, 3)),  # goods are the limit
        (2, 0, {"blue": (4, 5, 9), "red": (3, 5, 9), "green": (0, 5, 9)}, (2, 0, 0, 0)),  # higher appeal first
        (1, 3, {"blue": (3, 5, 9), "red": (0, 5, 9), "green": (0, 5, 9)}, (1, 0, 0, 0)),  # importer after equals
        (1, 0, {"blue": (3, 6, 9), "red": (3, 5, 9), "green": (0, 5, 9)}, (1, 0, 0, 0)),  # then quality
        (1, 0, {"blue": (3, 5, 9), "red": (3, 5, 9), "green": (0, 5, 9)}, (1, 1, 0, 0)),  # full tie: both
        (1, 3, {"blue": (3, 5, 9), "red": (3, 5, 9), "green": (0, 5, 9)}, (1, 1, 0, 0)),  # and nobody below them
    ],
)
def test_home_sale(
    demand: int, importer: int, sellers: dict[str, tuple[int, int, int]], sold: tuple[int, ...], shelf: Path
) -> None:
    assert tuple(sale(shelf, demand, importer, sellers).values()) == sold


def test_payment_sells_as_few_shares_as_needed_and_then_borrows(shelf: Path) -> None:
    game = new_game(shelf, "payment")
    game.choose("spend n=20")  # 12 in cash, 8 missing: one share at 23
    state = {f: game.evaluate(f"blue.{f}") for f in ("cash", "shares", "loans", "indicator")}
    assert state == {"cash": 15, "shares": 2, "loans": 0, "indicator": 21}
    game.run("pay(blue, 90)")  # 75 missing: two shares at 21 in need, the rest in loans
    state = {f: game.evaluate(f"blue.{f}") for f in ("cash", "shares", "loans", "indicator")}
    assert state == {"cash": 7, "shares": 0, "loans": 4, "indicator": 17 - 4}
    first = new_game(shelf, "payment_first_edition")
    first.set("blue.shares", 0)
    first.run("pay(blue, 22)")
    assert first.evaluate("blue.indicator") == 22


def test_marker_reuse_differs_by_edition(shelf: Path) -> None:
    spaces = {}
    for name in ("marker_reuse", "marker_reuse_first_edition"):
        game = new_game(shelf, name)
        game.choose("place m=blue.workers a=blue.2")
        game.choose("place m=red.workers a=red.1")
        assert game.decision is not None
        spaces[name] = [o.id for o in game.decision.options if "m=blue.workers" in o.id]
    assert len(spaces["marker_reuse"]) == 5
    assert spaces["marker_reuse_first_edition"] == ["place m=blue.workers a=blue.2"]


def test_inventor_pays_or_returns(shelf: Path) -> None:
    game = new_game(shelf, "inventor")
    game.choose("take t=inventor.1")
    assert game.evaluate("blue.cash") == 195
    assert game.decision is not None
    assert [o.id for o in game.decision.options] == [
        "step f=blue.1 by=inventor.1", "step f=blue.2 by=inventor.1", "done",
    ]  # fmt: skip
    game.choose("step f=blue.1 by=inventor.1")
    assert game.decision.window == "keep"
    game.choose("pay")
    assert game.evaluate("blue.cash") == 195 - 10 - 10
    game.choose("step f=blue.2 by=inventor.1")
    game.choose("give_back")
    assert game.evaluate("inventor.1.owner") is None
    assert game.evaluate("inventor.1.used") == 0


def test_bureaucracy_brings_the_reserve_event(shelf: Path) -> None:
    game = new_game(shelf, "bureaucracy")
    for number, event in enumerate(("bureaucracy", "unrest", "lobby", "fair"), 1):
        game.set(f"{event}.year", number)
    assert game.evaluate("usable(blue, blue.1)") is True
    for seat in ("blue", "red"):
        game.choose(f"place a={seat}.3")
    assert game.evaluate("those(e in events where e.face_up)") == ["bureaucracy", "fair"]
    assert game.evaluate("blue.cash") == 22
    assert game.evaluate("usable(blue, blue.1)") is False
    game.set("administrator.owner", "blue")
    assert game.evaluate("usable(blue, blue.1)") is True
    assert game.evaluate("usable(red, red.1)") is False


@pytest.mark.parametrize(("name", "room"), [("warehouse", 7), ("warehouse_first_edition", 5)])
def test_warehouse_rows_and_columns(name: str, room: int, shelf: Path) -> None:
    game = new_game(shelf, name)
    game.choose("column c=blue.food")
    game.choose("row r=blue.1")
    assert game.evaluate("large_room(blue, food)") == room
    assert game.evaluate("large_room(blue, lamps)") == 2


def test_obsolete_factories_deal_workers_singly(shelf: Path) -> None:
    game = new_game(shelf, "obsolete", players=2)
    for factory in ("blue.1", "blue.2", "red.1", "red.2"):
        game.set(f"{factory}.level", 1)
    game.run("age_factories")  # eight are wanted, seven are there
    assert [game.evaluate(f"{f}.extra") for f in ("blue.1", "blue.2", "red.1", "red.2")] == [2, 2, 2, 1]
    assert (game.evaluate("blue.cash"), game.evaluate("red.cash")) == (40, 35)


def test_coal_comes_from_the_nearest_mine(shelf: Path) -> None:
    game = new_game(shelf, "coal_and_iron")
    assert game.evaluate("coal_to_be_had(bolton)") is False
    game.set("wigan_bolton.owner", "red")
    assert game.evaluate("nearest_mines(bolton)") == ["wigan_mine"]
    game.set("bolton_bury.owner", "blue")
    assert game.evaluate("nearest_mines(bolton)") == ["wigan_mine", "bury_mine"]
    assert game.evaluate("nearest_mines(bury)") == ["bury_mine"]
    game.run("for w in all_works do w.cubes = 0")
    assert game.evaluate("coal_to_be_had(bury)") is False
    game.set("wigan_liverpool.owner", "red")
    assert game.evaluate("coal_to_be_had(bury)") is True
    assert game.evaluate("coal_price(bury)") == 1


# ---------------------------------------------------------------- the tutorials
@pytest.mark.parametrize("name", ["authoring.md", "variants.md"])
def test_the_tutorials_say_what_happens(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    page = (DOCS / name).read_text(encoding="utf-8")
    for part in PART.finditer(page):
        if part["file"] is not None:
            path = tmp_path / part["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(part["text"], encoding="utf-8")
        else:
            command, _, expected = part["console"].partition("\n")
            loose = CHANCE if "simulate" in command else TIMING
            assert loose.sub("…", _answer(command)) == loose.sub("…", expected), command


def _answer(command: str) -> str:
    prompt, program, *words = shlex.split(command)
    assert (prompt, program) == ("$", "cromford")
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        main(words)
    return out.getvalue()


def test_the_game_of_the_tutorial_has_forty_lines() -> None:
    page = (DOCS / "authoring.md").read_text(encoding="utf-8")
    game = [part["text"] for part in PART.finditer(page.partition("## 4.")[0]) if part["file"]]
    assert sum(len(text.splitlines()) for text in game) <= 40
