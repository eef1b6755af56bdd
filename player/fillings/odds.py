"""Odds of a position by its fillings: who wins how often, and which cells matter."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from hsearch.board import Cell, Color
from hsearch.position import Position

# Two cells are told apart when their difference is this many standard errors.
APART = 3.0
# No sum of doubles in the exact pass is off by more: see `player.fillings.exact`.
ROUNDING = 3e-11


@dataclass(frozen=True, slots=True)
class Odds:
    """Results of the fillings of a position.

    position  the stones; the turn matters to balanced fillings only
    black     the share of fillings that Black wins
    critical  how often each empty cell is critical: its color decides the winner
    fillings  how many were drawn; None if all were counted
    balanced  whether the colors alternate to the end; else a coin tells each cell
    error     the standard error of `black`, 0 if all were counted
    errors    those of `critical`
    """

    position: Position
    black: float
    critical: Mapping[Cell, float]
    fillings: int | None = None
    balanced: bool = False
    error: float = 0.0
    errors: Mapping[Cell, float] | None = None

    @property
    def is_exact(self) -> bool:
        """Whether all fillings were counted, so that nothing is left to chance."""
        return self.fillings is None

    def chance(self, color: Color) -> float:
        """Return a player's share of the fillings: with a coin, the chance at random turns."""
        return self.black if color is Color.BLACK else 1.0 - self.black

    def losing(self, cell: Cell) -> float:
        """Return how often a cell gets the losing color, the L_H of Payne and Robeva.

        Raise ValueError for balanced fillings, where criticality does not tell.
        """
        if self.balanced:
            raise ValueError("balanced fillings do not tell how often a cell loses")
        return (1.0 - self.critical[cell]) / 2.0

    def ranked(self) -> list[Cell]:
        """Return the empty cells, the most often critical first."""
        return sorted(self.critical, key=lambda cell: (-self.critical[cell], cell))

    def best(self) -> list[Cell]:
        """Return the cells that may be the best, as far as error allows to tell."""
        ranked = self.ranked()
        return [cell for cell in ranked if not self.is_apart(ranked[0], cell)]

    def is_apart(self, better: Cell, worse: Cell) -> bool:
        """Return whether one cell is critical more often than another beyond doubt."""
        gap = self.critical[better] - self.critical[worse]
        if self.errors is None:
            return gap > 2 * ROUNDING
        return gap > APART * math.hypot(self.errors[better], self.errors[worse])
