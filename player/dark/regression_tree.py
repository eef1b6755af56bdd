"""A regression tree on binary features, grown greedily. Breiman et al. (1984)."""

import numpy as np
from scipy import sparse

from player.dark.tree import Floats, Integers


class RegressionTree:
    """Estimates by the mean of a leaf; the tree is grown anew every few fits."""

    def __init__(self, features: sparse.csr_array, *, leaf: int = 2, every: int = 10) -> None:
        """Split no leaf into parts with fewer than `leaf` sequences."""
        self._features = features.toarray() != 0
        self._leaf, self._every = leaf, every
        self._fits = 0
        self._leaf_of: Integers = np.zeros(len(self._features), np.int64)

    def fit(self, target: Floats) -> Floats:
        """Return the mean target of each sequence's leaf."""
        if self._fits % self._every == 0:
            self._grow(target)
        self._fits += 1
        # The empty sequence is in no leaf with others: it has no regret.
        totals = np.bincount(self._leaf_of, target)
        means: Floats = (totals / np.maximum(np.bincount(self._leaf_of), 1))[self._leaf_of]
        return means

    def memory(self) -> Floats:
        """Return the number of fits, and the leaf of each sequence."""
        return np.append(self._fits, self._leaf_of).astype(float)

    def recall(self, memory: Floats) -> None:
        """Take up the tree that `memory` returned."""
        self._fits, self._leaf_of = int(memory[0]), memory[1:].astype(np.int64)

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
        """Return the feature whose split leaves the least variance; None if none helps."""
        features = self._features[members]
        inside = features.sum(axis=0)
        outside = len(members) - inside
        allowed = (inside >= self._leaf) & (outside >= self._leaf)
        if not allowed.any():
            return None
        total, part = target.sum(), target @ features
        explained = part**2 / np.maximum(inside, 1) + (total - part) ** 2 / np.maximum(outside, 1)
        gain = np.where(allowed, explained - total**2 / len(members), -1)
        best = int(gain.argmax())
        return best if gain[best] > 1e-12 else None
