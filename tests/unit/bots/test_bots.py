"""Bots choose evenly, or what scores most, and the same on every machine."""

from collections import Counter
from pathlib import Path

import pytest

from interpreter import load
from interpreter.bots.arena import GameFailed, Tally, play_games
from interpreter.bots.ear import with_silent
from interpreter.bots.random_bot import RandomBot
from interpreter.bots.roster import BOTS, make_bot

MINIS = Path(__file__).resolve().parents[2] / "minis"


def test_chance_is_even_and_always_the_same() -> None:
    bot = RandomBot(7)
    assert [bot.below(10) for _ in range(8)] == [3, 1, 6, 0, 5, 3, 0, 5]
    assert [RandomBot(7).below(1000) for _ in range(3)] == [RandomBot(7).below(1000)] * 3
    counts = Counter(bot.below(6) for _ in range(6000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5] and max(counts.values()) - min(counts.values()) < 200


def test_every_bot_ends_its_games() -> None:
    ruleset = load(MINIS / "auction", search_path=[MINIS])
    for name in BOTS:
        game, bot = ruleset.new_game(players=3, seed=2), make_bot(name, 2)
        while game.decision is not None:
            assert game.choose(bot.pick(game)) is None
        assert game.finished


def test_the_greedy_bot_takes_what_scores() -> None:
    game = load(MINIS / "nim", search_path=[MINIS]).new_game()
    game.set("table.heap", 2)
    assert game.decision is not None
    assert game.decision.options[make_bot("greedy", 1).pick(game)].id == "take n=2"


def test_counts_add_up() -> None:
    ruleset = load(MINIS / "auction", search_path=[MINIS])
    parts = Tally()
    for seeds in (range(1, 8), range(8, 21)):
        parts.merge(play_games(ruleset, 4, {}, seeds, every=1))
    whole = play_games(ruleset, 4, {}, range(1, 21))
    assert (parts.games, parts.decisions, parts.seats, parts.options) == (
        whole.games,
        whole.decisions,
        whole.seats,
        whole.options,
    )


def test_what_was_announced_is_counted_by_thing_and_silence_is_named() -> None:
    ruleset = load(MINIS / "tiles", search_path=[MINIS])
    tally = play_games(ruleset, 2, {}, range(1, 30), hear=True)
    sold = tally.heard["sold", "", ""]
    assert sold == tally.options["turn.sell"] + tally.options["turn.peddle"]
    assert sold == tally.heard["sold", "p", "ann"] + tally.heard["sold", "p", "bob"]
    assert play_games(ruleset, 2, {}, range(1, 30)).options == tally.options
    silent = [row for row in with_silent(ruleset.new_game(), {}) if row[0] == "sold"]
    assert silent == [("sold", "", "", 0), ("sold", "p", "ann", 0), ("sold", "p", "bob", 0)]


def test_checking_and_the_time_before_the_first_decision_are_heard_too(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        """\
ruleset: early
title: Something happens at once
players: {seats: [ann, bob], counts: [2]}
names: {number: [n], player: [p]}
kinds: {player: {state: {points: 0..99}}}
moments: {begun(n): {}, scored(p): {}}
windows:
  turn(p):
    options:
      score: {do: "p.points += 1\\nannounce scored(p)"}
      rest: {}
phases:
  game:
    begin: announce begun(1)
    turns: for n in 1..15 do for p in players do ask turn(p)
scoring: {score(p): p.points, ranked: p in players by highest score(p)}
"""
    )
    ruleset = load(tmp_path)
    for every in (0, 1):
        tally = play_games(ruleset, 2, {}, range(1, 5), every=every, hear=True)
        assert tally.heard["begun", "", ""] == 4
        assert tally.heard["scored", "", ""] == tally.options["turn.score"]


@pytest.mark.parametrize(("every", "place"), [(1, "seed 1, decision 5"), (1000, "seed 1, at the end")])
def test_what_should_hold_is_checked_on_the_way_and_at_the_end(tmp_path: Path, every: int, place: str) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        """\
ruleset: leaking
title: A coin comes from nowhere
players: {seats: [ann, bob], counts: [2]}
names: {number: [n], player: [p]}
kinds: {player: {state: {coins: 0..99}}}
invariants: {three_coins: sum(p.coins for p in players) <= 3}
windows:
  turn(p): {options: {take: {do: p.coins += 1}, grab: {do: p.coins += 1}}}
phases: {game: {turns: for n in 1..4 do for p in players do ask turn(p)}}
scoring: {score(p): p.coins, ranked: p in players by highest score(p)}
"""
    )
    play_games(load(tmp_path), 2, {}, range(1, 2))
    with pytest.raises(GameFailed, match=f"^{place}: three_coins does not hold$"):
        play_games(load(tmp_path), 2, {}, range(1, 2), every=every)
