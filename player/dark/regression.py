"""Regret regression: counterfactual regret minimization with estimated regrets.

RCFR by Waugh, Morrill, Bagnell and Bowling (2015); f-RCFR with other links by
D'Orazio, Morrill, Wright and Bowling (2020). A regressor of features takes the
place of the table of regrets, and a *link* turns its estimates into a policy.
The average policy stays a table. With one feature a sequence it is CFR.
"""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import lsqr, splu

from hsearch.board import Color
from player.dark.feature import FEATURES
from player.dark.kernels import realization
from player.dark.regression_tree import RegressionTree
from player.dark.regret import TINY, Arrays, Minimizer, Weighting
from player.dark.tree import Floats, GameTree, PlayerTree


class Regressor(Protocol):
    """Estimates of a number for each sequence, from its features."""

    def fit(self, target: Floats) -> Floats:
        """Return the estimates after fitting to one target a sequence."""

    def memory(self) -> Floats:
        """Return what earlier fits have left behind."""

    def recall(self, memory: Floats) -> None:
        """Take up what `memory` returned."""


class Forgetful:
    """A regressor whose fits do not depend on earlier ones."""

    def memory(self) -> Floats:
        """Return nothing."""
        return np.zeros(0)

    def recall(self, memory: Floats) -> None:
        """Do nothing."""


class Ridge(Forgetful):
    """Linear least squares with a penalty on the weights; the factors are computed once."""

    def __init__(self, features: sparse.csr_array, penalty: float) -> None:
        self._features = features
        square = features.T @ features + penalty * sparse.eye_array(features.shape[1])
        self._factors = splu(sparse.csc_array(square))

    def fit(self, target: Floats) -> Floats:
        """Return the estimates of a fresh fit."""
        weights = self._factors.solve(self._features.T @ target)
        return np.asarray(self._features @ weights)


class Mean(Forgetful):
    """Each sequence gets the mean of those with the same features, one column a row."""

    def __init__(self, features: sparse.csr_array) -> None:
        self._features = features
        self._members = np.maximum(features.sum(axis=0), 1)

    def fit(self, target: Floats) -> Floats:
        """Return the means."""
        return np.asarray(self._features @ (self._features.T @ target / self._members))


class LeastSquares:
    """Linear least squares by an iterative method, started from the last weights."""

    def __init__(self, features: sparse.csr_array, steps: int = 20) -> None:
        self._features, self._steps = features, steps
        self._weights = np.zeros(features.shape[1])

    def fit(self, target: Floats) -> Floats:
        """Return the estimates after a few more steps."""
        self._weights = lsqr(self._features, target, iter_lim=self._steps, x0=self._weights)[0]
        return np.asarray(self._features @ self._weights)

    def memory(self) -> Floats:
        """Return the weights."""
        return self._weights

    def recall(self, memory: Floats) -> None:
        """Start the next fit from these weights."""
        self._weights = memory.copy()


@dataclass(frozen=True, slots=True)
class RegressionOptions:
    """Options of RCFR.

    features   a name in `player.dark.feature`
    regressor  `ridge`, `mean`, `lsqr` or `tree`
    penalty    of ridge
    link       `polynomial` or `exponential`
    power      of the polynomial link, x^(power - 1); 2 is RCFR
    heat       of the exponential link: exp(x / (heat * sqrt(t)))
    bootstrap  fit to the positive estimates plus new regrets, not to summed regrets
    plus       do not let summed regrets fall below zero
    every      iterations between two fits of a tree
    """

    features: str = "sequence"
    regressor: str = "ridge"
    penalty: float = 1e-3
    link: str = "polynomial"
    power: float = 2
    heat: float = 0.05
    bootstrap: bool = False
    plus: bool = False
    every: int = 10

    def __post_init__(self) -> None:
        """Raise ValueError at a name or a number that means nothing."""
        if self.features not in FEATURES:
            raise ValueError(f"no features {self.features!r}: {', '.join(FEATURES)}")
        if self.regressor not in {"ridge", "mean", "lsqr", "tree"}:
            raise ValueError(f"no regressor {self.regressor!r}: ridge, mean, lsqr, tree")
        if self.link not in {"polynomial", "exponential"}:
            raise ValueError(f"no link {self.link!r}: polynomial, exponential")
        if self.regressor == "mean" and self.features not in {"sequence", "view"}:
            raise ValueError(f"means need an aggregation, not {self.features!r}")
        if self.power <= 1 or self.heat <= 0 or self.penalty <= 0 or self.every < 1:
            raise ValueError("power must be above 1; heat, penalty and every above 0")


class Regression(Minimizer):
    """CFR with estimated regrets; changes with every `step`."""

    def __init__(
        self, tree: GameTree, options: RegressionOptions | None = None, *, tiny: float = TINY
    ) -> None:
        """Start from uniform policies and estimates of zero."""
        super().__init__(tree, Weighting(), tiny=tiny)
        self.options = options or RegressionOptions()
        self.estimates = [np.zeros(side.sequences) for side in tree.sides]
        self._regressors = [_regressor(tree, side, self.options) for side in tree.sides]

    def learn(self, color: Color, regret: Floats) -> None:
        """Add regrets to the targets, fit, and set the next policy by the link."""
        options, target = self.options, self.regrets[color]
        if options.bootstrap:
            target[:] = np.maximum(self.estimates[color], 0)
        if options.plus:
            regret = np.maximum(regret, -np.maximum(target, 0))
        target += regret
        target[0] = 0
        self.estimates[color] = self._regressors[color].fit(target)
        self._link(color)

    def arrays(self) -> Arrays:
        """Return all that `restore` needs to go on exactly from here."""
        estimates = {f"estimate{color:d}": self.estimates[color] for color in Color}
        memories = {f"memory{color:d}": self._regressors[color].memory() for color in Color}
        return super().arrays() | estimates | memories

    def restore(self, arrays: Arrays) -> None:
        """Take up the state that `arrays` returned."""
        super().restore(arrays)
        for color in Color:
            self.estimates[color] = arrays[f"estimate{color:d}"].copy()
            self._regressors[color].recall(arrays[f"memory{color:d}"])

    def _link(self, color: Color) -> None:
        side, estimate = self.tree.sides[color], self.estimates[color]
        if self.options.link == "polynomial":
            weight = np.where(estimate > self.tiny, estimate, 0) ** (self.options.power - 1)
        else:
            heat = self.options.heat * math.sqrt(self.iteration)
            weight = np.ones_like(estimate)
            most = np.maximum.reduceat(estimate, side.first)[side.set_of[1:]]
            weight[1:] = np.exp((estimate[1:] - most) / heat)
        realization.match(side.sets, weight, 0.0, self.policies[color])


def _regressor(tree: GameTree, side: PlayerTree, options: RegressionOptions) -> Regressor:
    features = FEATURES[options.features](tree.rules, side)
    if options.regressor == "ridge":
        return Ridge(features, options.penalty)
    if options.regressor == "mean":
        return Mean(features)
    if options.regressor == "lsqr":
        return LeastSquares(features)
    return RegressionTree(features, every=options.every)
