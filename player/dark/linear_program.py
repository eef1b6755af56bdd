"""Equilibria by linear programming: of a game whose tree fits in memory, and of a matrix.

In sequence form, Koller, Megiddo and von Stengel (1996). Black's plan x and a number q for each
information set of White, with the value at the root:

    maximize q[0]   subject to   E x = e,   F' q <= A' x,   x >= 0

E says that the sequences of a set share the plan of their parent, F the same
for White. White's plan is the dual of the inequality. Of a matrix game it is the program of von
Neumann (1928) and Dantzig (1951).
"""

import csv
import itertools
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from hsearch.formats.files import shipped
from hsearch.hex.board import Board, Color
from player.dark.methods import too_large
from player.dark.rules import Base, DarkRules, State
from player.dark.tree import Floats, GameTree, Plans, PlayerTree


class SolverError(RuntimeError):
    """A linear program that the solver gave up."""


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


# Matrix games.


@dataclass(frozen=True, slots=True)
class MatrixSolution:
    """The value of a matrix to the row player, and an optimal mix of each player."""

    value: float
    row: Floats
    column: Floats


def solve_matrix(matrix: Floats) -> MatrixSolution:
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


# Every pure strategy of a tiny game, and the matrix of one against another.
#
# A *reduced* strategy chooses only in the information sets that its own choices
# let it reach. There are few enough on 2x2, and on nothing larger.

MAX_STRATEGIES = 5_000


def strategies(side: PlayerTree) -> int:
    """Return the number of reduced pure strategies of a player."""
    below = _children(side)

    @cache
    def plans(sequence: int) -> int:
        """Return in how many ways to go on after a sequence."""
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
    """Return what Black earns, by Black's pure strategy and White's.

    Raise TooLargeError when a player has more than `MAX_STRATEGIES`.
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


# The 12x12 matrix of open-loop plans in abrupt 2x2, and what was printed of it.
#
# A plan `ab` attempts a, then b, whatever happens; the row player's a, the column
# player's a, the row player's b, the column player's b. An entry says who
# connected first: `1 0` the row player, `0 1` the column player, `0 0` nobody
# within two attempts each. Cells are numbered 0 1 / 2 3, and the row player joins
# left and right. That is the game of Black on the board with 1 and 2 exchanged.


Entries: TypeAlias = dict[tuple[str, str], str]

PLANS = tuple(map("".join, itertools.permutations("0123", 2)))
PRINTED = "payoff-abrupt-2x2-printed.csv"


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry that was printed wrong."""

    row: str
    column: str
    printed: str
    correct: str


def simulated() -> Entries:
    """Return the matrix by playing every plan against every plan."""
    return {(row, column): _play(row, column) for row in PLANS for column in PLANS}


def printed() -> Entries:
    """Return the matrix as the source printed it."""
    path = shipped(f"dark/{PRINTED}")
    if path is None:
        raise FileNotFoundError(f"positions/dark/{PRINTED} is missing")
    return read(path)


def read(path: Path) -> Entries:
    """Return the entries of a matrix in a file; raise ValueError at a bad one."""
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    entries = {
        (row[0], column): entry
        for row in rows[1:]
        for column, entry in zip(rows[0][1:], row[1:], strict=True)
    }
    if sorted(entries) != sorted(itertools.product(PLANS, PLANS)):
        raise ValueError(f"{path}: not a matrix of the plans 01 to 32")
    for where, entry in entries.items():
        if entry not in {"0 0", "1 0", "0 1"}:
            raise ValueError(f"{path}: row {where[0]}, column {where[1]}: {entry!r}")
    return entries


def differences(wrong: Entries, right: Entries) -> list[Difference]:
    """Return the entries in which two matrices differ, in order."""
    return [
        Difference(row, column, wrong[row, column], right[row, column])
        for row, column in itertools.product(PLANS, PLANS)
        if wrong[row, column] != right[row, column]
    ]


def rotated(entries: Entries) -> Entries:
    """Return the matrix with all cells renamed by half a turn of the board."""
    turn = str.maketrans("0123", "3210")
    return {
        (row.translate(turn), column.translate(turn)): entry
        for (row, column), entry in entries.items()
    }


def payoffs(entries: Entries, *, draws_lose: bool = False) -> Floats:
    """Return win minus loss of the row player; with `draws_lose`, 1 for a win and else 0."""
    worth = {"1 0": 1, "0 0": 0, "0 1": 0 if draws_lose else -1}
    return np.array([[worth[entries[row, column]] for column in PLANS] for row in PLANS], float)


def _play(row: str, column: str) -> str:
    rules = DarkRules(Board(2, 2), Base.ABRUPT)
    state = State()
    for label in (row[0], column[0], row[1], column[1]):
        state, _ = rules.attempt(state, rules.board.transpose(int(label)))
        winner = rules.winner(state)
        if winner is not None:
            return "1 0" if winner is Color.BLACK else "0 1"
    return "0 0"
