"""The field of stones as electric charges, and how much of a saddle each cell is.

Black's stones and edges carry +1, White's -1; the edges are rows of charges on
a rim around the board. A charge adds 1 / d^2 with its sign to every cell at
distance d, the number of steps between them. A charged cell itself has the
largest value, and none is larger. In the field that a public program has,
distances along one of the three diagonals are longer: there
d = min(|x| + |y|, |x| + |x + y|).
"""

import numpy as np

from hsearch.kernels.cache import kernel

LARGEST = 9.0


@kernel
def saddles(columns, rows, stones, longer, scores):
    """Write for each cell its smallest times its largest curvature, 0 in cells with a stone.

    `stones` has one byte a cell, 0 empty, 1 Black's, 2 White's; `longer` chooses
    the longer distances. Along each of
    the three axes through a cell the curvature is the sum of its neighbors'
    values minus twice its own if that is a largest or smallest of the three,
    else 0. The more negative the product, the steeper the saddle.
    """
    field = _field(columns, rows, stones, longer)
    for row in range(rows):
        for column in range(columns):
            cell = row * columns + column
            scores[cell] = 0.0
            if stones[cell] != 0:
                continue
            here = field[row + 1, column + 1]
            least, most = np.inf, -np.inf
            for right, down in ((1, 0), (0, 1), (1, -1)):
                one = field[row + 1 + down, column + 1 + right] - here
                other = field[row + 1 - down, column + 1 - right] - here
                # The middle is an extreme if both sides differ the same way.
                curvature = one + other if one * other >= 0.0 else 0.0
                least, most = min(least, curvature), max(most, curvature)
            scores[cell] = least * most


@kernel
def _field(columns, rows, stones, longer):
    """Return the value of each cell of the board with its rim."""
    field = np.zeros((rows + 2, columns + 2))
    for row in range(-1, rows + 1):
        for column in range(-1, columns + 1):
            charge = _charge(columns, rows, stones, column, row)
            if charge == 0.0:
                continue
            for y in range(rows + 2):
                for x in range(columns + 2):
                    right, down = x - 1 - column, y - 1 - row
                    steps = max(abs(right), abs(down), abs(right + down))
                    if longer:
                        steps = abs(right) + min(abs(down), abs(right + down))
                    if steps:
                        field[y, x] += charge / (steps * steps)
    for y in range(rows + 2):
        for x in range(columns + 2):
            charge = _charge(columns, rows, stones, x - 1, y - 1)
            if charge != 0.0:
                field[y, x] = charge * LARGEST
            # Equal values differ by rounding, which must not decide what is extreme.
            field[y, x] = round(min(LARGEST, max(-LARGEST, field[y, x])), 9)
    return field


@kernel
def _charge(columns, rows, stones, column, row):
    """Return the charge of a cell of the board or its rim; the corners of the rim have none."""
    beside = column < 0 or column == columns
    if row < 0 or row == rows:
        return 0.0 if beside else 1.0
    if beside:
        return -1.0
    return (0.0, 1.0, -1.0)[stones[row * columns + column]]
