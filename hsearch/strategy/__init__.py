"""Connections as strategies: what they rest on, whether they hold, how to play and explain them."""

from hsearch.strategy.check import CheckError, check, check_fills
from hsearch.strategy.exhaust import BUDGET, PlayOutcome, PlayVerdict, play_out
from hsearch.strategy.explain import Argument, Case, Explanation, Kept, Part, explain
from hsearch.strategy.follow import StrategyState, follow
from hsearch.strategy.missing import Missing, missing
from hsearch.strategy.reply import Reply, reply, threats
from hsearch.strategy.shapes import shape

__all__ = [
    "BUDGET",
    "Argument",
    "Case",
    "CheckError",
    "Explanation",
    "Kept",
    "Missing",
    "Part",
    "PlayOutcome",
    "PlayVerdict",
    "Reply",
    "StrategyState",
    "check",
    "check_fills",
    "explain",
    "follow",
    "missing",
    "play_out",
    "reply",
    "shape",
    "threats",
]
