"""The modules of the full game on every ruleset they fit: they are played alone and together, and commute."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter import load
from interpreter.loader.merge import commute

RULESETS = Path(__file__).resolve().parent.parent / "rulesets"
MODULES = ("east_india_company", "asymmetric_factories")
BASES = ("waterframe", "spinning_mule")


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("modules", [MODULES[:1], MODULES[1:], MODULES])
def test_modules_alone_and_together(base: str, modules: tuple[str, ...]) -> None:
    ruleset = load(RULESETS / base, modules=modules)
    for players in (2, 3, 4):
        game = ruleset.new_game(players, seed=players, options={"setup": "advanced"}, told=False)
        dice = random.Random(players)
        while game.decision is not None:
            assert game.broken() == []
            assert game.choose(dice.randrange(len(game.decision.options))) is None
        assert game.finished


@pytest.mark.parametrize("base", BASES)
def test_the_modules_commute(base: str) -> None:
    assert commute(RULESETS / base, *MODULES) == []
    assert commute(RULESETS / base, *reversed(MODULES)) == []
