"""Stones on a board, and what follows from them: groups, the winner, sub-games."""

from bisect import bisect
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from numbers import Integral

from bitarray.util import count_and

from hsearch.hex.board import (
    DIRECTIONS,
    Board,
    Cell,
    CellSet,
    Color,
    Point,
    cell_set,
    neighbors_of,
    single_cells,
)
from hsearch.hex.face import Pictured, guide

_BLACK, _WHITE = Color
MOST_REMOVALS = 1_000  # of stones; a win between later removals may be missed
NO_SWAP = "only the second move of the game can be a swap"


class IllegalMoveError(ValueError):
    """A move that the rules do not allow.

    >>> import hsearch
    >>> hsearch.Position.of(3, black="b2").play("b2")
    Traceback (most recent call last):
        ...
    hsearch.hex.position.IllegalMoveError: b2 is not empty
    """


@dataclass(frozen=True, slots=True)
class Position(Pictured):
    """A position: the stones of both players, and whose turn it is.

    Positions are immutable values and can be keys of a table; a move makes a new
    one. The numbers of stones may differ by any amount. `Position.of` takes names.
    Methods take a cell by number or by name, and raise ValueError for a name that
    is not a cell of the board.

    board  the board
    black  the cells of Black's stones
    white  the cells of White's stones
    turn   the player to move

    Raise ValueError if stones overlap, or do not fit the board.

    >>> import hsearch
    >>> hsearch.Position.of(3, black="b2", turn="white").play("a3")
    Position.of(Board(columns=3, rows=3), black="b2", white="a3", turn=Color.BLACK)
    """

    board: Board
    black: CellSet
    white: CellSet
    turn: Color = Color.BLACK

    def __post_init__(self) -> None:
        """Raise ValueError if stones overlap or do not fit the board, or `turn` is not a color."""
        if type(self.turn) is not Color:
            raise ValueError(f"the turn is not a player: {self.turn!r}")
        try:
            fits = len(self.black) == len(self.white) == self.board.size
        except (AttributeError, TypeError):
            raise TypeError(
                "a position is made as Position.of(11, black='a1 b2', white='c3'): "
                "Position takes a board and two sets of its cells"
            ) from None
        if not fits:
            raise ValueError(f"the stones are of another board than {self.board}")
        if count_and(self.black, self.white):
            names = self.board.text(self.black & self.white)
            raise ValueError(f"stones of both colors on {names!r}")

    @classmethod
    @guide
    def of(
        cls,
        board: Board | int,
        *,
        black: str | Iterable[str] = "",
        white: str | Iterable[str] = "",
        turn: Color | str = Color.BLACK,
    ) -> "Position":
        """Return the position with stones on the named cells, by default none.

        A number is the side of a square board. Raise ValueError if a name is not a cell of
        the board or is named for both colors, or if `turn` is not a color.
        """
        if not isinstance(board, Board):
            board = Board(board)
        return cls(board, board.named(black), board.named(white), Color.of(turn))

    def _display_module(self) -> str:
        return "hsearch.render.display"

    def __repr__(self) -> str:
        black, white = (
            f', {color}="{names}"' if (names := self.board.text(self.stones(color))) else ""
            for color in Color
        )
        return f"Position.of({self.board!r}{black}{white}, turn={self.turn!r})"

    @property
    def empty(self) -> CellSet:
        """The cells without a stone."""
        return ~(self.black | self.white)

    def stones(self, color: Color | str) -> CellSet:
        """Return the stones of a player. Raise ValueError for a word that is not a color."""
        if color is _BLACK:
            return self.black
        return self.white if color is _WHITE else self.stones(Color.of(color))

    def color_at(self, cell: Cell | str) -> Color | None:
        """Return the color of the stone on a cell; None if there is none."""
        cell = self.board.cell(cell)
        if self.black[cell]:
            return Color.BLACK
        return Color.WHITE if self.white[cell] else None

    def is_legal(self, cell: Cell | str) -> bool:
        """Return whether a stone may be placed on a cell: whether it is empty.

        Moves after a win are legal, as analysis and some protocols need.
        """
        if type(cell) is not int and (isinstance(cell, bool) or not isinstance(cell, Integral)):
            cell = self.board.cell(cell)
        return 0 <= cell < self.board.size and not (self.black[cell] or self.white[cell])

    @property
    def winner(self) -> Color | None:
        """The player whose stones join the player's edges; None if there is none yet."""
        return winner(self)

    def play(self, cell: Cell | str) -> "Position":
        """Return the position after the player to move plays `cell`.

        Raise IllegalMoveError when the cell is not empty.
        """
        return self._place(cell, self.turn, self.turn.opponent)

    def put(self, cell: Cell | str, color: Color | str) -> "Position":
        """Return the position with one more stone, the same player to move.

        Raise IllegalMoveError when the cell is not empty.
        """
        return self._place(cell, Color.of(color), self.turn)

    def _place(self, cell: Cell | str, color: Color, turn: Color) -> "Position":
        if type(cell) is not int and (isinstance(cell, bool) or not isinstance(cell, Integral)):
            cell = self.board.cell(cell)
        if not self.is_legal(cell):
            if not 0 <= cell < self.board.size:
                raise IllegalMoveError(f"not a cell of the {self.board} board: {cell!r}")
            raise IllegalMoveError(f"{self.board.name(cell)} is not empty")
        stone = single_cells(self.board)[cell]
        if color is _BLACK:
            return Position(self.board, self.black | stone, self.white, turn)
        return Position(self.board, self.black, self.white | stone, turn)

    def swap(self) -> "Position":
        """Return the position after the second player takes over the only stone.

        The stone is reflected and changes color (swap pieces), and the players keep
        their colors. Raise IllegalMoveError unless the board is square and has just
        one stone, of the player who is not to move.
        """
        if self.board.columns != self.board.rows:
            raise IllegalMoveError("swap needs a square board")
        if self.opening_stone is None:
            raise IllegalMoveError(NO_SWAP)
        return self.transposed()

    @property
    def opening_stone(self) -> Cell | None:
        """The cell of the only stone, if the player who is not to move has it; else None."""
        stones = self.stones(self.turn.opponent)
        if self.stones(self.turn).any() or stones.count() != 1:
            return None
        return next(stones.search(1))

    def transposed(self) -> "Position":
        """Return the mirror position, with the colors exchanged.

        It is for White what this one is for Black, and vice versa.
        """
        black, white = (
            cell_set(map(self.board.transpose, stones.search(1)), self.board.size)
            for stones in (self.white, self.black)
        )
        return Position(self.board.transposed, black, white, self.turn.opponent)

    def rotated(self) -> "Position":
        """Return the position after half a turn of the board: the same game."""
        black, white = (
            cell_set(map(self.board.rotate, stones.search(1)), self.board.size)
            for stones in (self.black, self.white)
        )
        return replace(self, black=black, white=white)


