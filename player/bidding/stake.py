"""Stake of a cell at ordinary turns: the strongest connection that hangs on it.

Bids do not follow from it. A full connection promises a reply to each single
intrusion, and a bidder may buy two moves in a row.
"""

from itertools import combinations

from hsearch.board import Board, Cell, Color, Point
from hsearch.closure import Limits, closure_of_both
from hsearch.connection import Connection
from hsearch.position import Position, groups
from hsearch.store import Store

_LIMITS = Limits()


def stakes(position: Position, cell: Cell, limits: Limits = _LIMITS) -> dict[Color, Connection]:
    """Return for each player the strongest connection that a stone on a cell defends or breaks.

    All of its kind between its two groups, or edges, need the cell. Strongest is
    from edge to edge, then from an edge; a full before a semi; then the
    smallest. A player of whom nothing hangs on the cell is missing.
    """
    found = {}
    for color, store in closure_of_both(position, limits).items():
        captains = sorted(group.captain for group in groups(position, color))
        hanging = [
            connection
            for x, y in combinations(captains, 2)
            if (connection := _hanging(store, x, y, cell)) is not None
        ]
        if hanging:
            found[color] = min(hanging, key=lambda each: _weakness(position.board, each))
    return found


def _hanging(store: Store, x: Point, y: Point, cell: Cell) -> Connection | None:
    """Return the smallest connection of two groups, if all of its kind need the cell."""
    known = store.fulls(x, y) or store.semis(x, y)
    return known[0] if known and all(each.carrier[cell] for each in known) else None


def _weakness(board: Board, connection: Connection) -> tuple[int, bool, int]:
    edges = sum(map(board.is_edge, connection.ends))
    return -edges, not connection.is_full, connection.carrier.count()
