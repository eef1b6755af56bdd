"""Who sits on a side of the board."""

from dataclasses import dataclass

from player.engine import Player


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a color.

    name    how a record calls them
    player  the engine; None for a person
    """

    name: str
    player: Player | None
