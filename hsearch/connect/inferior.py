"""Inferior cells: dead cells, enclosed regions, fill-in, and moves that need not be tried."""

from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hsearch.hex import Board, Cell, CellSet, Color, Point, Position, captains
from hsearch.hex.board import from_words, word_count
from hsearch.hex.frame import Frame
from hsearch.kernels import inferior as kernel

EMPTY = "."
CODES = EMPTY + "BW"
FILE = Path(__file__).with_name("dead.txt")


def read(text: str) -> list[str]:
    """Return the rings of a table: one a line, without the comments."""
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def dead_rings() -> NDArray[np.bool_]:
    """Return for each ring, as a number to the base 3, whether the cell inside it is dead.

    A ring is a cell's six neighbors. It is dead if it has all stones of one in the table.
    """
    table = np.zeros(3**6, np.bool_)
    for ring in read(FILE.read_text(encoding="ascii")):
        choices = (CODES if stone == EMPTY else stone for stone in ring)
        for stones in product(*choices):
            table[ring_number("".join(stones))] = True
    return table


def ring_number(ring: str) -> int:
    """Return the number of a ring: one digit for each neighbor, the first one the lowest."""
    return sum(CODES.index(stone) * 3**place for place, stone in enumerate(ring))


# Regions enclosed by groups, in which the opponent gains nothing.
#
# Take groups of one player, edges among them, that a strategy keeps together
# whatever the opponent does, and a set of cells around them, the *region*::
#
#      . . W B B W      The two groups B are joined by a strategy inside the cells
#       W x x x x W     marked x. A path that leaves the region meets an opponent's
#        W x x x B .    stone, one of the groups, or a cell that touches one.
#         . W B B W .
#
# A cell of the region has only four kinds of neighbors: cells of the region, stones
# of the opponent, the groups, and cells outside that touch one of the groups. The
# player's other edges are not among them. Then the region may be filled with stones
# of the player, without a change of who wins:
#
# Extra stones never hurt the player, so a position that is lost with them is lost
# without. Suppose that the player wins the filled position, whoever moves first.
# Without the stones the player follows that winning strategy outside the region,
# and inside it the strategy that joins the groups. If either has no reply, the
# player moves anywhere, which never hurts. In the end a path of the player joins
# the edges in the filled position. Where the path enters or leaves the region, it
# steps on one of the groups or on a cell that touches one. The groups are joined,
# so the path can follow them instead, and needs nothing of the region but what
# joins them. It does not matter who has the rest.
#
# A region enclosed by a single group is of no use to either player: its cells are
# dead. P. Henderson (Playing and solving the game of Hex, thesis, 2010) and Pawlewicz
# and Hayward (Scalable parallel DFPN search, 2013) fill the carrier between two
# groups that touch the same two of the opponent's; this is more general.


