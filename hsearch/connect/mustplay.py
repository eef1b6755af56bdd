"""The must-play region: where a move does not lose at once, and why.

Every cell outside the carrier of an opponent's threat lets that threat stand.
So only a move in the carriers of all threats can hold the game.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import and_

from hsearch.connect.connection import Connection
from hsearch.connect.store import Store
from hsearch.hex.board import CellSet
from hsearch.hex.position import Position


@dataclass(frozen=True, slots=True)
class MustPlay:
    """The must-play region of the player to move.

    cells    the empty cells that are in the carriers of all threats
    threats  the opponent's semi connections between their edges; or, if the game
             is lost, their smallest full connection, which leaves no cell; where
             a search has proved the loss, semis that may leave some
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
            return "Must-play: every empty cell, for no threat to win was found."
        count, empty = self.cells.count(), self.empty.count()
        return f"Must-play: {count} of {empty} empty cells; any other move loses."

    @property
    def is_lost(self) -> bool:
        """Whether no move is left that could hold the game."""
        return not self.cells.any()

    @property
    def is_forced(self) -> bool:
        """Whether the opponent threatens to win at all."""
        return bool(self.threats) or self.is_lost

    def ruled_out(self) -> list[CellSet]:
        """Return, for each threat in order, the cells that it is the first to rule out.

        It stands unless the player moves in its carrier; together with the
        region these are all empty cells, but where a search has proved the loss.
        """
        left, reasons = self.empty, []
        for threat in self.threats:
            out = left if threat.is_full else left & ~threat.carrier
            reasons.append(out)
            left = left & ~out
        return reasons


def mustplay(position: Position, opponent: Store) -> MustPlay:
    """Return the must-play region against the opponent's connections.

    Static: no move is tried. Every empty cell if nothing is threatened. The
    threats are those that the closure kept, so limits can make it too large,
    never too small.
    """
    if opponent.has_chain:
        return MustPlay(position.board.only(), (), position.empty)
    if opponent.edge_fulls:
        return lost(position, opponent.edge_fulls[0])
    return threatened(position, opponent.edge_semis)


def threatened(position: Position, threats: Iterable[Connection]) -> MustPlay:
    """Return the must-play region against semis between the opponent's edges, maybe none."""
    threats = tuple(threats)
    cells = reduce(and_, (threat.carrier for threat in threats), position.empty)
    return MustPlay(cells, threats, position.empty)


def lost(position: Position, full: Connection) -> MustPlay:
    """Return the must-play region against a full connection of the opponent's edges: none."""
    return MustPlay(position.board.only(), (full,), position.empty)
