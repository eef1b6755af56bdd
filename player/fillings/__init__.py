"""Random and exact fillings of a position: chances to win, and critical cells."""

from player.fillings.counting import FillingCounts, count
from player.fillings.exact import exact, is_reachable
from player.fillings.fractions import Fractions, fractions
from player.fillings.odds import Odds
from player.fillings.sampling import BATCH, Method, Sampler, sample
from player.fillings.tables import MAX_WIDTH
from player.fillings.weigh import ENOUGH, weigh

__all__ = [
    "BATCH",
    "ENOUGH",
    "MAX_WIDTH",
    "FillingCounts",
    "Fractions",
    "Method",
    "Odds",
    "Sampler",
    "count",
    "exact",
    "fractions",
    "is_reachable",
    "sample",
    "weigh",
]
