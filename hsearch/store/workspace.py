"""The room in which the kernels work, one for each thread."""

import threading
from collections.abc import Iterable

import numpy as np

from hsearch.board import Board, Color
from hsearch.kernels import packing
from hsearch.store.packed import layout, rows_for
from hsearch.store.values import Given, Store


class Workspace:
    """Room for the kernels to work in, kept from one closure to the next."""

    def __init__(self, cells: int) -> None:
        """Make room for boards of this many cells."""
        self.layout = layout(cells)
        self.memory = np.zeros(self.layout.lists + 600 * (cells + 2), np.int64)
        self.log = np.zeros(500 * (cells + 2), np.int64)
        self.rows = rows_for(self.layout)

    def grow(self) -> None:
        """Double the room."""
        self.memory = np.zeros(2 * self.memory.size, np.int64)
        self.log = np.zeros(2 * self.log.size, np.int64)
        self.rows = np.zeros((2 * len(self.rows), self.rows.shape[1]), np.int64)

    def load(self, store: Store) -> None:
        """Take over what the kernels have found before, to go on from there."""
        while store.memory.size > self.memory.size or store.log.size > self.log.size:
            self.grow()
        self.memory[: store.memory.size] = store.memory
        self.log[: store.log.size] = store.log

    def store(self, board: Board, color: Color, given: Iterable[Given] = ()) -> Store:
        """Return a copy of what the kernels left here."""
        memory = self.memory[: self.memory[packing.MEMORY_USED]].copy()
        return Store(board, color, memory, self.log[: self.log_used].copy(), given)

    @property
    def log_used(self) -> int:
        """Words of the log that are in use."""
        return int(self.memory[packing.LOG_USED])


_of_thread = threading.local()


def workspace(cells: int) -> Workspace:
    """Return this thread's workspace for boards of this many cells."""
    spaces: dict[int, Workspace] = _of_thread.__dict__.setdefault("spaces", {})
    if cells not in spaces:
        spaces[cells] = Workspace(cells)
    return spaces[cells]
