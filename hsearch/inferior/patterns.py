"""The table of dead rings, as the kernels take it."""

from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

EMPTY = "."
CODES = EMPTY + "BW"
FILE = Path(__file__).with_name("dead.txt")


def read(text: str) -> list[str]:
    """Return the rings of a table: one a line, with comments between."""
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def dead_rings() -> NDArray[np.bool_]:
    """Return for each ring, as a number to the base 3, whether its cell is dead.

    A ring is dead if it has the stones of one in the table, whatever else.
    """
    table = np.zeros(3**6, np.bool_)
    for ring in read(FILE.read_text(encoding="ascii")):
        choices = (CODES if stone == EMPTY else stone for stone in ring)
        for filled in product(*choices):
            table[ring_number("".join(filled))] = True
    return table


def ring_number(ring: str) -> int:
    """Return the number of a ring: a digit a neighbor, the first one the lowest."""
    return sum(CODES.index(stone) * 3**place for place, stone in enumerate(ring))
