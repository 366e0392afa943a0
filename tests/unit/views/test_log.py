"""The log and the table: what happened, for those who may know it."""

from pathlib import Path

from interpreter import load
from interpreter.views.log import tell_game
from interpreter.views.observe import observe_data
from interpreter.views.text import draw_state
from interpreter.views.words import words_for

MINIS = Path(__file__).resolve().parents[2] / "minis"


def test_changes_of_one_field_become_one() -> None:
    game = load(MINIS / "nim", search_path=[MINIS]).new_game()
    game.choose("take n=3")
    lines = tell_game(game, words_for(game, "en"), changes=True)
    assert [(line.kind, line.text) for line in lines] == [
        ("choice", "Ann: take 3"),
        ("change", "sticks on the heap 12 → 9"),
    ]
    assert [line.kind for line in tell_game(game, words_for(game, "en"), changes=False)] == ["choice"]


def test_a_secret_choice_is_told_to_its_seat_alone() -> None:
    game = load(MINIS / "secret_bids", search_path=[MINIS]).new_game(seed=3)
    assert game.decision is not None
    seat = game.decision.seat
    others = [other for other in game.seats if other != seat]
    game.choose(1)
    words = words_for(game, "en")
    choices = [line for line in tell_game(game, words, changes=True) if line.kind in ("choice", "change")]
    assert choices and all(line.seen_by(seat) for line in choices)
    assert not any(line.seen_by(viewer) for line in choices for viewer in [*others, None])


def test_no_view_shows_what_is_hidden() -> None:
    game = load(MINIS / "hidden_hands", search_path=[MINIS]).new_game(players=3, seed=5)
    words = words_for(game, "en")
    held = {seat: {card: one["holder"] for card, one in game.observe(seat)["card"].items()} for seat in game.seats}
    for seat in game.seats:
        drawn = draw_state(game, words, seat)
        assert drawn.count(words.thing(seat, "player")) == 1 + sum(holder == seat for holder in held[seat].values())
        assert set(held[seat].values()) == {seat, "?"}
        data = observe_data(game, seat)
        asked = game.decision is not None and game.decision.seat == seat
        assert (data["options"] is not None) == asked
    assert {one["holder"] for one in game.observe(None)["card"].values()} == {"?"}
    assert observe_data(game, None)["options"] is None


def test_a_quantity_that_reads_hidden_fields_is_not_shown(tmp_path: Path) -> None:
    folder = tmp_path / "hidden_hands"
    (folder / "text").mkdir(parents=True)
    text = (MINIS / "hidden_hands/ruleset.yaml").read_text()
    extra = "quantities:\n  hand(p): count(c in cards where c.holder is p)\n  both(p): hand(p) + p.points\n"
    (folder / "ruleset.yaml").write_text(
        text.replace("windows:", extra + "windows:", 1).replace(
            "p.points\n  ranked", "p.points + 0 * both(p)\n  ranked"
        )
    )
    (folder / "text/en.yaml").write_text("views: {people: {rows: player, columns: [points, hand, both]}}\n")
    game = load(folder).new_game(seed=5)
    drawn = draw_state(game, words_for(game, "en"), "ann")
    assert drawn.split("\n")[2].split() == ["ann", "0", "?", "?"]
    assert game.reads_hidden("both(ann) + 1") and not game.reads_hidden("ann.points")


def test_a_moment_with_an_empty_text_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: quiet\ntitle: Quiet\nplayers: {seats: [a], counts: [1]}\nnames: {player: [p]}\n"
        "moments: {told(p): {}, kept(p): {}}\nwindows: {turn(p): {always: true, options: {go: {do: go(p)}}}}\n"
        "procedures:\n  go(p): |\n    announce told(p)\n    announce kept(p)\n"
        "phases: {game: {turns: for p in players do ask turn(p)}}\n"
        "scoring: {score(p): 0, ranked: p in players by highest score(p)}\n"
    )
    (tmp_path / "text/en.yaml").write_text('moments: {told: "{p} is heard", kept: ""}\n')
    game = load(tmp_path).new_game()
    game.choose("go")
    lines = tell_game(game, words_for(game, "en"), changes=False)
    assert [line.text for line in lines if line.kind == "moment"] == ["a is heard"]
