"""Commands about the chance to win at random turns, and what a move is worth in chips.

All fillings are counted; on large boards as many are drawn as take a second.
"""

from typing import TYPE_CHECKING

from player.protocol.arguments import Arguments
from player.protocol.replies import pairs, percent
from player.protocol.session import Session

if TYPE_CHECKING:
    from player.fillings import Odds

CHIPS = 200  # of both players together


def random_turn(session: Session, arguments: Arguments) -> str:
    """Return a player's chance to win after each move; nothing if the game is over."""
    color = arguments.color(0)
    if session.winner is not None:
        return ""
    odds = _odds(session)
    chances = ((cell, odds.chance(color) + odds.critical[cell] / 2) for cell in odds.ranked())
    return pairs(session.board, ((cell, percent(chance)) for cell, chance in chances))


def bids(session: Session, arguments: Arguments) -> str:
    """Return what each move is worth to either player, where each has half the chips."""
    from player.bidding import fair_bid  # noqa: PLC0415 - it loads numba

    arguments.color(0)
    if session.winner is not None:
        return ""
    odds = _odds(session)
    worth = ((cell, fair_bid(odds, cell, CHIPS)) for cell in odds.ranked())
    return pairs(session.board, ((cell, str(chips)) for cell, chips in worth))


def _odds(session: Session) -> "Odds":
    import numpy as np  # noqa: PLC0415 - it takes its time to load

    from player.fillings import weigh  # noqa: PLC0415 - it loads numba

    return weigh(session.position, np.random.default_rng(session.settings.seed))
