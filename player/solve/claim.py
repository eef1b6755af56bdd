"""Claim of a line of a proof, whatever else the board holds.

The winner has some stones and wins inside some empty cells, though the loser
moves first and has all the rest. So the same claim settles every position in
which these stones are the winner's and the loser has none of the cells: more stones
of the winner do no harm. And of the stones and cells only those count that
hang together with an edge of the winner, for the chain that wins consists of such.
"""

from dataclasses import dataclass

from hsearch.board import Board, Color
from hsearch.cells import CellSet, from_number, to_number
from player.solve.chains import reached_from_edge


@dataclass(frozen=True, slots=True)
class Claim:
    """Stones that the winner has, and cells that they need."""

    stones: CellSet
    cells: CellSet

    @classmethod
    def of(cls, board: Board, winner: Color, stones: CellSet, carrier: CellSet) -> "Claim":
        """Return what a won position claims: its winner's stones, and what the proof needs."""
        together = reached_from_edge(board, winner, to_number(stones | carrier))
        reached = from_number(together, board.size)
        return cls(stones & reached, carrier & reached)

    def settles(self, own: CellSet, other: CellSet) -> bool:
        """Return whether the winner with these stones wins against the loser with those."""
        return not ((self.stones & ~own).any() or (self.cells & other).any())
