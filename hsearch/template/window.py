"""Windows to look for templates in: stones in a row, and the cells below and around them."""

from dataclasses import dataclass

from hsearch.board import Board, Cell, Color, Point
from hsearch.position import Position

MOST_ROW = 6
MOST_CELLS = 120
MOST_STONES = 4


@dataclass(frozen=True, slots=True)
class TemplateWindow:
    """A window to look for templates in.

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
        most = min(26, MOST_CELLS // self.row)
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
    def position(self) -> Position:
        """The position in which the stones lie there, and nothing else but White's row."""
        board = self.board
        stones = board.only(*self.line, *self.others)
        return Position(board, stones, board.only(*range(board.columns)), Color.WHITE)

    @property
    def ends(self) -> tuple[Cell, Point]:
        """The first stone, and the edge below."""
        return self.line[0], self.board.edges(Color.BLACK)[1]

    @property
    def name(self) -> str:
        """Name that its templates share: the row and the stones."""
        further = "".join(f"-{right}.{row}" for right, row in self.also)
        return f"row{self.row}-{self.stones}{further}".replace("--", "-m")
