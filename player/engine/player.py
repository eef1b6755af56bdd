"""The protocol of a player: a function of a game, that gives a move and says why."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.calls import Pictured
from hsearch.hex.game import Game
from hsearch.hex.move import Special
from hsearch.hex.position import Position
from hsearch.strategy.reply import WinningStrategy
from player.search.settings import SearchResult
from player.search.tree import TreeFindings
from player.work.clock import now


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """On what terms a player is asked for a move.

    seconds   the most time to think; None is as much as the player likes
    swap      whether the second player may swap instead of the second move
    cancel    set by another thread to get the best move so far, soon
    progress  called from time to time with what a search has found so far
    """

    seconds: float | None = None
    swap: bool = False
    cancel: threading.Event | None = None
    progress: Callable[[SearchResult], None] | None = None


@dataclass(frozen=True, slots=True)
class Rationale:
    """Why a move was chosen.

    reason    one sentence, of what is proved or of what is estimated
    winner    who is proved to win, if anyone is
    line      the moves expected, this one first
    hold      what holds the win after the move, if a connection does
    findings  what a search found, if there was one
    tree      the moves that a best-first search looked at, if it was one
    """

    reason: str
    winner: Color | None = None
    line: tuple[Cell, ...] = ()
    hold: WinningStrategy | None = None
    findings: SearchResult | None = None
    tree: TreeFindings | None = None


def within(terms: MoveRequest, seconds: float | None) -> MoveRequest:
    """Return the terms of a player that takes no more time by itself; None means any."""
    given = [each for each in (seconds, terms.seconds) if each is not None]
    return replace(terms, seconds=min(given, default=None))


def left(terms: MoveRequest, begin: float) -> MoveRequest:
    """Return the terms with the time that is left of it after some `begin`."""
    if terms.seconds is None:
        return terms
    return replace(terms, seconds=terms.seconds - (now() - begin))


def ahead(depth: int) -> str:
    """Return how far a search has looked, for an account."""
    return f"{depth} move{'' if depth == 1 else 's'} ahead"


def unsearched(name: str) -> str:
    """Return the account of a move that nothing was looked at for."""
    return (
        f"{name} is the first move of the order that is not known to lose; "
        "there was no time to search, or no choice."
    )


@dataclass(frozen=True, slots=True)
class Choice(Pictured):
    """A move, and why it was chosen.

    action    the cell to play, or a swap of the pieces
    account   why
    position  where it was asked for by `hsearch.play`, so that a notebook can draw it
    """

    action: Cell | Special
    account: Rationale
    position: Position | None = None

    def _shown_by(self) -> str:
        return "player.study.face"

    def __str__(self) -> str:
        return self.account.reason


class PlayerError(Exception):
    """A player that failed to move: the message says what happened."""


class PlayerFileError(PlayerError):
    """A player whose file is of no use there, as a net for boards of another size."""


class Participant(Protocol):
    """Takes part in games of some variant. It may remember, but only what the game implies."""

    name: str

    def prepare(self, board: Board) -> None:
        """Prepare for games on a board, before any clock runs."""
        ...

    def close(self) -> None:
        """Give back what the player holds, such as a process."""
        ...


class ReadyParticipant:
    """Base of those who are ready at once, and hold nothing that is to be given back."""

    def prepare(self, board: Board) -> None:
        """Do nothing: it is always ready."""

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


class Player(Participant, Protocol):
    """Chooses moves, where all that a player does is to move when it is asked to."""

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return a move of a game that is not over, for the player to move.

        Raise PlayerError when the player fails.
        """
        ...
