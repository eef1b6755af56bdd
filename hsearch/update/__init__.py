"""The connections of both players, kept up to date from move to move."""

from hsearch.update.connections import Connections
from hsearch.update.side import Mark, Side

__all__ = ["Connections", "Mark", "Side"]
