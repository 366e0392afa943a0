"""A game in, the option that leaves its seat best off at once out: one look ahead, ties by chance."""

from interpreter import Game
from interpreter.bots.random_bot import RandomBot

MOST_TRIED = 60  # options looked at in one decision


class GreedyBot:
    """Tries options on a copy of the game and takes the one with the best score for the seat that is asked."""

    def __init__(self, seed: int) -> None:
        self._chance = RandomBot(seed)

    def pick(self, game: Game) -> int:
        """The index of the chosen option."""
        decision = game.decision
        assert decision is not None
        size = len(decision.options)
        tried = range(size) if size <= MOST_TRIED else sorted({self._chance.below(size) for _ in range(MOST_TRIED)})
        best: list[int] = []
        top: int | None = None
        for index in tried:
            score = self._look(game, index, decision.seat)
            if top is None or score > top:
                best, top = [index], score
            elif score == top:
                best.append(index)
        return best[self._chance.below(len(best))]

    def _look(self, game: Game, index: int, seat: str) -> int:
        ahead = game.copy()
        ahead.choose(index)
        return ahead.score(seat) or 0
