"""Y-reduction: who is likely to own the last cell of a shrinking triangle."""

import numpy as np

from hsearch.kernels.cache import kernel


@kernel
def y_reduction(columns, rows, stones):
    """Return how likely Black owns the last cell, from -1 (never) over 0 to 1 (surely).

    `stones` has one byte a cell, 0 empty, 1 Black's, 2 White's. The board lies
    in the corner of a triangle with sides of columns + rows - 1 cells; the
    cells past its last column are White's, those past its last row Black's. In
    a step each cell goes to the majority of itself, its right and its lower
    neighbor, which shortens the sides by one.

    With q = 2p - 1 for a probability p, the majority of independent cells is
    (a + b + c - abc) / 2. So the other color and the transposed board give the
    negative to the last bit.
    """
    side = columns + rows - 1
    likely = np.empty((side, side))
    for row in range(side):
        for column in range(side - row):
            if column >= columns:
                likely[row, column] = -1.0
            elif row >= rows:
                likely[row, column] = 1.0
            else:
                likely[row, column] = (0.0, 1.0, -1.0)[stones[row * columns + column]]
    for last in range(side - 1, 0, -1):
        for row in range(last):
            here, below = likely[row, : last - row + 1], likely[row + 1, : last - row]
            for column in range(last - row):
                a, b, c = here[column], here[column + 1], below[column]
                here[column] = (a + (b + c) - a * (b * c)) / 2.0
    return likely[0, 0]
