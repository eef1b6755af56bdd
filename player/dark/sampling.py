"""Monte Carlo counterfactual regret minimization, without a tree.

Lanctot, Waugh, Zinkevich and Bowling (2009). *External* sampling tries all
cells of one player against one sampled line of the other; *outcome* sampling
plays single games. Histories are stored when they are first met, so outcome
sampling runs on boards of any size up to 49 cells.
"""

from typing import Any

import numpy as np

from hsearch.hex.board import Color
from player.dark.methods import check_cells
from player.dark.regret import Arrays
from player.dark.rules import Base, DarkRules, History, Noise
from player.dark.tree import Floats, GameTree, Plans
from player.kernels import dark_book, dark_sampling

EXPLORE = 0.6


class RegretSampler:
    """Regrets and averages that sampling has learned; they change with every `run`."""

    def __init__(
        self, rules: DarkRules, rng: np.random.Generator, *, explore: float = EXPLORE
    ) -> None:
        """Start with nothing; `explore` 0 means external sampling.

        Raise TooLargeError when the method cannot play the board.
        """
        check_cells(rules, "mccfr-outcome" if explore else "mccfr-external")
        # A whole number would compile all kernels once more.
        self.rules, self.explore, self.iteration = rules, float(explore), 0
        # One draw seeds the kernels' own generator.
        self._random = rng.integers(1 << 64, size=1, dtype=np.uint64)
        self._cells = rules.board.size
        self._store = _empty(1 << 12, self._cells)
        self._store[2][0] = 2

    def run(self, iterations: int) -> None:
        """Make iterations, each for both players."""
        game = _game(self.rules)
        while iterations > 0:
            done = dark_sampling.run(game, self._store, self._random, iterations, self.explore)
            self.iteration += done
            iterations -= done
            if self._store[2][0] >= len(self._store[3]):
                self._grow()

    @property
    def histories(self) -> int:
        """The number of histories stored."""
        return int(self._store[2][0])

    def policy(self, color: Color, history: History) -> Floats | None:
        """Return the average policy by cell; None where nothing was learned."""
        node = int(color)
        for symbol in history:
            node = dark_sampling.find(
                self._store, 3 * self._cells + 1, node, self._symbol(symbol), add=False
            )
        if node < 0:
            return None
        weights: Floats = self._store[4][node]
        total = weights.sum()
        if total <= 0:
            return None
        policy: Floats = weights / total
        return policy

    def plans(self, tree: GameTree) -> Plans:
        """Return the average policies as plans of a tree of the same game."""
        plans = []
        for color, side in zip(Color, tree.sides, strict=True):
            policy = side.uniform_policy()
            for j, history in enumerate(side.history):
                learned = self.policy(color, history)
                if learned is not None:
                    own = slice(side.first[j], side.first[j] + side.count[j])
                    policy[own] = learned[side.cell[own]]
            plan = np.zeros_like(policy)
            dark_book.realize_plan(side.sets, policy, plan)
            plans.append(plan)
        return plans[0], plans[1]

    def arrays(self) -> Arrays:
        """Return all that `restore` needs to go on exactly from here."""
        names = ("keys", "values", "used", "regret", "sum")
        arrays = dict(zip(names, self._store, strict=True))
        return arrays | {"clock": np.array([self.iteration], float), "random": self._random}

    def restore(self, arrays: Arrays) -> None:
        """Take up what `arrays` returned; raise ValueError if it is of another board."""
        if arrays["regret"].shape[1] != self._cells:
            raise ValueError(f"regrets for {arrays['regret'].shape[1]} cells")
        names = ("keys", "values", "used", "regret", "sum")
        self._store = tuple(arrays[name].copy() for name in names)
        self._random = arrays["random"].copy()
        self.iteration = int(arrays["clock"][0])

    def _symbol(self, symbol: int) -> int:
        """Return a symbol of a history as kernels number them."""
        return symbol if symbol >= 0 else 2 * self._cells - 1 - symbol

    def _grow(self) -> None:
        grown = _empty(2 * len(self._store[3]), self._cells)
        dark_sampling.rehash(self._store, grown)
        self._store = grown


def _empty(capacity: int, cells: int) -> tuple[Any, ...]:
    tables = np.full(2 * capacity, -1), np.zeros(2 * capacity, np.int64)
    return *tables, np.zeros(1, np.int64), *(np.zeros((capacity, cells)) for _ in range(2))


def _game(rules: DarkRules) -> tuple[Any, ...]:
    """Return the rules as kernels take them."""
    board = rules.board
    around = [sum(1 << p for p in board.neighbors(c) if p < board.size) for c in board.cells]
    edges = [
        [sum(1 << cell for cell in board.neighbors(edge)) for edge in board.edges(color)]
        for color in Color
    ]
    numbers = [board.size, rules.base is Base.ABRUPT, list(Noise).index(rules.noise)]
    return np.array(around, np.uint64), np.array(edges, np.uint64), np.array(numbers, np.int64)
