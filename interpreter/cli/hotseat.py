"""A session in, the same session at its end or where the players left it out: the table, the question, the answer."""

import shutil
from collections.abc import Callable
from pathlib import Path

from interpreter import Decision, Option
from interpreter import GameStopped
from interpreter.bots.roster import Bot
from interpreter.cli.terminal import paint, width
from interpreter.diagnostics import did_you_mean
from interpreter.runtime.session import Session
from interpreter.views.choices import draw_options, match_option
from interpreter.views.explain import draw_derivation
from interpreter.views.log import Line, tell_events
from interpreter.views.text import draw_result, draw_state
from interpreter.views.words import Words

HELP = """\
  NUMBER         choose that option (or type the beginning of what it says)
  ?              this help;  ? NUMBER  explains an option
  why OPTION     why an option is not offered
  explain TEXT   where a number comes from
  u              take your last choice back
  log            the whole log;  table  the table again;  save FILE  a copy of the record
  q              leave; the record stays and can be resumed"""

COMMANDS = ("?", "why", "explain", "u", "log", "table", "save", "q")
_STYLES = {"phase": ("bold",), "choice": (), "moment": ("cyan",), "change": ("dim",)}


Read = Callable[[str], str | None]


class HotSeat:
    """People at one screen, and bots for the other seats."""

    def __init__(self, session: Session, words: Words, bots: dict[str, Bot], read: Read, quiet: bool = False) -> None:
        self.session, self.words, self.bots, self.read, self.quiet = session, words, bots, read, quiet
        self.hides = session.game.ruleset.hides
        self.people = frozenset(seat for seat in session.game.seats if seat not in bots)
        self.story: list[Line] = []
        self.told = 0  # lines of the story that have been shown
        self.viewer: str | None = next(iter(self.people)) if len(self.people) == 1 else None
        self.fresh = True  # the table has to be drawn before the next question

    def play(self) -> bool:
        """Play until the game is over (true) or the players leave (false)."""
        self._hear()
        while (decision := self.session.game.decision) is not None:
            if decision.seat in self.bots:
                self._choose(decision.options[self.bots[decision.seat].pick(self.session.game)], durable=False)
            elif not self._ask(decision):
                return False
        if not self.quiet:
            self._show_log()
        print(f"\n{draw_state(self.session.game, self.words, self.viewer, width(), paint)}")
        print(f"\n{draw_result(self.session.game, self.words, paint)}")
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
            answer = self.read(paint(f"{self.words.thing(decision.seat)} > ", "bold"))
            if answer is None or answer in ("q", "quit", "exit"):
                return False
            if self._obey(answer.strip(), decision):
                return True

    def _hand_over(self, seat: str) -> bool:
        """Where something is hidden, the next person sits down before their view is shown."""
        if len(self.people) > 1 and self.viewer != seat:
            self.fresh = True
            if self.hides and self.viewer is not None:
                print("\n" * 60 if width() and self.hides else "")
                if self.read(paint(f"{self.words.thing(seat)}: press Enter when only you can see this > ", "yellow")) is None:
                    return False
            self.viewer = seat
        return True

    def _show_table(self, decision: Decision) -> None:
        if not self.quiet:
            self._show_log()
        print(f"\n{draw_state(self.session.game, self.words, self.viewer, width(), paint)}\n")
        self._show_options(decision)
        self.fresh = False

    def _show_options(self, decision: Decision) -> None:
        title = f"{self.words.thing(decision.seat)}: {self.words.window(decision.window)}"
        print(paint(title, "bold") + paint("   (? helps)", "dim"))
        print(draw_options(decision, self.words, width(), paint))

    def _show_log(self, whole: bool = False) -> None:
        for line in self.story[0 if whole else self.told :]:
            print(paint(f"  {line.text}" if line.kind == "change" else line.text, *_STYLES[line.kind]))
        self.told = len(self.story)

    def _hear(self) -> None:
        game = self.session.game
        self.story += tell_events(game, self.words, self.viewer, changes=bool(self.people))
        if not self.people and not self.quiet:
            self._show_log()

    def _choose(self, option: Option, durable: bool) -> bool:
        refusal = self.session.choose(option, durable)
        if refusal is not None:
            print(paint(refusal.message, "red"))
            return False
        self._hear()
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
            print(f"there are options 1 to {len(decision.options)}")
        else:
            labels = [self.words.option(decision.window, option.name, option.picks) for option in decision.options]
            hint = did_you_mean(text, [*labels, *(option.id for option in decision.options), *COMMANDS])
            print(f"'{text}' is no option and no command; {hint or '? helps, why ' + text + ' may tell why not'}")
        return False

    def _help(self, text: str, decision: Decision) -> None:
        if not text:
            print(f"{self.words.thing(decision.seat)} decides: {self.words.window(decision.window)}")
            print(self.words.help(decision.window) or HELP)
            if self.words.help(decision.window):
                print(HELP)
            return
        found = match_option(text, decision, self.words)
        if len(found) != 1:
            print("which option? type ? and its number")
            return
        self._why(found[0].id, decision)

    def _why(self, text: str, decision: Decision) -> None:
        if not text:
            print("which option? e.g. why " + decision.options[0].id)
            return
        found = match_option(text, decision, self.words) if text.isdecimal() else []
        answer = self.session.game.why_not(found[0].id if found else text)
        print(answer.message)
        option = (found[0].id if found else text).split(" ")[0]
        for clause in answer.clauses:
            mark = paint("yes", "green") if clause.holds else paint("no ", "red")
            label = self.words.clause(decision.window, option, clause.name)
            print(f"  {mark} {clause.name}" + (f" ({label})" if label != clause.name else ""))
            for child in clause.derivation.children:
                print("\n".join(f"        {line}" for line in draw_derivation(child, width() - 8, paint).split("\n")))

    def _explain(self, text: str) -> None:
        if not text:
            print("explain what? a field, a quantity or any expression of the rules")
            return
        from interpreter.compiler.extension import TextInvalid  # the front end: only when somebody asks

        try:
            print(draw_derivation(self.session.game.explain(text), width(), paint))
        except (TextInvalid, GameStopped) as trouble:
            print(f"{trouble}")

    def _undo(self) -> bool:
        trouble = self.session.undo(self.people)
        if trouble is not None:
            print(trouble)
            return False
        decision = self.session.game.decision
        assert decision is not None
        self.story.append(Line("phase", f"{self.words.thing(decision.seat, 'player')} takes a choice back"))
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
