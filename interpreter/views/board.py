"""A game and a question in, the tables that matter for it out: as many as fit into the room there is."""

from interpreter import Game
from interpreter.views.layout import View, read_views
from interpreter.views.tables import Paint, beside, plain
from interpreter.views.text import Artist
from interpreter.views.words import Words


def draw_board(
    game: Game, words: Words, viewer: str | None, width: int, height: int, paint: Paint = plain
) -> list[str]:
    """The lines of the board for the question that is open; tables that name its window come first.

    Where a table does not fit as a whole, the rows of the player who is asked are shown, or nothing.
    """
    decision = game.decision
    if decision is None:
        return []
    artist = Artist(game, words, viewer, width, paint, brief=True)
    views = read_views(words.text, game.machine.info)
    drawn: dict[str, str] = {}
    for view in sorted(views, key=lambda one: _rank(one, decision.window)):
        if _rank(view, decision.window) == _NEVER:
            continue
        for seat in (None, decision.seat) if view.own else (None,):
            block = artist.draw(view, seat)
            if not block:
                break
            trial = {**drawn, view.name: block}
            if len(_arrange(trial, views, width)) <= height:
                drawn = trial
                break
    return _arrange(drawn, views, width)


_NEVER = 2


def _rank(view: View, window: str) -> int:
    if view.at is None:
        return 1
    return 0 if window in view.at else _NEVER


def _arrange(drawn: dict[str, str], views: tuple[View, ...], width: int) -> list[str]:
    """The drawn tables in the order of the text, beside each other where there is room."""
    return beside([drawn[view.name] for view in views if view.name in drawn], width)


def find_view(game: Game, words: Words, text: str) -> list[str]:
    """The views a player may mean: by name, or by the beginning of the title or of a word in it."""
    views = read_views(words.text, game.machine.info)
    folded = text.casefold()
    named = {view.name: words.view(view.name).casefold() for view in views}
    exact = [name for name, title in named.items() if folded in (name.casefold(), title)]
    return exact or [
        name
        for name, title in named.items()
        if name.casefold().startswith(folded) or any(word.startswith(folded) for word in title.split())
    ]