# Groups of stones, with the player's edges counted as stones.


@dataclass(frozen=True, slots=True)
class Group:
    """A maximal set of adjacent stones of one color, own edges included.

    captain  the point that names the group: an edge if it touches one (the
             first of the two if both), else its smallest cell
    stones   its cells; empty for an edge that no stone touches
    edges    the own edges it touches
    """

    captain: Point
    stones: CellSet
    edges: tuple[Point, ...]


def groups(position: Position, color: Color) -> list[Group]:
    """Return a player's groups: those with an edge first, then by captain."""
    board = position.board
    own = {*board.edges(color), *position.stones(color).search(1)}
    every = []
    while own:
        members = _reach(position, max(own), own)
        own -= members
        edges = tuple(sorted(point for point in members if board.is_edge(point)))
        stones = cell_set(members.difference(edges), board.size)
        every.append(Group(min(edges or members), stones, edges))
    return sorted(every, key=lambda group: (not group.edges, group.captain))


def captains(position: Position, color: Color) -> dict[Point, Point]:
    """Return the captain of each point of a player: own stones and edges, and empty cells.

    An empty cell is its own captain. The opponent's stones are left out.
    """
    captain_of = {cell: cell for cell in position.empty.search(1)}
    for group in groups(position, color):
        captain_of |= dict.fromkeys((*group.stones.search(1), *group.edges), group.captain)
    return captain_of


def _reach(position: Position, start: Point, own: set[Point]) -> set[Point]:
    members, waiting = {start}, [start]
    while waiting:
        new = own.intersection(position.board.neighbors(waiting.pop())) - members
        members |= new
        waiting.extend(new)
    return members


# Winner of a position: by joining stones, and by a walk along the boundary.
#
# The two methods share no code, so that each can check the other.


def winner(position: Position) -> Color | None:
    """Return the player whose stones join the player's edges; None if there is none.

    The method is union-find over adjacent stones of one color.
    """
    board = position.board
    neighbors = neighbors_of(board)
    parent = list(range(len(neighbors)))

    def root(point: int) -> int:
        while parent[point] != point:
            parent[point] = point = parent[parent[point]]
        return point

    for color in Color:
        edges = board.edges(color)
        stones = position.stones(color)
        if stones.count() < (board.rows, board.columns)[color]:
            continue  # a winning chain has a stone in each row, or in each column
        points = set(edges)
        for cell in stones.search(1):
            for point in points.intersection(neighbors[cell]):
                parent[root(point)] = root(cell)
            points.add(cell)
        if root(edges[0]) == root(edges[1]):
            return color
    return None


