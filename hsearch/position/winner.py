"""Winner of a position: by joining stones, and by a walk along the boundary.

The two methods share nothing, so that each can check the other.
"""

from collections import deque
from collections.abc import Iterator

from hsearch.board import DIRECTIONS, Cell, Color, Point
from hsearch.position.stones import Position


def winner(position: Position) -> Color | None:
    """Return the player whose stones join the player's edges; None if there is none.

    Joins touching stones of one color with union-find.
    """
    board, cells = position.board, position.board.size
    parent = list(range(cells + 4))

    def root(point: int) -> int:
        while parent[point] != point:
            parent[point] = point = parent[parent[point]]
        return point

    for color in Color:
        edges = board.edges(color)
        stones = position.stones(color)
        if stones.count() < (board.rows, board.columns)[color]:
            continue  # a chain has a stone in each of these
        for cell in stones.search(1):
            for point in board.neighbors(cell):
                if point in edges or (point < cells and stones[point]):
                    parent[root(point)] = root(cell)
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
    """Yield the cells from one back to an edge."""
    point: Point = cell
    while point != start:
        yield point
        point = before[point]


def winner_by_boundary(position: Position) -> Color | None:
    """Return the same as `winner`, after Payne and Robeva (2008) and Gale (1979).

    On a full board the boundary between the colors that starts in the west
    corner ends in the corner that tells the winner. A position is won by the
    player who still wins when the opponent gets all the empty cells.
    """
    if _ends_won_by_black(position, filled=Color.WHITE):
        return Color.BLACK
    return None if _ends_won_by_black(position, filled=Color.BLACK) else Color.WHITE


def _ends_won_by_black(position: Position, *, filled: Color) -> bool:
    """Walk along the boundary on the board with all empty cells given to `filled`.

    The walk keeps a black point and a white point that touch. Of the two
    points that touch both, one lies ahead; it takes the place of the one whose
    color it has. Around the board lies a ring of edge stones::

           - N N N ?     the west corner, where the walk starts, is between
          W . . . E      the first N and the first W; at `?` Black has been
         W . . . E       cut off, and at the corner across Black has cut
        ? S S S -        White off
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
            is_black = (filled if color is None else color) is Color.BLACK
        else:
            is_black = not 0 <= row < board.rows
        if is_black:
            black = ahead
        else:
            white = ahead
