"""The engine on toy rulesets: each is played at random with every property checked, then for what it is about."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from interpreter import Game, Refusal, Ruleset, RulesetInvalid, load
from interpreter.views.words import words_for

MINIS = Path(__file__).parent / "minis"
MODULES = {"nim_quick", "nim_slow", "nim_high"}
PLAYABLE = sorted(folder.name for folder in MINIS.iterdir() if folder.is_dir() and folder.name not in MODULES)
TOO_MANY = 2_000
HIDDEN = "?"


def mini(name: str, modules: Iterable[str] = ()) -> Ruleset:
    return load(MINIS / name, modules=tuple(modules), search_path=(MINIS,))


def start(name: str, players: int = 2, seed: int = 1, **options: str) -> Game:
    return mini(name).new_game(players=players, seed=seed, options=options)


def ids(game: Game) -> list[str]:
    assert game.decision is not None
    return [option.id for option in game.decision.options]


def asked(game: Game) -> tuple[str, str]:
    assert game.decision is not None
    return game.decision.seat, game.decision.window


def choose(game: Game, *options: str) -> Game:
    for option in options:
        refusal = game.choose(option)
        assert refusal is None, f"{option}: {refusal}"
    return game


def play_at_random(game: Game, seed: int) -> int:
    dice = random.Random(seed)
    for count in range(TOO_MANY):
        if game.decision is None:
            assert game.finished
            return count
        game.choose(dice.choice(game.decision.options))
    raise AssertionError(f"not over after {TOO_MANY} decisions")


# ---------------------------------------------------------------- what holds for every ruleset
@pytest.mark.parametrize("name", PLAYABLE)
def test_random_games_end_and_rank_somebody_or_nobody(name: str) -> None:
    ruleset = mini(name)
    for players in ruleset.players:
        for seed in range(10):
            game = ruleset.new_game(players=players, seed=seed)
            play_at_random(game, seed)
            standings = game.result.standings
            assert sorted(s.seat for s in standings) == sorted(ruleset.seats[:players])
            ranks = [s.rank for s in standings if s.rank is not None]
            assert ranks == sorted(ranks)
            assert not ranks or ranks[0] == 1


@pytest.mark.parametrize("name", PLAYABLE)
def test_listed_options_are_accepted_and_others_refused(name: str) -> None:
    game = mini(name).new_game(players=mini(name).players[0], seed=3)
    dice = random.Random(3)
    for _ in range(40):
        decision = game.decision
        if decision is None:
            break
        listed = ids(game)
        assert listed and len(set(listed)) == len(listed)
        before = game.hash()
        for option in listed[:8]:
            assert game.copy().choose(option) is None
        assert isinstance(game.choose("no_such_option n=99"), Refusal)
        assert game.hash() == before, "trying and refusing change nothing"
        game.choose(dice.choice(listed))


@pytest.mark.parametrize("name", PLAYABLE)
def test_same_seed_and_choices_give_the_same_game(name: str) -> None:
    ruleset = mini(name)
    first = ruleset.new_game(players=ruleset.players[-1], seed=7)
    play_at_random(first, 7)
    second = ruleset.new_game(players=ruleset.players[-1], seed=7)
    choose(second, *first.trail)
    assert second.hash() == first.hash()
    assert second.finished


@pytest.mark.parametrize("name", PLAYABLE)
def test_a_state_goes_through_json_and_plays_on(name: str) -> None:
    ruleset = mini(name)
    game = ruleset.new_game(players=ruleset.players[0], seed=5)
    dice = random.Random(5)
    while game.decision is not None:
        again = ruleset.game_from_json(json.loads(json.dumps(game.to_json())))
        assert again.hash() == game.hash()
        assert ids(again) == ids(game)
        option = dice.choice(ids(game))
        choose(game, option)
        choose(again, option)
        assert again.hash() == game.hash()


@pytest.mark.parametrize("name", PLAYABLE)
def test_telling_does_not_change_the_game(name: str) -> None:
    ruleset = mini(name)
    loud, quiet = (ruleset.new_game(players=ruleset.players[0], seed=2, told=told) for told in (True, False))
    play_at_random(loud, 2)
    play_at_random(quiet, 2)
    assert loud.hash() == quiet.hash()


# ---------------------------------------------------------------- nim
def test_nim_is_won_by_the_last_taker() -> None:
    game = start("nim", start="seven")
    assert asked(game) == ("ann", "turn")
    assert ids(game) == ["take n=1", "take n=2", "take n=3"]
    choose(game, "take n=3")
    assert asked(game)[0] == "bob"
    assert game.evaluate("table.heap") == 4
    choose(game, "take n=3")  # one is left: ann's only option is taken by itself
    assert game.finished
    assert [(s.seat, s.rank, s.score) for s in game.result.standings] == [("ann", 1, 1), ("bob", 2, 0)]


def test_nim_says_why_not() -> None:
    game = start("nim")
    choose(game, "take n=3", "take n=3", "take n=3", "take n=1")
    assert ids(game) == ["take n=1", "take n=2"]
    answer = game.why_not("take n=3")
    assert not answer.offered
    assert [clause.name for clause in answer.clauses if not clause.holds] == ["enough"]
    refusal = game.choose("take n=3")
    assert isinstance(refusal, Refusal)


def test_a_default_option_is_the_first() -> None:
    assert start("nim").evaluate("table.heap") == 12
    assert start("nim", start="seven").evaluate("table.heap") == 7


# ---------------------------------------------------------------- variants
def test_a_variant_of_a_variant() -> None:
    games = {name: start(name) for name in ("nim_base", "nim_long", "nim_long_misere")}
    values = {name: (game.evaluate("table.heap"), game.evaluate("most")) for name, game in games.items()}
    assert values == {"nim_base": (9, 3), "nim_long": (21, 4), "nim_long_misere": (20, 5)}


def test_patched_steps_and_options_play() -> None:
    game = start("nim_long")
    choose(game, "take n=1")
    assert game.evaluate("ann.singles") == 1
    game = start("nim_long_misere")
    game.set("table.heap", 5)
    choose(game, "take n=2")  # three are left: now one may pass
    assert ids(game) == ["take n=1", "take n=2", "take n=3", "pass"]


@pytest.mark.parametrize("name", ["nim_base", "nim_long"])
def test_a_module_goes_on_a_base_and_its_variants(name: str) -> None:
    game = mini(name, modules=["nim_quick"]).new_game(players=2, seed=1)
    assert ids(game)[0] == "take n=2"
    play_at_random(game, 1)


@pytest.mark.parametrize(
    ("name", "modules", "code"),
    [
        ("nim", ["nim_quick"], "M105"),
        ("nim_base", ["nim_quick", "nim_slow"], "M106"),
        ("nim_base", ["nim_slow", "nim_slow"], "M107"),
    ],
)
def test_modules_that_cannot_be_used_so_are_refused(name: str, modules: list[str], code: str) -> None:
    with pytest.raises(RulesetInvalid) as trouble:
        mini(name, modules)
    assert {finding.code for finding in trouble.value.report.errors} == {code}


def test_modules_are_combined_in_any_order() -> None:
    for modules in (["nim_slow", "nim_high"], ["nim_high", "nim_slow"]):
        game = mini("nim_base", modules).new_game(players=2, seed=1)
        assert (game.evaluate("table.heap"), ids(game)) == (12, ["take n=1", "take n=2"])


def test_layers_and_files_of_a_variant() -> None:
    game = start("nim_layered")
    choose(game, "take n=2", "take n=3", "take n=3")  # one is left, and nobody may take just one
    assert game.finished
    assert game.evaluate("bob.waits") == 1


# ---------------------------------------------------------------- hidden things
def holders(game: Game, seat: str | None) -> dict[str, object]:
    return {id_: card["holder"] for id_, card in game.observe(seat)["card"].items()}


def test_hands_are_hidden_from_others() -> None:
    game = start("hidden_hands", players=3)
    for seat in ("ann", "bob", "cyd"):
        own = {card for card, holder in holders(game, seat).items() if holder == seat}
        assert own == set(game.evaluate(f"cards of {seat}"))
        assert {holder for card, holder in holders(game, seat).items() if card not in own} == {HIDDEN}
    assert set(holders(game, None).values()) == {HIDDEN}
    assert {card["place"] for card in game.observe("ann")["card"].values()} == {HIDDEN}


def test_who_only_watches_does_not_see_which_cards_nobody_holds() -> None:
    game = start("hidden_hands", players=2)
    assert game.evaluate("count(c in cards where c.holder is none)") == 3
    assert set(holders(game, None).values()) == {HIDDEN}


def test_a_card_that_was_played_is_seen_by_all() -> None:
    game = start("hidden_hands", players=3)
    option = ids(game)[0]
    choose(game, option)
    card = option.removeprefix("play c=")
    assert holders(game, "bob")[card] == holders(game, None)[card] == "ann"


def test_what_was_open_and_is_hidden_now_is_not_told() -> None:
    game = start("hidden_hands", players=3)
    while not any(event.name == "shown" and event.new is False for event in game.events):
        choose(game, ids(game)[0])  # until the cards of a trick are put away, face down
    put_away = [event for event in game.events if event.name == "holder" and event.new is None]
    assert put_away and all(set(event.hidden_from) == {"ann", "bob", "cyd"} for event in put_away)


def test_secret_bids_are_hidden_until_all_have_bid() -> None:
    game = start("secret_bids", players=3)
    choose(game, "bid n=3")
    assert asked(game) == ("bob", "bid")
    assert game.observe("ann")["player"]["ann"]["bid"] == 3
    assert game.observe("bob")["player"]["ann"]["bid"] == HIDDEN
    assert game.observe(None)["player"]["ann"]["bid"] == HIDDEN
    choose(game, "bid n=1", "bid n=3")
    assert game.evaluate("those(p in players where p.points > 0)") == ["bob"]
    assert game.evaluate("sum(p.bid for p in players)") == 0  # forgotten with the round
    assert game.evaluate("ann.coins") == 6


# ---------------------------------------------------------------- networks
def test_a_way_is_dug_link_by_link() -> None:
    game = start("canals")
    assert ids(game) == ["dig l=mill_town", "dig l=mill_mine", "done"]
    choose(game, "dig l=mill_town", "dig l=mill_mine")
    assert ids(game) == ["dig l=town_port", "done"]
    choose(game, "dig l=town_port")
    assert game.evaluate("distance(own(ann), mill, port)") == 2
    assert game.evaluate("distance(own(bob), mill, port)") == 9999
    assert game.evaluate("distance(canals, mine, port)") == 3
    assert [c.name for c in game.why_not("dig l=port_hill").clauses if not c.holds] == ["touches"]


# ---------------------------------------------------------------- auction
def test_an_option_like_another_takes_over_picks_clauses_and_words() -> None:
    game = start("rails")
    choose(game, "lay l=north_east")
    assert asked(game) == ("ann", "second_rail")
    assert "lay l=west_moor" in ids(game)  # its own clause replaced that of the first
    refused = game.choose("lay l=north_east")
    assert isinstance(refused, Refusal) and "unbuilt" in str(refused)  # this one it took over
    words = words_for(game, "en")
    assert words.clause("second_rail", "lay", "unbuilt") == "there is a rail already"
    assert words.option("second_rail", "lay", {}) == words.option("first_rail", "lay", {})
    choose(game, "lay l=west_moor")
    assert asked(game) == ("bob", "first_rail")  # its own text replaced that of the first: nothing is asked again
    assert game.evaluate("ann.cash") == 14 - 2 - 4


def test_bidding_goes_round_until_one_is_left() -> None:
    game = start("auction", players=3)
    choose(game, "raise n=2", "pass", "raise n=1")
    assert asked(game) == ("ann", "bid")
    choose(game, "pass")
    assert game.evaluate("cyd.points") == 3
    assert game.evaluate("cyd.cash") == 7
    assert game.evaluate("table.start") == "bob"
    assert game.evaluate("any(p in players where p.out)") is False


def test_stop_leaves_the_phase() -> None:
    game = start("auction", players=2)
    choose(game, "pass", "pass")
    assert game.evaluate("table.start") == "ann"  # nobody bought, so the last step was not reached


def test_players_without_points_are_not_ranked() -> None:
    game = start("auction", players=2)
    while game.decision is not None:
        choose(game, "raise n=1" if game.decision.seat == "ann" and "raise n=1" in ids(game) else "pass")
    assert [(s.seat, s.rank) for s in game.result.standings] == [("ann", 1), ("bob", None)]


# ---------------------------------------------------------------- effects
def test_stages_order_modifiers_and_explain_shows_them() -> None:
    game = start("stages")
    game.set("stall.1.owner", "ann")
    game.set("stall.2.owner", "ann")
    game.set("guild.1.owner", "bob")
    game.set("crown.1.owner", "ann")
    assert game.evaluate("price(ann)") == 5
    derivation = game.explain("price(ann)")
    assert derivation.value == 5
    told = _told(derivation)
    order = [next(i for i, line in enumerate(told) if word in line) for word in ("stall", "guild", "crown")]
    assert order == sorted(order), told


def _told(derivation: object) -> list[str]:
    lines = [f"{derivation.value} {derivation.text}"]  # type: ignore[attr-defined]
    for child in derivation.children:  # type: ignore[attr-defined]
        lines += _told(child)
    return lines


def test_offers_and_extensions_name_their_piece() -> None:
    game = start("tiles")
    for piece in ("carter.1", "apprentice.1", "master.1", "beadle.1"):
        game.set(f"{piece}.owner", "ann")
    game.set("ann.cloth", 1)
    options = ids(game)
    assert "peddle by=carter.1" in options
    assert "alms by=beadle.1" in options
    assert [o for o in options if o.startswith("weave")] == [
        "weave n=1", "weave n=2", "weave n=3 by=apprentice.1", "weave n=3 by=master.1",
    ]  # fmt: skip
    choose(game, "weave n=3 by=apprentice.1")
    assert game.evaluate("ann.cloth") == 4
    assert game.evaluate("apprentice.1.used") == 1


def test_a_used_up_tile_goes_back() -> None:
    game = start("tiles")
    game.set("apprentice.1.owner", "ann")
    choose(game, "weave n=3 by=apprentice.1", "weave n=1", "weave n=3 by=apprentice.1")
    assert game.evaluate("apprentice.1.owner") is None
    assert game.evaluate("apprentice.1.used") == 0
    assert game.evaluate("master.1.type.uses") == 3


def test_reactions_of_pieces_and_rules() -> None:
    game = start("tiles")
    game.set("clerk.1.owner", "bob")
    game.set("clerk.2.owner", "bob")
    game.set("ann.cloth", 3)
    choose(game, "sell n=3")
    assert game.evaluate("bob.cash") == 6
    assert game.evaluate("ann.cash") == 8  # three for the cloth, one from the fair


def test_forbid_takes_an_option_away() -> None:
    game = start("tiles")
    game.set("bailiff.1.owner", "bob")
    game.set("ann.cloth", 6)
    assert [o for o in ids(game) if o.startswith("sell")] == ["sell n=1", "sell n=2", "sell n=3"]
    assert not game.why_not("sell n=4").offered
    game.set("bailiff.1.owner", "ann")
    assert "sell n=6" in ids(game)


def test_an_offer_at_any_time_is_no_turn() -> None:
    game = start("tiles")
    game.set("beadle.1.owner", "ann")
    choose(game, "alms by=beadle.1")
    assert asked(game) == ("ann", "turn")
    assert "alms by=beadle.1" not in ids(game)  # once in a visit
    assert game.evaluate("bob.cash") == 5


# ---------------------------------------------------------------- values of a visit, fields of a phase
def test_once_keeps_and_done() -> None:
    game = start("clocks", players=1)
    assert ids(game) == ["wind c=tower", "wind c=hall", "wind c=desk"]  # done needs something wound
    choose(game, "wind c=tower")
    assert ids(game) == ["wind c=hall", "wind c=desk", "chime", "done"]
    choose(game, "chime", "wind c=desk")  # no power left, chimed already: the window closes by itself
    assert game.evaluate("tower.strikes") == 1
    assert game.evaluate("table.hours") == 2
    assert asked(game) == ("ann", "nap")


def test_up_to_counts_and_clamped_fields_stop_at_their_end() -> None:
    game = start("clocks", players=1)
    choose(game, "wind c=hall", "done", "nap")
    assert game.evaluate("ann.rest") == 3
    assert game.evaluate("table.day") == 2  # one nap only, as ann was not tired
    assert game.evaluate("turn.wound") == 0
    choose(game, "wind c=hall", "wind c=desk", "wind c=tower", "done", "nap")
    assert asked(game) == ("ann", "nap")
    choose(game, "nap")
    assert game.evaluate("ann.rest") == 5
    assert game.evaluate("ann.tired") is False


# ---------------------------------------------------------------- flow
def test_asks_nest_in_options_procedures_and_reactions() -> None:
    game = start("flow")
    choose(game, "take s=red", "take s=blue")  # taking blue closes the window at once
    assert asked(game) == ("bob", "stone")
    choose(game, "done")
    while asked(game)[1] == "stone":
        choose(game, "done")
    assert asked(game) == ("bob", "small")  # reversed(players), visit 1
    choose(game, "one")
    assert asked(game) == ("bob", "outer")
    choose(game, "ring")
    assert asked(game) == ("bob", "small")
    choose(game, "two")
    assert asked(game) == ("ann", "reply")
    choose(game, "nod")
    assert game.evaluate("ann.points") == 2  # a stone and the answer
    assert game.evaluate("bob.points") == 4
    assert asked(game) == ("ann", "small")


def test_end_ends_at_once() -> None:
    game = start("flow")
    play_at_random(game, 4)
    assert game.evaluate("table.unreached") is False


# ---------------------------------------------------------------- tables
def test_counts_by_number_of_players() -> None:
    assert [start("tables", players=n).evaluate("count(c in coins where c.type is penny)") for n in (2, 3)] == [4, 6]
    assert [start("tables", players=n).evaluate("count(tokens)") for n in (2, 3)] == [8, 12]


def test_the_start_player_goes_round() -> None:
    game = start("tables", players=3)
    seats = []
    while game.decision is not None:
        seats.append(game.decision.seat)
        choose(game, ids(game)[0])
    assert seats == ["ann", "bob", "cyd", "bob", "cyd", "ann"]


def test_a_field_of_a_later_layer_does_not_change_what_of_means() -> None:
    game = choose(start("tiles_lent"), "buy t=carter.1", "weave n=1", "lend t=carter.1")
    assert game.evaluate("tiles of ann") == [] and game.evaluate("tiles of bob") == ["carter.1"]
    assert game.evaluate("carter.1.lender") == "ann"
