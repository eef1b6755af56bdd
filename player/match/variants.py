"""The variants that there are: one table from names to rules.

A text names a variant and its options, as `bidding:black=50,white=50`.
"""

from collections.abc import Callable
from typing import Any

from hsearch.game import Game
from player.bidding import Holding
from player.dark.rules import Base, Noise
from player.engine import DARK_ABRUPT, DARK_CLASSIC, SpecError
from player.engine.options import Options, read_options
from player.match.alternating import Alternating
from player.match.bidding import Bidding
from player.match.random_turn import RandomTurn
from player.match.variant import Variant


def _dark(base: Base) -> Callable[..., Variant[Any]]:
    """Return what makes a variant of Dark Hex."""

    def make(noise: Noise = Noise.SILENT) -> Variant[Any]:
        from player.dark.match.variant import Dark  # noqa: PLC0415 - which is built on this room

        return Dark(base, noise)

    return make


def read_noise(text: str) -> Noise:
    """Return the noise of a text; raise ValueError, listing all, when it is none."""
    if text not in list(Noise):
        raise ValueError(f"no noise (known: {', '.join(Noise)})")
    return Noise(text)


# name: its options, each with what reads its value; and what makes the variant
VARIANTS: dict[str, tuple[Options, Callable[..., Variant[Any]]]] = {
    Alternating.name: ({}, Alternating),
    RandomTurn.name: ({}, RandomTurn),
    Bidding.name: ({"black": Holding.read, "white": Holding.read}, Bidding),
    DARK_CLASSIC: ({"noise": read_noise}, _dark(Base.CLASSIC)),
    DARK_ABRUPT: ({"noise": read_noise}, _dark(Base.ABRUPT)),
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
