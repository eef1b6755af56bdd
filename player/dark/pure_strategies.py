"""Every pure strategy of a tiny game, and the matrix of one against another.

A *reduced* strategy chooses only in the information sets that its own choices
let it reach. There are few enough on 2x2, and on nothing larger.
"""

import math
from functools import cache

import numpy as np

from hsearch.board import Color
from player.dark.reach import too_large
from player.dark.tree import Floats, GameTree, PlayerTree

MAX_STRATEGIES = 5_000


def strategies(side: PlayerTree) -> int:
    """Return the number of reduced pure strategies of a player."""
    below = _children(side)

    @cache
    def plans(sequence: int) -> int:
        """Return in how many ways to go on after a sequence."""
        return math.prod(
            sum(map(plans, range(side.first[j], side.first[j] + side.count[j])))
            for j in below[sequence]
        )

    return plans(0)


def plans(side: PlayerTree) -> Floats:
    """Return the realization plans of all reduced pure strategies, one a row."""
    below = _children(side)

    def complete(sequence: int) -> Floats:
        """Return the plans of the part of the game after a sequence."""
        rows = np.zeros((1, side.sequences))
        rows[0, sequence] = 1
        for j in below[sequence]:
            first = int(side.first[j])
            options = np.vstack([complete(s) for s in range(first, first + int(side.count[j]))])
            rows = (rows[:, None, :] + options[None, :, :]).reshape(-1, side.sequences)
        return rows

    return complete(0)


def normal_form(tree: GameTree) -> Floats:
    """Return what Black earns, by Black's pure strategy and White's.

    Raise TooLargeError when a player has more than `MAX_STRATEGIES`.
    """
    for color, side in zip(Color, tree.sides, strict=True):
        number = strategies(side)
        if number > MAX_STRATEGIES:
            why = f"{color.word.capitalize()} has {number:,} pure strategies"
            raise too_large(tree.rules, f"{why}, and {MAX_STRATEGIES:,} fit pure-lp")
    black, white = map(plans, tree.sides)
    return np.asarray((tree.matrix @ white.T).T @ black.T).T


def _children(side: PlayerTree) -> list[list[int]]:
    below: list[list[int]] = [[] for _ in range(side.sequences)]
    for j, sequence in enumerate(side.parent):
        below[sequence].append(j)
    return below
