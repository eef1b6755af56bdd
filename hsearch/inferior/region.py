"""Regions that groups enclose, in which the opponent gains nothing.

Take groups of one player, edges among them, that a strategy keeps together
whatever the opponent does, and a set of cells around them, the *region*::

     . . W B B W      The two groups B are joined by a strategy inside the cells
      W x x x x W     marked x. Whoever leaves the region meets an opponent's
       W x x x B .    stone, one of the groups, or a cell that touches one.
        . W B B W .

A cell of the region has neighbors of four kinds: cells of the region, stones of
the opponent, the groups, and cells outside that touch one of the groups. There
is no other, and the player's remaining edges are not among them. Then the
region may be filled with stones of the player, without a change of who wins:

The player gains from stones, so what is lost with them is lost without. Let
the filled position be won, whoever moves first. Without the stones the player
plays outside the region as the win there tells, and inside it as the strategy
tells that keeps the groups together; an answer that is missing is a move to
spare, which never hurts. In the end a path of the player joins the edges in the
filled position. Where it leaves the region it steps on one of the groups or on a
cell that touches one, and where it enters likewise; the groups are joined, so
it may go along them instead, and needs nothing of the region but what joins
them. It does not matter who has the rest.

One group alone encloses what both players can do without: such cells are dead.
P. Henderson (Playing and solving the game of Hex, thesis, 2010) and Pawlewicz
and Hayward (Scalable parallel DFPN search, 2013) fill the carrier between two
groups that touch the same two of the opponent's; this is more general.
"""

from collections.abc import Collection

from hsearch.board import Color, Point
from hsearch.cells import CellSet
from hsearch.position import Position, captains


def enclosed(position: Position, color: Color, around: Collection[Point]) -> CellSet:
    """Return the empty cells of the largest region around some groups.

    `around` are the stones and edges of the groups; whether they are joined
    inside the region is not asked.
    """
    board = position.board
    edges = set(board.edges(color)).difference(around)
    theirs = position.stones(color.opponent)
    free = {cell for cell in board.cells if not theirs[cell]}.difference(around)
    near = {cell for cell in free if not set(around).isdisjoint(board.neighbors(cell))}
    outside: set[Point] = set()
    waiting = [cell for cell in free if edges.intersection(board.neighbors(cell))]
    while waiting:
        cell = waiting.pop()
        if cell not in outside:
            outside.add(cell)
            if cell not in near:
                waiting.extend(free.intersection(board.neighbors(cell)))
    return board.only(*(free - outside)) & position.empty


def members(position: Position, color: Color, groups: Collection[Point]) -> set[Point]:
    """Return the stones and edges of some groups, which are named by their captains."""
    board = position.board
    return {
        point
        for point, name in captains(position, color).items()
        if name in groups and not board.contains(position.empty, point)
    }
