"""The solvers of this process, which what was proved anywhere in it serves."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hsearch.board import Board

if TYPE_CHECKING:
    from player.solve import Solver


class Solvers:
    """Gives the solver of a board, and loads it when it is first asked for."""

    @contextmanager
    def of(self, board: Board) -> Iterator["Solver"]:
        """Give the solver of a board, to one question at a time."""
        from player.answers import MEMORY  # noqa: PLC0415 - it loads numba

        with MEMORY.solver(board) as solver:
            solver.prepare()
            yield solver