def largest_region(position: Position, color: Color, around: Collection[Point]) -> CellSet:
    """Return the empty cells of the largest region around some groups.

    `around` are the stones and edges of the groups, which need not be joined
    inside the region.
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
        for point, captain in captains(position, color).items()
        if captain in groups and not board.contains(position.empty, point)
    }


# Fill-in: stones on dead and captured cells, which never change who wins.


@dataclass(frozen=True, slots=True)
class FillIn:
    """A position with its dead and captured cells filled.

    position           the filled position, with the same player to move
    dead               cells whose color never matters, however the board is filled
    captured_by_black  cells in pairs: if White plays on one, Black replies on the
                       other, which makes White's stone dead
    captured_by_white  cells in pairs, with the colors exchanged
    costs              what each filled stone depends on: empty cells in which its
                       owner must be able to reply, and stones that its owner must have

    A proof for a player in the filled position becomes one in the original if each
    filled stone that it uses is replaced by its costs. The opponent's filled stones
    cost the player nothing.
    """

    position: Position
    dead: CellSet
    captured_by_black: CellSet
    captured_by_white: CellSet
    costs: Mapping[Cell, CellSet]

    def captured(self, color: Color) -> CellSet:
        """Return the cells that a player has captured."""
        return self.captured_by_black if color is Color.BLACK else self.captured_by_white

    def carrier(self, cell: Cell) -> CellSet:
        """Return the costs of a filled stone that are empty cells in the original position."""
        return self.costs[cell] & (self.dead | self.captured_by_black | self.captured_by_white)


def fill_in(position: Position) -> FillIn:
    """Fill dead cells and captured pairs until there are none, as the solver does.

    Captured sets of three and four cells were tried as well: one in 400 positions of
    a search of 6x6 had one, and they saved the solver one of 2,549 positions.
    """
    board = position.board
    frame = Frame.of(position, Color.BLACK)
    stones = frame.stones.copy()
    reasons = np.zeros(board.size, np.int8)
    costs = np.zeros((board.size, word_count(board.size)), np.int64)
    kernel.fill_in(board.columns, stones, dead_rings(), reasons, costs)
    black, white = (_cells_with(stones, color, board.size) for color in (1, 2))
    return FillIn(
        Position(board, black, white, position.turn),
        _cells_with(reasons, kernel.DEAD, board.size),
        _cells_with(reasons, kernel.CAPTURED_BY_BLACK, board.size),
        _cells_with(reasons, kernel.CAPTURED_BY_WHITE, board.size),
        {cell: from_words(costs[cell], board.size) for cell in np.flatnonzero(reasons).tolist()},
    )


def _cells_with(
    values: np.ndarray[tuple[int, ...], np.dtype[np.int8]], value: int, size: int
) -> CellSet:
    return from_words(np.packbits(values == value, bitorder="little"), size)


# Moves that need not be tried, because another one does at least as well.


def vulnerable(position: Position) -> dict[Cell, Cell]:
    """Return the moves that one reply makes dead, each with that reply.

    Such a move wastes a stone: if it wins, another move wins too, and not all
    winning moves are vulnerable.
    """
    frame = Frame.of(position, Color.BLACK)
    killers = np.empty(position.board.size, np.int64)
    opponent = 1 + position.turn.opponent
    kernel.vulnerable(position.board.columns, frame.stones.copy(), dead_rings(), opponent, killers)
    return {cell: int(killers[cell]) for cell in np.flatnonzero(killers >= 0).tolist()}


def dominated(position: Position, apart: Container[Cell] = ()) -> dict[Cell, Cell]:
    """Return the dominated moves, each with a move that dominates it and is not dominated.

    A move dominates another if it leaves that cell dead or captured by the mover. Of
    moves that dominate each other the first one stays. Cells that are dead or captured
    already are not considered. The cells in `apart`, which are left out for another
    reason, dominate no move: else two moves could be left out because of each other.
    """
    dominators: dict[Cell, Cell] = {}
    empty = fill_in(position).position.empty
    for move in position.empty.search(1):
        if not empty[move] or move in dominators or move in apart:
            continue
        after = fill_in(position.play(move))
        gains = empty & (after.dead | after.captured(position.turn))
        for cell in gains.search(1):
            dominators.setdefault(cell, move)
        dominators = {cell: move if by in dominators else by for cell, by in dominators.items()}
    return dominators


def reversible(position: Position) -> dict[Cell, Cell]:
    """Return the moves that a reply and its fill-in make dead, each with that reply.

    That fill-in adds no stone of the mover, so the move gained nothing and lost a
    turn: if it wins, another move wins too, and not all winning moves are
    reversible. The vulnerable moves are among them.
    """
    board, mover = position.board, position.turn
    dead, killers = dead_rings(), vulnerable(position)
    for move in position.empty.search(1):
        if move in killers:
            continue
        after = position.play(move)
        for reply in _near(board, move):
            if not after.empty[reply]:
                continue
            end_position = fill_in(after.play(reply)).position
            if end_position.stones(mover) != after.stones(mover):
                continue
            stones = Frame.of(end_position, Color.BLACK).stones.copy()
            if dead[kernel.ring_of(board.columns, stones, move)]:
                killers[move] = reply
                break
    return killers


@dataclass(frozen=True)
class InferiorCells:
    """The inferior cells of a position, each of one kind: the first that it is, in this order.

    Each kind is computed when it is first used. The moves are those of the player to move.
    """

    position: Position

    @cached_property
    def filled(self) -> FillIn:
        """The dead and the captured cells, whoever is to move."""
        return fill_in(self.position)

    @cached_property
    def vulnerable(self) -> dict[Cell, Cell]:
        """The moves that a reply makes dead, each with that reply."""
        return vulnerable(self.filled.position)

    @cached_property
    def reversible(self) -> dict[Cell, Cell]:
        """The moves that a reply and its fill-in make dead, each with that reply."""
        moves = reversible(self.filled.position).items()
        return {cell: reply for cell, reply in moves if cell not in self.vulnerable}

    @cached_property
    def dominated(self) -> dict[Cell, Cell]:
        """The moves that another one dominates, each with that move."""
        apart = self.vulnerable | self.reversible
        moves = dominated(self.position, apart).items()
        return {cell: better for cell, better in moves if cell not in apart}


def _near(board: Board, cell: Cell) -> list[Cell]:
    """Return the cells one and two steps away, the nearest first."""
    steps: list[Cell] = [point for point in board.neighbors(cell) if not board.is_edge(point)]
    for near in tuple(steps):
        steps += [
            other
            for other in board.neighbors(near)
            if not board.is_edge(other) and other != cell and other not in steps
        ]
    return steps
