"""Slow twins of the evaluators, from their definitions or by a library."""

import math
from fractions import Fraction

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra, maximum_flow

UNBOUNDED = 1 << 20


def chains(position, color):
    """Return a player's chains: maximal sets of adjacent stones."""
    left, found = set(position.stones(color).search(1)), []
    while left:
        chain, waiting = set(), [left.pop()]
        while waiting:
            cell = waiting.pop()
            chain.add(cell)
            new = left.intersection(position.board.neighbors(cell))
            left -= new
            waiting.extend(new)
        found.append(chain)
    return found


def shortest_path(position, color):
    """Return the number of empty cells on a shortest path, and on one through each cell.

    A step onto an empty cell costs 1000, and every step 1, since the library treats 0 as no step.
    Paths do not leave an edge again.
    """
    board = position.board
    first, second = board.edges(color)
    is_empty = position.empty
    points = {*is_empty.search(1), *position.stones(color).search(1), first, second}
    price = np.zeros((board.size + 4, board.size + 4))
    for x in points:
        for y in points.intersection(board.neighbors(x)):
            price[x, y] = 1001 if y < board.size and is_empty[y] else 1
    there, back = (
        np.floor(dijkstra(csr_array(_without(price, end)), indices=start) / 1000)
        for start, end in ((first, second), (second, first))
    )
    return there[second], (there + back)[: board.size] - np.array(is_empty.tolist())


def max_flow(position, color):
    """Return the maximum flow of the network whose nodes are the points, unmerged."""
    board = position.board
    opponent = position.stones(color.opponent)
    own = position.stones(color)
    edges = board.edges(color)
    cells = [c for c in board.cells if not opponent[c]]
    capacity = np.zeros((board.size + 4, board.size + 4), np.int32)
    for x in cells:
        for y in board.neighbors(x):
            if y in edges or (y in cells and own[x] and own[y]):
                capacity[x, y] = capacity[y, x] = UNBOUNDED
            elif y in cells:
                capacity[x, y] = capacity[y, x] = 1
    value = int(maximum_flow(csr_array(capacity), *edges).flow_value)
    return math.inf if value >= UNBOUNDED else value


def two_distances(position, color, edge):
    """Return each empty cell's two-distance to an edge, lowered from infinity until stable."""
    near = _neighbors(position, color)
    distance = dict.fromkeys(position.empty.search(1), math.inf)
    changing = True
    while changing:
        before = dict(distance)
        for cell in distance:
            others = near[cell] - {cell}
            distance[cell] = 1 if edge in others else 1 + _second(before, others)
        changing = distance != before
    return distance


def two_distance(position, color, edge):
    """Return the two-distance from a player's other edge to `edge`."""
    (other,) = set(position.board.edges(color)) - {edge}
    near = _neighbors(position, color)
    distance = two_distances(position, color, edge)
    return 1 + _second(distance, [cell for cell in distance if other in near[cell]])


def y_reduction(position):
    """Return the probability that Black owns the last cell, as a fraction."""
    board = position.board
    side = board.columns + board.rows - 1
    likely = {}
    for x in range(side):
        for y in range(side - x):
            if x >= board.columns:
                likely[x, y] = Fraction(0)
            elif y >= board.rows:
                likely[x, y] = Fraction(1)
            else:
                color = position.color_at(board.at(x, y))
                likely[x, y] = Fraction(1, 2) if color is None else Fraction(1 - color)
    while len(likely) > 1:
        likely = {
            (x, y): _majority(likely[x, y], likely[x + 1, y], likely[x, y + 1])
            for x, y in likely
            if (x + 1, y) in likely
        }
    return likely[0, 0]


def _without(price, end):
    kept = price.copy()
    kept[end] = 0
    return kept


def _majority(a, b, c):
    return a * b + b * c + c * a - 2 * a * b * c


def _second(distance, cells):
    smallest = sorted(distance[cell] for cell in cells if cell in distance)
    return smallest[1] if len(smallest) > 1 else math.inf


def _neighbors(position, color):
    """Return the points that each empty cell touches, directly or by one chain."""
    board = position.board
    near = {cell: set(board.neighbors(cell)) for cell in position.empty.search(1)}
    for chain in chains(position, color):
        around = set().union(*map(board.neighbors, chain))
        for cell in around & set(near):
            near[cell] |= around
    return near
