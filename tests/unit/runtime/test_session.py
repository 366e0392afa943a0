"""Taking back: any own choice in an open game, only what nobody could learn from in a hidden one."""

from pathlib import Path

from interpreter import load
from interpreter.runtime.record import read_record
from interpreter.runtime.retelling import retell, start_record
from interpreter.runtime.session import Session

MINIS = Path(__file__).resolve().parents[2] / "minis"


def sit_down(name: str, players: int, seed: int = 1) -> Session:
    return Session(load(MINIS / name, search_path=[MINIS]).new_game(players=players, seed=seed), None)


def choose(session: Session, index: int = 0) -> None:
    assert session.game.decision is not None
    assert session.choose(session.game.decision.options[index]) is None


def test_back_to_the_last_own_choice_over_those_of_bots() -> None:
    session = sit_down("nim", 2)
    hashes = [session.game.hash()]
    for _ in range(3):
        choose(session)
        hashes.append(session.game.hash())
    assert session.undo(frozenset({"ann"})) is None  # ann, bob, ann: the last own choice is the third
    assert session.game.hash() == hashes[2]
    assert session.undo(frozenset({"ann"})) is None  # now bob's choice goes with it
    assert session.game.hash() == hashes[0] and session.past == []
    assert session.undo(frozenset({"ann"})) == "there is no choice of yours to take back"


def test_a_game_that_hides_something_goes_back_only_until_others_have_chosen() -> None:
    session = sit_down("hidden_hands", 2, seed=4)
    people = frozenset(session.game.seats)
    choose(session)
    assert session.undo(people) == "there is no choice of yours to take back"  # bob is asked; the choice was ann's
    choose(session)
    assert "others have chosen since then" in (session.undo(people) or "")


def test_a_refused_choice_changes_nothing() -> None:
    session = sit_down("nim", 2)
    assert session.game.decision is not None
    option = session.game.decision.options[2]
    session.game.set("table.heap", 1)
    before = session.game.hash()
    assert session.choose(option) is not None
    assert session.game.hash() == before and session.past == []


def test_a_record_tells_the_same_game(tmp_path: Path) -> None:
    game = load(MINIS / "auction", search_path=[MINIS]).new_game(players=3, seed=9)
    session = Session(game, start_record(tmp_path / "a.jsonl", game, 9, {}))
    for _ in range(6):
        choose(session)
    session.undo(frozenset(game.seats))
    choose(session, 1)
    session.close()
    told = retell(read_record(tmp_path / "a.jsonl"))
    assert told.game.hash() == session.game.hash() and len(told.past) == 6
    assert told.own  # the minis are not among the rulesets that are found by name: the record brings its own
