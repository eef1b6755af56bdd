"""Claim of a line of a proof, whatever else the board holds.

The winner has some stones and wins inside some empty cells, though the loser
moves first and has all the rest. So the same claim settles every position in
which these stones are the winner's and the loser has none of the cells: more stones
of the winner do no harm. Of the stones and cells only those count that are
connected with an edge of the winner, for the winning chain consists of such. A claim
whose stones and cells hold no path between the winner's edges is false: the loser has
all the rest, and so a chain already.
"""

from dataclasses import dataclass

from hsearch.board import Board, Color
from hsearch.cells import CellSet


@dataclass(frozen=True, slots=True)
class Claim:
    """Stones that the winner has, and cells that they need."""

    stones: CellSet
    cells: CellSet

    @classmethod
    def of(cls, board: Board, winner: Color, stones: CellSet, carrier: CellSet) -> "Claim":
        """Return what a won position claims: its winner's stones, and what the proof needs."""
        reached = _reached_from_edge(board, winner, stones | carrier)
        return cls(stones & reached, carrier & reached)

    def joins_edges(self, board: Board, winner: Color) -> bool:
        """Return whether the stones and the cells hold a path between the winner's edges."""
        second = board.edges(winner)[1]
        reached = _reached_from_edge(board, winner, self.stones | self.cells)
        return any(board.contains(reached, cell) for cell in board.neighbors(second))

    def settles(self, own: CellSet, other: CellSet) -> bool:
        """Return whether the winner with these stones wins against the loser with those."""
        return not ((self.stones & ~own).any() or (self.cells & other).any())


def _reached_from_edge(board: Board, winner: Color, cells: CellSet) -> CellSet:
    """Return those of some cells that are connected with the winner's first edge among them."""
    reached, waiting = set(), [board.edges(winner)[0]]
    while waiting:
        for point in board.neighbors(waiting.pop()):
            if point not in reached and board.contains(cells, point):
                reached.add(point)
                waiting.append(point)
    return board.only(*reached)
