"""Regret minimization with regrets that a regressor estimates from features (RCFR).

The features come first, then a regression tree, then the minimizer.
"""

import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import lsqr, splu

from hsearch.formats.npz import Arrays
from hsearch.hex import Color
from hsearch.hex.board import neighbor_sets
from player.dark.methods import Weighting
from player.dark.regret import Minimizer, counter, restore_array
from player.dark.rules import DarkRules
from player.dark.tree import Floats, GameTree, Integers, PlayerTree
from player.kernels import dark_book

# Features of an information set and a cell, for regressors of regrets.
#
# A feature matrix is sparse, one row a sequence; the row of the empty sequence
# is empty. *Aggregations* have a single 1 in each other row: sequences with the
# same feature share one estimate.


def by_sequence(_: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Return one feature a sequence: a table."""
    return _aggregation(range(side.sequences - 1))


def by_view(_: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Return one feature for each view and cell, which ignores the order of attempts."""
    return _aggregation(
        (side.own[j], side.known[j], cell)
        for j, cell in zip(side.set_of[1:], side.cell[1:], strict=True)
    )


def by_stones(_: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Return one feature for each set of own stones and cell, which ignores found stones."""
    return _aggregation(
        (side.own[j], cell) for j, cell in zip(side.set_of[1:], side.cell[1:], strict=True)
    )


def by_turn(_: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Return one feature for each number of own attempts and cell."""
    return _aggregation(
        (sum(symbol >= 0 for symbol in side.history[j]), cell)
        for j, cell in zip(side.set_of[1:], side.cell[1:], strict=True)
    )


def by_window(rules: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Return one feature for each cell and view of its neighbors: overlapping tiles."""
    around = neighbor_sets(rules.board)
    return _aggregation(
        (side.own[j] & around[cell], side.known[j] & around[cell], cell)
        for j, cell in zip(side.set_of[1:], side.cell[1:], strict=True)
    )


def tiles(rules: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Return the aggregations by stones, turn and window side by side."""
    parts = [make(rules, side) for make in (by_stones, by_turn, by_window)]
    return sparse.csr_array(sparse.hstack(parts))


def linear(rules: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Return for each cell a constant, and one feature for each own and each found stone."""
    return _products(rules, side, pairs=False)


def pair(rules: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Return for each cell the features of `linear`, and one for each pair of stones."""
    return _products(rules, side, pairs=True)


def binary(rules: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Return the cell, whether each cell is own, found or unknown, and the turn, as bits."""
    bits = _stone_bits(rules, side)
    unknown = 1 - bits[:, : rules.board.size] - bits[:, rules.board.size :]
    cells = np.eye(rules.board.size)[side.cell[1:]]
    attempts = np.array([sum(symbol >= 0 for symbol in history) for history in side.history])
    turns = np.eye(attempts.max() + 1)[attempts]
    columns = [cells, *(each[side.set_of[1:]] for each in (bits, unknown, turns))]
    matrix = np.hstack(columns)
    return sparse.csr_array(np.vstack([np.zeros(matrix.shape[1]), matrix]))


REGRESSORS = "ridge", "mean", "lsqr", "tree"
LINKS = "polynomial", "exponential"
FEATURES: dict[str, Callable[[DarkRules, PlayerTree], sparse.csr_array]] = {
    "sequence": by_sequence,
    "view": by_view,
    "tiles": tiles,
    "linear": linear,
    "pair": pair,
    "binary": binary,
}


def _aggregation(keys: Iterable[Hashable]) -> sparse.csr_array:
    """Return one column for each different key; the row of the empty sequence is empty."""
    numbers: dict[Hashable, int] = {}
    columns = [numbers.setdefault(key, len(numbers)) for key in keys]
    rows = np.arange(1, 1 + len(columns))
    shape = 1 + len(columns), len(numbers)
    return sparse.csr_array((np.ones(len(columns)), (rows, columns)), shape=shape)


def _stone_bits(rules: DarkRules, side: PlayerTree) -> np.ndarray:
    """Return, by set, whether each cell has an own stone, then whether it has a found one."""
    cells = np.arange(rules.board.size)
    masks = (side.own, side.known)
    return np.hstack([(mask[:, None] >> cells & 1).astype(float) for mask in masks])


def _products(rules: DarkRules, side: PlayerTree, *, pairs: bool) -> sparse.csr_array:
    bits = _stone_bits(rules, side)
    columns = [np.ones((len(bits), 1)), bits]
    if pairs:
        first, second = np.triu_indices(bits.shape[1], 1)
        columns.append(bits[:, first] * bits[:, second])
    state = np.hstack(columns)[side.set_of[1:]]
    rows, width = len(state), state.shape[1]
    start = side.cell[1:, None] * width + np.arange(width)
    matrix = sparse.csr_array(
        (state.ravel(), (np.repeat(np.arange(1, 1 + rows), width), start.ravel())),
        shape=(1 + rows, rules.board.size * width),
    )
    matrix.eliminate_zeros()
    return matrix


# A regression tree on binary features, grown greedily, after Breiman et al. (1984).

LEAF = 2  # fewest sequences in a leaf of a tree
EVERY = 10  # fits from one rebuild of a tree to the next


class RegressionTree:
    """Estimates by the mean of a leaf; the tree is rebuilt with the first of `EVERY` fits."""

    def __init__(self, features: sparse.csr_array) -> None:
        """Begin without a fit."""
        self._features = features.toarray() != 0
        self._fits = 0
        self._leaf_of: Integers = np.zeros(len(self._features), np.int64)

    def fit(self, target: Floats) -> Floats:
        """Return the mean target of each sequence's leaf."""
        if self._fits % EVERY == 0:
            self._grow(target)
        self._fits += 1
        # The empty sequence has no regret, and leaf 0 for itself.
        totals = np.bincount(self._leaf_of, target)
        means: Floats = (totals / np.maximum(np.bincount(self._leaf_of), 1))[self._leaf_of]
        return means

    def memory(self) -> Floats:
        """Return the number of fits, and the leaf of each sequence."""
        return np.append(self._fits, self._leaf_of).astype(float)

    def recall(self, memory: Floats) -> None:
        """Restore the tree that `memory` returned; raise ValueError at an impossible leaf."""
        if not ((memory[1:] >= 0) & (memory[1:] < len(memory))).all():
            raise ValueError("a tree with leaves that are not there")
        self._fits, self._leaf_of = counter(memory[0]), memory[1:].astype(np.int64)

    def _grow(self, target: Floats) -> None:
        self._leaf_of = np.zeros(len(target), np.int64)
        todo = [np.arange(1, len(target))]
        leaves = 0
        while todo:
            members = todo.pop()
            feature = self._best_split(members, target[members])
            if feature is None:
                leaves += 1
                self._leaf_of[members] = leaves
            else:
                has = self._features[members, feature]
                todo += [members[has], members[~has]]

    def _best_split(self, members: Integers, target: Floats) -> int | None:
        """Return the feature whose split leaves the least variance; None if no split helps."""
        features = self._features[members]
        inside = features.sum(axis=0)
        outside = len(members) - inside
        fits = (inside >= LEAF) & (outside >= LEAF)
        if not fits.any():
            return None
        total, part = target.sum(), target @ features
        squares = part**2 / np.maximum(inside, 1) + (total - part) ** 2 / np.maximum(outside, 1)
        gain = np.where(fits, squares - total**2 / len(members), -1)
        best = int(gain.argmax())
        return best if gain[best] > 1e-12 else None


# Counterfactual regret minimization with estimated regrets.
#
# RCFR by Waugh, Morrill, Bagnell and Bowling (2015); f-RCFR with other links by
# D'Orazio, Morrill, Wright and Bowling (2020). A regressor of features replaces
# the table of regrets, and a *link* turns its estimates into a policy. The
# average policy remains a table. With one feature a sequence this is CFR.


class Regressor(Protocol):
    """Estimates a number for each sequence from its features."""

    def fit(self, target: Floats) -> Floats:
        """Return the estimates after a fit to one target a sequence."""

    def memory(self) -> Floats:
        """Return the state that earlier fits have left."""

    def recall(self, memory: Floats) -> None:
        """Restore the state that `memory` returned."""


class Forgetful:
    """A regressor whose fits do not depend on earlier ones."""

    def memory(self) -> Floats:
        """Return nothing."""
        return np.zeros(0)

    def recall(self, memory: Floats) -> None:
        """Do nothing."""


PENALTY = 1e-3  # on the square of a weight


class Ridge(Forgetful):
    """Linear least squares with a penalty on the weights; the matrix is factored once."""

    def __init__(self, features: sparse.csr_array) -> None:
        self._features = features
        square = features.T @ features + PENALTY * sparse.eye_array(features.shape[1])
        self._factors = splu(sparse.csc_array(square))

    def fit(self, target: Floats) -> Floats:
        """Return the estimates of a fit from scratch."""
        weights = self._factors.solve(self._features.T @ target)
        return np.asarray(self._features @ weights)


class Mean(Forgetful):
    """The mean over the sequences with the same feature; it takes an aggregation."""

    def __init__(self, features: sparse.csr_array) -> None:
        self._features = features
        self._members = np.maximum(features.sum(axis=0), 1)

    def fit(self, target: Floats) -> Floats:
        """Return the means."""
        return np.asarray(self._features @ (self._features.T @ target / self._members))


STEPS = 20  # of the iterative method, a fit


class LeastSquares:
    """Linear least squares by an iterative method that starts from the last weights."""

    def __init__(self, features: sparse.csr_array) -> None:
        self._features = features
        self._weights = np.zeros(features.shape[1])

    def fit(self, target: Floats) -> Floats:
        """Return the estimates after a few more steps."""
        self._weights = lsqr(self._features, target, iter_lim=STEPS, x0=self._weights)[0]
        return np.asarray(self._features @ self._weights)

    def memory(self) -> Floats:
        """Return the weights."""
        return self._weights

    def recall(self, memory: Floats) -> None:
        """Start the next fit from these weights."""
        self._weights = memory.copy()


HEAT = 0.05  # of the exponential link


@dataclass(frozen=True, slots=True)
class RegressionOptions:
    """Options of RCFR.

    features   a name in `FEATURES`
    regressor  `ridge`, `mean`, `lsqr` or `tree`
    link       `polynomial`, or `exponential`: exp(x / (HEAT * sqrt(t)))
    power      the polynomial link is x^(power - 1); 2 is RCFR
    """

    features: str = "sequence"
    regressor: str = "ridge"
    link: str = "polynomial"
    power: float = 2

    def __post_init__(self) -> None:
        """Raise ValueError at an unknown name or an impossible number."""
        if self.features not in FEATURES:
            raise ValueError(f"unknown features {self.features!r} (known: {', '.join(FEATURES)})")
        if self.regressor not in REGRESSORS:
            raise ValueError(
                f"unknown regressor {self.regressor!r} (known: {', '.join(REGRESSORS)})"
            )
        if self.link not in LINKS:
            raise ValueError(f"unknown link {self.link!r} (known: {', '.join(LINKS)})")
        if self.regressor == "mean" and self.features not in {"sequence", "view"}:
            raise ValueError(f"means need an aggregation, not {self.features!r}")
        if not 1 < self.power < math.inf:
            raise ValueError("power must be finite and above 1")


class Regression(Minimizer):
    """CFR with estimated regrets; changes with every `step`."""

    def __init__(self, tree: GameTree, options: RegressionOptions | None = None) -> None:
        """Start from uniform policies and estimates of zero."""
        super().__init__(tree, Weighting())
        self.options = options or RegressionOptions()
        self.estimates = [np.zeros(side.sequences) for side in tree.sides]
        self._regressors = [_regressor(tree, side, self.options) for side in tree.sides]

    def learn(self, color: Color, regret: Floats) -> None:
        """Add regrets to the targets, fit them, and set the next policy by the link."""
        target = self.regrets[color]
        target += regret
        target[0] = 0
        self.estimates[color] = self._regressors[color].fit(target)
        self._link(color)

    def arrays(self) -> Arrays:
        """Return all that `restore` needs to continue exactly from here."""
        estimates = {f"estimate{color:d}": self.estimates[color] for color in Color}
        memories = {f"memory{color:d}": self._regressors[color].memory() for color in Color}
        return super().arrays() | estimates | memories

    def restore(self, arrays: Arrays) -> None:
        """Restore the state that `arrays` returned."""
        super().restore(arrays)
        for color in Color:
            shape = self.estimates[color].shape
            self.estimates[color] = restore_array(arrays, f"estimate{color:d}", shape)
            shape = self._regressors[color].memory().shape
            self._regressors[color].recall(restore_array(arrays, f"memory{color:d}", shape))

    def _link(self, color: Color) -> None:
        side, estimate = self.tree.sides[color], self.estimates[color]
        # As shares of the largest in their set, estimates are at most 1: no power overflows.
        most = np.maximum.reduceat(estimate, side.first)[side.set_of[1:]]
        weight = np.ones_like(estimate)
        if self.options.link == "polynomial":
            shares = np.where(estimate[1:] > self.tiny, estimate[1:], 0)
            weight[1:] = (shares / np.maximum(most, self.tiny)) ** (self.options.power - 1)
        else:
            heat = HEAT * math.sqrt(self.iteration)
            weight[1:] = np.exp((estimate[1:] - most) / heat)
        dark_book.match(side.sets, weight, 0.0, self.policies[color])


def _regressor(tree: GameTree, side: PlayerTree, options: RegressionOptions) -> Regressor:
    features = FEATURES[options.features](tree.rules, side)
    if options.regressor == "ridge":
        return Ridge(features)
    if options.regressor == "mean":
        return Mean(features)
    if options.regressor == "lsqr":
        return LeastSquares(features)
    return RegressionTree(features)
