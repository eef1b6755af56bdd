"""Connections beyond the two rules: must-play deduction, and complete play."""

from hsearch.deduction.exhaustive import JoinGame, JoinOutcome
from hsearch.deduction.expand import expand
from hsearch.deduction.mustplay import Deduction, Depth

__all__ = ["Deduction", "Depth", "JoinGame", "JoinOutcome", "expand"]
