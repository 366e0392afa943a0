"""A game in, its table as text out: what a seat (or an onlooker) may see, in the chosen language."""

from typing import Any

from interpreter import Game
from interpreter.views.layout import MOST_ROWS, View, read_views
from interpreter.views.tables import Paint, Table, draw_pairs, draw_table, plain
from interpreter.views.words import Words


def draw_state(game: Game, words: Words, viewer: str | None, width: int = 100, paint: Paint = plain) -> str:
    """Every view of the ruleset, one below the other."""
    sight = Sight(game, words, viewer)
    drawn = [_draw_view(view, sight, words, width, paint) for view in read_views(words.text, game.machine.info)]
    return "\n\n".join(part for part in drawn if part)


class Sight:
    """The values of a game as one seat may see them."""

    def __init__(self, game: Game, words: Words, viewer: str | None) -> None:
        self.game = game
        self.info = game.machine.info
        self.words = words
        self.seen = game.observe(viewer)

    def value(self, kind: str, thing: str, path: str) -> tuple[Any, str | None]:
        """The value at a path from a thing, and the kind of thing it is (none: a number or flag)."""
        current: Any = thing
        at: str | None = kind
        for part in path.split("."):
            if at is None or not isinstance(current, str) or current == "?":
                return current, None
            current, at = self._step(at, current, part)
        return current, at

    def _step(self, kind: str, thing: str, part: str) -> tuple[Any, str | None]:
        fields = self.seen.get(kind, {}).get(thing, {})
        if part in fields:
            return fields[part], self.words.type_of(kind, part)
        for name, inner, id_ in self.words.parts(kind, thing):
            if name == part:
                return (id_ if inner else int(id_)), inner
        return self._ask(kind, thing, part.removesuffix("()"))

    def _ask(self, kind: str, thing: str, quantity: str) -> tuple[Any, str | None]:
        """A quantity of the thing, or one of nothing in particular."""
        described = self.info["quantities"].get(quantity)
        if described is None or described["hidden"] or [type_ for _, type_ in described["params"]] not in ([], [kind]):
            return "?", None  # hidden from somebody; or a mistake in a view, which validate reports
        place = self.info["kinds"][kind]["things"].index(thing)
        args = [place] if described["params"] else []
        machine = self.game.machine
        value = machine.guarded(machine.names[f"q_{quantity}"], self.game.state, *args)
        type_ = described["type"]
        return self.game.show(type_, value), type_ if type_ in self.info["kinds"] else None

    def is_something(self, kind: str, thing: str, path: str | None) -> bool:
        return path is None or self.value(kind, thing, path)[0] not in (0, False, None, "?")


def _draw_view(view: View, sight: Sight, words: Words, width: int, paint: Paint) -> str:
    things = [
        thing for thing in sight.info["kinds"][view.rows]["things"] if sight.is_something(view.rows, thing, view.only)
    ]
    title = words.view(view.name) if not view.guessed or len(things) > 1 else ""
    if not things or not (view.columns or view.listed):
        return ""
    if words.is_single(view.rows):
        pairs = [
            (_label(view, column, words), _cell(sight, view.rows, things[0], column[1], words))
            for column in view.columns
        ]
        return draw_pairs(title, pairs, width, paint)
    if view.by is None:
        return _draw_group(view, title, things, sight, words, width, paint)
    groups: dict[str, list[str]] = {}
    for thing in things:
        groups.setdefault(_cell(sight, view.rows, thing, view.by, words), []).append(thing)
    return ("\n" if view.listed else "\n\n").join(
        _draw_group(view, f"{title}: {name}", group, sight, words, width, paint) for name, group in groups.items()
    )


def _draw_group(view: View, title: str, things: list[str], sight: Sight, words: Words, width: int, paint: Paint) -> str:
    if not view.listed:
        return _draw_rows(view, title, things, sight, words, width, paint)
    return draw_pairs(title, [(_row_name(view, thing, words), "") for thing in things], width, paint)


def _draw_rows(view: View, title: str, things: list[str], sight: Sight, words: Words, width: int, paint: Paint) -> str:
    header = ("", *(_label(view, column, words) for column in view.columns))
    rows = [
        (_row_name(view, thing, words), *(_cell(sight, view.rows, thing, path, words) for _, path in view.columns))
        for thing in things
    ]
    if view.guessed and len(rows) > MOST_ROWS:
        title, rows = f"{title} ({MOST_ROWS} of {len(rows)})", rows[:MOST_ROWS]
    return draw_table(Table(title, header, tuple(rows)), width, paint)


def _row_name(view: View, thing: str, words: Words) -> str:
    """The name of the row without what the table's title says already."""
    if view.by is not None:
        rest = [
            words.thing(id_, kind) if kind else id_
            for name, kind, id_ in words.parts(view.rows, thing)
            if name != view.by
        ]
        if rest:
            return " ".join(rest)
    return words.thing(thing, view.rows)


def _cell(sight: Sight, kind: str, thing: str, path: str, words: Words) -> str:
    value, inner = sight.value(kind, thing, path)
    if isinstance(value, bool):
        return "×" if value else ""
    return words.value(value, inner)


def _label(view: View, column: tuple[str | None, str], words: Words) -> str:
    label, path = column
    if label is not None:
        return label
    last = path.split(".")[-1]
    return words.quantity(last[:-2]) if last.endswith("()") else words.field_or_quantity(view.rows, last)


def draw_result(game: Game, words: Words, paint: Paint = plain) -> str:
    """Who has won, and with what."""
    assert game.result is not None
    rows = tuple(
        (
            "–" if standing.rank is None else str(standing.rank),
            words.thing(standing.seat, "player"),
            "" if standing.score is None else str(standing.score),
        )
        for standing in game.result.standings
    )
    winners = [words.thing(seat, "player") for seat in game.result.winners]
    joint, verb = f" {words.own('and')} ", words.own("wins" if len(winners) == 1 else "win")
    verdict = f"{joint.join(winners)} {verb}" if winners else words.own("nobody wins")
    table = Table(words.own("Result"), (words.own("rank"), words.own("seat"), words.own("score")), rows)
    return draw_table(table, paint=paint) + "\n" + paint(verdict, "green", "bold")
