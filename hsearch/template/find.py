"""Find the minimal edge templates of some stones in a row, in a window of the board.

A carrier that holds a template is valid, so the minimal valid carriers are
looked for as in the enumeration of minimal hitting sets: what a new template
looks like, it must lack a cell of each template known so far. All ways to lack
such cells are gone through; if what is left of the window is still valid, it
is shrunk to a new template, else that way is closed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bitarray.util import count_and, subset

from hsearch.board import Board, Cell, Color
from hsearch.cells import CellSet
from hsearch.deduction import Game
from hsearch.library import Template
from hsearch.position import Position

MOST_ROW = 5
MOST_STONES = 4


@dataclass(frozen=True, slots=True)
class Window:
    """Where to look for templates.

    row      how many rows above the edge the stones lie, the row at the edge being 1
    stones   how many stones lie there side by side
    columns  how wide the window is
    also     further stones: how many columns right of the first one, and their row

    Raise ValueError when a number is out of range.
    """

    row: int
    stones: int
    columns: int
    also: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        if not 2 <= self.row <= MOST_ROW:
            raise ValueError(f"row out of range: {self.row} (2 to {MOST_ROW})")
        if not 1 <= self.stones <= MOST_STONES:
            raise ValueError(f"stones out of range: {self.stones} (1 to {MOST_STONES})")
        most = min(26, (60 + self.stones) // self.row)
        if not self.stones <= self.columns <= most:
            raise ValueError(
                f"columns out of range: {self.columns} ({self.stones} to {most} for this row)"
            )
        first, _ = self.board.column_and_row(self.line[0])
        for right, row in self.also:
            is_inside = 1 <= row <= self.row and 0 <= first + right < self.columns
            if not is_inside or (row == self.row and 0 <= right < self.stones):
                raise ValueError(f"no place for a further stone: {right},{row}")

    @property
    def board(self) -> Board:
        """The window as a board, with a row of White's above."""
        return Board(self.columns, self.row + 1)

    @property
    def line(self) -> list[Cell]:
        """The cells of the stones, in the middle above the window's lowest row."""
        middle = (self.columns - self.stones + self.row) // 2
        first = min(middle, self.columns - self.stones)
        return [self.board.at(first + i, 1) for i in range(self.stones)]

    @property
    def others(self) -> list[Cell]:
        """The cells of the further stones."""
        board = self.board
        first, _ = board.column_and_row(self.line[0])
        return [board.at(first + right, self.row + 1 - row) for right, row in self.also]

    @property
    def name(self) -> str:
        """What its templates are called: the row and the stones."""
        further = "".join(f"-{right}.{row}" for right, row in self.also)
        return f"row{self.row}-{self.stones}{further}".replace("--", "-m")


