"""Best-first search: a net, or playouts and patterns; looks by H-search, and proofs."""

from player.tree.findings import Candidate, TreeFindings
from player.tree.search import TreeSearch
from player.tree.settings import BY_PATTERNS, NET_ALONE, TreeSettings, net_alone

__all__ = [
    "BY_PATTERNS",
    "NET_ALONE",
    "Candidate",
    "TreeFindings",
    "TreeSearch",
    "TreeSettings",
    "net_alone",
]
