"""Best responses and exploitability on the tree of a game.

Exact in the game of action-observation histories. A policy is an array, one
probability a sequence; see `player.dark.tree`.
"""

from dataclasses import dataclass

import numpy as np

from hsearch.board import Color
from player.dark.kernels import realization
from player.dark.tree import Floats, GameTree, Integers, Plans


@dataclass(frozen=True, slots=True)
class TreeResponse:
    """A best response: what it earns for its player, and the sequence it picks in each set."""

    value: float
    choice: Integers


def plan_of(tree: GameTree, color: Color, policy: Floats) -> Floats:
    """Return the realization plan of a policy: how likely its player makes each sequence."""
    plan = np.zeros_like(policy)
    realization.realize(tree.sides[color].sets, policy, plan)
    return plan


def policy_of(tree: GameTree, color: Color, plan: Floats) -> Floats:
    """Return the behavior of a plan, uniform where the plan does not come."""
    policy = np.ones_like(plan)
    realization.behave(tree.sides[color].sets, plan, policy)
    return policy


def gradient(tree: GameTree, color: Color, opponent_plan: Floats) -> Floats:
    """Return what each sequence of a player earns against a plan, ends only."""
    result = np.zeros(tree.sides[color].sequences)
    realization.multiply(tree.payoff[color], opponent_plan, result)
    return result


def best_response(tree: GameTree, color: Color, opponent_plan: Floats) -> TreeResponse:
    """Return a player's best response to a plan of the opponent."""
    earned = gradient(tree, color, opponent_plan)
    choice = np.zeros(len(tree.sides[color].parent), np.int64)
    realization.respond(tree.sides[color].sets, earned, choice)
    return TreeResponse(float(earned[0]), choice)


def value(tree: GameTree, plans: Plans) -> float:
    """Return what Black earns when both play these plans."""
    return float(plans[0] @ gradient(tree, Color.BLACK, plans[1]))


def bounds(tree: GameTree, plans: Plans) -> tuple[float, float]:
    """Return what Black's plan earns at least, and what White's concedes at most, to Black."""
    lower = -best_response(tree, Color.WHITE, plans[0]).value
    return lower, best_response(tree, Color.BLACK, plans[1]).value


def exploitability(tree: GameTree, plans: Plans) -> float:
    """Return how much the players could gain on average by a best response."""
    lower, upper = bounds(tree, plans)
    return (upper - lower) / 2


def uniform(tree: GameTree) -> Plans:
    """Return the plans of two players who attempt any cell with equal chance."""
    black, white = (plan_of(tree, c, tree.sides[c].uniform_policy()) for c in Color)
    return black, white
