"""Making certificates: from the policies of a solver to fractions that verify."""

import math
from dataclasses import replace
from fractions import Fraction

from hsearch.board import Color
from player.dark.book import Book
from player.dark.certificate import Certificate, proved
from player.dark.double_oracle import DoubleOracle
from player.dark.policy import Policy, rounded
from player.dark.tree import Floats

LIMITS = (100, 10_000, 1_000_000)
SHORT = 10**10


def of_oracle(oracle: DoubleOracle, *, exact: bool = True) -> Certificate:
    """Return the best certificate that the policies of a double oracle give.

    exact  try finer fractions until both bounds agree; otherwise the coarsest
    """
    best = _rounded(oracle, LIMITS[0])
    for limit in LIMITS[1:] if exact else ():
        if _gap(best) == 0:
            break
        best = min(best, _rounded(oracle, limit), key=_gap)
    return best if _gap(best) == 0 else _plain(best)


def policy_of(oracle: DoubleOracle, color: Color, chances: Floats, limit: int) -> Policy:
    """Return a policy of a double oracle, its chances rounded, and only where it can come."""
    book = oracle.books[color]
    entries = {}
    for node in _reached(book, chances):
        shares = {cell: share for cell, share in enumerate(chances[node]) if share > 1e-9}
        entries[book.history(node)] = rounded(shares, limit)
    return Policy(oracle.rules, color, tuple(map(int, oracle.order)), entries)


def _rounded(oracle: DoubleOracle, limit: int) -> Certificate:
    black, white = (policy_of(oracle, color, oracle.best[color], limit) for color in Color)
    lower, upper = proved((black, white))
    sides = None if lower == -1 or upper == -1 else black, None if 1 in (lower, upper) else white
    return Certificate(oracle.rules, lower, upper, sides)


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


def _gap(certificate: Certificate) -> Fraction:
    return certificate.upper - certificate.lower
