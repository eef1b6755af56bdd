"""Making certificates: from the policies of a solver to fractions that verify."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from operator import itemgetter

from hsearch.board import Color
from player.dark.book import Book
from player.dark.certificate import Certificate, best_chance
from player.dark.double_oracle import DoubleOracle
from player.dark.policy import Policy, rounded
from player.dark.tree import Floats

LIMITS = (100, 10_000, 10**6, 10**8)
SHORT = 10**10


def best_of(make: Callable[[Color, int], Policy], *, exact: bool = True) -> Certificate:
    """Return the best certificate of policies made with chances of limited denominators.

    make   a player's policy, given a limit
    exact  try finer and finer fractions until the bounds meet; else the coarsest
    """
    found: list[tuple[Fraction, Policy]] = []
    for color in Color:
        tried = [
            (best_chance(spoken), spoken)
            for spoken in (make(color, limit) for limit in (LIMITS if exact else LIMITS[:2]))
        ]
        found.append(min(tried, key=itemgetter(0)))
    (white_wins, black), (black_wins, white) = found
    lower, upper = 1 - 2 * white_wins, 2 * black_wins - 1
    sides = None if -1 in (lower, upper) else black, None if 1 in (lower, upper) else white
    certificate = Certificate(black.rules, lower, upper, sides)
    return certificate if lower == upper else _plain(certificate)


def of_oracle(oracle: DoubleOracle, *, exact: bool = True) -> Certificate:
    """Return the best certificate that the policies of a double oracle give."""
    return best_of(
        lambda color, limit: policy_of(oracle, color, oracle.best[color], limit), exact=exact
    )


def policy_of(oracle: DoubleOracle, color: Color, chances: Floats, limit: int) -> Policy:
    """Return a policy of a double oracle, its chances rounded, and only where it can come."""
    book = oracle.books[color]
    entries = {}
    for node in _reached(book, chances):
        shares = {cell: share for cell, share in enumerate(chances[node]) if share > 1e-9}
        entries[book.history(node)] = rounded(shares, limit)
    return Policy(oracle.rules, color, tuple(map(int, oracle.order)), entries)


def _reached(book: Book, chances: Floats) -> list[int]:
    """Return the nodes that a policy can come to."""
    cells = chances.shape[1]
    reached = [0]
    seen = {0}
    for node, (slot, _) in enumerate(book.above[1 : len(chances)], 1):
        parent, cell = divmod(slot, cells)
        if parent in seen and chances[parent, cell] > 1e-9:
            seen.add(node)
            reached.append(node)
    return reached


def _plain(certificate: Certificate) -> Certificate:
    """Return a weaker claim in short numbers, rounded away from the value."""
    lower = Fraction(math.floor(certificate.lower * SHORT), SHORT)
    return replace(
        certificate, lower=lower, upper=Fraction(math.ceil(certificate.upper * SHORT), SHORT)
    )
