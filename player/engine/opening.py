"""The first move of a game, and the swap, by the maps of openings."""

from hsearch.board import Color
from hsearch.game import Special
from hsearch.position import Position
from player import openings
from player.engine.player import Choice, MoveRequest, Rationale


def opening(position: Position, terms: MoveRequest) -> Choice | None:
    """Return a first move, or a swap; None if it is time for neither, or not worth it.

    Without swap the first stone goes to the center.
    """
    board, stones = position.board, (position.black | position.white).count()
    swappable = terms.swap and board.columns == board.rows
    if stones == 0:
        cell, reason = openings.first_move(board, swap=swappable)
        # The maps are for Black; for White they hold on the mirror.
        if position.turn is Color.WHITE:
            cell = board.transposed.transpose(cell)
        return Choice(cell, Rationale(reason, line=(cell,)))
    own = position.stones(position.turn).count()
    if stones == 1 and own == 0 and swappable:
        is_wanted, reason = openings.wants_swap(position)
        if is_wanted:
            return Choice(Special.SWAP_PIECES, Rationale(reason))
    return None
