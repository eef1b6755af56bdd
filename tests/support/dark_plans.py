"""Trees of Dark Hex, each built once, and policies as plans on them."""

from functools import cache

import numpy as np

from hsearch.hex.board import Board, Color
from player.dark import response, tree
from player.dark.rules import Base, DarkRules, Noise


@cache
def built(columns, rows, base, noise="silent"):
    """Return a tree, built only once."""
    return tree.build(DarkRules(Board(columns, rows), Base(base), Noise(noise)))


def plan_of(game, spoken):
    """Return a policy as a plan on a tree."""
    side = game.sides[spoken.color]
    first, count, cells = side.first.tolist(), side.count.tolist(), side.cell.tolist()
    chances = np.ones(side.sequences)
    for j, history in enumerate(side.history):
        at, own = spoken.at(history), slice(first[j], first[j] + count[j])
        chances[own] = [float(at[cell]) if cell in at else 0.0 for cell in cells[own]]
    return response.plan_of(game, spoken.color, chances)


def uniform_plans(game):
    """Return the plans of two players who attempt each cell with the same chance."""
    sides = zip(Color, game.sides, strict=True)
    return tuple(response.plan_of(game, color, side.uniform_policy()) for color, side in sides)
