"""Best responses, to plans on the tree of a game and to any policy, and exploitability."""

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from hsearch.hex import Cell, Color, cells_in
from player.dark.certificate import best_chance
from player.dark.methods import GameTooLargeError, nodes
from player.dark.policy import MOST_CACHED, Chances, Policy, Study, first_in_order
from player.dark.rules import (
    Base,
    DarkRules,
    History,
    Mask,
    heard_symbol,
    own_symbol,
    view,
    with_sounds,
)
from player.dark.tabular import ExactChances, TabularPolicy, whole_shares
from player.dark.tree import Floats, GameTree, Integers, Plans, build
from player.dark.whole_numbers import LARGEST
from player.kernels import dark_book

# Best responses and exploitability on the tree of a game.
#
# They are exact in the game of action-observation histories. A policy is an array,
# one probability a sequence; see `player.dark.tree`.


@dataclass(frozen=True, slots=True)
class TreeResponse:
    """A best response: its value to its player, and the sequence it chooses in each set."""

    value: float
    choice: Integers


def plan_of(tree: GameTree, color: Color, policy: Floats) -> Floats:
    """Return the realization plan of a policy: its player's probability of each sequence."""
    plan = np.zeros_like(policy)
    dark_book.realize_plan(tree.sides[color].sets, policy, plan)
    return plan


def policy_of(tree: GameTree, color: Color, plan: Floats) -> Floats:
    """Return the policy of a realization plan, uniform in sets that the plan does not reach."""
    policy = np.ones_like(plan)
    dark_book.behave(tree.sides[color].sets, plan, policy)
    return policy


def gradient(tree: GameTree, color: Color, opponent_plan: Floats) -> Floats:
    """Return the payoff of the games that end with each sequence, against a plan."""
    result = np.zeros(tree.sides[color].sequences)
    dark_book.multiply(tree.payoff[color], opponent_plan, result)
    return result


def best_response(tree: GameTree, color: Color, opponent_plan: Floats) -> TreeResponse:
    """Return a player's best response to a plan of the opponent."""
    payoffs = gradient(tree, color, opponent_plan)
    choice = np.zeros(len(tree.sides[color].parent), np.int64)
    dark_book.respond(tree.sides[color].sets, payoffs, choice)
    return TreeResponse(float(payoffs[0]), choice)


def value(tree: GameTree, plans: Plans) -> float:
    """Return the value to Black when both play these plans."""
    return float(plans[0] @ gradient(tree, Color.BLACK, plans[1]))


def bounds(tree: GameTree, plans: Plans) -> tuple[float, float]:
    """Return the least value to Black of Black's plan, and the greatest against White's."""
    lower = 0.0 - best_response(tree, Color.WHITE, plans[0]).value  # never -0.0
    return lower, best_response(tree, Color.BLACK, plans[1]).value


def exploitability(tree: GameTree, plans: Plans) -> float:
    """Return half the distance of the bounds: the mean gain of a best response."""
    lower, upper = bounds(tree, plans)
    return (upper - lower) / 2


# The best response to a policy, by search over the responder's beliefs.
#
# It is exact, and needs no tree: a belief has each way in which the policy may have
# played, with its chance. Against a deterministic policy this is a search for a
# winning line; against a policy that attempts everything with some chance only
# the smallest boards fit.

MOST = 1_000_000  # ways to play in a search, which take half a minute

# The opponent's stones, the stones they have found, and their information state.
Hidden: TypeAlias = tuple[Mask, Mask, History]
Belief: TypeAlias = dict[Hidden, float]


@lru_cache(maxsize=MOST_CACHED)
def response(to: Study) -> Study:
    """Return best responses of both colors to the policies of a study.

    The study raises GameTooLargeError when the beliefs are too large.
    """

    @lru_cache(maxsize=MOST_CACHED)
    def study(rules: DarkRules) -> Policy:
        opponent, other = to(rules), first_in_order("center")(rules)
        answers = {color: Responder(rules, color, opponent, MOST) for color in Color}
        for responder in answers.values():
            responder.search()

        def policy(color: Color, history: History) -> Chances:
            cell = answers[color].choice.get(history)
            return {cell: 1.0} if cell is not None else other(color, history)

        return policy

    return study


