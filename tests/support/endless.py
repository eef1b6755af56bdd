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


class TakenLock:
    """A lock that another thread holds to the end."""

    def __init__(self):
        """Fail after many waits."""
        self.waits = 0

    def acquire(self, *, timeout=None):
        """Wait in vain; fail if the wait would never end."""
        self.waits += 1
        assert timeout is not None
        assert self.waits < 100
        return False

    __enter__ = acquire

    def __exit__(self, *_exception):
        """Release nothing."""
