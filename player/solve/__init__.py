"""Who wins, every winning move, and proofs that verify."""

from player.solve.openings import winning_openings
from player.solve.proof import write as write_proof
from player.solve.solver import Answer, Progress, Solver
from player.solve.table_file import TableError
from player.solve.techniques import Techniques
from player.solve.verify import ProofError, Verified, verify

__all__ = [
    "Answer",
    "Progress",
    "ProofError",
    "Solver",
    "TableError",
    "Techniques",
    "Verified",
    "verify",
    "winning_openings",
    "write_proof",
]
