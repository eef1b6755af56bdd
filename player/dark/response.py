"""Best responses: to plans on the tree of a game, to any policy by search, and what they win."""

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from hsearch.hex.board import Cell, Color, cells_in
from player.dark.certificate import best_chance
from player.dark.methods import TooLargeError
from player.dark.policy import KEPT, Chances, Policy, Study, ordered, unknown
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
from player.dark.tree import Floats, GameTree, Integers, Plans
from player.kernels import dark_book

# Best responses and exploitability on the tree of a game.
#
# Exact in the game of action-observation histories. A policy is an array, one
# probability a sequence; see `player.dark.tree`.


@dataclass(frozen=True, slots=True)
class TreeResponse:
    """A best response: what it earns for its player, and the sequence it picks in each set."""

    value: float
    choice: Integers


def plan_of(tree: GameTree, color: Color, policy: Floats) -> Floats:
    """Return the realization plan of a policy: how likely its player makes each sequence."""
    plan = np.zeros_like(policy)
    dark_book.realize_plan(tree.sides[color].sets, policy, plan)
    return plan


def policy_of(tree: GameTree, color: Color, plan: Floats) -> Floats:
    """Return the behavior of a plan, uniform where the plan does not come."""
    policy = np.ones_like(plan)
    dark_book.behave(tree.sides[color].sets, plan, policy)
    return policy


def gradient(tree: GameTree, color: Color, opponent_plan: Floats) -> Floats:
    """Return what each sequence of a player earns against a plan, ends only."""
    result = np.zeros(tree.sides[color].sequences)
    dark_book.multiply(tree.payoff[color], opponent_plan, result)
    return result


def best_response(tree: GameTree, color: Color, opponent_plan: Floats) -> TreeResponse:
    """Return a player's best response to a plan of the opponent."""
    earned = gradient(tree, color, opponent_plan)
    choice = np.zeros(len(tree.sides[color].parent), np.int64)
    dark_book.respond(tree.sides[color].sets, earned, choice)
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


# The best response to a policy, by search over what the responder may believe.
#
# It is exact, and needs no tree: the responder believes in each way the policy may
# have played, with its chance. Against a policy without chance that is a search for
# a line that wins; against one that attempts everything with some chance only
# the smallest boards fit.

MOST = 1_000_000  # ways to play that are looked at, half a minute

# The opponent's stones, what they found, and their information state.
Hidden: TypeAlias = tuple[Mask, Mask, History]
Belief: TypeAlias = dict[Hidden, float]


