"""Openings beyond 7x7 that the solver has settled, in minutes each.

    echo e4 | hsearch solve - --size 8 --table 8x8.table --memory 2000

and then f3 and e3 with that table; `positions/results/solving.md` has the figures.
"""

from hsearch.board import Board, Cell, Color

_PROVED = {8: {"e4": Color.BLACK, "f3": Color.BLACK, "e3": Color.BLACK}}


def proved(board: Board) -> dict[Cell, bool]:
    """Return whether Black wins after opening in some cells of a square board too large to solve.

    Of two cells that are half a turn apart, it tells the first.
    """
    known = _PROVED.get(board.columns, {})
    return {board.cell(name): winner is Color.BLACK for name, winner in known.items()}
