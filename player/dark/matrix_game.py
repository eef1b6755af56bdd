"""Zero-sum matrix games by linear programming. Von Neumann (1928), Dantzig (1951)."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from player.dark.tree import Floats


class SolverError(RuntimeError):
    """A linear program that the solver gave up."""


@dataclass(frozen=True, slots=True)
class MatrixSolution:
    """The value of a matrix to the row player, and an optimal mix of each player."""

    value: float
    row: Floats
    column: Floats


def solve(matrix: Floats) -> MatrixSolution:
    """Solve a matrix that holds what the row player earns.

    The column player's mix comes from the dual. Both mixes are probabilities.
    """
    rows, columns = matrix.shape
    # Maximize v so that every column earns the row player at least v.
    result = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    if not result.success or result.x is None:
        raise SolverError(f"matrix game: {result.message}")
    value = float(result.x[-1])
    return MatrixSolution(value, _mix(result.x[:-1]), _mix(-result.ineqlin.marginals))


def without_duplicates(matrix: Floats) -> Floats:
    """Return the matrix with equal rows, and then equal columns, kept once."""
    return np.unique(np.unique(matrix, axis=0), axis=1)


def _mix(weights: Floats) -> Floats:
    positive = np.where(weights > 0, weights, 0.0)
    mix: Floats = positive / positive.sum()
    return mix