def winning_chain(position: Position) -> tuple[Cell, ...]:
    """Return the shortest chain of stones that joins its player's edges; empty if there is none."""
    color = winner(position)
    if color is None:
        return ()
    board, stones = position.board, position.stones(color)
    start, goal = board.edges(color)
    before = {cell: start for cell in stones.search(1) if start in board.neighbors(cell)}
    queue = deque(before)
    while queue:
        cell = queue.popleft()
        for point in board.neighbors(cell):
            if point == goal:
                return tuple(_way(before, cell, start))
            if not board.is_edge(point) and stones[point] and point not in before:
                before[point] = cell
                queue.append(point)
    return ()


def _way(before: dict[Cell, Point], cell: Cell, start: Point) -> Iterator[Cell]:
    """Yield the cells of the path from a cell back to an edge."""
    point: Point = cell
    while point != start:
        yield point
        point = before[point]


def refuse_won(position: Position) -> None:
    """Raise ValueError if a player has won a position."""
    if (won_by := winner(position)) is not None:
        raise ValueError(f"the game is over: {won_by.word} has won")


def winner_by_boundary(position: Position) -> Color | None:
    """Return what `winner` returns, by the method of Payne and Robeva (2008) and Gale (1979).

    On a full board, the boundary between the colors that starts in the west
    corner ends in a corner that depends on the winner. A player has won a
    position who still wins if all empty cells are given to the opponent.
    """
    if _ends_won_by_black(position, owner=Color.WHITE):
        return Color.BLACK
    return None if _ends_won_by_black(position, owner=Color.BLACK) else Color.WHITE


def _ends_won_by_black(position: Position, *, owner: Color) -> bool:
    """Return whether Black wins if all empty cells are given to `owner`.

    The walk along the boundary keeps a black point and a white point that touch.
    Of the two points that touch both, one lies ahead; it replaces the one of its
    own color. Around the board lies a ring of edge stones::

           - N N N ?     the west corner, where the walk starts, is between
          W . . . E      the first N and the first W; if it ends at the
         W . . . E       upper `?`, White has cut Black off, and if at the
        ? S S S -        lower `?`, Black has cut White off
    """
    board = position.board
    black, white = (0, -1), (-1, 0)
    while True:
        step = DIRECTIONS.index((white[0] - black[0], white[1] - black[1]))
        right, down = DIRECTIONS[(step + 1) % 6]
        column, row = ahead = black[0] + right, black[1] + down
        if ahead == (board.columns, -1):
            return False
        if ahead == (-1, board.rows):
            return True
        if 0 <= column < board.columns and 0 <= row < board.rows:
            color = position.color_at(board.at(column, row))
            is_black = (owner if color is None else color) is Color.BLACK
        else:
            is_black = not 0 <= row < board.rows
        if is_black:
            black = ahead
        else:
            white = ahead


# Sub-games, after Anshelevich (2000): two ends, and the only cells where both may play.


def subgame(position: Position, color: Color, cells: CellSet, *ends: Point) -> Position:
    """Return the position in which only `cells` and the ends stay empty.

    All other empty cells become stones of the opponent of `color`, the owner of the
    sub-game. A connection that `color` has there also holds in `position`, and needs
    no other cells.
    """
    board = position.board
    stones = board.only(*(end for end in ends if not board.is_edge(end)))
    shut = position.empty & ~(cells | stones)
    if color is Color.BLACK:
        return replace(position, white=position.white | shut)
    return replace(position, black=position.black | shut)


def first_win(positions: Sequence[Position]) -> int:
    """Return the index of the first position that is won; the number of positions if none is.

    A win lasts until stones are taken off, so it is found by bisection between removals. Only
    the first `MOST_REMOVALS` removals are considered.
    """
    removals = (at for at, pair in enumerate(pairwise(positions)) if _takes_off(*pair))
    start = 0
    for last in (*islice(removals, MOST_REMOVALS), len(positions) - 1):
        if winner(positions[last]) is not None:
            stay = range(start, last)
            return start + bisect(stay, False, key=lambda at: winner(positions[at]) is not None)  # noqa: FBT003
        start = last + 1
    return len(positions)


def _takes_off(before: Position, after: Position) -> bool:
    return bool((before.black & ~after.black).any() or (before.white & ~after.white).any())
