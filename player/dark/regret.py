"""Counterfactual regret minimization, on the tree of a game and by samples without one.

Zinkevich, Johanson, Bowling and Piccione (2007); CFR+ by Tammelin (2014);
discounted and linear CFR by Brown and Sandholm (2019); predictive CFR+ by
Farina, Kroer and Sandholm (2021). An iteration is two products with the sparse
payoffs and a few sweeps over the information sets. The players are updated in
turn, Black first, each against the newest policy of the other. The averages of
the realization plans converge to an equilibrium.
"""

import math
from typing import Any

import numpy as np

from hsearch.formats.npz import Arrays
from hsearch.hex import Color
from hsearch.hex.board import borders, neighbor_sets
from player.dark.methods import Weighting, check_cells
from player.dark.response import bounds, gradient
from player.dark.rules import Base, DarkRules, History, Noise
from player.dark.tree import Floats, GameTree, Plans
from player.kernels import dark_book, dark_sampling

MOST_ITERATIONS = 1 << 53
HUGE = 1e100  # larger than every number of a run, so that kernels compute finite numbers only


def restore_array(
    arrays: Arrays, name: str, shape: tuple[int | None, ...], kind: Any = np.float64
) -> Any:
    """Return a copy of an array of a checkpoint, for kernels; a side of None fits any length.

    A checkpoint may be forged, and kernels check no bounds. Raise ValueError at another shape
    or kind of numbers, or a number that is too large or not finite.
    """
    array = arrays[name]
    fits = len(array.shape) == len(shape) and all(
        side in {None, there} for side, there in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype != kind:
        sides = " x ".join(map(str, array.shape))
        raise ValueError(f"{name} has {sides or 1} entries of {array.dtype}")
    if array.dtype == np.float64 and not (np.abs(array) < HUGE).all():
        raise ValueError(f"{name} has numbers that no run makes")
    return np.array(array, order="C")


def counter(number: float) -> int:
    """Return a number of iterations in a checkpoint; raise ValueError if it is impossible."""
    if not 0 <= number < MOST_ITERATIONS:
        raise ValueError(f"{number} iterations")
    return int(number)


class Minimizer:
    """The regrets and average plans of both players; changes with every `step`."""

    batch = 10
    tiny = 1e-12  # regrets up to this count as zero

    def __init__(self, tree: GameTree, variant: Weighting) -> None:
        """Start from uniform policies."""
        self.tree, self.variant = tree, variant
        self.iteration = 0
        self.weight = 0.0
        self.regrets = [np.zeros(side.sequences) for side in tree.sides]
        self.sums = [np.zeros(side.sequences) for side in tree.sides]
        self.policies = [side.uniform_policy() for side in tree.sides]
        self._plans = [np.zeros(side.sequences) for side in tree.sides]
        self._more = [np.zeros(side.sequences) for side in tree.sides]
        for color in Color:
            self._realize(color)

    def start(self, regrets: list[Floats]) -> None:
        """Start from regrets instead of from uniform policies."""
        for color in Color:
            self.regrets[color][:] = regrets[color]
            sets = self.tree.sides[color].sets
            dark_book.match(sets, self.regrets[color], self.tiny, self.policies[color])
            self._realize(color)

    def start_average(self, plans: Plans, iterations: int) -> None:
        """Start the average from plans, as if they were the average of this many iterations."""
        self.iteration = iterations
        self.weight = float(np.sum(np.arange(1.0, iterations + 1) ** self.variant.gamma))
        for total, plan in zip(self.sums, plans, strict=True):
            total[:] = self.weight * plan

    def step(self) -> None:
        """Make one iteration: update Black, then White."""
        self.iteration += 1
        weight = self.iteration**self.variant.gamma
        self.weight += weight
        for color in Color:
            self.sums[color] += weight * self._plans[color]
            self.learn(color, self._instant_regret(color))
            self._realize(color)

    def advance(self, iterations: int) -> None:
        """Make some iterations."""
        for _ in range(iterations):
            self.step()

    def bounds(self) -> tuple[float, float]:
        """Return the bounds on the value that the average plans prove."""
        return bounds(self.tree, self.plans())

    def learn(self, color: Color, regret: Floats) -> None:
        """Add the regrets of an iteration, and set the next policy."""
        variant, before = self.variant, self.iteration - 1
        scales = _discount(before, variant.alpha), _discount(before, variant.beta)
        dark_book.accumulate(self.regrets[color], regret, *scales, variant.floor)
        sets, weight = self.tree.sides[color].sets, self.regrets[color]
        if variant.predictive:
            weight = weight + regret
        dark_book.match(sets, weight, self.tiny, self.policies[color])

    def plans(self) -> Plans:
        """Return the average plans."""
        weight = self.weight or 1.0
        black, white = (total / weight for total in (self.sums if self.weight else self._plans))
        return black, white

    def arrays(self) -> Arrays:
        """Return all that `restore` needs to continue exactly from here."""
        return {
            "clock": np.array([self.iteration, self.weight]),
            **{f"regret{color:d}": self.regrets[color] for color in Color},
            **{f"sum{color:d}": self.sums[color] for color in Color},
            **{f"policy{color:d}": self.policies[color] for color in Color},
        }

    def restore(self, arrays: Arrays) -> None:
        """Restore the state that `arrays` returned; raise ValueError if it is of another game."""
        for color in Color:
            for name, by_color in (
                ("regret", self.regrets),
                ("sum", self.sums),
                ("policy", self.policies),
            ):
                by_color[color][:] = restore_array(
                    arrays, f"{name}{color:d}", by_color[color].shape
                )
            self._realize(color)
        iteration, self.weight = restore_array(arrays, "clock", (2,)).tolist()
        self.iteration = counter(iteration)

    def _instant_regret(self, color: Color) -> Floats:
        payoffs = gradient(self.tree, color, self._plans[color.opponent])
        regret = self._more[color]
        dark_book.evaluate(self.tree.sides[color].sets, self.policies[color], payoffs, regret)
        return regret

    def _realize(self, color: Color) -> None:
        side = self.tree.sides[color]
        dark_book.realize_plan(side.sets, self.policies[color], self._plans[color])


def _discount(iteration: int, power: float) -> float:
    if math.isinf(power):
        return 1.0
    weight: float = float(iteration) ** power
    return weight / (weight + 1)


# Monte Carlo counterfactual regret minimization, without a tree.
#
# Lanctot, Waugh, Zinkevich and Bowling (2009). *External* sampling tries all
# cells of one player against one sampled line of the other; *outcome* sampling
# plays single games. Histories are stored when they are first visited, so outcome
# sampling runs on all boards of up to 49 cells.

EXPLORE = 0.6  # share of uniformly random attempts in outcome sampling
ROOM = 1 << 12  # histories at first; doubled whenever the table is full


class RegretSampler:
    """The regrets and averages of sampling; they change with every step."""

    batch = 1000

    def __init__(
        self,
        rules: DarkRules,
        rng: np.random.Generator,
        *,
        explore: float = EXPLORE,
        tree: GameTree | None = None,
    ) -> None:
        """Start without regrets; `explore` 0 means external sampling, and a tree allows `bounds`.

        Raise GameTooLargeError when the board is too large for the method.
        """
        check_cells(rules, "mccfr-outcome" if explore else "mccfr-external")
        # An int would make numba compile all kernels once more.
        self.rules, self.explore, self.iteration = rules, float(explore), 0
        self._tree = tree
        # One draw seeds the generator of the kernels.
        self._random = rng.integers(1 << 64, size=1, dtype=np.uint64)
        self._cells = rules.board.size
        self._store = _empty(ROOM, self._cells)
        self._store[2][0] = 2

    def advance(self, iterations: int) -> None:
        """Make some iterations, each for both players."""
        game = _game(self.rules)
        while iterations > 0:
            count = dark_sampling.run(game, self._store, self._random, iterations, self.explore)
            self.iteration += count
            iterations -= count
            if self._store[2][0] >= len(self._store[3]):
                self._grow()

    def bounds(self) -> tuple[float, float] | None:
        """Return the bounds on the value that the averages prove; None without a tree."""
        return None if self._tree is None else bounds(self._tree, self.plans(self._tree))

    @property
    def histories(self) -> int:
        """The number of stored histories."""
        return int(self._store[2][0])

    def policy(self, color: Color, history: History) -> Floats | None:
        """Return the average policy by cell; None where it has no weight."""
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
                chances = self.policy(color, history)
                if chances is not None:
                    own = slice(side.first[j], side.first[j] + side.count[j])
                    policy[own] = chances[side.cell[own]]
            plan = np.zeros_like(policy)
            dark_book.realize_plan(side.sets, policy, plan)
            plans.append(plan)
        return plans[0], plans[1]

    def arrays(self) -> Arrays:
        """Return all that `restore` needs to continue exactly from here."""
        names = ("keys", "values", "used", "regret", "sum")
        arrays = dict(zip(names, self._store, strict=True))
        return arrays | {"clock": np.array([self.iteration], float), "random": self._random}

    def restore(self, arrays: Arrays) -> None:
        """Restore what `arrays` returned; raise ValueError if it is of another board."""
        tables = [restore_array(arrays, name, (None, self._cells)) for name in ("regret", "sum")]
        room = len(tables[0])
        if room < ROOM or room & (room - 1) or len(tables[1]) != room:
            raise ValueError(f"regret has room for {room} histories, sum for {len(tables[1])}")
        size = restore_array(arrays, "used", (1,), np.int64)
        if not 2 <= size[0] <= room:
            raise ValueError(f"{size[0]} histories")
        keys, values = (
            restore_array(arrays, name, (2 * room,), np.int64) for name in ("keys", "values")
        )
        slots = keys != -1
        inside = (keys[slots] >= 0) & (keys[slots] < size[0] * (3 * self._cells + 1))
        inside &= (values[slots] >= 2) & (values[slots] < size[0])
        if slots.sum() != size[0] - 2 or not inside.all():
            raise ValueError("keys lead to histories that are not there")
        random = restore_array(arrays, "random", (1,), np.uint64)
        self.iteration = counter(restore_array(arrays, "clock", (1,))[0])
        self._store, self._random = (keys, values, size, *tables), random

    def _symbol(self, symbol: int) -> int:
        """Return the number of a history's symbol in kernels."""
        return symbol if symbol >= 0 else 2 * self._cells - 1 - symbol

    def _grow(self) -> None:
        store = _empty(2 * len(self._store[3]), self._cells)
        dark_sampling.rehash(self._store, store)
        self._store = store


def _empty(capacity: int, cells: int) -> tuple[Any, ...]:
    tables = np.full(2 * capacity, -1), np.zeros(2 * capacity, np.int64)
    return *tables, np.zeros(1, np.int64), *(np.zeros((capacity, cells)) for _ in range(2))


def _game(rules: DarkRules) -> tuple[Any, ...]:
    """Return the rules, for kernels."""
    board = rules.board
    around, edges = neighbor_sets(board), [borders(board, color) for color in Color]
    numbers = [board.size, rules.base is Base.ABRUPT, list(Noise).index(rules.noise)]
    return np.array(around, np.uint64), np.array(edges, np.uint64), np.array(numbers, np.int64)
