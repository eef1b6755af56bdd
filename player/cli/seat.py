"""Who sits on a side of the board."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a color.

    name    how a record calls them
    player  the engine, of the variant that is played; None for a person
    """

    name: str
    player: Any
