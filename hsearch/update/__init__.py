"""The connections of a player, kept up to date from move to move."""

from hsearch.update.side import Mark, Side

__all__ = ["Mark", "Side"]
