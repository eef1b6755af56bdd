"""Marks on the picture of a board."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hsearch.board import Cell, Point
from hsearch.cells import CellSet


@dataclass(frozen=True, slots=True)
class Marks:
    """Marks on the picture of a board; by default none.

    shaded     cells to shade
    shaded_as  what the shaded cells are, for the legend
    key        the cell to star
    ends       cells and edges to ring
    last       the stone that was played last
    labels     short texts on cells
    tints      cells of several kinds, each kind a color
    tint_names what the kinds are, for the legend
    notes      lines of the legend that explain the labels
    heat       numbers to show as shades of one color; 0 and less are not shown
    heat_as    what the numbers are, for the legend
    heat_scale the coldest and the warmest, for the legend; else 0 and the greatest number
    """

    shaded: CellSet | None = None
    shaded_as: str = "carrier"
    key: Cell | None = None
    ends: tuple[Point, ...] = ()
    last: Cell | None = None
    labels: Mapping[Cell, str] = field(default_factory=dict)
    tints: Mapping[Cell, int] = field(default_factory=dict)
    tint_names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    heat: Mapping[Cell, float] = field(default_factory=dict)
    heat_as: str = ""
    heat_scale: str = ""

    def is_shaded(self, cell: Cell) -> bool:
        """Return whether a cell is to be shaded."""
        return self.shaded is not None and bool(self.shaded[cell])

    def warmth(self, cell: Cell) -> float:
        """Return the heat of a cell as a part of the greatest: from 0 to 1.

        An infinite number is as warm as it gets, and leaves the others cold.
        """
        value = self.heat.get(cell, 0.0)
        top = max(self.heat.values(), default=0.0)
        if value <= 0:
            return 0.0
        return 1.0 if value == top else value / top
