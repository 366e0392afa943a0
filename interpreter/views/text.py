"""A game in, its table as text out: what a seat (or an onlooker) may see, in the chosen language."""

from interpreter import Game, Ruleset
from interpreter.views.layout import View
from interpreter.views.tables import Paint, Table, draw_pairs, draw_table, plain
from interpreter.views.words import Words


def draw_result(game: Game, words: Words, paint: Paint = plain) -> str:
    """Who has won, and with what."""
    rows = tuple(
        (str(standing.rank) if standing.rank is not None else "–", words.thing(standing.seat), str(standing.score))
        for standing in game.result.standings
    )
    winners = [words.thing(standing.seat) for standing in game.result.standings if standing.rank == 1]
    verdict = f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}" if winners else "nobody wins"
    return draw_table(Table("Result", ("rank", "seat", "score"), rows), paint=paint) + "\n" + paint(verdict, "green", "bold")