@dataclass(slots=True)
class Responder:
    """The search for a player's response; it fills `choice`, the cell by information state."""

    rules: DarkRules
    color: Color
    policy: Policy
    most: int = MOST
    choice: dict[History, Cell] = field(default_factory=dict)
    _looks: int = 0

    def search(self) -> float:
        """Return the chance to win. Raise GameTooLargeError after `most` ways to play."""
        start: Hidden = 0, 0, ()
        if self.color is Color.BLACK:
            return self._decide(0, 0, (), {start: 1.0})
        ways = self._answers(0, start, 1.0)
        return sum(self._decide(0, 0, sound, belief) for sound, belief in _by_sound(ways).items())

    def _decide(self, own: Mask, known: Mask, history: History, belief: Belief) -> float:
        """Return the greatest chance to win from an information state."""
        best, everything = -1.0, sum(belief.values())
        for cell in cells_in(self.rules.full & ~own & ~known):
            value, rest = 0.0, everything
            for placed in (True, False):
                part = {h: w for h, w in belief.items() if bool(h[0] >> cell & 1) is not placed}
                rest -= sum(part.values())
                if part:
                    value += self._after(own, known, history, cell, part, placed=placed)
                if value + rest <= best:
                    break
            else:
                if value > best:
                    best, self.choice[history] = value, cell
            if best >= everything * (1 - 1e-12):
                break
        return best

    def _after(
        self, own: Mask, known: Mask, history: History, cell: Cell, part: Belief, *, placed: bool
    ) -> float:
        """Return the chance to win after an attempt with the same outcome in all of a belief."""
        rules, bit = self.rules, 1 << cell
        new_history = (*history, own_symbol(cell, placed=placed))
        if placed:
            own |= bit
            if rules.connects(self.color, own):
                return sum(part.values())
        else:
            known |= bit
            heard = heard_symbol(rules.noise, cell, placed=False)
            if heard is not None:
                part = {(s, f, (*h, heard)): w for (s, f, h), w in part.items()}
            if rules.base is Base.CLASSIC:
                return self._decide(own, known, new_history, part)
        ways = [way for hidden, w in part.items() for way in self._answers(own, hidden, w)]
        return sum(
            self._decide(own, known, new_history + sound, belief)
            for sound, belief in _by_sound(ways).items()
        )

    def _answers(
        self, mine: Mask, hidden: Hidden, chance: float
    ) -> list[tuple[Hidden, History, float]]:
        """Return the outcomes of the policy's turn that do not win, and the sounds of each."""
        self._count()
        stones, hits, history = hidden
        rules, color = self.rules, self.color.opponent
        ways: list[tuple[Hidden, History, float]] = []
        for cell, share in self.policy(color, history).items():
            bit = 1 << cell
            placed = not mine & bit
            new_history = (*history, own_symbol(cell, placed=placed))
            if placed:
                if not rules.connects(color, stones | bit):
                    ways.append(((stones | bit, hits, new_history), (), chance * share))
                continue
            heard = heard_symbol(rules.noise, cell, placed=False)
            sound: History = () if heard is None else (heard,)
            after = stones, hits | bit, new_history
            if rules.base is Base.ABRUPT:
                ways.append((after, sound, chance * share))
            else:
                ways += [
                    (last, sound + more, part)
                    for last, more, part in self._answers(mine, after, chance * share)
                ]
        return ways

    def _count(self) -> None:
        self._looks += 1
        if self._looks > self.most:
            board = self.rules.board
            raise GameTooLargeError(
                f"more than {self.most:,} ways to play against the policy on {board}: "
                "choose a more deterministic player, or a smaller board"
            )


def _by_sound(ways: list[tuple[Hidden, History, float]]) -> dict[History, Belief]:
    """Return the beliefs by the sounds of a turn."""
    beliefs: defaultdict[History, Belief] = defaultdict(dict)
    for hidden, sound, chance in ways:
        beliefs[sound][hidden] = chance
    return dict(beliefs)


# Exploitability of a policy that fits a table: the best response to it.

MOST_STATES = 100_000  # information states of a table
SMALL = 300_000  # nodes of a tree that is built in half a second


def response_chance(rules: DarkRules, color: Color, policy: Policy) -> Fraction:
    """Return the chance to win of the best response to a policy that plays `color`.

    It is exact for a deterministic policy, else within about 1e-12. Raise GameTooLargeError if the
    policy can reach too many information states, or one with a chance below 1.1e-16.
    """
    return best_chance(tabulate(rules, color, policy))


def tabulate(
    rules: DarkRules, color: Color, policy: Policy, most: int = MOST_STATES
) -> TabularPolicy:
    """Return a policy as a table of the information states that it can reach.

    Its plan is in whole numbers, each cut off by less than one; they are as large as fit the
    kernel, because the errors of all information states add up. Raise GameTooLargeError if
    there are more than `most`, or one has a chance below 1.1e-16.
    """
    chances: dict[History, ExactChances] = {}
    possible = _possible(rules, color)
    waiting: list[tuple[History, int]] = [((), LARGEST)]
    while waiting:
        history, weight = waiting.pop()
        if len(chances) >= most:
            raise GameTooLargeError(f"the policy reaches more than {most:,} information states")
        shares = {cell: share for cell, share in policy(color, history).items() if share > 0}
        if weight < len(shares):
            raise GameTooLargeError(
                f"the policy reaches information states with a chance below {1 / LARGEST:.2g}"
            )
        parts = whole_shares(weight, shares)
        chances[history] = {cell: Fraction(part, weight) for cell, part in parts.items()}
        for cell, part in parts.items():
            following = _next(rules, color, history, cell)
            waiting += [(h, part) for h in following if possible is None or h in possible]
    return TabularPolicy(rules, color, tuple(rules.board.cells), chances)


def _possible(rules: DarkRules, color: Color) -> frozenset[History] | None:
    """Return the information states of a player; None if the tree is too large to list them.

    `_next` alone would count many that cannot occur: 20 times as many for White on 3x2.
    """
    number = nodes(rules)
    if number is None or number > SMALL:
        return None
    return frozenset(build(rules).sides[color].history)


def _next(rules: DarkRules, color: Color, history: History, cell: int) -> list[History]:
    """Return the histories at the next decision after an attempt; some may be impossible."""
    result: list[History] = []
    for placed in (True, False):
        after = (*history, own_symbol(cell, placed=placed))
        stones = view(after)
        if rules.connects(color, stones.own) or rules.connects(color.opponent, stones.known):
            continue
        if not rules.unknown(stones) or (not placed and color is Color.BLACK and not history):
            continue
        if placed or rules.base is Base.ABRUPT:
            result += with_sounds(rules, after)
        else:
            result.append(after)
    return result
