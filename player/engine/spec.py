"""Names to players: `hexy:depth=3`, `ab:eval=two_distance`, `random`, `gtp:COMMAND`."""

import re
from collections.abc import Callable
from typing import Any

from player.engine.chance import RandomPlayer
from player.engine.classic import EVERY_MOVE, ClassicPlayer
from player.engine.external import ExternalPlayer
from player.engine.hexy import HexyPlayer
from player.engine.player import Player
from player.engine.strength import LEVELS, Strength
from player.evaluate import EVALUATORS
from player.ordering import ORDERINGS
from player.search import Settings

EXTERNAL = "gtp"


class SpecError(ValueError):
    """A player that nobody knows, or an option that it does not have."""


def player(spec: str) -> Player:
    """Return a new player for a text such as `hexy:depth=3,M=20`.

    Raise SpecError, listing what is known, when the name, an option or a value is not.
    """
    name, _, rest = spec.partition(":")
    if name == EXTERNAL:
        if not rest.strip():
            raise SpecError("no command: an engine is named gtp:COMMAND")
        return ExternalPlayer(rest, name=spec)
    if name not in PLAYERS:
        raise SpecError(f"unknown player {name!r} (known: {', '.join(PLAYERS)}, gtp:COMMAND)")
    known, make = PLAYERS[name]
    options: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        option, equals, value = item.partition("=")
        if option not in known:
            words = ", ".join(known) or "none"
            raise SpecError(f"unknown option {option!r} of {name} (known: {words})")
        try:
            options[option] = known[option](value)
        except ValueError as error:
            text = f"{item!r} in {spec!r}: {error}" if equals else f"no value in {item!r}"
            raise SpecError(text) from None
    return make(spec, options)


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text) or int(text) == 0:
        raise ValueError("not a number from 1 on")
    return int(text)


def _level(text: str) -> int:
    if not re.fullmatch(r"[1-9]", text):
        raise ValueError(f"not a level ({LEVELS[0]} to {LEVELS[-1]})")
    return int(text)


def _widths(text: str) -> tuple[int, ...]:
    return tuple(_count(part) for part in text.split("x"))


def _ordering(text: str) -> str:
    if text not in ORDERINGS:
        raise ValueError(f"no ordering (known: {', '.join(ORDERINGS)})")
    return text


def _evaluator(text: str) -> str:
    if text not in EVALUATORS:
        raise ValueError(f"no evaluator (known: {', '.join(EVALUATORS)})")
    return text


def _opening(text: str) -> bool:
    if text not in {"center", "search"}:
        raise ValueError("no opening (known: center, search)")
    return text == "center"


def _hexy(spec: str, options: dict[str, Any]) -> Player:
    return HexyPlayer(Strength(**options), name=spec)


def _classic(spec: str, options: dict[str, Any]) -> Player:
    settings = Settings(
        depth=options.get("depth", 2),
        widths=options.get("width", EVERY_MOVE),
        ordering=options.get("order", "center"),
        evaluator=options.get("eval", "two_distance"),
        deepens=False,
    )
    return ClassicPlayer(settings, opens=options.get("opening", True), name=spec)


def _random(spec: str, _options: dict[str, Any]) -> Player:
    return RandomPlayer(name=spec)


Options = dict[str, Callable[[str], Any]]

# name: its options, each with what reads its value; and what makes the player
PLAYERS: dict[str, tuple[Options, Callable[[str, dict[str, Any]], Player]]] = {
    "hexy": (
        {
            "level": _level,
            "depth": _count,
            "M": _count,
            "K": _count,
            "widths": _widths,
            "ordering": _ordering,
        },
        _hexy,
    ),
    "ab": (
        {
            "eval": _evaluator,
            "order": _ordering,
            "depth": _count,
            "width": _widths,
            "opening": _opening,
        },
        _classic,
    ),
    "random": ({}, _random),
}
