"""Policies as functions from an information state to the chances of attempts.

Such a policy need not be a table. It always returns the same chances for the same
information state, which is its only input, so it cannot use hidden stones.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Protocol, TypeAlias

import numpy as np

from hsearch.hex import Cell, Color
from hsearch.hex.frame import Frame
from player.dark.belief import careless
from player.dark.methods import check_cells
from player.dark.outlook import SureWins, outlook
from player.dark.rules import DarkRules, History, view, view_position
from player.dark.tabular import TabularPolicy
from player.evaluate.ordering import ORDERINGS, OrderingContext

MOST_CACHED = 8  # policies of each kind in the caches of the process

Chances: TypeAlias = Mapping[Cell, float]


class Policy(Protocol):
    """A player's chances to attempt each cell; they are positive and sum to 1."""

    def __call__(self, color: Color, history: History, /) -> Chances:
        """Return the chances of a player who is to move."""
        ...


# Computes the policy of a game; it may take long, and raises ValueError if there is none.
Study: TypeAlias = Callable[[DarkRules], Policy]


def draw(chances: Chances, generator: np.random.Generator) -> Cell:
    """Return a random cell, drawn with these chances."""
    cells = sorted(chances)
    weights = np.array([float(chances[cell]) for cell in cells])
    return cells[int(generator.choice(len(cells), p=weights / weights.sum()))]


def uniform(rules: DarkRules) -> Policy:
    """Return the policy that attempts every cell with the same chance."""

    def policy(color: Color, history: History) -> Chances:
        return careless(rules, color, view(history))

    return policy


@cache
def first_in_order(by: str) -> Study:
    """Return policies that attempt the first cell of an ordering, as if nothing were hidden."""

    def study(rules: DarkRules) -> Policy:
        def policy(color: Color, history: History) -> Chances:
            position = view_position(rules.board, color, view(history))
            stones = Frame.of(position, Color.BLACK).stones
            cells = np.array(rules.unknown(view(history)), np.int64)
            context = OrderingContext(rules.board, stones, lambda: np.zeros(len(stones)))
            return {int(ORDERINGS[by](context, cells)[0]): 1.0}

        return policy

    return study


def blind(rules: DarkRules) -> Policy:
    """Return the policy of the best `outlook`, as if nothing were hidden."""

    def policy(color: Color, history: History) -> Chances:
        scores = outlook(view_position(rules.board, color, view(history)))
        return {max(rules.unknown(view(history)), key=lambda cell: (scores[cell], -cell)): 1.0}

    return policy


@lru_cache(maxsize=MOST_CACHED)
def sure(rules: DarkRules) -> Policy:
    """Return the policy that attempts a cell that wins for sure; without one it plays `blind`.

    Raise ValueError for an abrupt game, in which the number of hidden stones is
    unknown, and for boards too large to find sure wins in time.
    """
    check_cells(rules, "sure-wins")
    wins = {color: SureWins(rules, color) for color in Color}
    other = blind(rules)

    def policy(color: Color, history: History) -> Chances:
        for cell in rules.unknown(view(history)):
            if wins[color].is_winning(view(history), cell):
                return {cell: 1.0}
        return other(color, history)

    return policy


def of_policies(pair: tuple[TabularPolicy | None, TabularPolicy | None], other: Policy) -> Policy:
    """Return the policy of two tables; the side without one plays by another policy."""

    def policy(color: Color, history: History) -> Chances:
        tabular = pair[color]
        if tabular is None:
            return other(color, history)
        return {cell: float(chance) for cell, chance in tabular.at(history).items()}

    return policy
