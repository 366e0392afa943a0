"""Board games whose rules are data. These names are the public interface; everything else may change."""

from interpreter.diagnostics import Finding, Report, RulesetInvalid, RulesetNotFound, Sources, Span
from interpreter.runtime.decisions import Event, Option, Refusal, Result, Standing
from interpreter.runtime.game import Decision, Game
from interpreter.runtime.machine import GameStopped
from interpreter.runtime.questions import Impossible, WhyNot
from interpreter.runtime.ruleset import Ruleset, Unplayable, load
from interpreter.runtime.trace import Derivation

__all__ = [
    "Decision",
    "Derivation",
    "Event",
    "Finding",
    "Game",
    "GameStopped",
    "Impossible",
    "Option",
    "Refusal",
    "Report",
    "Result",
    "Ruleset",
    "RulesetInvalid",
    "RulesetNotFound",
    "Sources",
    "Span",
    "Standing",
    "Unplayable",
    "WhyNot",
    "load",
]