@lru_cache(maxsize=KEPT)
def response(to: Study) -> Study:
    """Attempt what wins most often against the other player's policy.

    The study raises TooLargeError when there is too much to believe.
    """

    @lru_cache(maxsize=KEPT)
    def study(rules: DarkRules) -> Policy:
        opponent, other = to(rules), ordered("center")(rules)
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
    """The search of one player's response; it fills `choice`, the cell by information state."""

    rules: DarkRules
    color: Color
    policy: Policy
    most: int = MOST
    choice: dict[History, Cell] = field(default_factory=dict)
    _looks: int = 0

    def search(self) -> float:
        """Return the chance to win. Raise TooLargeError after `most` ways to play."""
        start: Hidden = 0, 0, ()
        if self.color is Color.BLACK:
            return self._decide(0, 0, (), {start: 1.0})
        ways = self._answers(0, start, 1.0)
        return sum(self._decide(0, 0, sound, belief) for sound, belief in _by_sound(ways).items())

    def _decide(self, own: Mask, known: Mask, history: History, belief: Belief) -> float:
        """Return the greatest chance to win from an information state."""
        best, everything = -1.0, sum(belief.values())
        for cell in cells_in(self.rules.full & ~own & ~known):
            value, left = 0.0, everything
            for placed in (True, False):
                part = {h: w for h, w in belief.items() if bool(h[0] >> cell & 1) is not placed}
                left -= sum(part.values())
                if part:
                    value += self._after(own, known, history, cell, part, placed=placed)
                if value + left <= best:
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
        """Return the chance to win after an attempt that ends alike in all of a belief."""
        rules, bit = self.rules, 1 << cell
        seen = (*history, own_symbol(cell, placed=placed))
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
                return self._decide(own, known, seen, part)
        ways = [way for hidden, w in part.items() for way in self._answers(own, hidden, w)]
        return sum(
            self._decide(own, known, seen + sound, belief)
            for sound, belief in _by_sound(ways).items()
        )

    def _answers(
        self, mine: Mask, hidden: Hidden, chance: float
    ) -> list[tuple[Hidden, History, float]]:
        """Return what the policy may do in its turn without winning, and what is heard of it."""
        self._count()
        stones, found, history = hidden
        rules, color = self.rules, self.color.opponent
        ways: list[tuple[Hidden, History, float]] = []
        for cell, share in self.policy(color, history).items():
            bit = 1 << cell
            placed = not mine & bit
            seen = (*history, own_symbol(cell, placed=placed))
            if placed:
                if not rules.connects(color, stones | bit):
                    ways.append(((stones | bit, found, seen), (), chance * share))
                continue
            heard = heard_symbol(rules.noise, cell, placed=False)
            sound: History = () if heard is None else (heard,)
            after = stones, found | bit, seen
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
            raise TooLargeError(
                f"more than {self.most:,} ways to play against it on {board}; "
                "a response to a player who leaves less to chance remains, or a smaller board"
            )


def _by_sound(ways: list[tuple[Hidden, History, float]]) -> dict[History, Belief]:
    """Return the beliefs after the sounds of a turn."""
    heard: defaultdict[History, Belief] = defaultdict(dict)
    for hidden, sound, chance in ways:
        heard[sound][hidden] = chance
    return dict(heard)


# Exploitability of a policy: the best response to it, where its policy fits a table.

MOST_STATES = 100_000  # information states of a table
TOTAL = 10**12  # of which the plan of a policy is made, in whole numbers


def exploited(rules: DarkRules, color: Color, policy: Policy) -> Fraction:
    """Return the chance to win of the best response to a policy that plays `color`.

    It is exact where the policy leaves nothing to chance, and to about 1e-12 else.
    Raise TooLargeError where the policy can come to too many information states, or to some
    with a chance below that.
    """
    return best_chance(tabulated(rules, color, policy))


def tabulated(
    rules: DarkRules, color: Color, policy: Policy, most: int = MOST_STATES
) -> TabularPolicy:
    """Return a policy as a table of the information states that it can come to."""
    chances: dict[History, ExactChances] = {}
    waiting: list[tuple[History, int]] = [((), TOTAL)]
    while waiting:
        history, weight = waiting.pop()
        if len(chances) >= most:
            raise TooLargeError(f"it comes to more than {most:,} information states")
        shares = {cell: share for cell, share in policy(color, history).items() if share > 0}
        if weight < len(shares):
            raise TooLargeError(f"it comes to information states with a chance below {1 / TOTAL:g}")
        parts = whole_shares(weight, shares)
        chances[history] = {cell: Fraction(part, weight) for cell, part in parts.items()}
        for cell, part in parts.items():
            waiting += [(after, part) for after in _next(rules, color, history, cell)]
    return TabularPolicy(rules, color, tuple(rules.board.cells), chances)


def _next(rules: DarkRules, color: Color, history: History, cell: int) -> list[History]:
    """Return the histories of the next turn after an attempt, and some that cannot be."""
    result: list[History] = []
    for placed in (True, False):
        after = (*history, own_symbol(cell, placed=placed))
        seen = view(after)
        if rules.connects(color, seen.own) or rules.connects(color.opponent, seen.known):
            continue
        if not unknown(rules, after) or (not placed and color is Color.BLACK and not history):
            continue
        if placed or rules.base is Base.ABRUPT:
            result += with_sounds(rules, after)
        else:
            result.append(after)
    return result
