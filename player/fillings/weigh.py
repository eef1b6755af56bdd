"""The best odds to be had: all fillings counted, or many drawn."""

from collections.abc import Callable

import numpy as np

from hsearch.position import Position
from player.fillings.exact import exact, is_reachable
from player.fillings.odds import Odds
from player.fillings.sampling import BATCH, Method, Sampler

ENOUGH = 10_000_000
STEP = 512 * BATCH  # a few hundredths of a second


def weigh(
    position: Position,
    rng: np.random.Generator,
    *,
    fillings: int | None = None,
    method: Method = Method.CRITICAL,
    is_enough: Callable[[], bool] | None = None,
    on_step: Callable[[], object] = lambda: None,
) -> Odds:
    """Return the odds of a position: exact ones, unless sampling is asked for or needed.

    A number of fillings asks for it, and so does the estimate by the losing color;
    boards too large to count need it. `is_enough` is asked from time to time whether to stop
    with those drawn so far. `on_step` is called from time to time; what it raises ends the work.
    """
    balanced = method is Method.BALANCED
    is_counted = method is not Method.LOSING and is_reachable(position, balanced=balanced)
    if fillings is None and is_counted:
        return exact(position, balanced=balanced, on_step=on_step)
    sampler = Sampler(position, rng, method=method)
    left = fillings or ENOUGH
    while left > 0 and not (sampler.fillings and is_enough is not None and is_enough()):
        on_step()
        sampler.draw(min(left, STEP))
        left -= STEP
    return sampler.odds()
