"""A game in, one of the options of its decision out, each as likely as any other, the same on every machine."""

from interpreter import Game

_MASK = (1 << 64) - 1


class RandomBot:
    """Chooses evenly with a small generator of its own (splitmix64), apart from the dice of the game."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def pick(self, game: Game) -> int:
        """The index of the chosen option."""
        assert game.decision is not None
        return self.below(len(game.decision.options))

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1."""
        self._state = state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((state ^ (state >> 31)) * bound) >> 64
