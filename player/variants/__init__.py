"""The variants by name; each is a state machine.

A text names a variant and its options, such as `bidding:black=50,white=50`.
"""

import inspect
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hsearch.hex import Game
from player.variants.base import (
    ALTERNATING,
    BIDDING,
    DARK_ABRUPT,
    DARK_CLASSIC,
    RANDOM_TURN,
    Variant,
)
from player.variants.plain import Plain, swaps
from player.variants.random_turn import RandomTurn
from player.work.naming import OptionReaders, read_one_of, read_options
from player.work.naming import SpecError as SpecError  # users catch it by this name

if TYPE_CHECKING:
    from player.bidding.chips import Holding
    from player.dark.rules import Noise


# Bidding Hex and Dark Hex are imported when they are played: they need numba, which loads slowly.
def _holding(text: str) -> "Holding":
    from player.bidding.chips import Holding  # noqa: PLC0415

    return Holding.read(text)


def _bidding(**options: Any) -> Variant[Any]:
    from player.variants.bidding import Bidding  # noqa: PLC0415

    return Bidding(**options)


def _noise(text: str) -> "Noise":
    from player.dark.rules import Noise  # noqa: PLC0415

    return Noise(read_one_of("noise", Noise)(text))


def _dark(base: str) -> Callable[..., Variant[Any]]:
    def make(**options: Any) -> Variant[Any]:
        from player.dark.rules import Base  # noqa: PLC0415
        from player.variants.dark import Dark  # noqa: PLC0415

        return Dark(Base(base), **options)

    return make


# The variants.

# name: the options, each with a reader of its value; and the constructor
VARIANTS: dict[str, tuple[OptionReaders, Callable[..., Variant[Any]]]] = {
    ALTERNATING: ({}, Plain),
    RANDOM_TURN: ({}, RandomTurn),
    BIDDING: ({"black": _holding, "white": _holding}, _bidding),
    DARK_CLASSIC: ({"noise": _noise}, _dark("classic")),
    DARK_ABRUPT: ({"noise": _noise}, _dark("abrupt")),
}


def variant(text: str) -> Variant[Any]:
    """Return the variant that a text names.

    Raise SpecError, listing what is known, at an unknown name or option; also at a bad value.

    >>> from player import match
    >>> match.variant("bidding:black=50,white=50")
    <Bidding bidding:black=50,white=50>
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


OWN = {"hsearch", "player"}  # the packages of this program
_PRIVATE = {"XB", "XC", "XD", "XH"}  # properties for bids, coins, collisions and chips


def other_turns(game: Game) -> str | None:
    """Return the name of the variant in a record; None for ordinary turns or an unknown name."""
    return other_variant(game.about("RU") or "")


def other_variant(rules: str) -> str | None:
    """Return the name of the variant in RU of a record, as `other_turns` does."""
    name, _, _ = rules.partition(":")
    return name if name in VARIANTS and name != ALTERNATING else None


def taken_for_ordinary(game: Game, *, bid: str) -> str | None:
    """Return a warning that a record of another variant is taken for ordinary Hex; else None.

    `bid` is what the host calls its answer that keeps the rules of some variants.
    """
    name = other_turns(game)
    if name is None:
        return None
    instead = f"; `{bid}` keeps its rules" if name in {BIDDING, RANDOM_TURN} else ""
    return f"a game of {name}, taken here for one of ordinary turns{instead}"


def warn_of_other_turns(game: Game) -> None:
    """Warn who calls from outside of this program that a game is taken for ordinary Hex."""
    if (words := taken_for_ordinary(game, bid="hsearch.bid")) is None:
        return
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in OWN:
        level, frame = level + 1, frame.f_back
    warnings.warn(words, stacklevel=level)


def refuse_review(game: Game) -> None:
    """Raise ValueError if a record is of another variant, whose moves a review cannot judge."""
    if (name := other_turns(game)) is not None:
        raise ValueError(f"a review is not for this variant: {name}")


def as_ordinary(game: Game) -> Game:
    """Return a record as one of ordinary turns, without bids, chips, coins and collisions."""
    nodes = (
        replace(node, properties=tuple(p for p in node.properties if p[0] not in _PRIVATE))
        for node in game.nodes
    )
    return replace(game.without("RU"), nodes=tuple(nodes))


def recorded_variant(game: Game) -> Variant[Any] | None:
    """Return the variant that a record names; None if it names no known one.

    Raise SpecError if it names one with unknown options.

    >>> import hsearch
    >>> from player import match
    >>> match.recorded_variant(hsearch.Game.of(3, info={"RU": "random-turn"}))
    <RandomTurn random-turn>
    """
    if swaps(game):
        return Plain(swap=True)
    text = game.about("RU") or ""
    return variant(text) if text.partition(":")[0] in VARIANTS else None


def refuse_another(game: Game, rules: Variant[Any]) -> None:
    """Raise ValueError if a record is of another variant; ordinary turns fit every variant."""
    other = recorded_variant(game)
    if other is not None and other.name not in {ALTERNATING, rules.name}:
        raise ValueError(f"a game of {other.name}, not of {rules.name}")