class Search:
    """The search for all minimal templates of a window.

    Holds state: the templates found so far, and whether they are all.
    """

    def __init__(self, window: Window, *, budget: int | None = None) -> None:
        """Prepare. The `budget` bounds how many positions complete play may visit."""
        board = window.board
        self.window = window
        self.budget = budget
        self.is_complete = False
        self._black = board.only(*window.line, *window.others)
        self._white = board.only(*range(board.columns))
        self._cells = ~(self._black | self._white)
        position = Position(board, self._black, self._white, Color.WHITE)
        ends = window.line[0], board.edges(Color.BLACK)[1]
        self._game = Game(position, Color.BLACK, ends, self._cells)
        self._found: list[CellSet] = []
        self._closed: list[CellSet] = []

    @property
    def positions(self) -> int:
        """How many positions were visited."""
        return self._game.nodes

    def run(self) -> Iterator[Template]:
        """Yield the templates, one of each pair of mirror images; set `is_complete` in the end.

        Left out are those that would hold with a stone less, its cell empty.
        """
        board = self.window.board
        waiting = [(board.only(), board.only())]
        while waiting:
            lacking, kept = waiting.pop()
            known = next((t for t in self._found if not count_and(t, lacking)), None)
            if known is None:
                known = self._new(self._cells & ~lacking)
                if known is None:
                    if self._is_spent:
                        return
                    continue
                is_mirror = self._mirror(known) in self._found
                self._found.append(known)
                if not is_mirror and self._needs_all_stones(known):
                    yield self._template(known)
            for cell in known.search(1):
                if not kept[cell]:
                    waiting.append((lacking | board.only(cell), kept))
                    kept = kept | board.only(cell)
        self.is_complete = True

    @property
    def carriers(self) -> tuple[CellSet, ...]:
        """All minimal carriers found so far, mirror images among them."""
        return tuple(self._found)

    @property
    def _is_spent(self) -> bool:
        return self.budget is not None and self._game.nodes >= self.budget

    def _new(self, cells: CellSet) -> CellSet | None:
        """Return a minimal valid carrier inside some cells; None if they are not valid."""
        if any(subset(cells, closed) for closed in self._closed):
            return None
        used = self._valid(cells)
        if used is None:
            if not self._is_spent:
                self._closed.append(cells)
            return None
        for cell in used.search(1):
            if used[cell]:
                used = self._valid(used & ~self.window.board.only(cell)) or used
        return None if self._is_spent else used

    def _valid(self, cells: CellSet) -> CellSet | None:
        """Return the cells that suffice among some; None if they do not, or the budget does not."""
        left = None if self.budget is None else max(0, self.budget - self._game.nodes)
        outcome = self._game.play(cells, budget=left)
        return outcome.cells if outcome.joined else None

    def _needs_all_stones(self, carrier: CellSet) -> bool:
        """Return whether each stone is needed, other than as an empty cell of the carrier."""
        board, line, others = self.window.board, self.window.line, self.window.others
        for stone in (*line, *others):
            end = next((cell for cell in line if cell != stone), None)
            if end is None:
                continue
            rest = self._black & ~board.only(stone)
            position = Position(board, rest, self._white, Color.WHITE)
            ends, cells = (end, board.edges(Color.BLACK)[1]), carrier | board.only(stone)
            if Game(position, Color.BLACK, ends, cells).play().joined:
                return False
        return True

    def _mirror(self, carrier: CellSet) -> CellSet | None:
        """Return a carrier reversed along the edge.

        None if that leaves the window, or the stones are not their own mirror image.
        """
        board, others = self.window.board, self.window.others
        cells = [self._turned(cell) for cell in carrier.search(1)]
        if None in cells or {self._turned(stone) for stone in others} != set(others):
            return None
        return board.only(*(cell for cell in cells if cell is not None))

    def _turned(self, cell: Cell) -> Cell | None:
        """Return where a cell lies when the stones in line are reversed along the edge."""
        board, line = self.window.board, self.window.line
        (first, row), (last, _) = board.column_and_row(line[0]), board.column_and_row(line[-1])
        column, height = board.column_and_row(cell)
        turned = first + last + row - column - height
        return board.at(turned, height) if 0 <= turned < board.columns else None

    def _template(self, carrier: CellSet) -> Template:
        """Return the template of a carrier, on a board no wider than needed."""
        board = self.window.board
        cells = [board.column_and_row(cell) for cell in carrier.search(1)]
        stones = [board.column_and_row(stone) for stone in self._black.search(1)]
        columns = [column for column, _ in (*cells, *stones)]
        small = Board(max(columns) - min(columns) + 1, board.rows)
        left = min(columns)
        own = small.only(*(small.at(column - left, row) for column, row in stones))
        needed = small.only(*(small.at(column - left, row) for column, row in cells))
        position = Position(small, own, ~(own | needed), Color.WHITE)
        end, row = board.column_and_row(self.window.line[0])
        ends = small.at(end - left, row), small.edges(Color.BLACK)[1]
        return Template(self.window.name, position, *ends, needed)
