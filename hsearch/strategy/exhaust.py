"""Complete play in some cells: joined or not, what breaks it, and what is needed."""

import enum
from dataclasses import dataclass

from hsearch.board import Cell, Color, Point
from hsearch.cells import CellSet
from hsearch.deduction import JoinGame
from hsearch.position import Position

BUDGET = 100_000


class PlayVerdict(enum.StrEnum):
    """Verdict of playing out all lines."""

    HOLDS = "holds"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class PlayOutcome:
    """Result of playing out all lines between two points in some cells, the opponent to move.

    verdict    whether the owner joins the points, as far as the budget reached
    intrusion  the opponent's move that breaks them; None unless refuted, or if
               the owner fails even moving first
    carrier    the cells the owner needs; empty unless the points hold
    positions  how many positions it took to decide; none if there are too many cells
    """

    verdict: PlayVerdict
    intrusion: Cell | None
    carrier: CellSet
    positions: int

    @property
    def fails_moving_first(self) -> bool:
        """Whether it is proved that the owner fails even with the first move."""
        return self.verdict is PlayVerdict.REFUTED and self.intrusion is None


def play_out(
    position: Position,
    color: Color,
    ends: tuple[Point, Point],
    cells: CellSet,
    budget: int = BUDGET,
    *,
    likely: CellSet | None = None,
) -> PlayOutcome:
    """Decide whether the owner joins two points inside some empty cells, moving second.

    Empty ends count as the owner's stones. Gives up after `budget` positions. Of the
    intrusions that break the points `likely` ones are named first.
    """
    board = position.board
    try:
        game = JoinGame(position, color, ends, cells)
    except ValueError:
        return PlayOutcome(PlayVerdict.UNKNOWN, None, board.only(), 0)

    def joins(*without: Cell, owner_first: bool = False) -> bool | None:
        free, left = cells & ~board.only(*without), budget - game.nodes
        return game.play(free, opponent_first=not owner_first, budget=left).joined

    found = game.play(budget=budget)
    positions, nothing = game.nodes, board.only()
    if found.joined:
        spare = [*(cells & ~found.cells).search(1)]
        for cell in found.cells.search(1):
            if joins(*spare, cell):
                spare.append(cell)
        return PlayOutcome(PlayVerdict.HOLDS, None, cells & ~board.only(*spare), positions)
    if found.joined is False:
        if joins(owner_first=True) is False:
            return PlayOutcome(PlayVerdict.REFUTED, None, nothing, positions)
        for cell in (*(likely or nothing).search(1), *found.cells.search(1)):
            if joins(cell, owner_first=True) is False:
                return PlayOutcome(PlayVerdict.REFUTED, cell, nothing, positions)
    return PlayOutcome(PlayVerdict.UNKNOWN, None, nothing, positions)
