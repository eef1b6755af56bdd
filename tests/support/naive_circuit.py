"""A slow twin of the circuits: wires by definition, and exact or library algebra."""

from fractions import Fraction

import numpy as np

from hsearch.hex.position import captains

# Conductance of a wire by whether its ends are empty cells: both, one, neither.
ADJACENT = {"hexy": ("1/2", "1"), "benzene": ("1", "2"), "six": ("1", "2")}
FULL = {"hexy": ("1/5", "1/4", "1/3"), "benzene": ("1", "2", "0"), "six": ("1", "2", "0")}


def wires(position, color, pairs=(), links="hexy"):
    """Return the conductance between each two wired captains, including the two edges.

    `pairs` maps pairs of captains to their number of common cells.
    """
    board = position.board
    captain = captains(position, color)
    if links == "six":
        stones = set(captain) - set(position.empty.search(1))
        captain = {x: c for x, c in captain.items() if x not in stones or board.is_edge(c)}
    stones = {captain[x] for x in captain if not board.is_edge(x) and not position.empty[x]}
    stones |= set(board.edges(color))
    found = {}
    for x in captain:
        for y in board.neighbors(x):
            if x < y and y in captain:
                pair = frozenset((captain[x], captain[y]))
                held = len(pair & stones)
                if len(pair) == 2 and held < 2:
                    one = Fraction(ADJACENT[links][held])
                    found[pair] = one if links == "six" else found.get(pair, 0) + one
    for (x, y), common in pairs.items():
        pair = frozenset((captain.get(x, -1), captain.get(y, -1)))
        if len(pair) == 2 and -1 not in pair and pair not in found:
            one = Fraction(FULL[links][len(pair & stones)])
            found[pair] = one / (1 + common) if links == "benzene" else one
    return found


def joined(found, start):
    """Return the points wired to a point, including that point."""
    members, waiting = {start}, [start]
    while waiting:
        x = waiting.pop()
        new = {y for pair in found if x in pair and found[pair] > 0 for y in pair} - members
        members |= new
        waiting.extend(new)
    return members


def exact_resistance(found, source, ground):
    """Return the resistance between two connected points by elimination in fractions."""
    nodes = sorted(joined(found, source) - {ground}, key=lambda x: x == source)
    matrix = _laplacian(found, nodes, Fraction(0))
    for k in range(len(nodes)):
        for i in range(k + 1, len(nodes)):
            factor = matrix[i][k] / matrix[k][k]
            matrix[i] = [x - factor * y for x, y in zip(matrix[i], matrix[k], strict=True)]
    return 1 / matrix[-1][-1]


def potentials(found, source, ground):
    """Return the potential of each point when 1 A flows from source to ground, by least squares."""
    nodes = sorted(joined(found, source))
    matrix = np.array(_laplacian(found, nodes, 0.0), float)
    current = np.array([(x == source) - (x == ground) for x in nodes], float)
    solution = np.linalg.lstsq(matrix, current, rcond=None)[0]
    solution -= solution[nodes.index(ground)]
    return dict(zip(nodes, solution.tolist(), strict=True))


def flow(found, voltage, cell):
    """Return the sum of the absolute currents in the wires of a cell."""
    return sum(
        float(found[pair]) * abs(voltage[x] - voltage[y])
        for pair in found
        for x, y in [sorted(pair)]
        if cell in pair and x in voltage and y in voltage
    )


def _laplacian(found, nodes, zero):
    matrix = [[zero] * len(nodes) for _ in nodes]
    row = {x: i for i, x in enumerate(nodes)}
    for pair, conductance in found.items():
        for x in pair & set(nodes):
            (y,) = pair - {x}
            matrix[row[x]][row[x]] += conductance
            if y in row:
                matrix[row[x]][row[y]] -= conductance
    return matrix
