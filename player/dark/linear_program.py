"""The sequence-form linear program: equilibrium of a game whose tree fits in memory.

Koller, Megiddo and von Stengel (1996). Black's plan x and a number q for each
information set of White, with the value at the root:

    maximize q[0]   subject to   E x = e,   F' q <= A' x,   x >= 0

E says that the sequences of a set share the plan of their parent, F the same
for White. White's plan is the dual of the inequality.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from player.dark.matrix import SolverError
from player.dark.tree import Floats, GameTree, Plans, PlayerTree


@dataclass(frozen=True, slots=True)
class Program:
    """The size of the linear program: constraints, variables, and entries of its matrix."""

    rows: int
    columns: int
    entries: int


def constraints(side: PlayerTree) -> sparse.csr_array:
    """Return E: one row for the empty sequence, then one an information set."""
    sets = np.arange(1, 1 + len(side.parent))
    sequences = np.arange(1, side.sequences)
    rows = np.concatenate([[0], side.set_of[1:] + 1, sets])
    columns = np.concatenate([[0], sequences, side.parent])
    entries = np.concatenate([np.ones(side.sequences), -np.ones(len(sets))])
    return sparse.csr_array((entries, (rows, columns)), shape=(1 + len(sets), side.sequences))


def size(tree: GameTree) -> Program:
    """Return the size of the program of a tree."""
    e, f = map(constraints, tree.sides)
    rows = e.shape[0] + f.shape[1]
    return Program(rows, e.shape[1] + f.shape[0], e.nnz + f.nnz + tree.matrix.nnz)


def solve(tree: GameTree) -> Plans:
    """Return equilibrium plans of both players.

    The interior-point method with crossover ends in a vertex; the simplex
    falls behind as trees grow.
    """
    e, f = map(constraints, tree.sides)
    sequences, sets = e.shape[1], f.shape[0]
    objective = np.zeros(sequences + sets)
    objective[sequences] = -1
    root = np.zeros(e.shape[0])
    root[0] = 1
    result = linprog(
        objective,
        A_ub=sparse.hstack([-tree.matrix.T, f.T], format="csr"),
        b_ub=np.zeros(f.shape[1]),
        A_eq=sparse.hstack([e, sparse.csr_array((e.shape[0], sets))], format="csr"),
        b_eq=root,
        bounds=[(0, None)] * sequences + [(None, None)] * sets,
        method="highs-ipm",
    )
    if not result.success or result.x is None:
        raise SolverError(f"sequence form: {result.message}")
    black = cleaned(tree.sides[0], result.x[:sequences])
    return black, cleaned(tree.sides[1], -result.ineqlin.marginals)


def cleaned(side: PlayerTree, plan: Floats) -> Floats:
    """Return a plan made exact in floating point: not negative, and consistent top down."""
    weight = np.maximum(plan, 0)
    weight[weight < 1e-11] = 0
    result = np.zeros_like(weight)
    result[0] = 1
    for j in range(len(side.parent)):
        own = slice(side.first[j], side.first[j] + side.count[j])
        total = weight[own].sum()
        share = weight[own] / total if total > 0 else 1 / side.count[j]
        result[own] = result[side.parent[j]] * share
    return result
