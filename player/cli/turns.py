"""Length of a game of best play at random turns from a position."""

import numpy as np

from hsearch.position import Position
from player.bidding import average, expected_turns, play
from player.fillings import Odds, is_reachable, weigh

# An exact answer takes 2 s from this many empty cells, and twice as long from one more.
MAX_EMPTY = 20
FILLINGS = 100_000  # for each move, where not all can be counted


def turns(position: Position, games: int, seed: int) -> tuple[str, bool]:
    """Return a sentence, and whether Ctrl-C cut it short.

    It is exact where few cells are empty; else games are played, with a coin that
    follows from the seed.
    """
    if position.empty.count() <= MAX_EMPTY:
        return _sentence(f"{float(expected_turns(position)):.4f}", "exact"), False
    rng, lengths = np.random.default_rng(seed), list[int]()

    def odds(now: Position) -> Odds:
        return weigh(now, rng, fillings=None if is_reachable(now) else FILLINGS)

    is_interrupted = False
    try:
        while len(lengths) < games:
            lengths.append(len(play(position, rng, odds)))
    except KeyboardInterrupt:
        is_interrupted = True
    if len(lengths) < 2:
        return "Fewer than two games were played, too few to tell their length.", is_interrupted
    mean, error = average(lengths)
    return _sentence(f"{mean:.2f} ± {error:.2f}", f"{len(lengths)} games"), is_interrupted


def _sentence(number: str, how: str) -> str:
    return f"Best play at random turns takes {number} turns on average ({how})."
