"""The name of a bot in, the bot out: which players there are that need no person."""

from typing import Protocol

from interpreter import Game
from interpreter.bots.greedy_bot import GreedyBot
from interpreter.bots.random_bot import RandomBot


class Bot(Protocol):
    """Whoever can pick one of the options of a game's decision."""

    def pick(self, game: Game) -> int: ...


BOTS = ("random", "greedy")


def make_bot(name: str, seed: int) -> Bot:
    """A bot by its name; the same seed makes the same choices."""
    match name:
        case "random":
            return RandomBot(seed)
        case "greedy":
            return GreedyBot(seed)
        case _:
            raise KeyError(name)
