"""A slow twin of the solver: who wins, by trying every move and knowing nothing else."""

from functools import cache, lru_cache

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner

MOST = 1 << 20  # positions remembered, of some hundred bytes each


@cache
def wins_for_mover(position):
    """Return whether the player to move wins; he has lost if somebody has won."""
    return winner(position) is None and any(
        not wins_for_mover(position.play(cell)) for cell in position.empty.search(1)
    )


def outcome(position: Position) -> Color:
    """Return who wins, or has won."""
    stones = [_bits(position.stones(color)) for color in Color]
    return _outcome(position.board, *stones, position.turn)


def winning_moves(position: Position) -> list[int]:
    """Return the moves after which the player to move wins."""
    return [c for c in position.empty.search(1) if outcome(position.play(c)) is position.turn]


def _bits(cells):
    return sum(1 << cell for cell in cells.search(1))


@lru_cache(MOST)
def _outcome(board: Board, black: int, white: int, turn: Color) -> Color:
    for color, stones in zip(Color, (black, white), strict=True):
        if _joins(board, stones, color):
            return color
    for cell in _center_first(board):
        if (black | white) >> cell & 1:
            continue
        stone = 1 << cell
        after = (black | stone, white) if turn is Color.BLACK else (black, white | stone)
        if _outcome(board, *after, turn.opponent) is turn:
            return turn
    return turn.opponent


@cache
def _center_first(board: Board) -> list[int]:
    """Return the cells in the order in which a move that wins is met soonest."""
    return sorted(board.cells, key=lambda cell: abs(2 * cell + 1 - board.size))


@lru_cache(MOST)
def _joins(board: Board, stones: int, color: Color) -> bool:
    neighbors, (start, goal) = _neighbors(board), board.edges(color)
    reached, new = 0, neighbors[start] & stones
    while new:
        reached |= new
        touched = 0
        while new:
            touched |= neighbors[(new & -new).bit_length() - 1]
            new &= new - 1
        new = touched & stones & ~reached
    return bool(reached & neighbors[goal])


@cache
def _neighbors(board: Board) -> list[int]:
    return [sum(1 << other for other in board.neighbors(point)) for point in range(board.size + 4)]
