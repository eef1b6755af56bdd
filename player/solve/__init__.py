"""Who wins, every winning move, and proofs that verify."""

from player.solve.openings import winning_openings
from player.solve.solver import Answer, Progress, Solver
from player.solve.table_file import TableError

__all__ = ["Answer", "Progress", "Solver", "TableError", "winning_openings"]
