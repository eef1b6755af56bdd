"""Seats: the person or engine on a side of the board."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from hsearch.board import Board
from player.console.errors import FailedError
from player.engine import PLAYERS, Participant, PlayerError
from player.engine.strength import LEVELS
from player.variants import ALTERNATING, Variant

HUMAN = ("human", "me")
TREE_FROM = (
    9  # cells a side from which on `tree` beats `hexy`, to 15: positions/results/strength.md
)


@dataclass(frozen=True, slots=True)
class Seat:
    """Player of a color.

    name    how a record calls them
    player  the engine, of the variant that is played; None for a person
    """

    name: str
    player: Any


def usual_white(
    black: str, variant: Variant[Any], board: Board, *, is_leveled: bool = False
) -> str:
    """Return who plays White unless it is said: a person against an engine, else an engine.

    The strongest at ordinary turns; but the levels of `hexy` are those that were measured.
    """
    if black not in HUMAN:
        return HUMAN[0]
    is_large = min(board.columns, board.rows) >= TREE_FROM
    if variant.name == ALTERNATING and is_large and not is_leveled:
        return "tree"
    return next(iter(PLAYERS[variant.name]))


def engines(variant: Variant[Any]) -> str:
    """Return in words which engines play a variant, and how they are chosen."""
    names = ", ".join(PLAYERS[variant.name])
    if variant.name == ALTERNATING:
        return (
            "Engines are chosen at the start, as --white hexy:level=N or tree:level=N: "
            f"{LEVELS[0]} is the weakest, {LEVELS[-1]} the strongest; those of hexy are about "
            f"equally far apart. There are {names}, gtp:COMMAND."
        )
    first = next(iter(PLAYERS[variant.name]))
    return f"Engines are chosen at the start, as --white {first}; there are {names}."


@contextmanager
def failing(player: Participant, what: str = "move") -> Iterator[None]:
    """Raise FailedError when an engine fails, or answers against the rules."""
    try:
        yield
    except (PlayerError, ValueError) as error:
        raise FailedError(f"{player.name} cannot {what}: {error}") from error
