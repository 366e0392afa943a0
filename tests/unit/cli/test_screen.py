"""A question on a terminal: whatever the game asks, it fits the screen with its options."""

from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, load
from interpreter.bots.roster import make_bot
from interpreter.cli import screen as screen_module
from interpreter.cli import terminal
from interpreter.cli.screen import Screen
from interpreter.runtime.session import Session
from interpreter.views.choices import draw_options, match_option
from interpreter.views.log import Line
from interpreter.views.tables import beside, draw_list
from interpreter.views.words import words_for

ROOT = Path(__file__).resolve().parents[3]


def play_on(game: Game, decisions: int) -> Game:
    bot = make_bot("random", 5)
    for _ in range(decisions):
        if game.decision is not None:
            game.choose(bot.pick(game))
    return game


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen_module, "height", lambda: 24)
    monkeypatch.setattr(screen_module, "width", lambda: 80)
    monkeypatch.setattr(terminal, "edge", lambda indent=0: 80 - indent)


@pytest.mark.parametrize("ruleset", ["spinning_jenny", "waterframe"])
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.usefixtures("small")
def test_every_question_fits_a_small_terminal(capsys: pytest.CaptureFixture[str], ruleset: str, language: str) -> None:
    game = load(ROOT / "rulesets" / ruleset).new_game(players=4, seed=11, options={"setup": "advanced"})
    words = words_for(game, language)
    screen = Screen(Session(game, None), words)
    news = [Line("moment", f"{number} " + "word " * 20) for number in range(9)]
    for _ in range(60):
        decision = play_on(game, 9).decision
        if decision is None:
            break
        screen.viewer = decision.seat
        capsys.readouterr()
        screen.show_question(decision, news)
        shown = capsys.readouterr().out.split("\n")[:-1]
        assert max(map(len, shown)) <= 80, "\n".join(shown)
        seat = words.thing(decision.seat, "player")
        question = next(place for place, line in enumerate(shown) if line.startswith(f"{seat}: "))
        assert len(shown) - question <= 20
        whole = len(shown) <= 23
        assert whole or any("log 18" in line for line in shown[-23:]), "\n".join(shown)
        numbers = {str(number) for number in range(1, len(decision.options) + 1)}
        text = " ".join(shown[question:])
        assert numbers & set(text.replace(")", "").split()), text


def test_many_options_are_said_in_few_lines() -> None:
    game = load(ROOT / "rulesets/spinning_jenny").new_game(players=2, seed=1)
    decision = game.decision
    assert decision is not None and decision.window == "place_marker"
    words = words_for(game, "en")
    listed = draw_options(decision, words, 80)
    dense = draw_options(decision, words, 80, height=8).split("\n")
    assert len(dense) < len(listed.split("\n"))
    assert dense[0].startswith("  Factory on …           1) £2  2) £4  3) £6")
    german = draw_options(decision, words_for(game, "de"), 80, height=8).split("\n")
    assert german[0].startswith("  Fabrik auf …            1) 2 £  2) 4 £")
    assert [option.id for option in match_option("fabrik auf 4 £", decision, words_for(game, "de"))][:1]


def test_a_long_run_of_numbers_is_shortened() -> None:
    game = load(ROOT / "rulesets/spinning_jenny").new_game(players=2, seed=1)
    game.choose("place m=exchange_own.1 a=blue.10")
    assert game.decision is not None and game.decision.window == "exchange"
    dense = draw_options(game.decision, words_for(game, "en"), 80, height=2)
    assert "sell …" in dense and "1 share " in dense and "  …  " in dense and "2 shares" in dense


def test_blocks_stand_side_by_side() -> None:
    assert beside(["a\nbb", "c"], 10) == ["a    c", "bb"]
    assert beside(["aaaa", "bbbb"], 10) == ["aaaa", "bbbb"]
    assert beside(["a", "b\nb\nb\nb"], 10) == ["a", "b", "b", "b", "b"]  # much air would be wasted
    assert draw_list("Ships", [("Ann", "cog, hulk"), ("Bob", "cog")]) == "Ships  Ann: cog, hulk · Bob: cog"
    assert (
        draw_list("Ships", [("Ann", "cog, hulk"), ("Bob", "cog")], 16)
        == "Ships  Ann: cog,\n       hulk ·\n       Bob: cog"
    )


