"""Input of a net: two planes of a position, with the edges as a rim of stones.

The player to move joins top and bottom, White by way of the transposed board. A 2 x 3
board with a stone of the mover on its first cell, as the planes of own and other stones::

    1 1 1 1 1    1 0 0 0 1
    0 1 0 0 0    1 0 0 0 1
    0 0 0 0 0    1 0 0 0 1
    1 1 1 1 1    1 0 0 0 1
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.position import Position
from hsearch.position.frame import Frame


def features(position: Position) -> NDArray[np.float32]:
    """Return the planes of a position, 2 x rows + 2 x columns + 2 as its mover sees the board."""
    frame = Frame.of(position, position.turn)
    stones = frame.stones.reshape(frame.rows, frame.columns)
    return rimmed(np.stack([stones == 1, stones == 2]))


def rimmed(planes: NDArray[Any]) -> NDArray[np.float32]:
    """Return planes of stones, of one position or of many, with the rim around."""
    around = [(0, 0)] * (planes.ndim - 2) + [(1, 1), (1, 1)]
    result = np.pad(planes.astype(np.float32), around)
    result[..., 0, [0, -1], :] = 1
    result[..., 1, :, [0, -1]] = 1
    return result
