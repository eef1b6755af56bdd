"""Results of an unfinished search: moves that lose, and moves that are left."""

from dataclasses import dataclass

from hsearch.board import Cell
from hsearch.cells import CellSet, from_number, to_number
from hsearch.position import Position
from player.solve.proof_number import Descent
from player.solve.table import INFINITE, Table


@dataclass(frozen=True, slots=True)
class OpenMove:
    """A move that is left.

    proof     the least number of open positions that make it a win for who plays it
    disproof  the same for a loss
    work      positions looked at after it
    """

    cell: Cell
    proof: int
    disproof: int
    work: int


@dataclass(frozen=True, slots=True)
class Remaining:
    """The moves of an open position.

    losing    proved to lose: outside of a threat, or of what refutes another move
    moves     those left to try: first those that were looked at, the most promising first
    inferior  no better than one of the others, whoever wins
    """

    losing: CellSet
    moves: tuple[OpenMove, ...]
    inferior: CellSet

    @property
    def best(self) -> OpenMove | None:
        """The move that a search would go on with."""
        return self.moves[0] if self.moves else None


def remaining(descent: Descent, table: Table, position: Position) -> Remaining | None:
    """Return the moves of a position; None if it is settled, or was not looked at."""
    board = position.board
    place = descent.place(to_number(position.black), to_number(position.white), int(position.turn))
    node = table.nodes.get(place.key)
    if node is None or node.winner is not None or node.moves is None:
        return None

    def seen(cells: int) -> int:
        return descent.turned(cells) if place.turned else cells

    region = seen(node.common)
    black, white = node.stones
    given = place.captured[0] | place.captured[1] | seen(black | white)
    losing = to_number(position.empty) & ~region & ~given
    found = []
    for move in node.moves:
        child = table.nodes.get(descent.after(node, place.turn, move).key)
        cell = seen(1 << move).bit_length() - 1
        # The numbers are those of who moves next: to disprove a win of theirs is to prove ours.
        found.append(
            OpenMove(cell, 1, 1, 0)
            if child is None
            else OpenMove(cell, min(child.delta, INFINITE), min(child.phi, INFINITE), child.work)
        )
    found.sort(key=lambda move: (move.work == 0, move.proof))
    left = board.only(*(move.cell for move in found))
    losing_cells = from_number(losing, board.size)
    return Remaining(losing_cells, tuple(found), position.empty & ~losing_cells & ~left)
