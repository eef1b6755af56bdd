"""Known full connections put among those that H-search has found, and what follows from them.

A *placement* is a template at one place of the board, a row of int64 words::

    end, edge      the points it joins; the end may be empty
    stones         the cells that have to be the owner's, as a row of words
    carrier        the cells that must not be the opponent's, likewise
"""

import numpy as np

from hsearch.kernels.bits import put
from hsearch.kernels.cache import kernel
from hsearch.kernels.closure import run
from hsearch.kernels.lists import add
from hsearch.kernels.packing import FULL, TEMPLATE

END, EDGE, STONES = 0, 1, 2


@kernel
def preload(memory, log, layout, rows, stones, placements):
    """Add the placements that match as fulls, and go on searching. Return how many were added.

    The arrays hold a finished closure; if nothing matches, they stay as they are.
    """
    width = len(layout.words)
    own, opponent = np.zeros(width, np.int64), np.zeros(width, np.int64)
    for cell in range(layout.cells):
        if stones[cell] == 1:
            put(own, 0, cell)
        elif stones[cell] == 2:
            put(opponent, 0, cell)
    added = 0
    for number in range(placements.shape[0]):
        placement = placements[number]
        carrier = STONES + width
        misfits = 0
        for i in range(width):
            misfits |= placement[STONES + i] & ~own[i] | placement[carrier + i] & opponent[i]
            memory[layout.conclusion + i] = placement[carrier + i] & ~own[i]
        x = memory[layout.captain + placement[END]]
        y = memory[layout.captain + placement[EDGE]]
        if misfits or x < 0 or x == y:
            continue
        added += add(memory, log, layout, FULL, x, y, -1, TEMPLATE, 0) > 0
    if added:
        run(memory, log, layout, rows)
    return added
