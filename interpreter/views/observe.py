"""A game in, what a seat may see of it as plain data out: for programs, and for a page on the web."""

from typing import Any

from interpreter import Game


def observe_data(game: Game, seat: str | None) -> dict[str, Any]:
    """The decision, the visible state and the result; a hidden value is '?'. Without a seat: what everybody may see."""
    decision = game.decision
    shown = decision is not None and (not decision.secret or decision.seat == seat)
    return {
        "ruleset": game.ruleset.id,
        "seats": list(game.seats),
        "viewer": seat,
        "finished": game.finished,
        "asked": decision.seat if decision else None,
        "window": decision.window if decision else None,
        "options": [option.id for option in decision.options] if decision and shown and decision.seat == seat else None,
        "state": game.observe(seat),
        "result": _result(game),
    }


def _result(game: Game) -> list[dict[str, Any]] | None:
    if game.result is None:
        return None
    return [{"seat": one.seat, "rank": one.rank, "score": one.score} for one in game.result.standings]
