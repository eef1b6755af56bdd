"""Commands about the must-play region."""

from typing import TYPE_CHECKING

from hsearch.board import Color
from player.protocol.arguments import Arguments
from player.protocol.replies import OUTSIDE, pairs, points
from player.protocol.session import Session

if TYPE_CHECKING:
    from hsearch.mustplay import MustPlay


def outside(session: Session, arguments: Arguments) -> str:
    """Return the empty cells outside the must-play region of a player."""
    region = region_of(session, arguments.color(0))
    beyond = session.position.empty & ~region.cells
    return pairs(session.board, ((cell, OUTSIDE) for cell in beyond.search(1)))


def cells(session: Session, arguments: Arguments) -> str:
    """Return the must-play region of a player."""
    region = region_of(session, arguments.color(0))
    return points(session.board, region.cells.search(1))


def region_of(session: Session, color: Color) -> "MustPlay":
    """Return the must-play region of a player, were it this player's turn."""
    return session.analysis_of(color).mustplay
