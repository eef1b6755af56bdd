"""The variants of Hex: one table from names to rules.

A text names a variant and its options, as `bidding:chips=50`. What a variant
is, for matches, tournaments and the terminal, is the protocol `Variant`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from hsearch.game import Game
from player.bidding import Holding
from player.engine import DARK_ABRUPT, DARK_CLASSIC, SpecError
from player.engine.options import Options, read_options
from player.match.alternating import Alternating
from player.match.bidding import Bidding
from player.match.dark import DarkAbrupt, DarkClassic, read_noise
from player.match.outcome import Outcome, Rules, Watcher
from player.match.random_turn import RandomTurn

P = TypeVar("P")


class Variant(Protocol[P]):
    """The rules of a variant, its options chosen. P is what its players are.

    name      as in VARIANTS
    text      names it with its options, as a record's RU does
    meetings  how many games two players play from each opening: with the colors exchanged,
              and with whatever else can be
    """

    name: str
    text: str
    meetings: int

    def player(self, spec: str) -> P:
        """Return a new player for its text; raise SpecError when there is none."""
        ...

    def start(self, game: Game, meeting: int = 0) -> Game:
        """Return the record of a game of the variant that goes on from another record.

        One that is of the variant already stays as it is. `meeting` counts the
        games of two players from one opening. Raise ValueError when there is no
        such game, or when the record contradicts itself.
        """
        ...

    def moves(self, game: Game) -> tuple[str, ...]:
        """Return what happened in a game, a word or some a move, as a row has it."""
        ...

    def play(  # noqa: PLR0913 - as in each variant
        self,
        black: P,
        white: P,
        game: Game,
        generator: np.random.Generator,
        *,
        rules: Rules = ...,
        save: Path | None = None,
        watch: Watcher | None = None,
    ) -> Outcome:
        """Play a game that `start` has made on to its end."""
        ...


# name: its options, each with what reads its value; and what makes the variant
VARIANTS: dict[str, tuple[Options, Callable[..., Variant[Any]]]] = {
    Alternating.name: ({}, Alternating),
    RandomTurn.name: ({}, RandomTurn),
    Bidding.name: ({"black": Holding.read, "white": Holding.read}, Bidding),
    DARK_CLASSIC: ({"noise": read_noise}, DarkClassic),
    DARK_ABRUPT: ({"noise": read_noise}, DarkAbrupt),
}


def variant(text: str) -> Variant[Any]:
    """Return the variant that a text names.

    Raise SpecError, listing what is known, when the name, an option or a value is not.
    """
    name, _, _ = text.partition(":")
    if name not in VARIANTS:
        raise SpecError(f"unknown variant {name!r} (known: {', '.join(VARIANTS)})")
    options, make = VARIANTS[name]
    try:
        return make(**read_options(text, options))
    except SpecError:
        raise
    except ValueError as error:
        raise SpecError(f"{text!r}: {error}") from None


def recorded_variant(game: Game) -> Variant[Any] | None:
    """Return the variant that a record says it is of; None if it says none that is known."""
    try:
        return variant(game.about("RU") or "")
    except SpecError:
        return None
