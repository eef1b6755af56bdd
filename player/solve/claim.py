"""Claim of a line of a proof, whatever else the board holds.

The winner has some stones and wins inside some empty cells, though the loser
moves first and has all the rest. So the same claim settles every position in
which these stones are the winner's and the loser has none of the cells: more stones
of the winner do no harm. And of the stones and cells only those count that
hang together with an edge of the winner, for the chain that wins consists of such.
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
        reached = reached_from_edge(board, winner, stones | carrier)
        return cls(stones & reached, carrier & reached)

    def settles(self, own: CellSet, other: CellSet) -> bool:
        """Return whether the winner with these stones wins against the loser with those."""
        return not ((self.stones & ~own).any() or (self.cells & other).any())


def reached_from_edge(board: Board, color: Color, cells: CellSet) -> CellSet:
    """Return those of some cells that hang together with the first edge of a player."""
    reached, todo = set[int](), [*board.neighbors(board.edges(color)[0])]
    while todo:
        cell = todo.pop()
        if cell not in reached and not board.is_edge(cell) and cells[cell]:
            reached.add(cell)
            todo.extend(board.neighbors(cell))
    return board.only(*reached)
