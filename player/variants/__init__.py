"""Variants: each way to play as a state machine of its own, and the table of their names.

A text names a variant and its options, as `bidding:black=50,white=50`.
"""

from collections.abc import Callable
from typing import Any

from hsearch.hex.game import Game
from player.variants.options import Options, SpecError, read_options
from player.variants.plain import Plain, swaps
from player.variants.random_turn import RandomTurn
from player.variants.variant import (
    ALTERNATING,
    BIDDING,
    DARK_ABRUPT,
    DARK_CLASSIC,
    RANDOM_TURN,
    Act,
    Bid,
    IllegalActError,
    Legal,
    NoSwapError,
    State,
    Tie,
    Variant,
)

__all__ = [
    "ALTERNATING",
    "BIDDING",
    "DARK_ABRUPT",
    "DARK_CLASSIC",
    "RANDOM_TURN",
    "VARIANTS",
    "Act",
    "Bid",
    "IllegalActError",
    "Legal",
    "NoSwapError",
    "Plain",
    "RandomTurn",
    "State",
    "Tie",
    "Variant",
    "recorded_variant",
    "swaps",
    "variant",
]


# Bids and hidden stones are loaded when they are played: they take numba, which starts slowly.
def _holding(text: str) -> Any:
    from player.bidding.chips import Holding  # noqa: PLC0415

    return Holding.read(text)


def _bidding(**options: Any) -> Variant[Any]:
    from player.variants.bidding import Bidding  # noqa: PLC0415

    return Bidding(**options)


def _noise(text: str) -> Any:
    from player.dark.rules import Noise  # noqa: PLC0415

    if text not in list(Noise):
        raise ValueError(f"no noise (known: {', '.join(Noise)})")
    return Noise(text)


def _dark(base: str) -> Callable[..., Variant[Any]]:
    def make(**options: Any) -> Variant[Any]:
        from player.dark.rules import Base  # noqa: PLC0415
        from player.variants.dark import Dark  # noqa: PLC0415

        return Dark(Base(base), **options)

    return make


# name: its options, each with what reads its value; and what makes the variant
VARIANTS: dict[str, tuple[Options, Callable[..., Variant[Any]]]] = {
    ALTERNATING: ({}, Plain),
    RANDOM_TURN: ({}, RandomTurn),
    BIDDING: ({"black": _holding, "white": _holding}, _bidding),
    DARK_CLASSIC: ({"noise": _noise}, _dark("classic")),
    DARK_ABRUPT: ({"noise": _noise}, _dark("abrupt")),
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
    if swaps(game):
        return Plain(swap=True)
    try:
        return variant(game.about("RU") or "")
    except SpecError:
        return None
