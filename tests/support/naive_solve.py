"""A slow twin of the solver: find the winner by trying every move."""

from functools import cache, lru_cache

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner

MOST = 1 << 20  # positions remembered, some hundred bytes each


@cache
def wins_for_mover(position):
    """Return whether the player to move wins; he has lost if a chain is complete."""
    return winner(position) is None and any(
        not wins_for_mover(position.play(cell)) for cell in position.empty.search(1)
    )


def outcome(position: Position) -> Color:
    """Return the color that wins, or has won."""
    turn = position.turn
    mover = _player(position.board, turn)
    own, other = (_bits(position.stones(color)) for color in (turn, turn.opponent))
    if _joins(own, mover):
        return turn
    if _joins(other, mover ^ 1):
        return turn.opponent
    return turn if _wins(own, other, mover) else turn.opponent


def winning_moves(position: Position) -> list[int]:
    """Return the winning moves of the player to move."""
    return [c for c in position.empty.search(1) if outcome(position.play(c)) is position.turn]


def _bits(cells):
    return sum(1 << cell for cell in cells.search(1))


# A player is a number, even for Black, and stones are bits of an integer; both hash fast.
_moves: list[list[int]] = []
_neighbors: list[list[int]] = []
_edges: list[tuple[int, int]] = []


@cache
def _player(board: Board, color: Color) -> int:
    """Return the number of a player on a board, the index into the lists above."""
    if color is Color.WHITE:
        return _player(board, Color.BLACK) + 1
    # Try moves near the center first: they win most often.
    cells = sorted(board.cells, key=lambda cell: abs(2 * cell + 1 - board.size))
    near = [sum(1 << other for other in board.neighbors(point)) for point in range(board.size + 4)]
    _moves.extend([[1 << cell for cell in cells]] * 2)
    _neighbors.extend([near] * 2)
    _edges.extend(board.edges(each) for each in Color)
    return len(_moves) - 2


@lru_cache(MOST)
def _wins(own: int, other: int, mover: int) -> bool:
    """Return whether the player to move wins, if nobody has won yet."""
    taken, opponent = own | other, mover ^ 1
    for stone in _moves[mover]:
        if not taken & stone and (
            _joins(own | stone, mover) or not _wins(other, own | stone, opponent)
        ):
            return True
    return False


@lru_cache(MOST)
def _joins(stones: int, player: int) -> bool:
    """Return whether a player's stones connect that player's two edges."""
    neighbors, (start, goal) = _neighbors[player], _edges[player]
    reached, new = 0, neighbors[start] & stones
    while new:
        reached |= new
        touched = 0
        while new:
            touched |= neighbors[(new & -new).bit_length() - 1]
            new &= new - 1
        new = touched & stones & ~reached
    return bool(reached & neighbors[goal])
