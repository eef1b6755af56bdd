"""The kernels of the solver behind a face of integers, one bit a cell."""

from dataclasses import dataclass

import numpy as np

from hsearch.board import Board, Cell
from hsearch.circuit import WIRINGS
from hsearch.closure import Limits
from hsearch.closure.search import limited_by
from hsearch.inferior.patterns import dead_rings
from hsearch.library.placements import placements
from hsearch.store import Workspace, layout
from player.kernels import solving
from player.solve.techniques import Techniques

OPEN, WON, LOST = solving.OPEN, solving.WON, solving.LOST


@dataclass(frozen=True, slots=True)
class SolverNode:
    """A position after fill-in, as one of the two that half a turn makes of each other.

    key       names the position and its turned twin, and the player to move
    black     the stones
    white
    turn      the player to move
    turned    whether these are the stones after half a turn
    captured  the cells that Black and White have captured, as the board was
    """

    key: bytes
    black: int
    white: int
    turn: int
    turned: bool
    captured: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """Facts that connections tell of a position, seen by the player to move.

    status  OPEN, WON or LOST
    stones  Black's and White's, after regions that one of them encloses are filled
    needs   what a proof of Black and of White needs for these fillings
    proof   the carrier of the proof, unless open
    first   the first move of a win; None if it needs none
    common  if open: the cells that are in all threats of the opponent
    union   a few threats that have no more in common
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
    """Room for the kernels to work in, for one size of board. Holds state."""

    def __init__(self, board: Board, limits: Limits, techniques: Techniques) -> None:
        """Make room."""
        self._board = board
        self._techniques = techniques
        self._dead = dead_rings() if techniques.fill_in else np.zeros_like(dead_rings())
        width = len(layout(board.size).words)
        none = np.zeros((0, 2 + 2 * width), np.int64)
        self._placements = (
            (placements(board.columns, board.rows), placements(board.rows, board.columns))
            if limits.templates
            else (none, none)
        )
        self._wiring = WIRINGS["benzene"]
        self._space = Workspace(board.size)
        self._layout = limited_by(limits, self._space.layout)
        self._width = len(self._space.layout.words)
        self._sets = np.zeros((solving.ROWS, self._width), np.int64)
        self._stones = np.zeros(board.size, np.int8)
        self._filled = np.zeros(board.size, np.int8)
        self._costs = np.zeros((board.size, self._width), np.int64)
        self._order = np.zeros(board.size, np.int64)

    def prepare(self) -> None:
        """Compile the kernels, by a look at a board with a column to play in."""
        board = self._board
        column = sum(1 << board.at(0, row) for row in range(board.rows))
        place = self.place(0, (1 << board.size) - 1 & ~column, 0)
        self.examine(place, own=True)
        self.killers((0, 0), 0, 0)

    def place(self, black: int, white: int, turn: int) -> SolverNode:
        """Fill dead and captured cells, and turn the board if that makes a smaller key."""
        sets = self._set(black, white)
        columns, filled, costs = self._board.columns, self._filled, self._costs
        solving.fill(columns, self._dead, sets, self._stones, filled, costs)
        key, turned_key = sets[:2].tobytes(), sets[2:4].tobytes()
        captured = self._get(solving.CAPTURED), self._get(solving.CAPTURED + 1)
        is_turned = self._techniques.half_turn and turned_key < key
        first = solving.TURNED_BLACK if is_turned else solving.BLACK
        stones = self._get(first), self._get(first + 1)
        name = (turned_key if is_turned else key) + bytes([turn])
        return SolverNode(name, *stones, turn, is_turned, captured)

    def examine(self, place: SolverNode, *, own: bool) -> Finding:
        """Decide a position if connections do, else say which moves to try.

        Those of the opponent are found, and if asked for those of the player to
        move, their own.
        """
        sets, space, techniques = self._set(place.black, place.white), self._space, self._techniques
        ask = solving.Ask(
            int(own),
            int(techniques.regions),
            int(techniques.vulnerable),
            int(techniques.weak_links),
        )
        while True:
            status, number = solving.examine(
                space.memory,
                space.log,
                self._layout,
                space.rows,
                self._board.columns,
                place.turn,
                ask,
                self._placements,
                self._wiring,
                dead_rings(),
                sets,
                self._stones,
                self._order,
            )
            if status != solving.NO_ROOM:
                break
            space.grow()
        stones = self._get(solving.BLACK), self._get(solving.WHITE)
        needs = self._get(solving.NEEDS), self._get(solving.NEEDS + 1)
        if status != OPEN:
            first = None if number < 0 else int(number)
            return Finding(status, stones, needs, self._get(solving.PROOF), first)
        moves = tuple(self._order[:number].tolist())
        common, union = self._get(solving.COMMON), self._get(solving.UNION)
        return Finding(OPEN, stones, needs, 0, None, common, union, moves)

    def killers(self, stones: tuple[int, int], turn: int, cells: int) -> int:
        """Return the replies that make these vulnerable cells of the player to move dead."""
        sets = self._set(*stones)
        sets[solving.COMMON] = self._row(cells)
        killers = np.empty(self._board.size, np.int64)
        solving.killers_of(self._board.columns, turn, dead_rings(), sets, self._stones, killers)
        return self._get(solving.KILLERS)

    def turned(self, cells: int) -> int:
        """Return where cells lie after half a turn of the board."""
        return int(format(cells, f"0{self._board.size}b")[::-1], 2)

    def _set(self, black: int, white: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        self._sets[solving.BLACK] = self._row(black)
        self._sets[solving.WHITE] = self._row(white)
        return self._sets

    def _row(self, cells: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.frombuffer(cells.to_bytes(8 * self._width, "little"), np.int64)

    def _get(self, row: int) -> int:
        return int.from_bytes(self._sets[row].tobytes(), "little")
