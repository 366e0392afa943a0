"""A session in, the same session at its end or where the players left it out: the table, the question, the answer."""

import sys
from collections.abc import Callable
from pathlib import Path

from interpreter import Decision, Game, GameStopped, Option
from interpreter.bots.roster import Bot
from interpreter.cli.screen import Screen
from interpreter.cli.terminal import broken, edge, paint, width
from interpreter.diagnostics import did_you_mean
from interpreter.runtime.questions import fill_gaps
from interpreter.runtime.session import Session
from interpreter.views.choices import match_option, nearest_option
from interpreter.views.explain import draw_derivation
from interpreter.views.log import Line, tell_game
from interpreter.views.naming import read_question
from interpreter.views.phrases import HELP
from interpreter.views.words import Words

COMMANDS = ("?", "why", "explain", "u", "log", "table", "board", "save", "q")
RECENT = 15  # lines of the log that are shown when a game is resumed
_TAKEN = "'{file}' exists already and is no earlier copy of this game; choose another name"
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
        self.screen = Screen(session, words)
        self.viewer = next(iter(self.people)) if len(self.people) == 1 else None
        self.story: list[Line] = []
        self.told: dict[str | None, int] = {}  # how much of the story each viewer has seen
        self.fresh = True  # the table has to be drawn before the next question

    @property
    def viewer(self) -> str | None:
        return self.screen.viewer

    @viewer.setter
    def viewer(self, seat: str | None) -> None:
        self.screen.viewer = seat

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
        self.screen.show_question(decision, self._news())
        self.fresh = False

    def _news(self) -> list[Line]:
        """What the viewer may read of the story and has not read yet."""
        reader = self.viewer if self.hides else None
        lines = [line for line in self.story[self.told.get(reader, 0) :] if line.seen_by(reader)]
        self.told[reader] = len(self.story)
        return lines

    def _show_log(self, count: str) -> None:
        reader = self.viewer if self.hides else None
        lines = [line for line in self.story if line.seen_by(reader)]
        self.screen.show_lines(lines[-int(count) :] if count.isdecimal() and int(count) else lines)

    def _show_end(self) -> None:
        if len(self.people) > 1:
            self.viewer = None
        if not self.quiet:
            self.screen.show_lines(self._news())
        self.screen.show_end()

    def _hear(self, game: Game) -> None:
        self.story += tell_game(game, self.words, self.changes)
        if not self.people and not self.quiet:
            self.screen.show_lines(self._news())

    def _choose(self, option: Option, durable: bool) -> bool:
        refusal = self.session.choose(option, durable)
        if refusal is not None:
            print(paint(refusal.message, "red"))
            return False
        self._hear(self.session.game)
        self.fresh, self.screen.page = True, 0
        return True

    # ------------------------------------------------------------ what a player types
    def _obey(self, answer: str, decision: Decision) -> bool:
        """Do what was typed; true if that answered (or took back) the question."""
        word, _, rest = answer.partition(" ")
        match word:
            case "":
                self.screen.show_options(decision)
            case "+":
                self.screen.page += 1
                self.screen.show_options(decision)
            case "?" | "help":
                self._help(rest.strip(), decision)
            case "why" | "why-not":
                self._why(rest.strip(), decision)
            case "explain" | "x":
                self._explain(rest.strip())
            case "u" | "undo":
                return self._undo()
            case "log" | "l":
                self._show_log(rest.strip())
            case "table" | "tables" | "t":
                self.screen.show_tables(rest.strip())
            case "board" | "b":
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
            self._say("'{text}' may be any of {n} options; type its number", text=text, n=len(found))
        elif text.isdecimal():
            self._say("there are options 1 to {n}", n=len(decision.options))
        else:
            labels = [self.words.option(decision.window, option.name, option.picks) for option in decision.options]
            hint = did_you_mean(text, [*labels, *(option.id for option in decision.options), *COMMANDS])
            self._say("'{text}' is no option and no command", text=text)
            self._say("did you mean {hint}", hint=hint.removeprefix("did you mean ")) if hint else self._say(
                "? helps, and why {text} may tell why not", text=text
            )
        return False

    def _say(self, sentence: str, **values: object) -> None:
        """A sentence of the program in the language of the game."""
        told = fill_gaps(self.words.own(sentence), {name: str(value) for name, value in values.items()})
        print(broken(told, "  "))

    def _help(self, text: str, decision: Decision) -> None:
        if text:
            found = match_option(text, decision, self.words)
            things = [(None, pick) for pick in found[0].picks.values()] if len(found) == 1 else self.words.called(text)
            about = [told for kind, thing in things if (told := self.words.about(thing, kind))]
            print("\n".join(map(broken, about)) + ("\n" if about else ""), end="")
            if len(found) == 1:
                self._why(found[0].id, decision)
            elif not about and found:
                self._say("which option? type ? and its number")
            elif not about:
                self._say("nothing more is said about '{text}'; ? 1 explains option 1", text=text)
            return
        decides = self.words.fill(self.words.own("{p} decides"), {"p": decision.seat})
        print(broken(f"{decides}: {self.words.window(decision.window, self.session.game.asked_about())}"))
        own = self.words.help(decision.window)
        print(broken(f"{own}\n" if own else "") + broken(self.words.own(HELP), " " * 17))

    def _why(self, text: str, decision: Decision) -> None:
        if not text:
            self._list_options(decision)
            return
        found = match_option(text, decision, self.words)
        id_ = found[0].id if len(found) == 1 else text
        answer = self.session.game.why_not(id_)
        self.screen.show_why(id_, answer, decision.window)
        if not answer.understood:
            self._list_options(decision, text)

    def _list_options(self, decision: Decision, like: str = "") -> None:
        """How the options of this window are written, offered or not; the example is like what was asked for."""
        self._say("which option? e.g. why {option}", option=nearest_option(like, decision, self.words).id)
        for name, picks in self.session.game.askable().items():
            written = " ".join([name, *(f"{pick}=…" for pick in picks)])
            print(f"  {written:<28}  {self.words.option_title(decision.window, name)}")

    def _explain(self, text: str) -> None:
        if not text:
            self._say("explain what? a field, a quantity or any expression of the rules")
            return
        from interpreter.compiler.extension import TextInvalid  # the front end: only when somebody asks

        game = self.session.game
        text = read_question(text, self.words, game.machine.info)
        try:
            if self.hides and game.reads_hidden(text):
                self._say("that would tell what is hidden from somebody")
            else:
                print(draw_derivation(game.explain(text), width(), paint, edge=edge(), words=self.words))
        except (TextInvalid, GameStopped) as trouble:
            print(trouble)

    def _undo(self) -> bool:
        trouble = self.session.undo(self.people)
        if trouble is not None:
            self._say(trouble)
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
            self._say("this game is not recorded")
        elif not name:
            self._say("everything is saved already, in {file}", file=writer.path)
        else:
            try:
                copied = writer.copy_to(Path(name).expanduser())
                self._say("a copy is in {file}" if copied else _TAKEN, file=name)
            except OSError as trouble:
                self._say("cannot write '{file}': {trouble}", file=name, trouble=trouble.strerror)
