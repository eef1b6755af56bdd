"""The protocols of players: what each is asked in its variant, and the reason of its answer."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

import numpy as np

from hsearch.hex import Board, Cell, Color, Game, Position, Special
from hsearch.hex.face import Pictured
from hsearch.strategy.reply import WinningStrategy
from player.search.tree import SearchFindings, TreeFindings
from player.work.clock import now

if TYPE_CHECKING:
    from player.dark.rules import DarkRules, History


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """The terms of a request for a move, in signatures `terms`.

    seconds   the most time for the move; None means no limit
    swap      whether the second player may swap instead of the second move
    cancel    another thread sets it to get the best move so far soon
    progress  called from time to time with the result of the search so far
    """

    seconds: float | None = None
    swap: bool = False
    cancel: threading.Event | None = None
    progress: Callable[[SearchFindings], None] | None = None

    def within(self, seconds: float | None) -> "MoveRequest":
        """Return the terms with at most this much time; None means no further limit."""
        limits = [each for each in (seconds, self.seconds) if each is not None]
        return replace(self, seconds=min(limits, default=None))

    def left(self, begin: float) -> "MoveRequest":
        """Return the terms with the time that is left of a move that started at `begin`."""
        if self.seconds is None:
            return self
        return replace(self, seconds=self.seconds - (now() - begin))


@dataclass(frozen=True, slots=True)
class Rationale:
    """Why a move was chosen: the `account` of a `Choice` or a `BidChoice`.

    reason    one sentence that states a proof or an estimate
    winner    the proved winner, if there is one
    line      the expected moves, this one first
    hold      the connection that holds the win after the move, if there is one
    findings  what the search found, if there was one
    """

    reason: str
    winner: Color | None = None
    line: tuple[Cell, ...] = ()
    hold: WinningStrategy | None = None
    findings: SearchFindings | None = None

    @property
    def tree(self) -> TreeFindings | None:
        """The findings, if the search was best-first."""
        return self.findings if isinstance(self.findings, TreeFindings) else None


def no_search_reason(name: str) -> str:
    """Return the reason of a move that was chosen without a search."""
    return (
        f"{name} is the first move of the order that is not known to lose; "
        "there was no time to search, or no choice."
    )


@dataclass(frozen=True, slots=True)
class Choice(Pictured):
    """A move, and why it was chosen.

    action    the cell to play, or a swap of the pieces
    account   the reason
    position  the position, set by `hsearch.play` so that a notebook can draw the move

    >>> import hsearch
    >>> position = hsearch.Position.of(4, black="b2", white="c2")
    >>> choice = hsearch.play(position)
    >>> position.board.name(choice.action), choice.account.winner
    ('a4', Color.BLACK)
    """

    action: Cell | Special
    account: Rationale
    position: Position | None = None

    def _display_module(self) -> str:
        return "player.face"

    def __str__(self) -> str:
        return self.account.reason


class PlayerError(Exception):
    """A player failed to move; the message says why."""


class PlayerFileError(PlayerError):
    """A player's file does not fit the game, such as a net for boards of another size."""


class Participant(Protocol):
    """Takes part in games of a variant. It may cache only what follows from the game."""

    name: str

    def prepare(self, board: Board) -> None:
        """Prepare for games on a board, before any clock runs."""
        ...

    def close(self) -> None:
        """Release the player's resources, such as a process."""
        ...


class ReadyParticipant:
    """Base of participants that need no preparation and hold no resources."""

    def prepare(self, board: Board) -> None:
        """Do nothing: it is always ready."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


@runtime_checkable
class Player(Participant, Protocol):
    """Chooses moves, in variants in which a player's only decision is a move."""

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return a move of a game that is not over, for the player to move.

        Raise PlayerError when the player fails.
        """
        ...


@dataclass(frozen=True, slots=True)
class BidChoice:
    """What a bidder chooses: a bid and a move, fixed before the opponent's bid is known.

    bid        chips, at most those that the player has
    cell       the cell to play if it gets the move
    takes_tie  whether it hands over the tie-break chip for the move if the bids are equal
    account    the reason
    """

    bid: int
    cell: Cell
    takes_tie: bool
    account: Rationale

    @classmethod
    def of(cls, bid: int, cell: Cell, reason: str, *, takes_tie: bool = True) -> "BidChoice":
        """Return a bid for a cell, with its reason as a sentence."""
        return cls(bid, cell, takes_tie, Rationale(reason, line=(cell,)))


@runtime_checkable
class Bidder(Participant, Protocol):
    """Bids, and chooses moves."""

    def bid(
        self, game: Game, color: Color, terms: MoveRequest, generator: np.random.Generator
    ) -> BidChoice:
        """Return the bid of `color` in a game that is not over; its record has the chips."""
        ...


@runtime_checkable
class DarkPlayer(Participant, Protocol):
    """Attempts cells. It never sees the game, only its own information state."""

    def study(self, rules: "DarkRules") -> None:
        """Prepare for games by these rules, before any clock runs.

        Raise PlayerError when the player cannot play them.
        """
        ...

    def attempt(self, color: Color, history: "History", generator: np.random.Generator) -> Choice:
        """Return the cell to attempt in an information state with the player to move."""
        ...


AnyPlayer: TypeAlias = Player | Bidder | DarkPlayer
