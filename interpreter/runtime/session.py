"""A game and its record in, the same two one choice or one undo further out: what a table of players does."""

from dataclasses import dataclass

from interpreter import Game, Option, Refusal
from interpreter.compiler.program import DRAWS
from interpreter.runtime.record import RecordWriter


@dataclass(frozen=True, slots=True)
class Past:
    """The game before one choice, and who was asked."""

    seat: str
    game: Game


class Session:
    """A running game that is recorded and can be taken back."""

    def __init__(self, game: Game, writer: RecordWriter | None, past: list[Past] | None = None) -> None:
        self.game = game
        self.writer = writer
        self.past: list[Past] = past or []

    def choose(self, option: Option, durable: bool = True) -> Refusal | None:
        """Make a choice for the seat that is asked; it is recorded before this returns."""
        decision = self.game.decision
        assert decision is not None, "nobody is asked"
        before = Past(decision.seat, self.game.copy())
        refusal = self.game.choose(option)
        if refusal is None:
            self.past.append(before)
            if self.writer is not None:
                self.writer.choice(decision.seat, option.id, self.game.hash(), durable)
        return refusal

    def undo(self, people: frozenset[str]) -> str | None:
        """Back to the latest choice of one of these seats; the answer says why that is not possible.

        Where something is hidden, only the own last choice can be taken back, and only until somebody else has chosen.
        """
        asked = self.game.decision
        own = frozenset({asked.seat}) if self.game.ruleset.hides and asked is not None else people
        index = next((place for place in range(len(self.past) - 1, -1, -1) if self.past[place].seat in own), None)
        if index is None:
            return "there is no choice of yours to take back"
        if self.game.ruleset.hides and index != len(self.past) - 1:
            return "that choice cannot be taken back: others have chosen since then, and this game hides something"
        if any(learned(self.past[index].game, self.game, seat) for seat in sorted(people)):
            return "that choice cannot be taken back: something came to light by it"
        seat, self.game = self.past[index].seat, self.past[index].game
        del self.past[index:]
        if self.writer is not None:
            self.writer.undo(seat, index, self.game.hash())
        return None

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


def learned(before: Game, after: Game, seat: str) -> bool:
    """Whether something came to light between two states: dice were thrown, or a hidden value can be seen."""
    if before.state[DRAWS] != after.state[DRAWS]:
        return True
    viewer = after.seats.index(seat)
    for kind, field in after.machine.info["hidden"]:
        for thing in range(len(after.machine.info["kinds"][kind]["things"])):
            if after.visible(kind, field, thing, viewer, after.state) and not before.visible(
                kind, field, thing, viewer, before.state
            ):
                return True
    return False
