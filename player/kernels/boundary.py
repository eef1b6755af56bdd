"""One filling at a time: colors drawn cell by cell, the winner by a walk.

This is the method of Payne and Robeva (2008), kept as the rival of
`player.kernels.fillings` and as a check on it.
"""

from hsearch.kernels.cache import kernel
from player.kernels.fillings import GOLDEN, ONE, U, mixed

# Around a cell, in cyclic order: each direction touches the one before and the one after.
RIGHT = (1, 1, 0, -1, -1, 0)
DOWN = (0, -1, -1, 0, 1, 1)


@kernel
def is_won_by_black(colors, columns, rows):
    """Walk along the boundary from the west corner of a full board; true cells are black.

    Black stays on one hand and White on the other; the corner in which the
    walk ends tells the winner.
    """
    black_column, black_row, step = 0, -1, 4
    while True:
        # White lies at `step` from the black point; ahead is the next one around.
        ahead = step + 1 if step < 5 else 0
        column, row = black_column + RIGHT[ahead], black_row + DOWN[ahead]
        if column == columns and row == -1:
            return False
        if column == -1 and row == rows:
            return True
        if 0 <= column < columns and 0 <= row < rows:
            black = colors[row * columns + column]
        else:
            black = not 0 <= row < rows
        if black:
            black_column, black_row = column, row
            step = step - 1 if step > 0 else 5
        else:
            step = ahead


@kernel
def count_losing_by_walk(colors, empties, columns, rows, key, fillings, counts):
    """Fill and count as `fillings.count_losing` does, one filling at a time.

    `colors` holds the stones, and is scratch where there are none.
    """
    won, counter = 0, key
    for _ in range(fillings):
        bits, left = U(0), 0
        for cell in empties:
            if left == 0:
                counter += GOLDEN
                bits, left = mixed(counter), 64
            colors[cell] = bits & ONE
            bits >>= ONE
            left -= 1
        black = is_won_by_black(colors, columns, rows)
        won += black
        for place in range(len(empties)):
            counts[place] += colors[empties[place]] != black
    return won
