"""The options of the player `tree`: `tree:level=3`, `tree:net=mine.net`, `tree:patterns=none`."""

from pathlib import Path
from typing import Any

from player.engine.player import Player
from player.engine.strength import read_level
from player.engine.tree import TreePlayer, simulations
from player.net import Net, read_net, shipped_net
from player.net.int8 import NEEDED, is_installed
from player.options import (
    Kind,
    SpecError,
    read_count,
    read_decimal,
    read_number,
    read_seconds,
    read_yes,
)
from player.patterns import PatternWeights, read_patterns, shipped_patterns
from player.tree import BY_PATTERNS, NET_ALONE, TreeSettings

SAYS_HOW = {"level", "simulations", "net", "playouts", "patterns", "worth"}  # else it asks the net


def _tree(spec: str, options: dict[str, Any]) -> Player:
    solve, seconds = options.pop("solve", None), options.pop("time", None)
    if not options.keys() & SAYS_HOW:
        options["net"] = shipped_net()
    level = options.pop("level", None)
    if level is not None:
        options.setdefault("simulations", simulations(level))
    has_net = options.get("net") is not None
    if has_net and not options.get("playouts", False):
        options = NET_ALONE | options
    if not has_net:
        options.setdefault("patterns", shipped_patterns())
    if options.get("patterns") is not None:
        options = BY_PATTERNS | options
    hurries = has_net and "int8" not in options and is_installed()
    try:
        settings = TreeSettings(**options)
    except ValueError as error:
        raise SpecError(f"{spec!r}: {error}") from None
    return TreePlayer(settings, solve=solve, seconds=seconds, hurries=hurries, name=spec)


def _look_at(text: str) -> int | None:
    return None if text == "root" else read_number(text)


def _net(text: str) -> Net | None:
    if text == "none":
        return None
    if text == "shipped":
        net = shipped_net()
        if net is None:
            raise ValueError("no net came with this copy of hsearch")
        return net
    try:
        return read_net(Path(text))
    except OSError as error:
        raise ValueError(f"{text}: {error.strerror or error}") from None


def _patterns(text: str) -> PatternWeights | None:
    if text == "none":
        return None
    if text == "shipped":
        found = shipped_patterns()
        if found is None:
            raise ValueError("no patterns came with this copy of hsearch")
        return found
    return read_patterns(Path(text))


def _int8(text: str) -> bool:
    is_wanted = read_yes(text)
    if is_wanted and not is_installed():
        raise ValueError(NEEDED)
    return is_wanted


TREE: Kind = (
    {
        "level": read_level,
        "simulations": lambda text: read_count(text, 9),
        "look_at": _look_at,
        "expand_at": read_number,
        "playouts": read_yes,
        "blend": read_decimal,
        "slope": read_decimal,
        "prior": read_decimal,
        "heat": read_decimal,
        "rave": read_decimal,
        "net": _net,
        "ask_at": read_number,
        "trust": read_decimal,
        "int8": _int8,
        "patterns": _patterns,
        "worth": read_decimal,
        "solve": read_number,
        "time": read_seconds,
    },
    _tree,
)
