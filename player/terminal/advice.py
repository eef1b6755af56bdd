"""Answers to `hint` and `why` during a game."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from hsearch.analysis import Analysis
from hsearch.board import Board, Cell, Color
from hsearch.closure import Limits
from hsearch.game import Game, Special
from hsearch.position import Position
from hsearch.render import Marks
from player.engine import MoveRequest, Rationale
from player.engine.hexy import HexyPlayer
from player.engine.tree import TreePlayer
from player.match.alternating import may_swap
from player.openings import first_move, wants_swap
from player.report.analysis import estimate, marks, mustplay, proved_by_search, verdict, weakest
from player.report.candidates import looked_at
from player.terminal.record import has_swap
from player.terminal.seat import Seat

BY_CIRCUITS = " That is by the circuits alone; the search of the last move looked further."


@dataclass(frozen=True, slots=True)
class Hint:
    """A move that is advised.

    sentence  names it and says why
    cell      where to put the stone; None if none is put
    """

    sentence: str
    cell: Cell | None


class Adviser(Protocol):
    """Says `hint` and `why` in the game of a variant."""

    def remember(self, game: Game, account: Rationale) -> None:
        """Keep why the last move of a game was made."""
        ...

    def hint(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Hint:
        """Return a move for the player to move, and why."""
        ...

    def why(self, game: Game) -> tuple[Marks, list[str]]:
        """Return what a board points out, and sentences on the position."""
        ...


class TerminalAdvice:
    """Remembers why the engines moved as they did."""

    def __init__(self, seats: dict[Color, Seat]) -> None:
        """Advise as the engine at the table would, else as `hexy` of default strength."""
        known = [_adviser(seat.player) for seat in seats.values()]
        self._player = next((each for each in known if each is not None), HexyPlayer())
        self._accounts: dict[Position, Rationale] = {}  # of the move that led there
        self._hints: dict[Position, Rationale] = {}

    def remember(self, game: Game, account: Rationale) -> None:
        """Keep why the last move of a game was made."""
        if not any(move.gives_up for move in game.moves[-1:]):
            self._accounts[game.position()] = account

    def hint(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Hint:
        """Return a move for the player to move, and why."""
        choice = self._player.choose(game, terms, generator)
        self._hints[game.position()] = choice.account
        name = (
            choice.action.value
            if isinstance(choice.action, Special)
            else game.board.name(choice.action)
        )
        cell = None if isinstance(choice.action, Special) else choice.action
        return Hint(f"Hint: {name}. {choice.account.reason}", cell)

    def why(self, game: Game) -> tuple[Marks, list[str]]:
        """Return what a board points out, and sentences on the position."""
        position = game.position()
        analysis = Analysis(position, self._limits(position))
        return marks({analysis.position.turn: analysis}, game.last_cell()), list(
            self._sentences(game, analysis)
        )

    def _limits(self, position: Position) -> Limits:
        return self._player.limits(position.board)

    def _sentences(self, game: Game, analysis: Analysis) -> Iterator[str]:
        swap = _of_swap(game)
        if swap:
            yield swap
        unless = "If nobody swaps: " if swap else ""
        account, hint = (known.get(game.position()) for known in (self._accounts, self._hints))
        searched = next((it.winner for it in (account, hint) if it and it.winner), None)
        if analysis.winner is None and searched is not None:
            yield unless + proved_by_search(searched)
        else:
            yield unless + verdict(analysis)
        is_open = analysis.winner is None and searched is None
        if is_open:
            by = "" if account is None or account.tree is None else BY_CIRCUITS
            yield unless + estimate(analysis) + by
        yield unless + mustplay(analysis)
        if is_open:
            yield weakest(analysis)
        if hint is not None:
            yield f"The hint: {hint.reason}"
        if account is not None:
            yield from _of_last_move(account, game.board)


def _adviser(engine: object) -> HexyPlayer | TreePlayer | None:
    """Return who advises as an engine would; not itself, where it keeps a tree of the game."""
    if isinstance(engine, TreePlayer):
        return engine.another()
    return engine if isinstance(engine, HexyPlayer) else None


def _of_last_move(account: Rationale, board: Board) -> Iterator[str]:
    """Yield why the last move was made, and what else was looked at."""
    yield f"The last move: {account.reason}"
    if len(account.line) > 1:
        yield f"The line it expects: {' '.join(map(board.name, account.line))}."
    if account.tree is not None and account.tree.candidates:
        yield looked_at(account.tree)


def _of_swap(game: Game) -> str:
    """Return what the maps of openings say while a swap is to come; empty if none is."""
    position = game.position()
    board, mover = position.board, position.turn.word.capitalize()
    if not has_swap(game) or board.columns != board.rows:
        return ""
    if not (position.black | position.white).any():
        other = position.turn.opponent.word.capitalize()
        return f"{other} may swap. {first_move(board, swap=True)[1]}"
    if len(game.moves) != 1 or not may_swap(position):
        return ""
    is_wanted, reason = wants_swap(position)
    return f"{mover} may swap, and should{'' if is_wanted else ' not'}. {reason}"
