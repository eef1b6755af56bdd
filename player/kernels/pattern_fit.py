"""Fit weights of patterns to what a net says of positions, one position after the other.

Each weight has a rate of its own, which falls with the sum of the squares of its
gradients. Duchi, Hazan and Singer: Adaptive subgradient methods for online learning and
stochastic optimization (2011).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.kernels.cache import kernel
from player.kernels.patterns import DRAW, TABLES, WORTH, find, reply_slot

CALM = (1.0, 0.01)  # squares that a weight of worth or draw begins with
RATIO = 3.0  # how much faster draws are learned
LEAST = 1e-4  # of a gradient that moves a weight
WHOLE = 65535


class Weights(NamedTuple):
    """Weights under way, each with the sum of the squares of its gradients beside it.

    tables   worth and draw x slot x 2
    replies  slot x 2
    bias     1 x 2
    """

    tables: NDArray[np.float32]
    replies: NDArray[np.float32]
    bias: NDArray[np.float32]


class Lessons(NamedTuple):
    """Positions on one board, n of them, and what a net says.

    stones  n x places of the rim
    turns   n: 0 where Black is to move, 1 where White is
    lasts   n: the place of the last stone, -1 where there is none
    values  n: the mover's chance
    policy  n x cells: the chance that each is the best move, in parts of `WHOLE`
    """

    stones: NDArray[np.int8]
    turns: NDArray[np.int8]
    lasts: NDArray[np.int32]
    values: NDArray[np.float32]
    policy: NDArray[np.uint16]


@kernel
def fit(weights, near, spots, lessons, places, order, rate):
    """Learn from lessons in an order; with a rate of 0 learn nothing. Return what was lost.

    That is the cross entropy of who wins and of the moves, each as a sum, and how often the
    likelier winner and the best move were told.
    """
    cells = places.size
    slots = np.empty((cells, TABLES), np.int64)
    replies, logits = np.empty(cells, np.int64), np.empty(cells)
    lost = np.zeros(4)
    for each in order:
        stones, turn, last = lessons.stones[each], lessons.turns[each], lessons.lasts[each]
        logit, most, sure, best = np.float64(weights.bias[0, 0]), -np.inf, 0, -1
        for cell in range(cells):
            find(near, spots, stones, turn, cell, slots[cell])
            for slot in slots[cell]:
                logit += weights.tables[WORTH, slot, 0]
            replies[cell] = -1
            if stones[places[cell]] == 0:
                replies[cell] = reply_slot(near, turn, cell, slots[cell, 0], last)
                logits[cell] = weights.replies[replies[cell], 0]
                for slot in slots[cell]:
                    logits[cell] += weights.tables[DRAW, slot, 0]
                if logits[cell] > most:
                    most, best = logits[cell], cell
                sure = max(sure, lessons.policy[each, cell])
        total = 0.0
        for cell in range(cells):
            if replies[cell] >= 0:
                total += np.exp(logits[cell] - most)
        value = np.float64(lessons.values[each])
        chance = 1 / (1 + np.exp(-min(30.0, max(-30.0, logit))))
        lost[0] -= value * np.log(chance) + (1 - value) * np.log(1 - chance)
        lost[2] += (chance > 0.5) == (value > 0.5)
        lost[3] += lessons.policy[each, best] == sure
        for cell in range(cells):
            if replies[cell] >= 0:
                wanted = lessons.policy[each, cell] / WHOLE
                lost[1] -= wanted * (logits[cell] - most - np.log(total))
                error = np.exp(logits[cell] - most) / total - wanted
                if rate > 0 and abs(error) >= LEAST:
                    move(weights.replies, replies[cell], error, RATIO * rate, CALM[DRAW])
                    for slot in slots[cell]:
                        move(weights.tables[DRAW], slot, error, RATIO * rate, CALM[DRAW])
            if rate > 0:
                for slot in slots[cell]:
                    move(weights.tables[WORTH], slot, chance - value, rate, CALM[WORTH])
        if rate > 0:
            move(weights.bias, 0, chance - value, rate, CALM[WORTH])
    return lost


@kernel
def move(weights, slot, gradient, rate, calm):
    """Move a weight against its gradient."""
    weights[slot, 1] += gradient * gradient
    weights[slot, 0] -= rate * gradient / np.sqrt(weights[slot, 1] + calm)