def test_tables_can_be_asked_for(run: Any) -> None:
    typed = "t\nt comp\nt nothing_like_this\nb\nlog 2\nwhy\n? foo\nexplain wages of the lines\n+\nq\n"
    code, out, _ = run("play", "spinning_jenny", "--players", "2", "--seed", "1", typed=typed)
    assert code == 0
    assert "tables: table, companies, goods, factories, chart" in out
    assert "  place m=… a=…" in out and "place_on_account m=… a=…" in out
    assert "nothing more is said about 'foo'; ? 1 explains option 1" in out


def test_an_explanation_names_what_it_speaks_of(run: Any) -> None:
    typed = "explain appeal(blue.food)\nexplain blue.cash\nexplain wage\nq\n"
    for ruleset, said in (("spinning_jenny", "price (Blue's food)"), ("waterframe", "level (Blue's food)")):
        code, out, _ = run("play", ruleset, "--players", "2", "--seed", "1", "--setup", "predetermined", typed=typed)
        assert code == 0
        assert said in out and "cash (Blue)" in out
        assert not any(raw in out for raw in ("(f)", "f.level", "(self)", "before effects"))


def test_a_heading_says_something(run: Any) -> None:
    typed = "? 2\nq\n"
    _, out, _ = run("play", "waterframe", "--players", "2", "--seed", "1", "--lang", "de", typed=typed)
    assert "Marker und Feld wählen" in out and "  place\n" not in out


def test_what_is_offered_is_named(run: Any) -> None:
    _, out, _ = run("play", "spinning_jenny", "--players", "2", "--seed", "1", typed="1\n? finish\nq\n")
    assert "\nfinish\nit is offered" in out


def test_names_can_be_explained(run: Any) -> None:
    typed = "explain Nachfrage (Nahrung)\nexplain Lohn\nwhy place m=factory_own.1 a=red.2\nq\n"
    code, out, _ = run("play", "spinning_jenny", "--players", "2", "--seed", "1", "--lang", "de", typed=typed)
    assert code == 0
    assert "Nachfrage (Nahrung)" in out and "leere Felder des Arbeitsmarkts" in out and "angenommen" in out
    assert "a=red.2 steht hier nicht zur Wahl" in out


def test_why_not_speaks_the_language(run: Any) -> None:
    words = ("why-not", "spinning_jenny", "place_on_account m=workers_own.1 a=blue.2", "--players", "2", "--lang", "de")
    out = run(*words)[1]
    assert "nur bei der Fabrikaktion kommen weitere Kosten dazu\nAW-ADMIN-20, AW-PLACE-18\nnein more_to_pay" in out
    assert run("explain", "spinning_jenny", "Lohn", "--players", "2", "--lang", "de")[1].startswith("2  Lohn")


def test_clauses_that_hold_are_told_in_words(run: Any) -> None:
    words = ("play", "spinning_jenny", "--players", "2", "--seed", "1", "--setup", "predetermined", "--lang")
    out = run(*words, "en", typed="? 1\nq\n")[1]
    assert "does not apply: the marker may not lie on this space" in out and "space_fits" not in out
    out = run(*words, "de", typed="? 1\nq\n")[1]
    assert "trifft nicht zu:" in out and "space_fits" not in out


def test_why_says_how_options_are_written(run: Any) -> None:
    words = ("play", "spinning_jenny", "--players", "2", "--seed", "1", "--setup", "predetermined", "--lang", "de")
    out = run(*words, typed="why Arbeiter auf 99\nq\n")[1]
    assert "'Arbeiter' gibt es bei dieser Frage nicht, sondern place, place_on_account" in out
    assert "zum Beispiel: why place m=workers_own." in out and "  place m=… a=…" in out


def test_markers_and_prices_explain_themselves(run: Any) -> None:
    words = ("play", "spinning_jenny", "--players", "2", "--seed", "1", "--lang")
    out = run(*words, "en", typed="? Factory\n? Stock\nq\n")[1]
    assert "Factory: Build, modernise or close" in out and "Stock Exchange (light): " in out
    assert "Fabrik: Fabriken bauen" in run(*words, "de", typed="? Fabrik\nq\n")[1]
    assert "Blue: Set the price: food" in run(*words, "en", "--setup", "advanced", typed="1\nq\n")[1]
