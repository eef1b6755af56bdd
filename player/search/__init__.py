"""Alpha-beta search on Anshelevich's evaluation, with H-search at every node."""

from player.search.alphabeta import look_seconds, search
from player.search.findings import Findings
from player.search.settings import Settings

__all__ = ["Findings", "Settings", "look_seconds", "search"]
