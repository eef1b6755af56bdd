"""Openings: which first move is fair, and when to swap.

Maps for 2x2 to 14x14 are shipped in `positions/openings`; `hsearch openings`
makes them. Larger boards go by the largest map, or by an estimate of the one
stone.
"""

from functools import cache

from hsearch.board import Board, Cell, Color
from hsearch.formats.shipped import shipped
from hsearch.position import Position
from player.chance import per_cent
from player.openings.balanced import balanced, find_balanced, read_balanced, write_balanced
from player.openings.chart import Chart, chart, read, seen_by_black, settled, write
from player.openings.estimate import LOOK, MapEffort, black_chance, estimate

__all__ = [
    "LARGEST",
    "LOOK",
    "Chart",
    "MapEffort",
    "balanced",
    "black_chance",
    "chart",
    "find_balanced",
    "first_move",
    "known_winner",
    "read",
    "read_balanced",
    "settled",
    "shipped_chart",
    "wants_swap",
    "winning_opening",
    "write",
    "write_balanced",
]

LARGEST = 14


@cache
def shipped_chart(side: int) -> Chart | None:
    """Return the shipped map of a square board; None if there is none."""
    path = shipped(f"openings/{side}x{side}.map")
    return None if path is None else read(path.read_text(encoding="ascii"))


def known_winner(position: Position) -> Color | None:
    """Return who wins before or after the first move, where the shipped map has it proved."""
    board, stones = position.board, position.black | position.white
    known = shipped_chart(board.columns) if board.columns == board.rows else None
    if not stones.any():
        return None if winning_opening(position) is None else position.turn
    if known is None or stones.count() > 1 or position.stones(position.turn).any():
        return None
    cell = next(iter(seen_by_black(position).black.search(1)))
    if not known.is_proved(cell):
        return None
    return position.turn.opponent if known.wins(cell) else position.turn


def winning_opening(position: Position) -> Cell | None:
    """Return a first move that the shipped map has proved to win, the best by its estimates.

    None if there is none, or the board is not empty.
    """
    board = position.board
    known = shipped_chart(board.columns) if board.columns == board.rows else None
    if known is None or (position.black | position.white).any():
        return None
    wins = [cell for cell in board.cells if known.is_proved(cell) and known.wins(cell)]
    if not wins:
        return None
    best = min(wins, key=lambda cell: known.estimates[cell])
    return best if position.turn is Color.BLACK else board.transpose(best)


def first_move(board: Board, *, swap: bool) -> tuple[Cell, str]:
    """Return the first move of a game, and why.

    Without swap that is the center. With swap it is the most even opening.
    """
    known = shipped_chart(min(board.columns, LARGEST)) if board.columns == board.rows else None
    if not swap or known is None:
        cell = board.at((board.columns - 1) // 2, (board.rows - 1) // 2)
        return cell, f"Opens in the center, {board.name(cell)}."
    column, row = known.board.column_and_row(known.most_even)
    wide = board.columns - known.board.columns
    # On a larger board the corner counts, not the middle.
    column += wide if 2 * column >= known.board.columns else 0
    row += wide if 2 * row >= known.board.rows else 0
    cell = board.at(column, row)
    reason = f"Opens with {board.name(cell)}, which by the estimates of the swap map is most even"
    if wide == 0 and known.is_proved(cell):
        outcome = "win" if known.wins(cell) else "lose"
        reason += f", though it is proved to {outcome} for the player who opens"
    return cell, f"{reason}."


def wants_swap(position: Position) -> tuple[bool, str]:
    """Return whether to swap, the opponent having placed the only stone, and why."""
    seen = seen_by_black(position)
    cell = next(iter(seen.black.search(1)))
    name = position.board.name(next(iter((position.black | position.white).search(1))))
    known = shipped_chart(seen.board.columns)
    if known is None:
        largest = shipped_chart(LARGEST)
        value, even = estimate(seen), 0.0 if largest is None else largest.even
        better = "the player who opened" if value < even else "who did not"
        share = per_cent(max(c := black_chance(value, even), 1 - c))
        return (
            value < even,
            f"{name} is thought good for {better}: an estimated chance of {share} %.",
        )
    wins = known.wins(cell)
    how = "is proved" if known.is_proved(cell) else "is estimated"
    return wins, f"{name} {how} to {'win' if wins else 'lose'} for the player who opened."
