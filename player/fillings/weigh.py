"""The best odds to be had: all fillings counted, or many drawn."""

import numpy as np

from hsearch.position import Position
from player.fillings.exact import exact, is_reachable
from player.fillings.odds import Odds
from player.fillings.sampling import Method, sample

ENOUGH = 10_000_000


def weigh(
    position: Position,
    rng: np.random.Generator,
    *,
    fillings: int | None = None,
    method: Method = Method.CRITICAL,
) -> Odds:
    """Return the odds of a position: exact ones, unless sampling is asked for or needed.

    A number of fillings asks for it, and so do the other methods; boards too
    large to count need it.
    """
    if fillings is None and method is Method.CRITICAL and is_reachable(position):
        return exact(position)
    return sample(position, fillings or ENOUGH, rng, method=method)
