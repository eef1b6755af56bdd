"""Equilibria by linear programming: of a game whose tree fits in memory, and of a matrix.

The game is in sequence form, after Koller, Megiddo and von Stengel (1996). The variables are
Black's plan x, and a number q for each information set of White, with the value at the root:

    maximize q[0]   subject to   E x = e,   F' q <= A' x,   x >= 0

E says that the sequences of a set share the plan of their parent, F the same for White. White's
plan is the dual of the inequality. The program of a matrix game is that of von Neumann (1928)
and Dantzig (1951).
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from hsearch.hex import Color
from player.dark.methods import too_large
from player.dark.tree import Floats, GameTree, Plans, PlayerTree


class SolverError(RuntimeError):
    """A linear program that the solver could not solve."""


def constraints(side: PlayerTree) -> sparse.csr_array:
    """Return E: a row for the empty sequence, then one for each information set."""
    sets = np.arange(1, 1 + len(side.parent))
    sequences = np.arange(1, side.sequences)
    rows = np.concatenate([[0], side.set_of[1:] + 1, sets])
    columns = np.concatenate([[0], sequences, side.parent])
    entries = np.concatenate([np.ones(side.sequences), -np.ones(len(sets))])
    return sparse.csr_array((entries, (rows, columns)), shape=(1 + len(sets), side.sequences))


def solve(tree: GameTree) -> Plans:
    """Return equilibrium plans of both players.

    The interior-point method with crossover ends in a vertex; the simplex
    falls behind as trees grow. Raise SolverError if it finds no solution.
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
    black = clean(tree.sides[0], result.x[:sequences])
    return black, clean(tree.sides[1], -result.ineqlin.marginals)


def clean(side: PlayerTree, plan: Floats) -> Floats:
    """Return a plan without rounding errors: not negative, and consistent from the root down."""
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


# Matrix games.


@dataclass(frozen=True, slots=True)
class MatrixSolution:
    """The value of a matrix game to the row player, and an optimal mix of each player."""

    value: float
    row: Floats
    column: Floats


def solve_matrix(matrix: Floats) -> MatrixSolution:
    """Solve a matrix game; the entries are the payoffs of the row player.

    The column player's mix is the dual. Both mixes are probabilities. Raise
    SolverError if the method finds no solution.
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
    value = float(result.x[-1]) + 0.0  # never -0.0
    return MatrixSolution(value, _mix(result.x[:-1]), _mix(-result.ineqlin.marginals))


def without_duplicates(matrix: Floats) -> Floats:
    """Return the matrix without repeated rows, and then without repeated columns."""
    return np.unique(np.unique(matrix, axis=0), axis=1)


def _mix(weights: Floats) -> Floats:
    positive = np.where(weights > 0, weights, 0.0)
    mix: Floats = positive / positive.sum()
    return mix


# The pure strategies of a tiny game, and the matrix of their payoffs.
#
# A *reduced* strategy chooses only in the information sets that its own choices
# let it reach. There are few enough on 2x2 only.

MAX_STRATEGIES = 5_000


def strategies(side: PlayerTree) -> int:
    """Return the number of reduced pure strategies of a player."""
    below = _children(side)

    @cache
    def plans(sequence: int) -> int:
        """Return the number of reduced strategies for the part of the game after a sequence."""
        return math.prod(
            sum(map(plans, range(side.first[j], side.first[j] + side.count[j])))
            for j in below[sequence]
        )

    return plans(0)


def plans(side: PlayerTree) -> Floats:
    """Return the realization plans of all reduced pure strategies, one a row."""
    below = _children(side)

    def complete(sequence: int) -> Floats:
        """Return the plans of the part of the game after a sequence."""
        rows = np.zeros((1, side.sequences))
        rows[0, sequence] = 1
        for j in below[sequence]:
            first = int(side.first[j])
            options = np.vstack([complete(s) for s in range(first, first + int(side.count[j]))])
            rows = (rows[:, None, :] + options[None, :, :]).reshape(-1, side.sequences)
        return rows

    return complete(0)


def normal_form(tree: GameTree) -> Floats:
    """Return Black's payoff by Black's pure strategy and White's.

    Raise GameTooLargeError when a player has more than `MAX_STRATEGIES`.
    """
    for color, side in zip(Color, tree.sides, strict=True):
        number = strategies(side)
        if number > MAX_STRATEGIES:
            why = f"{color.title} has {number:,} pure strategies"
            raise too_large(tree.rules, f"{why}, and {MAX_STRATEGIES:,} fit pure-lp")
    black, white = map(plans, tree.sides)
    return np.asarray((tree.matrix @ white.T).T @ black.T).T


def _children(side: PlayerTree) -> list[list[int]]:
    below: list[list[int]] = [[] for _ in range(side.sequences)]
    for j, sequence in enumerate(side.parent):
        below[sequence].append(j)
    return below
