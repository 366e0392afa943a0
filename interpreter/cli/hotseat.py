"""A session in, the same session at its end or where the players left it out: the table, the question, the answer."""

import shutil
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

from interpreter import Decision, Game, GameStopped, Option
from interpreter.bots.roster import Bot
from interpreter.cli.terminal import broken, edge, paint, width
from interpreter.diagnostics import did_you_mean
from interpreter.runtime.session import Session
from interpreter.views.choices import draw_options, match_option
from interpreter.views.explain import draw_derivation
from interpreter.views.log import Line, tell_game
from interpreter.views.phrases import HELP
from interpreter.views.text import draw_result, draw_state
from interpreter.views.words import Words

COMMANDS = ("?", "why", "explain", "u", "log", "table", "save", "q")
RECENT = 15  # lines of the log that are shown when a game is resumed
_STYLES = {"phase": ("bold",), "choice": (), "moment": ("cyan",), "change": ("dim",)}
Read = Callable[[str], str | None]


class HotSeat:
    """People at one screen, and bots for the other seats."""

    def __init__(
        self,
        session: Session,
        words: Words,
        bots: dict[str, Bot],
        read: Read,
        quiet: bool = False,
        changes: bool = False,
    ) -> None:
        self.session, self.words, self.bots, self.read, self.quiet = session, words, bots, read, quiet
        self.changes = changes or not words.text.get("moments")  # a ruleset that tells nothing is told by its changes
        self.hides = session.game.ruleset.hides
        self.people = frozenset(seat for seat in session.game.seats if seat not in bots)
        self.viewer: str | None = next(iter(self.people)) if len(self.people) == 1 else None
        self.story: list[Line] = []
        self.told: dict[str | None, int] = {}  # how much of the story each viewer has seen
        self.fresh = True  # the table has to be drawn before the next question

    def play(self) -> bool:
        """Play until the game is over (true) or the players leave (false)."""
        for past in self.session.past:
            self._hear(past.game)
        self.told = dict.fromkeys([None, *self.people], max(0, len(self.story) - RECENT))
        self._hear(self.session.game)
        while (decision := self.session.game.decision) is not None:
            if decision.seat in self.bots:
                self._choose(decision.options[self.bots[decision.seat].pick(self.session.game)], durable=False)
            elif not self._ask(decision):
                return False
        self._show_end()
        return True

    def _ask(self, decision: Decision) -> bool:
        """One question, put until it is answered or the table is left."""
        if self.session.writer is not None:
            self.session.writer.sync()
        if not self._hand_over(decision.seat):
            return False
        if self.fresh:
            self._show_table(decision)
        while True:
            answer = self.read(paint(f"{self.words.thing(decision.seat, 'player')} > ", "bold"))
            if answer is None or answer.strip() in ("q", "quit", "exit"):
                return False
            if self._obey(answer.strip(), decision):
                return True

    def _hand_over(self, seat: str) -> bool:
        """Where something is hidden, the next person sits down before their view is shown."""
        if len(self.people) > 1 and self.viewer != seat:
            self.fresh = True
            if self.hides and self.viewer is not None:
                print("\x1b[2J\x1b[3J\x1b[H" if sys.stdout.isatty() else "", end="")
                question = self.words.own("{p}: press Enter when only you can see this")
                if self.read(paint(self.words.fill(question, {"p": seat}) + " > ", "yellow")) is None:
                    return False
            self.viewer = seat
        return True

    # ------------------------------------------------------------ what is shown
    def _show_table(self, decision: Decision) -> None:
        self._show_log()
        print(f"\n{draw_state(self.session.game, self.words, self.viewer, width(), paint)}\n")
        self._show_options(decision)
        self.fresh = False

    def _show_options(self, decision: Decision) -> None:
        title = f"{self.words.thing(decision.seat, 'player')}: {self.words.window(decision.window)}"
        print(paint(title, "bold") + paint(f"   {self.words.own('(? helps)')}", "dim"))
        print(draw_options(decision, self.words, width(), paint))

    def _show_log(self, whole: bool = False) -> None:
        reader = self.viewer if self.hides else None
        for line in self.story[0 if whole else self.told.get(reader, 0) :]:
            if line.seen_by(reader):
                print(paint(f"  {line.text}" if line.kind == "change" else line.text, *_STYLES[line.kind]))
        self.told[reader] = len(self.story)

    def _show_end(self) -> None:
        if len(self.people) > 1:
            self.viewer = None
        if not self.quiet:
            self._show_log()
        print(f"\n{draw_state(self.session.game, self.words, self.viewer, width(), paint)}")
        print(f"\n{draw_result(self.session.game, self.words, paint)}")

    def _hear(self, game: Game) -> None:
        self.story += tell_game(game, self.words, self.changes)
        if not self.people and not self.quiet:
            self._show_log()

    def _choose(self, option: Option, durable: bool) -> bool:
        refusal = self.session.choose(option, durable)
        if refusal is not None:
            print(paint(refusal.message, "red"))
            return False
        self._hear(self.session.game)
        self.fresh = True
        return True

    # ------------------------------------------------------------ what a player types
    def _obey(self, answer: str, decision: Decision) -> bool:
        """Do what was typed; true if that answered (or took back) the question."""
        word, _, rest = answer.partition(" ")
        match word:
            case "":
                self._show_options(decision)
            case "?" | "help":
                self._help(rest.strip(), decision)
            case "why" | "why-not":
                self._why(rest.strip(), decision)
            case "explain" | "x":
                self._explain(rest.strip())
            case "u" | "undo":
                return self._undo()
            case "log" | "l":
                self._show_log(whole=True)
            case "table" | "t":
                self._show_table(decision)
            case "save":
                self._save(rest.strip())
            case _:
                return self._answer(answer, decision)
        return False

    def _answer(self, text: str, decision: Decision) -> bool:
        found = match_option(text, decision, self.words)
        if len(found) == 1:
            return self._choose(found[0], durable=True)
        if found:
            print(f"'{text}' may be any of {len(found)} options; type its number")
        elif text.isdecimal():
            print(self.words.own("there are options 1 to {n}").replace("{n}", str(len(decision.options))))
        else:
            labels = [self.words.option(decision.window, option.name, option.picks) for option in decision.options]
            hint = did_you_mean(text, [*labels, *(option.id for option in decision.options), *COMMANDS])
            print(f"'{text}' is no option and no command; {hint or '? helps, and why ' + text + ' may tell why not'}")
        return False

    def _help(self, text: str, decision: Decision) -> None:
        if text:
            found = match_option(text, decision, self.words)
            if len(found) == 1:
                self._why(found[0].id, decision)
            else:
                print(self.words.own("which option? type ? and its number"))
            return
        decides = self.words.fill(self.words.own("{p} decides"), {"p": decision.seat})
        print(f"{decides}: {self.words.window(decision.window)}")
        own = self.words.help(decision.window)
        print(broken(f"{own}\n" if own else "") + broken(self.words.own(HELP), " " * 17))

    def _why(self, text: str, decision: Decision) -> None:
        if not text:
            print("which option? e.g. why " + decision.options[0].id)
            return
        found = match_option(text, decision, self.words)
        id_ = found[0].id if len(found) == 1 else text
        answer = self.session.game.why_not(id_)
        print(broken(f"{id_}: {answer.message}" + (f"  {', '.join(answer.ref)}" if answer.ref else ""), "  "))
        for clause in answer.clauses:
            mark = paint("yes", "green") if clause.holds else paint("no ", "red")
            label = self.words.clause(decision.window, id_.split(" ")[0], clause.name)
            print(f"  {mark} {clause.name}" + (f" ({label})" if label != clause.name and not clause.holds else ""))
            for child in clause.derivation.children if not clause.hidden else []:
                drawn = draw_derivation(child, width() - 6, paint, edge=edge(6))
                print(textwrap.indent(drawn, "      "))

    def _explain(self, text: str) -> None:
        if not text:
            print("explain what? a field, a quantity or any expression of the rules")
            return
        from interpreter.compiler.extension import TextInvalid  # the front end: only when somebody asks

        try:
            if self.hides and self.session.game.reads_hidden(text):
                print("that would tell what is hidden from somebody")
            else:
                print(draw_derivation(self.session.game.explain(text), width(), paint, edge=edge()))
        except (TextInvalid, GameStopped) as trouble:
            print(trouble)

    def _undo(self) -> bool:
        trouble = self.session.undo(self.people)
        if trouble is not None:
            print(self.words.own(trouble))
            return False
        decision = self.session.game.decision
        assert decision is not None
        told = self.words.fill(self.words.own("{p} takes a choice back"), {"p": decision.seat})
        self.story.append(Line("phase", told))
        self.fresh = True
        return True

    def _save(self, name: str) -> None:
        writer = self.session.writer
        if writer is None:
            print("this game is not recorded")
        elif not name:
            print(f"everything is saved already, in {writer.path}")
        else:
            try:
                shutil.copyfile(writer.path, Path(name).expanduser())
                print(f"a copy is in {name}")
            except OSError as trouble:
                print(f"cannot write '{name}': {trouble.strerror}")
