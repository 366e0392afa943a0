"""A game in, its table as text out: what a seat (or an onlooker) may see, in the chosen language."""

from collections.abc import Container
from typing import Any

from interpreter import Game
from interpreter.views.layout import MOST_ROWS, View, read_views
from interpreter.views.tables import Paint, Table, draw_list, draw_pairs, draw_table, plain
from interpreter.views.words import Words

WIDE = 110  # columns of a screen that takes long headings


def draw_state(
    game: Game, words: Words, viewer: str | None, width: int = 100, paint: Paint = plain, names: Container[str] = ()
) -> str:
    """The named views one below the other; none named: all but those that are shown only when somebody asks."""
    artist = Artist(game, words, viewer, width, paint)
    known = read_views(words.text, game.machine.info)
    views = [view for view in known if (view.name in names if names else view.at != ())]
    return "\n\n".join(part for part in map(artist.draw, views) if part)


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


class Artist:
    """Draws the views of one game as one viewer may see it."""

    def __init__(
        self, game: Game, words: Words, viewer: str | None, width: int, paint: Paint, brief: bool = False
    ) -> None:
        self.sight = Sight(game, words, viewer)
        self.words, self.width, self.paint = words, width, paint
        self.brief = brief  # titles stand in the corner of their tables

    def draw(self, view: View, seat: str | None = None) -> str:
        """The view as text (empty: there is nothing in it); with a seat only the rows that belong to it."""
        things = self._things(view, seat)
        title = self.words.view(view.name) if not view.guessed or len(things) > 1 else ""
        if not things or not (view.columns or view.listed):
            return ""
        if self.words.is_single(view.rows):
            labels = self._header(view)
            pairs = [
                (label, self._cell(view, things[0], path))
                for label, (_, path) in zip(labels, view.columns, strict=True)
            ]
            return draw_pairs("" if self.brief else title, pairs, self.width, self.paint)
        if view.listed:
            return draw_list(title, self._groups(view, things), self.width, self.paint)
        if view.by is None:
            return self._draw_rows(view, title, things)
        groups: dict[str, list[str]] = {}
        for thing in things:
            groups.setdefault(self._cell(view, thing, view.by), []).append(thing)
        return "\n\n".join(self._draw_rows(view, f"{title}: {name}", group) for name, group in groups.items())

    def _things(self, view: View, seat: str | None) -> list[str]:
        sight = self.sight
        things = sight.info["kinds"][view.rows]["things"]
        shown = [thing for thing in things if sight.is_something(view.rows, thing, view.only)]
        if seat is None or view.own is None:
            return shown
        return [thing for thing in shown if sight.value(view.rows, thing, view.own)[0] == seat]

    def _groups(self, view: View, things: list[str]) -> list[tuple[str, str]]:
        """What belongs together in a list: the name of the group, and its things with their values."""
        groups: dict[str, list[str]] = {}
        for thing in things:
            group = "" if view.by is None else self._cell(view, thing, view.by)
            cells = [self._cell(view, thing, path) for _, path in view.columns]
            whole = " ".join([_row_name(view, thing, self.words), *(cell for cell in cells if cell not in ("", "–"))])
            groups.setdefault(group, []).append(whole.strip())
        return [(group, ", ".join(_counted(names))) for group, names in groups.items()]

    def _draw_rows(self, view: View, title: str, things: list[str]) -> str:
        header = self._header(view)
        rows = [
            (_row_name(view, thing, self.words), *(self._cell(view, thing, path) for _, path in view.columns))
            for thing in things
        ]
        if view.guessed and len(rows) > MOST_ROWS:
            title, rows = f"{title} ({MOST_ROWS} of {len(rows)})", rows[:MOST_ROWS]
        corner, above = (title, "") if self.brief and any(header) else ("", title)
        return draw_table(Table(above, (corner, *header), tuple(rows)), self.width, self.paint)

    def _header(self, view: View) -> list[str]:
        """The headings; those written `long|short` in their short form where the screen is narrow."""
        short = self.width < WIDE
        return [_label(view, column, self.words).split("|")[-1 if short else 0] for column in view.columns]

    def _cell(self, view: View, thing: str, path: str) -> str:
        value, inner = self.sight.value(view.rows, thing, path)
        if isinstance(value, bool):
            return "×" if value else ""
        return self.words.value(value, inner)


def _counted(names: list[str]) -> list[str]:
    """Equal names once, with how many there are."""
    return [f"{count} × {name}" if (count := names.count(name)) > 1 else name for name in dict.fromkeys(names)]


def _row_name(view: View, thing: str, words: Words) -> str:
    """The name of the row without what the title of its table or group says already."""
    parts = words.parts(view.rows, thing) if view.by is not None else []
    if any(name == view.by for name, _, _ in parts):
        rest = [words.thing(id_, kind) if kind else id_ for name, kind, id_ in parts if name != view.by]
        if rest or view.listed:
            return " ".join(rest)
    return words.thing(thing, view.rows)


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
