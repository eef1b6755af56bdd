"""Rules and outcome of a match, whatever the variant."""

from collections.abc import Callable
from dataclasses import dataclass

from hsearch.board import Color
from hsearch.game import Game
from player.engine import Choice

Watcher = Callable[[Game, Choice], None]


@dataclass(frozen=True, slots=True)
class MatchRules:
    """The rules of a match.

    seconds  the most time for a move; None is no limit
    grace    how much longer a move may take before it is too late
    swap     whether the second player may swap
    """

    seconds: float | None = None
    grace: float = 0.1
    swap: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a match.

    winner    who won
    how       `chain`, `resign`, `time`, `illegal` or `failed`
    reason    one line that says more
    game      the record, with the result
    seconds   how long each player thought, in order
    thinkers  who it was each time
    """

    winner: Color
    how: str
    reason: str
    game: Game
    seconds: tuple[float, ...]
    thinkers: tuple[Color, ...]
