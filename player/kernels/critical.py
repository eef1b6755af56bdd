"""Critical cells of fillings: those whose color the loser needs in order to win.

A flood from each of the loser's edges reaches the losing stones connected to it.
A cell that touches both floods is critical; it is never a losing stone, since that
would join the edges. The second flood runs on the board after half a turn, so that
both start at the north and west edges.
"""

import numpy as np

from hsearch.kernels.cache import kernel
from player.kernels.fillings import (
    FILLING,
    LANES,
    ONE,
    PLANE,
    ROWS,
    STRIDE,
    ZERO,
    U,
    balance,
    popcount,
    spread,
    write_winners,
    write_words,
)

LOSERS, REACHED, TURNED_LOSERS, TURNED_REACHED = (U(k) * PLANE for k in range(3, 7))


@kernel
def _write_losers(space, columns, rows, winners):
    """Write the losing stones, and mark the loser's edges on the ring as reached.

    If Black has lost, the edges are north and south; else west and east.
    """
    for cell in range(STRIDE + LANES, STRIDE + (columns + ONE) * LANES, LANES):
        north = cell - STRIDE
        for lane in range(LANES):
            space[REACHED + north + lane] = ~winners[lane]
            space[TURNED_REACHED + north + lane] = ~winners[lane]
    for row in range(ONE, rows + ONE):
        west = row * STRIDE
        for lane in range(LANES):
            space[REACHED + west + lane] = winners[lane]
            space[TURNED_REACHED + west + lane] = winners[lane]
        mirror = (rows + ONE - row) * STRIDE + (columns + ONE) * LANES
        for column in range(ONE, columns + ONE):
            here, there = west + column * LANES, mirror - column * LANES
            for lane in range(LANES):
                loser = space[FILLING + here + lane] ^ winners[lane]
                space[LOSERS + here + lane] = loser
                space[TURNED_LOSERS + there + lane] = loser


@kernel
def _begin(space, columns, rows):
    """Flood from the ring in the order of cells, replacing the flood of the last batch."""
    for row in range(ONE, rows + ONE):
        start = row * STRIDE + LANES
        for cell in range(start, start + columns * LANES, LANES):
            one, two = REACHED + cell, TURNED_REACHED + cell
            for lane in range(LANES):
                space[one + lane] = space[LOSERS + cell + lane] & (
                    space[one - STRIDE + lane]
                    | space[one - STRIDE + LANES + lane]
                    | space[one - LANES + lane]
                )
                space[two + lane] = space[TURNED_LOSERS + cell + lane] & (
                    space[two - STRIDE + lane]
                    | space[two - STRIDE + LANES + lane]
                    | space[two - LANES + lane]
                )


@kernel
def _sweep_on(space, columns, rows):
    """Continue the floods in the order of cells; return 0 if they reach nothing new."""
    change = ZERO
    for row in range(ONE, rows + ONE):
        start = row * STRIDE + LANES
        for cell in range(start, start + columns * LANES, LANES):
            one, two = REACHED + cell, TURNED_REACHED + cell
            for lane in range(LANES):
                old = space[one + lane]
                new = space[LOSERS + cell + lane] & (
                    old
                    | space[one - STRIDE + lane]
                    | space[one - STRIDE + LANES + lane]
                    | space[one - LANES + lane]
                )
                space[one + lane] = new
                old_too = space[two + lane]
                new_too = space[TURNED_LOSERS + cell + lane] & (
                    old_too
                    | space[two - STRIDE + lane]
                    | space[two - STRIDE + LANES + lane]
                    | space[two - LANES + lane]
                )
                space[two + lane] = new_too
                change |= (new ^ old) | (new_too ^ old_too)
    return change


@kernel
def _sweep_back(space, columns, rows):
    """Continue the floods against the order of cells; return 0 if they reach nothing new."""
    change = ZERO
    for below in range(rows):
        end = (rows - below) * STRIDE + columns * LANES
        for behind in range(columns):
            cell = end - behind * LANES
            one, two = REACHED + cell, TURNED_REACHED + cell
            for lane in range(LANES):
                old = space[one + lane]
                new = space[LOSERS + cell + lane] & (
                    old
                    | space[one + STRIDE + lane]
                    | space[one + STRIDE - LANES + lane]
                    | space[one + LANES + lane]
                )
                space[one + lane] = new
                old_too = space[two + lane]
                new_too = space[TURNED_LOSERS + cell + lane] & (
                    old_too
                    | space[two + STRIDE + lane]
                    | space[two + STRIDE - LANES + lane]
                    | space[two + LANES + lane]
                )
                space[two + lane] = new_too
                change |= (new ^ old) | (new_too ^ old_too)
    return change


@kernel
def _add_critical(space, places, columns, rows, counts, squares):
    """Count in how many fillings of the batch each empty cell touches both floods."""
    mirror = (rows + ONE) * STRIDE + (columns + ONE) * LANES
    for cell in range(U(len(places))):
        at, critical = U(places[cell]), ZERO
        one, two = REACHED + at, TURNED_REACHED + mirror - at
        for lane in range(LANES):
            touches_one = (
                space[one - STRIDE + lane]
                | space[one - STRIDE + LANES + lane]
                | space[one - LANES + lane]
                | space[one + LANES + lane]
                | space[one + STRIDE - LANES + lane]
                | space[one + STRIDE + lane]
            )
            touches_two = (
                space[two - STRIDE + lane]
                | space[two - STRIDE + LANES + lane]
                | space[two - LANES + lane]
                | space[two + LANES + lane]
                | space[two + STRIDE - LANES + lane]
                | space[two + STRIDE + lane]
            )
            critical += popcount(touches_one & touches_two)
        counts[cell] += critical
        squares[cell] += critical * critical


@kernel
def count_critical(space, words, places, columns, rows, batches, counts, squares):
    """Draw batches; count critical cells and Black's wins.

    Add to `counts` how often each empty cell is critical and, in the last entry,
    how often Black wins; add to `squares` the squares of each batch's counts.
    """
    columns, rows = U(columns), U(rows)
    winners = np.empty(LANES, np.uint64)
    bits, order = np.empty(ROWS * LANES, np.uint64), np.empty(2 * len(places), np.int64)
    begins = np.empty(LANES, np.int64)
    key, first, stop, blacks = batches
    for batch in range(U(first), U(stop)):
        write_words(words, key, batch)
        if blacks >= 0:
            balance(words, blacks, key, batch, bits, order, begins)
        spread(words, places, space)
        write_winners(space, columns, rows, winners)
        wins = ZERO
        for lane in range(LANES):
            wins += popcount(winners[lane])
        counts[len(places)] += wins
        squares[len(places)] += wins * wins
        _write_losers(space, columns, rows, winners)
        _begin(space, columns, rows)
        while _sweep_back(space, columns, rows) and _sweep_on(space, columns, rows):
            pass
        _add_critical(space, places, columns, rows, counts, squares)
