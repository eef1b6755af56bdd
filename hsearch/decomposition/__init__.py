"""Regions that a player's groups enclose, filled, so that the board falls into parts."""

from hsearch.decomposition.fill import Filled, decompose, fills
from hsearch.decomposition.knowledge import Knowledge, local_connections, local_limits

__all__ = ["Filled", "Knowledge", "decompose", "fills", "local_connections", "local_limits"]
