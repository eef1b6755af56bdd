"""Alpha-beta search on Anshelevich's evaluation, with H-search at every node."""

from player.search.alphabeta import probe_seconds, search
from player.search.findings import SearchResult
from player.search.settings import SearchSettings

__all__ = ["SearchResult", "SearchSettings", "probe_seconds", "search"]
