"""Seats: the person or engine on a side of the board."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from player.console.errors import FailedError
from player.engine import PLAYERS, Participant, PlayerError
from player.match import Variant

HUMAN = ("human", "me")


@dataclass(frozen=True, slots=True)
class Seat:
    """Player of a color.

    name    how a record calls them
    player  the engine, of the variant that is played; None for a person
    """

    name: str
    player: Any


def usual_white(black: str, variant: Variant[Any]) -> str:
    """Return who plays White unless it is said: a person against an engine, else an engine."""
    return next(iter(PLAYERS[variant.name])) if black in HUMAN else HUMAN[0]


@contextmanager
def failing(player: Participant, what: str = "move") -> Iterator[None]:
    """Raise FailedError when an engine fails, or answers against the rules."""
    try:
        yield
    except (PlayerError, ValueError) as error:
        raise FailedError(f"{player.name} cannot {what}: {error}") from error
