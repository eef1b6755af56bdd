"""Openings beyond 7x7 that the solver has settled.

    hsearch solve --openings 8 --jobs 2 --table eight/

goes on for hours; `positions/results/solving.md` has the figures.
"""

from hsearch.board import Board, Cell

_WON = {8: "e4 e3 f3 c4 g2"}
_LOST = {8: "f2 d2 e1 f1 g1 d1 b1 c1"}


def proved(board: Board) -> dict[Cell, bool]:
    """Return whether Black wins after opening in some cells of a square board too large to solve.

    Of two cells that are half a turn apart, it tells the first.
    """
    side = board.columns
    won = {board.cell(name): True for name in _WON.get(side, "").split()}
    return won | {board.cell(name): False for name in _LOST.get(side, "").split()}
