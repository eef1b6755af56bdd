"""The variants by name; each is a state machine.

A text names a variant and its options, such as `bidding:black=50,white=50`.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

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


# Options in a text.

T = TypeVar("T")
OptionReaders = dict[str, Callable[[str], Any]]
# The options of a kind of player, and what makes one from its text and their values.
PlayerKind: TypeAlias = tuple[OptionReaders, Callable[[str, dict[str, Any]], T]]


SAME = {"ordering": "order"}  # an alias, and its option; errors list only the option


class SpecError(ValueError):
    """An unknown player, variant or option, or a bad value."""


class FileError(SpecError):
    """An unusable file in an option."""


def read_options(spec: str, readers: OptionReaders) -> dict[str, Any]:
    """Return the options in a text; `readers` maps each name to a reader of its value.

    Raise SpecError at an unknown option, listing the known ones, or at a bad value. Raise
    FileError at an unusable file.
    """
    name, _, rest = spec.partition(":")
    options: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        option, equals, value = item.partition("=")
        if option not in readers:
            words = ", ".join(each for each in readers if SAME.get(each) not in readers) or "none"
            raise SpecError(f"unknown option {option!r} of {name} (known: {words})")
        try:
            options[option] = readers[option](value)
        except ValueError as error:
            text = f"{item!r} in {spec!r}: {error}" if equals else f"no value in {item!r}"
            raise (FileError if isinstance(error, FileError) else SpecError)(text) from None
    return options


def read_count(text: str, digits: int = 6) -> int:
    """Return a whole number from 1 on; raise ValueError at other text or more digits."""
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", text) or int(text) == 0:
        raise ValueError(f"not a whole number from 1 to {'9' * digits}")
    return int(text)


def read_number(text: str, digits: int = 6) -> int:
    """Return a whole number from 0 on; raise ValueError at other text or more digits."""
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", text):
        raise ValueError(f"not a whole number from 0 to {'9' * digits}")
    return int(text)


def read_one_of(what: str, choices: Iterable[str]) -> Callable[[str], str]:
    """Return a reader of the known words; at another it raises ValueError, listing them."""
    words = [str(word) for word in choices]

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"no {what} (known: {', '.join(words)})")
        return text

    return read


def read_yes(text: str) -> bool:
    """Return whether a text is `yes`; raise ValueError unless it is `yes` or `no`."""
    if text not in {"yes", "no"}:
        raise ValueError("neither yes nor no")
    return text == "yes"


def read_decimal(text: str) -> float:
    """Return a number from 0 on with at most four decimals; raise ValueError at other text."""
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4})?", text):
        raise ValueError("not a number from 0 to 9999, with at most four decimals")
    return float(text)


def read_seconds(text: str) -> float:
    """Return a time in seconds; raise ValueError at other text or less than 0.01."""
    seconds = read_decimal(text)
    if seconds < 0.01:
        raise ValueError("not a time of 0.01 seconds or more")
    return seconds


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


_PRIVATE = {"XB", "XC", "XD", "XH"}  # properties for bids, coins, collisions and chips


def other_turns(game: Game) -> str | None:
    """Return the name of the variant in a record; None for ordinary turns or an unknown name."""
    return other_variant(game.about("RU") or "")


def other_variant(rules: str) -> str | None:
    """Return the name of the variant in RU of a record, as `other_turns` does."""
    name, _, _ = rules.partition(":")
    return name if name in VARIANTS and name != ALTERNATING else None


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
