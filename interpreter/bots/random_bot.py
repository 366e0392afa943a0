"""A game in, one of the options of its decision out, each as likely as any other, the same on every machine."""

import random

from interpreter import Game


class RandomBot:
    """Chooses evenly with a generator of its own, apart from the dice of the game."""

    __slots__ = ("chance",)

    def __init__(self, seed: int) -> None:
        # A number from 0 up to 1; the Mersenne twister gives the same numbers everywhere.
        self.chance = random.Random(seed).random

    def pick(self, game: Game) -> int:
        """The index of the chosen option."""
        assert game.decision is not None
        return self.below(len(game.decision.options))

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1."""
        return int(self.chance() * bound)
