"""The must-play region: where a move does not lose at once, and why.

A move outside the carrier of an opponent's threat leaves that threat intact. So
only a move in the carriers of all threats can avoid a loss.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import and_

from hsearch.connect.connection import Connection
from hsearch.connect.store import Store
from hsearch.hex import CellSet, Position


@dataclass(frozen=True, slots=True)
class MustPlay:
    """The must-play region of the player to move.

    cells    the empty cells that are in the carriers of all threats
    threats  the opponent's semi connections between their edges; if the game is
             lost, their smallest full connection, which leaves no cell, or none if
             stones already join the edges; if a search proved the loss, semis,
             which may leave some cells
    empty    all empty cells
    """

    cells: CellSet
    threats: tuple[Connection, ...]
    empty: CellSet

    def __repr__(self) -> str:
        return (
            f"<MustPlay {self.cells.count()} of {self.empty.count()} cells, "
            f"threats: {len(self.threats)}>"
        )

    def __str__(self) -> str:
        if self.is_lost:
            return "Must-play: none, every move loses."
        if not self.is_forced:
            return "Must-play: every empty cell, because no threat to win was found."
        count, empty = self.cells.count(), self.empty.count()
        return f"Must-play: {count} of {empty} empty cells; any other move loses."

    @property
    def is_lost(self) -> bool:
        """Whether every move loses."""
        return not self.cells.any()

    @property
    def is_forced(self) -> bool:
        """Whether the opponent threatens to win at all."""
        return bool(self.threats) or self.is_lost

    def ruled_out(self) -> list[CellSet]:
        """Return, for each threat in order, the cells that it is the first to rule out.

        A threat stands unless the player moves in its carrier. Together with the
        region these are all empty cells, except where a chain has won or a search proved
        the loss.
        """
        remaining, reasons = self.empty, []
        for threat in self.threats:
            out = remaining if threat.is_full else remaining & ~threat.carrier
            reasons.append(out)
            remaining = remaining & ~out
        return reasons


def mustplay(position: Position, opponent: Store) -> MustPlay:
    """Return the must-play region against the opponent's connections.

    No move is tried. Without threats the region is every empty cell. The threats
    are those that the closure kept, so limits can make the region too large,
    never too small.
    """
    if opponent.has_chain:
        return MustPlay(position.board.only(), (), position.empty)
    if opponent.edge_fulls:
        return empty_mustplay(position, opponent.edge_fulls[0])
    return meet_threats(position, opponent.edge_semis)


def meet_threats(position: Position, threats: Iterable[Connection]) -> MustPlay:
    """Return the must-play region against any number of semis of the opponent's edges."""
    threats = tuple(threats)
    cells = reduce(and_, (threat.carrier for threat in threats), position.empty)
    return MustPlay(cells, threats, position.empty)


def empty_mustplay(position: Position, full: Connection) -> MustPlay:
    """Return the empty must-play region against a full connection of the opponent's edges."""
    return MustPlay(position.board.only(), (full,), position.empty)
