"""The classic evaluators for a search: one position, or the last ply of a tree.

A position is given in the frames of both players, `black` and `white`: one byte a
cell, 0 empty, 1 own, 2 opponent, White's on the transposed board. Evaluations
are those of `player.evaluate.evaluators`, negative if good for Black, but they do
not check for a chain between the edges: the caller has done that.
"""

import numpy as np

from hsearch.kernels.cache import kernel
from hsearch.kernels.circuit import Links, solve
from player.kernels.classic import (
    FAR,
    LACKING,
    largest_chain,
    max_flow,
    path_length,
    two_distance,
    two_distances,
    y_reduction,
)

NAMES = (
    "connected",
    "shortest_path",
    "two_distance",
    "two_distance_one_way",
    "queenbee",
    "y_reduction",
    "y_reduction_one_way",
    "max_flow",
    "resistance",
)
CONNECTED, SHORTEST_PATH, TWO_DISTANCE, TWO_DISTANCE_ONE_WAY, QUEENBEE = range(5)
Y_REDUCTION, Y_REDUCTION_ONE_WAY, MAX_FLOW, RESISTANCE = range(5, 9)


@kernel
def joins_edges(columns, rows, stones):
    """Return whether own stones join north and south."""
    visited = np.zeros(stones.size, np.bool_)
    waiting = np.empty(stones.size, np.int64)
    size = 0
    for cell in range(columns):
        if stones[cell] == 1:
            visited[cell] = True
            waiting[size] = cell
            size += 1
    while size:
        size -= 1
        cell = waiting[size]
        row = cell // columns
        column = cell - row * columns
        if row == rows - 1:
            return True
        for right, down in ((0, 1), (-1, 1), (1, 0), (-1, 0), (1, -1), (0, -1)):
            x, y = column + right, row + down
            if x < 0 or x == columns or y < 0:
                continue
            other = y * columns + x
            if stones[other] == 1 and not visited[other]:
                visited[other] = True
                waiting[size] = other
                size += 1
    return False


@kernel
def evaluate(which, columns, rows, black, white, wiring):  # noqa: PLR0911 - one an evaluator
    """Return the evaluation of an undecided position by the evaluator at `which` of `NAMES`."""
    if which == CONNECTED:
        return float(largest_chain(rows, columns, white) - largest_chain(columns, rows, black))
    if which == SHORTEST_PATH:
        return _paths(columns, rows, black, white)
    if which in (TWO_DISTANCE, TWO_DISTANCE_ONE_WAY):
        averaged = which == TWO_DISTANCE
        mine = two_distance(columns, rows, black, averaged)
        theirs = two_distance(rows, columns, white, averaged)
        return _difference(columns, rows, black, white, mine, theirs)
    if which == QUEENBEE:
        mine, least = _potential(columns, rows, black)
        theirs, leasts = _potential(rows, columns, white)
        ties = (leasts - least) / (black.size + 1) if least and leasts else 0.0
        return _difference(columns, rows, black, white, mine, theirs) + ties
    if which == Y_REDUCTION_ONE_WAY:
        return 0.0 - y_reduction(columns, rows, black)
    if which == Y_REDUCTION:
        back = black[::-1].copy()
        surplus = y_reduction(columns, rows, black) + y_reduction(columns, rows, back)
        return 0.0 - surplus / 2
    if which == MAX_FLOW:
        across = np.empty(2 * (columns + 2) * (rows + 2), np.int64)
        mine = max_flow(columns, rows, black, across)
        theirs = max_flow(rows, columns, white, across)
        if mine == theirs:
            return 0.0
        return (np.inf if theirs == FAR else theirs) - (np.inf if mine == FAR else mine)
    return _resistance(columns, rows, black, wiring) - _resistance(rows, columns, white, wiring)


@kernel
def leaves(which, sides, frames, mirror, moves, turn, bounds, wiring):
    """Search one ply: return the best score, its move, and how many moves were tried.

    `sides` are columns and rows, `frames` the stones of Black and White, which
    are restored, `mirror` the cells in White's frame. Scores
    are for the player to move, `turn`. `bounds` are beta, at which the search
    stops, the score of a win, and the limit to which evaluations are clipped.
    """
    columns, rows = sides
    black, white = frames
    beta, win, most = bounds
    best_score, best, tries = -np.inf, -1, 0
    for move in moves:
        other = mirror[move]
        black[move], white[other] = 1 + turn, 2 - turn
        tries += 1
        if joins_edges(columns, rows, black) if turn == 0 else joins_edges(rows, columns, white):
            score = win
        else:
            value = min(most, max(-most, evaluate(which, columns, rows, black, white, wiring)))
            score = -value if turn == 0 else value
        black[move], white[other] = 0, 0
        if score > best_score:
            best_score, best = score, move
        if best_score >= beta:
            break
    return best_score, best, tries


@kernel
def _paths(columns, rows, black, white):
    """Return the length of Black's shortest path minus White's."""
    levels = np.empty(black.size)
    mine = path_length(columns, rows, black, levels)
    return float(mine - path_length(rows, columns, white, levels))


@kernel
def _difference(columns, rows, black, white, mine, theirs):
    """Return Black's distance minus White's; if one is infinite, LACKING and that of paths."""
    if mine < np.inf and theirs < np.inf:
        return mine - theirs
    lacking = LACKING * ((mine == np.inf) - 1.0 * (theirs == np.inf))
    return lacking + _paths(columns, rows, black, white)


@kernel
def _potential(columns, rows, stones):
    """Return the smallest potential, and how many cells attain it; 0 if it is infinite."""
    first, second = np.empty(stones.size), np.empty(stones.size)
    two_distances(columns, rows, stones, first, second)
    smallest, count = np.inf, 0
    for cell in range(stones.size):
        one, other = first[cell], second[cell]
        if FAR in (one, other) or one + other - 2 > smallest:
            continue
        if one + other - 2 < smallest:
            smallest, count = one + other - 2, 0
        count += 1
    return smallest, count


@kernel
def _resistance(columns, rows, stones, wiring):
    """Return the resistance of the player's circuit of adjacent cells."""
    none = np.empty(0, np.int64)
    potentials, flows = np.empty(stones.size), np.empty(stones.size)
    return solve(columns, rows, stones, Links(none, none, none), wiring, potentials, flows)
