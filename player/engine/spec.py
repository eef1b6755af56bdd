"""From specs to players, for each variant: `hexy:depth=3`, `level:4`, `gtp:COMMAND`."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from hsearch.analysis.circuit import WIRINGS
from hsearch.connect import Knowledge
from hsearch.hex import Board
from player.engine import bidder, classic
from player.engine.dark import ABRUPT_PLAYERS, DARK_PLAYERS
from player.engine.external import ExternalPlayer
from player.engine.hexy import HexyPlayer
from player.engine.levels import LEVEL, QUICK_BIDDER, QUICK_COIN_PLAYER, level
from player.engine.player import AnyPlayer, Bidder, Player
from player.engine.tree import TREE
from player.evaluate.evaluators import evaluator
from player.evaluate.fillings import FillingMethod
from player.evaluate.ordering import ORDERINGS
from player.search.settings import DEEP, SearchSettings, Strength, read_level
from player.variants.base import ALTERNATING, BIDDING, DARK_ABRUPT, DARK_CLASSIC, RANDOM_TURN
from player.work import naming
from player.work.naming import PlayerKind, SpecError

T = TypeVar("T")

EXTERNAL, OWN = "gtp", "py"
OTHERS = ("level:N", "gtp:COMMAND", "py:FILE.py:NAME")  # further players of ordinary turns


def player(spec: str) -> Player:
    """Return a new player of ordinary turns for a spec such as `hexy:depth=3,M=20`.

    Raise SpecError, listing the known ones, when the name, an option or a value is unknown.
    """
    name, _, rest = spec.partition(":")
    if name == EXTERNAL:
        if not rest.strip():
            raise SpecError("no command: an engine is named gtp:COMMAND")
        return ExternalPlayer(rest, name=spec)
    if name == OWN:
        return classic.own_player(rest, name=spec)
    if name == LEVEL:
        return _level_player(rest, name=spec)
    return _look_up(spec, ALTERNATING, _ORDINARY)


def participant(spec: str, variant: str) -> AnyPlayer:
    """Return a new player of a variant for a spec.

    Raise SpecError, listing the players of the variant, when it has no such player.

    >>> from player import match
    >>> match.participant("hexy:level=1", "alternating").name
    'hexy:level=1'
    """
    if variant == ALTERNATING:
        return player(spec)
    return _look_up(spec, variant, PLAYERS[variant])


def _look_up(spec: str, variant: str, players: Mapping[str, PlayerKind[T]]) -> T:
    """Return the player that a table has for a spec. Raise SpecError when it has none."""
    name, _, _ = spec.partition(":")
    if name not in players:
        names = ", ".join((*players, *OTHERS) if variant == ALTERNATING else players)
        if name in {EXTERNAL, LEVEL, OWN} or any(name in others for others in PLAYERS.values()):
            raise SpecError(f"{name!r} does not play {variant} (players of it: {names})")
        raise SpecError(f"unknown player {name!r} (known: {names})")
    options, make = players[name]
    return make(spec, naming.read_options(spec, options))


def _level_player(text: str, *, name: str) -> Player:
    """Return the player behind a level of the scale, with `name` as its name for records."""
    try:
        result = player(level(text).player)
    except ValueError as error:
        raise SpecError(f"{error}, in {name!r}") from None
    result.name = name
    return result


def _widths(text: str) -> tuple[int, ...]:
    return tuple(naming.read_count(part) for part in text.split("x"))


def _evaluator(text: str) -> str:
    evaluator(text)
    return text


def _knowledge(text: str) -> Knowledge:
    return Knowledge(naming.read_one_of("knowledge", Knowledge)(text))


def _opening(text: str) -> bool:
    return naming.read_one_of("opening", ("center", "search"))(text) == "center"


def _hexy(spec: str, options: dict[str, Any]) -> Player:
    _take_order(options, "ordering")
    evaluator = options.pop("eval", None)
    seconds = options.pop("time", None)
    return HexyPlayer(Strength(**options, evaluator=evaluator), seconds=seconds, name=spec)


def _take_order(options: dict[str, Any], name: str) -> None:
    """Rename the option `order` or `ordering` to `name`, the one that the player takes.

    Raise SpecError when both are given.
    """
    other = "ordering" if name == "order" else "order"
    if other in options:
        if name in options:
            raise SpecError(f"{name} and {other} are one option: give one of them")
        options[name] = options.pop(other)


def _classic(spec: str, options: dict[str, Any]) -> Player:
    _take_order(options, "order")
    nodes = options.get("nodes")
    settings = SearchSettings(
        depth=options.get("depth", 2 if nodes is None else DEEP),
        widths=options.get("width", classic.EVERY_MOVE),
        ordering=options.get("order", "center"),
        evaluator=options.get("eval", "two_distance"),
        deepens=nodes is not None,
        nodes=nodes,
    )
    return classic.ClassicPlayer(settings, opens=options.get("opening", True), name=spec)


def _fillings(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", text) or int(text) == 0:
        raise ValueError("not a number of fillings from 1 on")
    return int(text)


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share <= 1:
        raise ValueError("not a share from 0 to 1")
    return share


def _hexy_bids(spec: str, options: dict[str, Any]) -> Bidder:
    return bidder.HexyBidder(_hexy(spec, options), name=spec)


def _maker(kind: Callable[..., T]) -> Callable[[str, dict[str, Any]], T]:
    """Return a function that makes players of a kind from the options as read."""

    def make(spec: str, options: dict[str, Any]) -> T:
        return kind(**options, name=spec)

    return make


def _of_fillings(method: FillingMethod) -> PlayerKind[Player]:
    return {"fillings": _fillings}, _maker(partial(classic.FillingsPlayer, method))


_ordering = naming.read_one_of("ordering", ORDERINGS)

_HEXY: PlayerKind[Player] = (
    {
        "level": read_level,
        "depth": naming.read_count,
        "M": naming.read_count,
        "K": naming.read_count,
        "widths": _widths,
        "ordering": _ordering,
        "order": _ordering,
        "eval": _evaluator,
        "links": naming.read_one_of("links", WIRINGS),
        "nodes": naming.read_count,
        "solve": naming.read_number,
        "knowledge": _knowledge,
        "time": naming.read_seconds,
    },
    _hexy,
)
_AB: PlayerKind[Player] = (
    {
        "eval": _evaluator,
        "order": _ordering,
        "ordering": _ordering,
        "depth": naming.read_count,
        "width": _widths,
        "opening": _opening,
        "nodes": naming.read_count,
    },
    _classic,
)
_RANDOM: PlayerKind[Player] = ({}, _maker(classic.RandomPlayer))
_COHEN = _of_fillings(FillingMethod.BALANCED)
_RANDOM_TURN = _of_fillings(FillingMethod.CRITICAL)
_ORDINARY: dict[str, PlayerKind[Player]] = {
    "hexy": _HEXY,
    "tree": TREE,
    "policy": classic.POLICY,
    "ab": _AB,
    "random": _RANDOM,
    "cohen": _COHEN,
}
_AT_RANDOM_TURNS: dict[str, PlayerKind[Player]] = {
    "random-turn": _RANDOM_TURN,
    "hexy": _HEXY,
    "ab": _AB,
    "random": _RANDOM,
}
_BIDDERS: dict[str, PlayerKind[Bidder]] = {
    "bidding": ({"fillings": _fillings}, _maker(bidder.BiddingPlayer)),
    "fraction": ({"share": _share, "fillings": _fillings}, _maker(bidder.FractionBidder)),
    "payne-robeva": ({"fillings": _fillings}, _maker(bidder.LosingColorBidder)),
    "hexy": (_HEXY[0], _hexy_bids),
    "random": ({}, _maker(bidder.RandomBidder)),
}

# variant, name: options, each with the reader of its value; the function that makes the player.
PLAYERS: dict[str, Mapping[str, PlayerKind[AnyPlayer]]] = {
    ALTERNATING: _ORDINARY,
    RANDOM_TURN: _AT_RANDOM_TURNS,
    BIDDING: _BIDDERS,
    DARK_CLASSIC: DARK_PLAYERS,
    DARK_ABRUPT: ABRUPT_PLAYERS,
}

# The default player of a variant is the first of its table, with two exceptions:
#
# * At ordinary turns on large boards it is `tree`, which beats `hexy` there; this was measured
#   up to 15x15 (`positions/results/strength.md`). A session of GTP has one player for all
#   boards, so it names no board and gets `hexy`.
# * On the page bids and moves at random turns take less time than at the terminal and in GTP:
#   they draw fewer fillings.

TREE_FROM = 9  # cells a side
_QUICK = {RANDOM_TURN: QUICK_COIN_PLAYER, BIDDING: QUICK_BIDDER}


def default_player(variant: str, board: Board | None = None, *, is_quick: bool = False) -> str:
    """Return the spec of the player of a variant where nobody has chosen one.

    board     the board; None for a player of all boards
    is_quick  whether it should draw few fillings, to answer soon
    """
    if is_quick and variant in _QUICK:
        return _QUICK[variant]
    is_large = board is not None and min(board.columns, board.rows) >= TREE_FROM
    return "tree" if variant == ALTERNATING and is_large else next(iter(PLAYERS[variant]))
