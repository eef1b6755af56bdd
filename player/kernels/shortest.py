"""Whether a player can force a chain between two edges with a given number of stones.

The owner joins north to south. A set of cells is one word: bit `i` is the cell `i` in the
order of `Board.cells`, so a board has at most 62 cells.
"""

import numpy as np

from hsearch.kernels.bits import is_stopped, lowest_bit
from hsearch.kernels.cache import kernel

# The search by must-play regions (Hayward and van Rijswijck, "Hex and combinatorics", 2006),
# with a bound on the owner's stones.
#
# A question is (own, opponent, stones, who is to move). The answer is a *carrier*: the
# empty cells that the owner's play needs, such that a reply outside it changes nothing; FAILED
# if there is none.
#
# Owner to move: a stone that lies on no path of at most `stones` empty cells never becomes part
# of the chain, so only cells on such paths are tried, those of the shortest paths first.
#
# Opponent to move: the owner must win even if the opponent passes, and that win has a carrier.
# The replies inside it are tried. A win against a reply has a carrier, too, and the same play
# answers every reply outside it, so only replies inside both are left. Before all that, each
# cell of one shortest path is blocked: if no other path is short enough, that reply refutes.
# (On 6x6 this saves three quarters of the positions and half of the time.)
#
# For a question `table` stores the most stones that fail and the fewest that suffice. Any other
# question may replace a row; all entries are exact, so no answer depends on that. Rows of
# zeros store nothing, so a large table takes memory only as it fills.
#
# It is a loop over frames: Numba crashes on a recursive function loaded from its cache.

FAILED, STOPPED = -1, -2
MOST_CELLS = 62
COLUMNS, FULL, FIRST, LAST, TOP, BOTTOM = range(6)  # of `shape`: the first and last column, ...
_OWN, _OPPONENT, _STONES, _MOVER, _LEFT, _CARRIER, _TRIED, _NEXT = range(8)  # of a frame
_ABOVE_FAILED, _SPARED, _NEEDED, _MOVE = range(2, 6)  # of a row, behind the words of its key
ROW = 6  # words of a row
HISTORY = 128  # words of `history`: how often a cell has won for the owner, then for the opponent
_REFUTES = 64  # where the opponent's part begins
_EVERY = 1023  # a mask: every 1,024 positions the flag is checked


@kernel
def _near(cells, shape):
    """Return the neighbors of cells, which may include some of these cells."""
    columns, right, left = shape[COLUMNS], cells & ~shape[LAST], cells & ~shape[FIRST]
    up = cells >> columns | right >> (columns - 1) | left >> 1
    down = cells << columns | left << (columns - 1) | right << 1
    return (up | down) & shape[FULL]


@kernel
def _flood(cells, own, shape):
    """Return cells, and all own stones that are joined to them."""
    while True:
        more = cells | _near(cells, shape) & own
        if more == cells:
            return cells
        cells = more


@kernel
def _levels(own, empty, edge, most, levels, shape):
    """Write which cells a path from an edge reaches with at most 0, 1, ... `most` empty cells."""
    region = _flood(edge & own, own, shape)
    levels[0] = region
    for length in range(1, most + 1):
        step = (_near(region, shape) | edge) & empty & ~region
        region |= step | _flood(_near(step, shape) & own, own, shape)
        levels[length] = region


@kernel
def _cut(own, empty, most, north, spare, shape):
    """Return a reply that leaves no path of at most `most` empty cells; 0 if there is none.

    Such a reply lies on every path, so it is enough to follow one shortest path from south.
    """
    length = 0
    while not north[length] & shape[BOTTOM]:
        length += 1
    region = _flood(shape[BOTTOM] & own, own, shape)
    beside = _near(region, shape) | shape[BOTTOM]
    while length > 0:
        on = beside & empty & north[length] & ~north[length - 1]
        cell = on & -on
        _levels(own, empty & ~cell, shape[TOP], most, spare, shape)
        if not spare[most] & shape[BOTTOM]:
            return cell
        beside = _near(cell, shape)
        beside |= _near(_flood(beside & own, own, shape), shape)
        length -= 1
    return 0


@kernel
def _append_sorted(cells, history, order, count):
    """Append cells to `order`, the most successful in `history` first; return its length."""
    while cells:
        best = lowest_bit(cells)
        rest = cells & (cells - 1)
        while rest:
            cell = lowest_bit(rest)
            rest &= rest - 1
            if history[cell] > history[best]:
                best = cell
        cells &= ~(1 << best)
        order[count] = best
        count += 1
    return count


@kernel
def _row(own, opponent, mover, table):
    """Return the row of the table for a question, and whether it holds that question."""
    mix = own * -7046029254386353131 ^ opponent * -4417276706812531889 ^ mover << 40
    row = (mix ^ mix >> 29) & (table.shape[0] - 1)
    return row, table[row, 0] == own and table[row, 1] == (opponent << 1 | mover)


