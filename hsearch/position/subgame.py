"""Sub-games, after Anshelevich (2000): two ends, and the only cells in which both may play."""

from dataclasses import replace

from hsearch.board import Color, Point
from hsearch.cells import CellSet
from hsearch.position.stones import Position


def subgame(position: Position, color: Color, cells: CellSet, *ends: Point) -> Position:
    """Return the position in which only some of the empty cells are open.

    All other empty cells are stones of the opponent of `color`, whose sub-game
    it is, but for those that are ends of it. What `color` joins there is joined
    in `position` as well, and needs no cell but these.
    """
    board = position.board
    kept = board.only(*(end for end in ends if not board.is_edge(end)))
    shut = position.empty & ~(cells | kept)
    if color is Color.BLACK:
        return replace(position, white=position.white | shut)
    return replace(position, black=position.black | shut)
