"""What is known of a position, whoever asks: one object for every host."""

from player.answers.knowledge import SEARCH_SECONDS, Analysis
from player.answers.memory import BY_SEARCH, MEMORY, Memory, Proved

__all__ = ["BY_SEARCH", "MEMORY", "SEARCH_SECONDS", "Analysis", "Memory", "Proved"]