@kernel
def _remember(frame, result, table):
    """Store an answer: for a win, the carrier and the owner's move; else the reply.

    A row has one more than the most stones that fail, and, in place of the fewest that
    suffice, how far these are below MOST_CELLS + 1; so 0 means unknown.
    """
    own, opponent, stones, mover = frame[_OWN], frame[_OPPONENT], frame[_STONES], frame[_MOVER]
    row, is_known = _row(own, opponent, mover, table)
    if not is_known:
        table[row] = 0
        table[row, 0], table[row, 1] = own, opponent << 1 | mover
    if result == FAILED and stones >= table[row, _ABOVE_FAILED]:
        table[row, _ABOVE_FAILED] = stones + 1
        if not mover:
            table[row, _MOVE] = frame[_TRIED]
    elif result != FAILED and MOST_CELLS + 1 - stones > table[row, _SPARED]:
        table[row, _SPARED], table[row, _NEEDED] = MOST_CELLS + 1 - stones, result
        if mover:
            table[row, _MOVE] = frame[_TRIED]


@kernel
def _begin(frame, order, ways, history, table, shape):
    """Start a question: return its answer, or STOPPED if the frame has cells to try."""
    own, opponent, stones = frame[_OWN], frame[_OPPONENT], frame[_STONES]
    frame[_NEXT], frame[_LEFT], frame[_TRIED], frame[_CARRIER] = 0, 0, 0, 0
    empty = shape[FULL] & ~(own | opponent)
    north, south = ways[0], ways[1]
    _levels(own, empty, shape[TOP], stones, north, shape)
    if north[0] & shape[BOTTOM]:
        return 0
    if not north[stones] & shape[BOTTOM]:
        return FAILED
    if not frame[_MOVER]:
        frame[_TRIED] = _cut(own, empty, stones, north, south, shape)
        if frame[_TRIED]:
            return FAILED
    row, is_known = _row(own, opponent, frame[_MOVER], table)
    if is_known:
        frame[_TRIED] = table[row, _MOVE]
        if table[row, _ABOVE_FAILED] > stones:
            return FAILED
        if MOST_CELLS + 1 - table[row, _SPARED] <= stones:
            return table[row, _NEEDED]
        frame[_TRIED] = 0
    if frame[_MOVER]:
        _levels(own, empty, shape[BOTTOM], stones, south, shape)
        count, earlier = 0, 0
        for length in range(1, stones + 1):
            on = 0
            for upper in range(1, length + 1):
                on |= north[upper] & ~north[upper - 1] & south[length + 1 - upper]
            on &= empty & ~earlier
            earlier |= on
            count = _append_sorted(on, history, order, count)
        frame[_LEFT] = count
    return STOPPED


@kernel
def _resume(frame, result, order, history):
    """Take the answer to the last try; return the answer of the frame, or STOPPED if open."""
    if frame[_MOVER]:
        if result != FAILED:
            history[order[frame[_NEXT] - 1]] += frame[_STONES] * frame[_STONES]
            return result | frame[_TRIED]
        return FAILED if frame[_NEXT] == frame[_LEFT] else STOPPED
    if result == FAILED:
        if frame[_TRIED]:
            cell = lowest_bit(frame[_TRIED])
            history[_REFUTES + cell] += frame[_STONES] * frame[_STONES]
        return FAILED
    frame[_CARRIER] |= result
    frame[_LEFT] = frame[_LEFT] & result if frame[_TRIED] else result
    return STOPPED if frame[_LEFT] else frame[_CARRIER]


@kernel
def _descend(frame, child, order, history):
    """Choose the next cell to try, and write the question that it leads to."""
    own, opponent, stones, mover = frame[_OWN], frame[_OPPONENT], frame[_STONES], 1
    if frame[_MOVER]:
        frame[_TRIED] = 1 << order[frame[_NEXT]]
        own, stones, mover = own | frame[_TRIED], stones - 1, 0
    elif frame[_NEXT]:  # the first try is a pass
        best = lowest_bit(frame[_LEFT])
        rest = frame[_LEFT] & (frame[_LEFT] - 1)
        while rest:
            cell = lowest_bit(rest)
            rest &= rest - 1
            if history[_REFUTES + cell] > history[_REFUTES + best]:
                best = cell
        frame[_TRIED] = 1 << best
        frame[_LEFT] &= ~frame[_TRIED]
        opponent |= frame[_TRIED]
    frame[_NEXT] += 1
    child[_OWN], child[_OPPONENT], child[_STONES], child[_MOVER] = own, opponent, stones, mover


@kernel
def solve_within(question, shape, table, history, flag):
    """Return the carrier of a win with that many stones, a move, and the positions searched.

    Instead of the carrier, return FAILED if there is no such win, STOPPED if the flag is set.
    `question` has the words own and opponent, the stones, and 1 if the owner is to move. The
    move is a bit: of a win, the owner's winning move; of a failure, the opponent's refutation,
    or 0 if any move refutes. If it is not that player's turn, the move means nothing.
    """
    frames = np.zeros((2 * MOST_CELLS + 4, 8), np.int64)
    orders = np.empty((frames.shape[0], MOST_CELLS), np.int64)
    ways = np.empty((2, MOST_CELLS + 2), np.int64)
    frames[0, :4] = question
    depth, positions, result = 0, 1, _begin(frames[0], orders[0], ways, history, table, shape)
    while depth >= 0:
        if result == STOPPED:
            if not positions & _EVERY and is_stopped(flag):
                return STOPPED, 0, positions
            _descend(frames[depth], frames[depth + 1], orders[depth], history)
            depth += 1
            positions += 1
            result = _begin(frames[depth], orders[depth], ways, history, table, shape)
            continue
        depth -= 1
        if depth >= 0:
            result = _resume(frames[depth], result, orders[depth], history)
            if result != STOPPED:
                _remember(frames[depth], result, table)
    return result, frames[0, _TRIED], positions
