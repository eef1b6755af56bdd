"""Exact best responses in a kernel, to policies whose plans are whole numbers.

The entries of a policy's realization plan are fractions. If they have a common
denominator of at most 2^53, the search of `player.kernels.dark_belief` adds,
subtracts and compares whole numbers that doubles hold exactly, and multiplies
nothing. So its result equals that of the recursion with fractions in
`player.dark.certificate`, in seconds instead of hours.
"""

from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import TypeAlias

import numpy as np

from hsearch.hex import Color
from player.dark.book import MOST_CELLS, BeliefSearch, BookArrays, Fallback, Orders, hash_table
from player.dark.rules import DarkRules, History, last_attempt
from player.dark.tabular import TabularPolicy
from player.dark.tree import Integers
from player.kernels import dark_book

LARGEST = 1 << 53
Share: TypeAlias = tuple[int, int]  # a fraction in lowest terms; Fraction takes four times as long


def best_chance(policy: TabularPolicy, most: int | None = None) -> Fraction | None:
    """Return the greatest chance to win against a policy; None if its plan does not fit.

    Raise TooLongError if the search needs more than `most` steps; None allows any number.
    """
    if policy.rules.board.size > MOST_CELLS:
        return None
    arrays = _Plan(policy).arrays()
    if arrays is None:
        return None
    (above, plan), total = arrays
    book: BookArrays = *hash_table(above), plan, _orders(policy)
    color = policy.color.opponent
    search = BeliefSearch(policy.rules)
    wins = search.respond(book, color, _tries(policy.rules, color), most=most).chance
    return Fraction(int(wins), total)


@lru_cache(2)  # each of the policies of one game is often checked again
def _tries(rules: DarkRules, color: Color) -> Orders:
    """Return the orders in which a responder tries the cells; they do not affect the result."""
    return Fallback(rules, color).orders


class _Plan:
    """The plan of a policy by nodes, numbered for kernels."""

    def __init__(self, policy: TabularPolicy) -> None:
        self._policy, self._cells = policy, policy.rules.board.size
        self._number: dict[History, int] = {}

    def arrays(self) -> tuple[tuple[Integers, np.ndarray], int] | None:
        """Return `above`, the plan, and its total; None if the plan does not fit.

        Entries that the policy never reaches are left out. An entry after an
        attempt without one does not fit.
        """
        chances = self._policy.chances
        above: list[tuple[int, int]] = []
        shares: list[dict[int, Share]] = []
        total = 1
        idle: set[History] = set()
        for history in sorted(sorted(chances), key=len):
            last = last_attempt(history)
            if last >= 0 and history[:last] in idle:
                idle.add(history)
                continue
            place = self._place(history, last)
            if place is None:
                return None
            slot, code = place
            node, cell = divmod(slot, self._cells)
            reach = (1, 1) if slot < 0 else shares[node].get(cell)
            if reach is None:
                idle.add(history)
                continue
            if code >= dark_book.KEYS:
                return None
            shares.append({c: _times(reach, chance) for c, chance in chances[history].items()})
            total = lcm(total, *(below for _, below in shares[-1].values()))
            if total > LARGEST:
                return None
            self._number[history] = len(above)
            above.append(place)
        if () not in chances:
            return None
        plan = np.zeros((len(above), self._cells))
        for node, each in enumerate(shares):
            for cell, (share, below) in each.items():
                plan[node, cell] = share * (total // below)
        return (np.array(above, np.int64), plan), total

    def _place(self, history: History, last: int) -> tuple[int, int] | None:
        """Return slot and code of a history; None if the attempt before it has no entry."""
        if not history:
            return -2, 0
        if last < 0 or history[:last] not in self._number:
            return None
        code = 1 + (history[last] & 1)
        for symbol in history[last + 1 :]:
            code = code * (self._cells + 2) - symbol
        return self._number[history[:last]] * self._cells + (history[last] >> 1), code


def _times(share: Share, chance: Fraction) -> Share:
    """Return the product in lowest terms."""
    above, below = share[0] * chance.numerator, share[1] * chance.denominator
    common = gcd(above, below)
    return above // common, below // common


def _orders(policy: TabularPolicy) -> Orders:
    """Return the orders by view in which a policy attempts cells without an entry."""
    cells = policy.rules.board.size
    result = np.tile(np.array(policy.order, np.int8), (3**cells, 1))
    for view, cell in policy.views.items():
        row = dark_book.row_of(result, np.uint64(view.own), np.uint64(view.known))
        result[row] = [cell, *(other for other in policy.order if other != cell)]
    return result
