"""Best-first search: a net or playouts, looks by H-search at what is visited often, proofs."""

from player.tree.findings import Candidate, TreeFindings
from player.tree.search import TreeSearch
from player.tree.settings import NET_ALONE, TreeSettings, net_alone

__all__ = ["NET_ALONE", "Candidate", "TreeFindings", "TreeSearch", "TreeSettings", "net_alone"]
