"""Counterfactual regret minimization on the tree of a game.

Zinkevich, Johanson, Bowling and Piccione (2007); CFR+ by Tammelin (2014);
discounted and linear CFR by Brown and Sandholm (2019); predictive CFR+ by
Farina, Kroer and Sandholm (2021). One iteration is two
products with the sparse payoffs and a few sweeps over the information sets.
The players are updated in turn, Black first, each against the newest policy
of the other. What converges is the average of the realization plans.
"""

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.hex.board import Color
from player.dark.methods import Weighting
from player.dark.response import gradient
from player.dark.tree import Floats, GameTree, Plans
from player.kernels import dark_book

TINY = 1e-12
Arrays: TypeAlias = dict[str, NDArray[Any]]


class Minimizer:
    """Both players' regrets and average plans; changes with every `step`."""

    def __init__(self, tree: GameTree, variant: Weighting, *, tiny: float = TINY) -> None:
        """Start from uniform policies; regrets up to `tiny` count as zero."""
        self.tree, self.variant, self.tiny = tree, variant, tiny
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
        """Start the average from plans, as if these were the average of so many iterations."""
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

    def learn(self, color: Color, regret: Floats) -> None:
        """Take in the regrets of an iteration and set the next policy."""
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
        """Return all that `restore` needs to go on exactly from here."""
        return {
            "clock": np.array([self.iteration, self.weight]),
            **{f"regret{color:d}": self.regrets[color] for color in Color},
            **{f"sum{color:d}": self.sums[color] for color in Color},
            **{f"policy{color:d}": self.policies[color] for color in Color},
        }

    def restore(self, arrays: Arrays) -> None:
        """Take up the state that `arrays` returned; raise ValueError if it is of another game."""
        for color in Color:
            for name, mine in (
                ("regret", self.regrets),
                ("sum", self.sums),
                ("policy", self.policies),
            ):
                saved = arrays[f"{name}{color:d}"]
                if saved.shape != mine[color].shape:
                    raise ValueError(f"{name} of {color.word} has {saved.size} entries")
                mine[color][:] = saved
            self._realize(color)
        self.iteration, self.weight = int(arrays["clock"][0]), float(arrays["clock"][1])

    def _instant_regret(self, color: Color) -> Floats:
        earned = gradient(self.tree, color, self._plans[color.opponent])
        regret = self._more[color]
        dark_book.evaluate(self.tree.sides[color].sets, self.policies[color], earned, regret)
        return regret

    def _realize(self, color: Color) -> None:
        side = self.tree.sides[color]
        dark_book.realize_plan(side.sets, self.policies[color], self._plans[color])


def _discount(iteration: int, power: float) -> float:
    if math.isinf(power):
        return 1.0
    grown: float = float(iteration) ** power
    return grown / (grown + 1)
