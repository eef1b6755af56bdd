"""A solver for each board that was asked about, with the lock that one question holds."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from hsearch.board import Board

if TYPE_CHECKING:
    from player.solve import Solver

MOST_BOARDS = 2
MEMORY = 200  # megabytes of a table


class Solvers:
    """Holds the solvers of the boards asked about last. Threads may share it."""

    def __init__(self) -> None:
        """Hold none yet."""
        self._kept: OrderedDict[Board, tuple[Solver, Lock]] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def of(self, board: Board) -> Iterator["Solver"]:
        """Give the solver of a board, to one question at a time."""
        from player.solve import Solver  # noqa: PLC0415 - it loads numba

        with self._lock:
            if board not in self._kept:
                self._kept[board] = Solver(board, memory=MEMORY), Lock()
            self._kept.move_to_end(board)
            while len(self._kept) > MOST_BOARDS:
                self._kept.popitem(last=False)
            solver, lock = self._kept[board]
        with lock:
            solver.prepare()
            yield solver
