"""A session and a viewer in; log, tables, question and answers on the terminal out, fitted to its size."""

from interpreter import Decision
from interpreter.cli.terminal import broken, edge, height, paint, width
from interpreter.runtime.questions import WhyNot, fill_gaps
from interpreter.runtime.session import Session
from interpreter.views.board import draw_board, find_view
from interpreter.views.choices import draw_options
from interpreter.views.layout import read_views
from interpreter.views.log import Line
from interpreter.views.text import draw_result, draw_state
from interpreter.views.why import draw_why
from interpreter.views.words import Words

_STYLES = {"phase": ("bold",), "choice": (), "moment": ("cyan",), "change": ("dim",)}
_LISTED = 10  # lines of options up to which each is listed by itself
_LOG_SHARE = 8  # one line in so many is worth more for the log than for another table


class Screen:
    """What one person at the table sees."""

    def __init__(self, session: Session, words: Words) -> None:
        self.session, self.words = session, words
        self.viewer: str | None = None
        self.page = 0  # of the options, where they do not fit

    # ------------------------------------------------------------ a question
    def show_question(self, decision: Decision, news: list[Line]) -> None:
        """What has happened, the tables that matter, the question and its options: never more than fits."""
        rows = height()
        if rows is None:
            self.show_lines(news)
            print(f"\n{draw_state(self.session.game, self.words, self.viewer, width(), paint)}\n")
            self.show_options(decision)
            return
        question = self._question(decision, rows)
        room = rows - len(question) - 2  # a line between, and one to type in
        log = [line for one in news for line in self._log_line(one)]
        kept = min(len(log), rows // _LOG_SHARE)
        board = draw_board(self.session.game, self.words, self.viewer, width(), room - kept, paint)
        self._print_news(log, room - len(board))
        print("\n".join([*board, "", *question]))

    def _print_news(self, lines: list[str], room: int) -> None:
        """All of it, so that one can scroll back; where the screen begins, a line tells how much there was before."""
        if len(lines) > room > 0:
            cut = len(lines) - room + 1
            told = fill_gaps(self.words.own("… {n} lines before (log {all})"), {"n": str(cut), "all": str(len(lines))})
            lines = [*lines[:cut], paint(told, "dim"), *lines[cut:]]
        if lines:
            print("\n".join(lines))

    def show_options(self, decision: Decision) -> None:
        print("\n".join(self._question(decision, height())))

    def _question(self, decision: Decision, rows: int | None) -> list[str]:
        """The question and as many options as the screen takes; the rest is on further pages."""
        words = self.words
        asked = words.window(decision.window, self.session.game.asked_about())
        title = f"{words.thing(decision.seat, 'player')}: {asked}"
        helps = f"   {words.own('(? helps)')}"
        head = paint(broken(title, "  "), "bold") + (paint(helps, "dim") if len(title + helps) <= width() else "")
        room = None if rows is None else rows - 5
        listed = None if rows is None else min(rows // 3, _LISTED)
        lines = draw_options(decision, words, width(), paint, listed).split("\n")
        if room is None or len(lines) <= room:
            return [*head.split("\n"), *lines]
        pages = -(-len(lines) // (room - 1))
        self.page %= pages
        shown = lines[self.page * (room - 1) : (self.page + 1) * (room - 1)]
        told = fill_gaps(words.own("page {n} of {all}: + shows the next"), {"n": str(self.page + 1), "all": str(pages)})
        return [*head.split("\n"), *shown, paint(told, "dim")]

    # ------------------------------------------------------------ the log
    def _log_line(self, line: Line) -> list[str]:
        text = f"  {line.text}" if line.kind == "change" else line.text
        return [paint(part, *_STYLES[line.kind]) for part in broken(text, "  ").split("\n")]

    def show_lines(self, lines: list[Line]) -> None:
        for line in lines:
            print("\n".join(self._log_line(line)))

    # ------------------------------------------------------------ tables
    def show_tables(self, name: str) -> None:
        """All tables, or one of them as a whole."""
        game, words = self.session.game, self.words
        names = [view.name for view in read_views(words.text, game.machine.info)]
        found = find_view(game, words, name) if name else names
        if found:
            drawn = draw_state(game, words, self.viewer, width(), paint, found)
            print(drawn or words.own("there is nothing in it"))
        if not (name and found):
            told = fill_gaps(words.own("tables: {names}"), {"names": ", ".join(names)})
            print(paint(broken(told, "  "), "dim"))

    def show_end(self) -> None:
        game = self.session.game
        print(f"\n{draw_state(game, self.words, self.viewer, width(), paint)}")
        print(f"\n{draw_result(game, self.words, paint)}")

    # ------------------------------------------------------------ why not
    def show_why(self, id_: str, answer: WhyNot, window: str) -> None:
        for line in draw_why(id_, answer, window, self.words, width(), paint, edge()):
            print(broken(line, "  "))
