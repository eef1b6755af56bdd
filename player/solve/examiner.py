"""Examine one position for the solver: fill-in, joined edges, moves to try.

This is the Python side of the solver's kernels. Sets of cells are integers here, one bit
a cell.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hsearch.analysis.circuit import WIRINGS
from hsearch.connect import Limits, closure, inferior, library, store
from hsearch.hex import Board, Cell
from hsearch.kernels import stop
from player.kernels import solving
from player.solve.budget import Techniques

OPEN, WON, LOST = solving.OPEN, solving.WON, solving.LOST
_TURNS = (b"\0", b"\1")  # the last byte of a key
TRIES_A_CELL = 150  # tries of the rules that take as long as fill-in and circuits


class SolverNode(NamedTuple):
    """A position after fill-in, or its half turn: the one with the smaller key.

    key       identifies the position or its half turn, and the player to move
    black     Black's stones
    white     White's stones
    turn      the player to move
    turned    whether these are the stones after half a turn
    captured  the cells that Black and White have captured, before the half turn
    """

    key: bytes
    black: int
    white: int
    turn: int
    turned: bool
    captured: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """What connections prove of a position, from the view of the player to move.

    status  OPEN, WON or LOST
    stones  Black's and White's stones after enclosed regions are filled
    needs   the cells that a proof for Black and for White needs for these fills
    proof   the carrier of the proof, unless open
    first   the first move of a win; None if it needs none
    common  if open: the cells in all threats of the opponent
    union   the union of the threats that reduced `common`
    moves   the cells of `common` worth trying, best first
    """

    status: int
    stones: tuple[int, int]
    needs: tuple[int, int]
    proof: int = 0
    first: Cell | None = None
    common: int = 0
    union: int = 0
    moves: tuple[Cell, ...] = ()


class Examiner:
    """The kernels and their work arrays, for one size of board. Holds state.

    tries  tries of AND and OR in the last examination, and `TRIES_A_CELL` for the rest: a measure
           of time, the same on all machines. One position may take 100 times as long as another
    """

    def __init__(self, board: Board, limits: Limits, techniques: Techniques) -> None:
        """Allocate the arrays."""
        self.tries = 0
        self._board = board
        self._techniques = techniques
        self._dead = (
            inferior.dead_rings() if techniques.fill_in else np.zeros_like(inferior.dead_rings())
        )
        width = len(store.layout(board.size).words)
        none = np.zeros((0, 2 + 2 * width), np.int64)
        templates = (
            (
                library.placements(board.columns, board.rows),
                library.placements(board.rows, board.columns),
            )
            if limits.templates
            else (none, none)
        )
        self._tables = templates, WIRINGS["benzene"], inferior.dead_rings()
        # Start at the size to which this thread's closures have grown.
        self._space = store.Workspace(board.size, store.workspace(board.size).doublings)
        self._layout = closure.with_limits(limits, self._space.layout)
        self._width = len(self._space.layout.words)
        self._sets = np.zeros((solving.ROWS, self._width), np.int64)
        self._bytes = self._sets.data.cast("B")  # the same, faster to read and write
        self._stones = np.zeros(board.size, np.int8)
        self._fills = np.zeros(board.size, np.int8)
        self._costs = np.zeros((board.size, self._width), np.int64)
        self._order = np.zeros(board.size, np.int64)

    def prepare(self) -> None:
        """Compile the kernels by examining a board with one open column."""
        board = self._board
        column = sum(1 << board.at(0, row) for row in range(board.rows))
        place = self.place(0, (1 << board.size) - 1 & ~column, 0)
        self.examine(place, own=True)
        self.killers((0, 0), 0, 0)

    def place(self, black: int, white: int, turn: int, stone: Cell = -1) -> SolverNode:
        """Fill dead and captured cells, and turn the board if that makes a smaller key.

        `stone`, the only stone played since the last fill-in, makes this faster.
        """
        sets = self._set(black, white)
        columns, fills, costs = self._board.columns, self._fills, self._costs
        solving.fill(columns, self._dead, sets, self._stones, fills, costs, stone)
        double = 16 * self._width
        key, turned_key = bytes(self._bytes[:double]), bytes(self._bytes[double : 2 * double])
        is_turned = self._techniques.half_turn and turned_key < key
        first = solving.TURNED_BLACK if is_turned else solving.BLACK
        return SolverNode(
            (turned_key if is_turned else key) + _TURNS[turn],
            self._get(first),
            self._get(first + 1),
            turn,
            is_turned,
            (self._get(solving.CAPTURED), self._get(solving.CAPTURED + 1)),
        )

    def examine(self, place: SolverNode, *, own: bool) -> Finding:
        """Decide a position by connections, or else find the moves to try.

        The opponent's connections are computed, and with `own` also those of the player
        to move. Raise Stopped when `hsearch.kernels.stop` ends it early.
        """
        self._layout = closure.heeding(self._layout)
        space, techniques = self._space, self._techniques
        sets = self._set(place.black, place.white)
        ask = solving.Ask(
            int(own),
            int(techniques.regions),
            int(techniques.vulnerable),
            int(techniques.weak_links),
            *self._tables,
        )
        work = solving.WorkArrays(sets, self._stones, self._order)
        while True:
            status, number, tries = solving.examine(
                space.memory,
                space.log,
                self._layout,
                space.rows,
                self._board.columns,
                place.turn,
                ask,
                work,
            )
            stop.check(late=True)
            if status != solving.NO_ROOM:
                break
            space.grow()
        self.tries = int(tries) + TRIES_A_CELL * self._board.size
        stones = self._get(solving.BLACK), self._get(solving.WHITE)
        needs = self._get(solving.NEEDS), self._get(solving.NEEDS + 1)
        if status != OPEN:
            first = None if number < 0 else int(number)
            return Finding(status, stones, needs, self._get(solving.PROOF), first)
        moves = tuple(self._order[:number].tolist())
        common, union = self._get(solving.COMMON), self._get(solving.UNION)
        return Finding(OPEN, stones, needs, 0, None, common, union, moves)

    def killers(self, stones: tuple[int, int], turn: int, cells: int) -> int:
        """Return the opponent's replies that make these vulnerable moves dead."""
        sets = self._set(*stones)
        self._put(solving.COMMON, cells)
        killers = np.empty(self._board.size, np.int64)
        solving.killers_of(
            self._board.columns, turn, inferior.dead_rings(), sets, self._stones, killers
        )
        return self._get(solving.KILLERS)

    def _set(self, black: int, white: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        self._put(solving.BLACK, black)
        self._put(solving.WHITE, white)
        return self._sets

    def _put(self, row: int, cells: int) -> None:
        width = 8 * self._width
        self._bytes[row * width : (row + 1) * width] = cells.to_bytes(width, "little")

    def _get(self, row: int) -> int:
        width = 8 * self._width
        return int.from_bytes(self._bytes[row * width : (row + 1) * width], "little")
