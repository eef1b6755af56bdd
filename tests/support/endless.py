"""A kernel call that runs for hours."""

from random import Random

from hsearch.connect.closure import closure
from hsearch.connect.limits import Limits
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position


def crowded(side=14, stones=15):
    """Return a position with `stones` stones of each player on random cells."""
    board = Board(side, side)
    cells = [*board.cells]
    Random(1).shuffle(cells)  # noqa: S311 - a sample
    black, white = board.only(*cells[:stones]), board.only(*cells[stones : 2 * stones])
    return Position(board, black, white, Color.BLACK)


def find_all():
    """Search for connections with limits that let one step of the queue run for hours."""
    return closure(crowded(11, 12), Color.BLACK, Limits(M=400, K=30))
