"""The solver: who wins, every winning move, and proofs that verify."""

from player.solve.openings import winning_openings
from player.solve.parts import ProvedPart, merge, read_part
from player.solve.proof import write as write_proof
from player.solve.remaining import OpenMove, Remaining
from player.solve.solver import Answer, Solver, SolverProgress
from player.solve.table_file import TableError
from player.solve.techniques import Techniques
from player.solve.verify import ProofError, Verified, verify

__all__ = [
    "Answer",
    "OpenMove",
    "ProofError",
    "ProvedPart",
    "Remaining",
    "Solver",
    "SolverProgress",
    "TableError",
    "Techniques",
    "Verified",
    "merge",
    "read_part",
    "verify",
    "winning_openings",
    "write_proof",
]
