"""Cells that do not matter: dead rings, enclosed regions, fill-in, and moves not to be tried."""

from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hsearch.hex.board import Board, Cell, CellSet, Color, Point, cell_set, from_words
from hsearch.hex.frame import Frame
from hsearch.hex.position import Position, captains
from hsearch.kernels import inferior as kernel

EMPTY = "."
CODES = EMPTY + "BW"
FILE = Path(__file__).with_name("dead.txt")


def read(text: str) -> list[str]:
    """Return the rings of a table: one a line, with comments between."""
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def dead_rings() -> NDArray[np.bool_]:
    """Return for each ring, as a number to the base 3, whether its cell is dead.

    A ring is dead if it has the stones of one in the table, whatever else.
    """
    table = np.zeros(3**6, np.bool_)
    for ring in read(FILE.read_text(encoding="ascii")):
        choices = (CODES if stone == EMPTY else stone for stone in ring)
        for filled in product(*choices):
            table[ring_number("".join(filled))] = True
    return table


def ring_number(ring: str) -> int:
    """Return the number of a ring: a digit a neighbor, the first one the lowest."""
    return sum(CODES.index(stone) * 3**place for place, stone in enumerate(ring))


# Regions that groups enclose, in which the opponent gains nothing.
#
# Take groups of one player, edges among them, that a strategy keeps together
# whatever the opponent does, and a set of cells around them, the *region*::
#
#      . . W B B W      The two groups B are joined by a strategy inside the cells
#       W x x x x W     marked x. Whoever leaves the region meets an opponent's
#        W x x x B .    stone, one of the groups, or a cell that touches one.
#         . W B B W .
#
# A cell of the region has neighbors of four kinds: cells of the region, stones of
# the opponent, the groups, and cells outside that touch one of the groups. There
# is no other, and the player's remaining edges are not among them. Then the
# region may be filled with stones of the player, without a change of who wins:
#
# The player gains from stones, so what is lost with them is lost without. Let
# the filled position be won, whoever moves first. Without the stones the player
# plays outside the region as the win there tells, and inside it as the strategy
# tells that keeps the groups together; an answer that is missing is a move to
# spare, which never hurts. In the end a path of the player joins the edges in the
# filled position. Where it leaves the region it steps on one of the groups or on a
# cell that touches one, and where it enters likewise; the groups are joined, so
# it may go along them instead, and needs nothing of the region but what joins
# them. It does not matter who has the rest.
#
# One group alone encloses what both players can do without: such cells are dead.
# P. Henderson (Playing and solving the game of Hex, thesis, 2010) and Pawlewicz
# and Hayward (Scalable parallel DFPN search, 2013) fill the carrier between two
# groups that touch the same two of the opponent's; this is more general.


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


# Fill-in: stones on dead and captured cells, which never change who wins.


@dataclass(frozen=True, slots=True)
class FillIn:
    """A position with its dead and captured cells filled.

    position           the position after it, with the same player to move
    dead               cells whose color matters in no way of filling the board
    captured_by_black  cells that Black can answer for in pairs: what the opponent
    captured_by_white  puts there the answers make dead; likewise for White
    costs              what each filled stone takes: empty cells in which its owner
                       has to be free to answer, and stones that have to be theirs

    A proof for a player in the filled position is one in the original if each
    filled stone that it uses is replaced by what it costs. What is filled for
    the opponent costs the player nothing.
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
        """Return the empty cells among what a filled stone costs."""
        return self.costs[cell] & (self.dead | self.captured_by_black | self.captured_by_white)


def fill_in(position: Position) -> FillIn:
    """Fill dead cells and captured pairs until there are none, as the solver does.

    Captured sets of three and four cells were tried as well: one of 400 positions
    on the way through 6x6 had one, and of 2,549 positions they saved the solver one.
    """
    board = position.board
    frame = Frame.of(position, Color.BLACK)
    stones = frame.stones.copy()
    filled = np.zeros(board.size, np.int8)
    costs = np.zeros((board.size, (board.size + 63) // 64), np.int64)
    kernel.fill_in(board.columns, stones, dead_rings(), filled, costs)
    black, white = (_where(stones, color, board.size) for color in (1, 2))
    return FillIn(
        Position(board, black, white, position.turn),
        _where(filled, kernel.DEAD, board.size),
        _where(filled, kernel.CAPTURED_BY_BLACK, board.size),
        _where(filled, kernel.CAPTURED_BY_WHITE, board.size),
        {
            int(cell): from_words(costs[cell].view(np.uint64), board.size)
            for cell in np.flatnonzero(filled)
        },
    )


def _where(
    values: np.ndarray[tuple[int, ...], np.dtype[np.int8]], value: int, size: int
) -> CellSet:
    return cell_set(np.flatnonzero(values == value).tolist(), size)


# Moves that need not be tried, because another one does at least as well.


def vulnerable(position: Position) -> dict[Cell, Cell]:
    """Return the moves that one reply makes dead, each with that reply.

    Whoever moves there has given a stone for nothing: if they win, they win with
    another move too, and not all of those are vulnerable.
    """
    frame = Frame.of(position, Color.BLACK)
    killers = np.empty(position.board.size, np.int64)
    opponent = 1 + position.turn.opponent
    kernel.vulnerable(position.board.columns, frame.stones.copy(), dead_rings(), opponent, killers)
    return {cell: int(killers[cell]) for cell in np.flatnonzero(killers >= 0).tolist()}


def dominated(position: Position, apart: Container[Cell] = ()) -> dict[Cell, Cell]:
    """Return the moves that another one includes, each with one that is not dominated.

    A move includes another if it leaves that cell dead or captured by the
    mover. Of several that include each other the first one stays. Dead and
    captured cells of the position itself are not looked at. Neither are those set
    `apart`, which are left out for another reason: else one move could be left out for
    the other, and the other for the one.
    """
    dominators: dict[Cell, Cell] = {}
    filled = fill_in(position).position.empty
    for move in position.empty.search(1):
        if not filled[move] or move in dominators or move in apart:
            continue
        after = fill_in(position.play(move))
        gained = filled & (after.dead | after.captured(position.turn))
        for cell in gained.search(1):
            dominators.setdefault(cell, move)
        dominators = {cell: move if by in dominators else by for cell, by in dominators.items()}
    return dominators


def reversible(position: Position) -> dict[Cell, Cell]:
    """Return the moves that a reply and its fill-in make dead, each with that reply.

    All that is filled then is the opponent's, so that the move has gained
    nothing and lost a turn: if it wins, another one does too, and not all
    of those are reversible. The vulnerable moves are among them.
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
            filled = fill_in(after.play(reply)).position
            if filled.stones(mover) != after.stones(mover):
                continue
            stones = Frame.of(filled, Color.BLACK).stones.copy()
            if dead[kernel.ring_of(board.columns, stones, move)]:
                killers[move] = reply
                break
    return killers


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
