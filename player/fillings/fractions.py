"""Exact odds as fractions, where that is quick: whole numbers of fillings over all of them.

With few empty cells the doubles of `exact` tell the whole numbers, since
rounding moves them by less than half a filling. Else the fillings of a small
board are counted again, in whole numbers.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from hsearch.board import Cell, Color
from hsearch.position import Position
from player.fillings.counting import count
from player.fillings.odds import ROUNDING, Odds
from player.fillings.shares import black_share

MOST_EMPTY = 33  # 2**33 roundings are a quarter of a filling
WIDEST = 8  # columns of which the whole numbers take seconds

assert ROUNDING * 2**MOST_EMPTY < 0.5  # noqa: S101 - the constants fit each other


@dataclass(frozen=True, slots=True)
class Fractions:
    """The share of fillings that Black wins, and in which each empty cell is critical."""

    black: Fraction
    critical: Mapping[Cell, Fraction]

    def chance(self, color: Color) -> Fraction:
        """Return a player's share."""
        return self.black if color is Color.BLACK else 1 - self.black


def fractions(odds: Odds) -> Fractions | None:
    """Return exact odds as fractions; None if they are not exact, or the board is too large."""
    if not odds.is_exact:
        return None
    position, empty = odds.position, odds.position.empty.count()
    total = math.comb(empty, black_share(position)) if odds.balanced else 2**empty
    if empty <= MOST_EMPTY:
        critical = {c: Fraction(round(s * total), total) for c, s in odds.critical.items()}
        return Fractions(Fraction(round(odds.black * total), total), critical)
    if min(position.board.columns, position.board.rows) > WIDEST:
        return None
    return _counted(position, balanced=odds.balanced)


def _counted(position: Position, *, balanced: bool) -> Fractions:
    """Return the fractions by whole numbers, along the longer side of the board."""
    board = position.board
    if board.columns > board.rows:
        mirror = _counted(position.transposed(), balanced=balanced)
        turned = {board.transposed.transpose(c): share for c, share in mirror.critical.items()}
        return Fractions(mirror.chance(Color.WHITE), turned)
    found = count(position, balanced=balanced)
    critical = {cell: Fraction(n, found.fillings) for cell, n in found.critical.items()}
    return Fractions(Fraction(found.black, found.fillings), critical)
