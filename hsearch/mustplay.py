"""The must-play region: where a move does not lose at once, and why.

Every cell outside the carrier of an opponent's threat lets that threat stand.
So only a move in the carriers of all threats can hold the game.
"""

from dataclasses import dataclass
from functools import reduce
from operator import and_

from hsearch.cells import CellSet
from hsearch.connection import Connection
from hsearch.position import Position
from hsearch.store import Store


@dataclass(frozen=True, slots=True)
class MustPlay:
    """The must-play region of the player to move.

    cells    the empty cells that are in the carriers of all threats
    threats  the opponent's semi connections between his edges; or, if the game
             is lost, his smallest full connection, which leaves no cell
    """

    cells: CellSet
    threats: tuple[Connection, ...]

    @property
    def is_lost(self) -> bool:
        """Whether no move is left that could hold the game."""
        return not self.cells.any()

    @property
    def is_forced(self) -> bool:
        """Whether the opponent threatens to win at all."""
        return bool(self.threats) or self.is_lost


def mustplay(position: Position, opponent: Store) -> MustPlay:
    """Return the must-play region against the opponent's connections.

    Static: no move is tried. Every empty cell if nothing is threatened. The
    threats are those that the closure kept, so limits can make it too large,
    never too small.
    """
    if opponent.has_chain:
        return MustPlay(position.board.only(), ())
    if opponent.edge_fulls:
        return MustPlay(position.board.only(), (opponent.edge_fulls[0],))
    threats = tuple(opponent.edge_semis)
    return MustPlay(reduce(and_, (threat.carrier for threat in threats), position.empty), threats)
