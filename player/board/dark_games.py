"""Hidden stones and sealed bids. They stay here: a page gets what one seat knows, and no more.

Each seat has a key, so that a page sees only through the eyes whose key it has. A
seat for somebody at another page has an invitation instead, which is good for one.
"""

import secrets
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from hsearch.board import Color

if TYPE_CHECKING:
    from player.variants.bidding import BiddingState
    from player.variants.dark import Dark, DarkState

MOST_GAMES = 16


@dataclass
class SharedDarkGame:
    """A game under way; `lock` is held while it changes.

    engines  the seats that engines have, by the name of the engine
    keys     the key of each seat that a person has
    invited  the seat that somebody at another page may still take, by the invitation
    looked   the state at which each seat was shown what it knows
    """

    variant: "Dark"
    state: "DarkState"
    engines: dict[Color, str]
    keys: dict[Color, str]
    looked: dict[Color, "DarkState"] = field(init=False)
    invited: dict[str, Color] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        """Nobody has seen anything yet."""
        self.looked = dict.fromkeys(Color, self.state)


class DarkGames:
    """Holds the games begun last. Threads may share it."""

    def __init__(self) -> None:
        """Hold none yet."""
        self._kept: OrderedDict[str, SharedDarkGame] = OrderedDict()
        self._lock = Lock()

    def add(self, game: SharedDarkGame) -> str:
        """Hold a game; return the name by which it is asked about."""
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._kept[name] = game
            while len(self._kept) > MOST_GAMES:
                self._kept.popitem(last=False)
        return name

    def join(self, invitation: str) -> tuple[str, SharedDarkGame, Color]:
        """Return the name of a game and the seat that an invitation is for; it is void then.

        Raise ValueError when there is none, or somebody has come already.
        """
        with self._lock:
            for name, game in self._kept.items():
                for known in game.invited:
                    if secrets.compare_digest(known.encode(), invitation.encode()):
                        color = game.invited.pop(known)
                        game.keys[color] = new_key()
                        return name, game, color
        raise ValueError("that seat is taken, or there is no such game any more")

    def admits(self, invitation: str, name: str, key: str) -> bool:
        """Return whether an invitation is good still, or else a key is of a seat of a game."""
        if not invitation:
            with suppress(ValueError):
                self.of(name, key)
                return True
            return False
        with self._lock:
            games = list(self._kept.values())
        return any(
            secrets.compare_digest(known.encode(), invitation.encode())
            for game in games
            for known in list(game.invited)
        )

    def of(self, name: str, key: str) -> tuple[SharedDarkGame, Color]:
        """Return a game and whose key it is. Raise ValueError when there is no such seat."""
        with self._lock:
            game = self._kept.get(name)
        if game is None:
            raise ValueError("no such game is under way here: begin a new one")
        for color, seat in game.keys.items():
            if secrets.compare_digest(seat.encode(), key.encode()):
                return game, color
        raise ValueError("that is no seat of this game")


class SealedBids:
    """Holds the games in which one of two people at a page has bid. Threads may share it."""

    def __init__(self) -> None:
        """Hold none yet."""
        self._kept: OrderedDict[str, BiddingState] = OrderedDict()
        self._lock = Lock()

    def seal(self, state: "BiddingState") -> str:
        """Hold a state; return the name by which it is opened."""
        name = new_key()
        with self._lock:
            self._kept[name] = state
            while len(self._kept) > MOST_GAMES:
                self._kept.popitem(last=False)
        return name

    @contextmanager
    def opened(self, name: str) -> Iterator["BiddingState"]:
        """Give a state, for one use that succeeds. Raise ValueError when there is none."""
        with self._lock:
            state = self._kept.get(name)
            if state is None:
                raise ValueError("no such bid is sealed here: both bid anew")
            yield state
            del self._kept[name]


def new_key() -> str:
    """Return a key for a seat."""
    return secrets.token_urlsafe(12)
