"""Samples to learn from: positions, and what search and proof said of them.

Each is seen by the player to move as the one who joins top and bottom: of a position
in which White is to move, the transpose, so that the board of a sample has as many
rows as the mover has between the own edges.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

KINDS = {
    "planes": (np.bool_, 4),
    "policy": (np.float32, 3),
    "value": (np.float32, 1),
    "chance": (np.float32, 1),
    "owners": (np.int8, 3),
    "is_proved": (np.bool_, 1),
    "games": (np.int32, 1),
}


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Positions of one board size, n of them.

    planes     n x 2 x rows x columns: where the mover has stones, and the other player
    policy     n x rows x columns: what part of its thought the search gave to each cell; 0 on
               stones, and 1 in all
    value      n: 1 where the mover won, 0 where the other did
    chance     n: the mover's as the search saw it
    owners     n x rows x columns: 1 in the carrier of the mover's proved connection, -1 in that
               of the other's, 0 elsewhere
    is_proved  n: whether there is such a connection; else the owners are not known
    games      n: the number of the game that each is from

    Raise ValueError when the arrays do not fit together.
    """

    planes: NDArray[np.bool_]
    policy: NDArray[np.float32]
    value: NDArray[np.float32]
    chance: NDArray[np.float32]
    owners: NDArray[np.int8]
    is_proved: NDArray[np.bool_]
    games: NDArray[np.int32]

    def __post_init__(self) -> None:
        shape = self.planes.shape
        of_cells = (shape[0], *shape[2:])
        for name, (kind, dimensions) in KINDS.items():
            array = getattr(self, name)
            expected = shape[:1] if dimensions == 1 else of_cells
            if name == "planes":
                expected = (shape[0], 2, *shape[2:])
            if array.dtype != kind or array.ndim != dimensions or array.shape != expected:
                raise ValueError(f"{name} of samples: {array.dtype} {array.shape}")

    def __len__(self) -> int:
        return len(self.value)

    @property
    def rows(self) -> int:
        """Rows of the board, from the mover's one edge to the other."""
        return int(self.planes.shape[2])

    @property
    def columns(self) -> int:
        """Columns of the board."""
        return int(self.planes.shape[3])

    def take(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> "Samples":
        """Return some of them, by number or by mask."""
        return Samples(*(getattr(self, each.name)[rows] for each in fields(self)))


def joined(parts: Sequence[Samples]) -> Samples:
    """Return samples of the same board size as one, in their order."""
    return Samples(
        *(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Samples))
    )
