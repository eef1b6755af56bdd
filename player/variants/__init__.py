"""Variants: each way to play as a state machine of its own, and the table of their names.

A text names a variant and its options, as `bidding:black=50,white=50`.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from hsearch.hex.game import Game
from player.variants.plain import Plain, swaps
from player.variants.random_turn import RandomTurn
from player.variants.variant import (
    ALTERNATING,
    BIDDING,
    DARK_ABRUPT,
    DARK_CLASSIC,
    RANDOM_TURN,
    Variant,
)


# Bids and hidden stones are loaded when they are played: they take numba, which starts slowly.
def _holding(text: str) -> Any:
    from player.bidding.chips import Holding  # noqa: PLC0415

    return Holding.read(text)


def _bidding(**options: Any) -> Variant[Any]:
    from player.variants.bidding import Bidding  # noqa: PLC0415

    return Bidding(**options)


def _noise(text: str) -> Any:
    from player.dark.rules import Noise  # noqa: PLC0415

    return Noise(read_one_of("noise", Noise)(text))


def _dark(base: str) -> Callable[..., Variant[Any]]:
    def make(**options: Any) -> Variant[Any]:
        from player.dark.rules import Base  # noqa: PLC0415
        from player.variants.dark import Dark  # noqa: PLC0415

        return Dark(Base(base), **options)

    return make


# Options in a text.

Options = dict[str, Callable[[str], Any]]
Kind = tuple[Options, Callable[[str, dict[str, Any]], Any]]  # and what makes a player of them


SAME = {"ordering": "order"}  # a name, and another of the same option: errors list that alone


class SpecError(ValueError):
    """A player or a variant that nobody knows, or an option that it does not have."""


class FileError(SpecError):
    """A file that an option names and that cannot be used."""


def read_options(spec: str, known: Options) -> dict[str, Any]:
    """Return the options of a text; `known` has what reads each value.

    Raise SpecError, listing what is known, when an option or a value is not, and FileError for
    a file that cannot be used.
    """
    name, _, rest = spec.partition(":")
    options: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        option, equals, value = item.partition("=")
        if option not in known:
            words = ", ".join(each for each in known if SAME.get(each) not in known) or "none"
            raise SpecError(f"unknown option {option!r} of {name} (known: {words})")
        try:
            options[option] = known[option](value)
        except ValueError as error:
            text = f"{item!r} in {spec!r}: {error}" if equals else f"no value in {item!r}"
            raise (FileError if isinstance(error, FileError) else SpecError)(text) from None
    return options


def read_count(text: str, digits: int = 6) -> int:
    """Return a number from 1 on. Raise ValueError when it is none, or has more digits."""
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", text) or int(text) == 0:
        raise ValueError("not a number from 1 on")
    return int(text)


def read_number(text: str, digits: int = 6) -> int:
    """Return a number from 0 on. Raise ValueError when it is none, or has more digits."""
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", text):
        raise ValueError("not a number from 0 on")
    return int(text)


def read_one_of(what: str, known: Iterable[str]) -> Callable[[str], str]:
    """Return what reads a word of a kind. For another it raises ValueError, listing the known."""
    words = [str(word) for word in known]

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"no {what} (known: {', '.join(words)})")
        return text

    return read


def read_yes(text: str) -> bool:
    """Return whether a text says yes. Raise ValueError when it says neither that nor no."""
    if text not in {"yes", "no"}:
        raise ValueError("neither yes nor no")
    return text == "yes"


def read_decimal(text: str) -> float:
    """Return a number from 0 on that may have four digits behind the point, else ValueError."""
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4})?", text):
        raise ValueError("not a number from 0 on")
    return float(text)


def read_seconds(text: str) -> float:
    """Return a time. Raise ValueError when it is none, or less than a hundredth of a second."""
    seconds = read_decimal(text)
    if seconds < 0.01:
        raise ValueError("not a time of 0.01 seconds or more")
    return seconds


# The variants.

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


_PRIVATE = {"XB", "XC", "XD", "XH"}  # properties for bids, coins, collisions and chips


def other_turns(game: Game) -> str | None:
    """Return the name of the variant that a record says it is of; None if turns are ordinary."""
    name, _, _ = (game.about("RU") or "").partition(":")
    return name if name in VARIANTS and name != ALTERNATING else None


def as_ordinary(game: Game) -> Game:
    """Return a record of another variant as one of ordinary turns, without its bids and coins."""
    nodes = (
        replace(node, properties=tuple(p for p in node.properties if p[0] not in _PRIVATE))
        for node in game.nodes
    )
    return replace(game.without("RU"), nodes=tuple(nodes))


def recorded_variant(game: Game) -> Variant[Any] | None:
    """Return the variant that a record says it is of; None if it says none that is known.

    Raise SpecError where it names one with options that there are not.
    """
    if swaps(game):
        return Plain(swap=True)
    text = game.about("RU") or ""
    return variant(text) if text.partition(":")[0] in VARIANTS else None


def refuse_another(game: Game, rules: Variant[Any]) -> None:
    """Raise ValueError when a record says that it is of another variant, but for ordinary turns."""
    recorded = recorded_variant(game)
    if recorded is not None and recorded.name not in {ALTERNATING, rules.name}:
        raise ValueError(f"a game of {recorded.name}, not of {rules.name}")
