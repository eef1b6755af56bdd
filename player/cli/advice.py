"""What `hint` and `why` say during a game."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from hsearch.analysis import Analysis
from hsearch.board import Color
from hsearch.closure import Limits
from hsearch.game import Game, Special
from hsearch.position import Position
from hsearch.render import Marks
from player.cli.findings import estimate, marks, mustplay, verdict, weakest
from player.cli.seat import Seat
from player.engine import Account, Terms
from player.engine.hexy import HexyPlayer


class Adviser(Protocol):
    """Says `hint` and `why` in the game of a variant."""

    def remember(self, game: Game, account: Account) -> None:
        """Keep why the last move of a game was made."""
        ...

    def hint(self, game: Game, terms: Terms, generator: np.random.Generator) -> str:
        """Return a sentence with a move for the player to move."""
        ...

    def why(self, game: Game) -> tuple[Marks, list[str]]:
        """Return what a board points out, and sentences on the position."""
        ...


class Advice:
    """Remembers why the engines moved as they did."""

    def __init__(self, seats: dict[Color, Seat]) -> None:
        """Advise as the `hexy` at the table would, else as one of default strength."""
        players = (seat.player for seat in seats.values())
        self._player = next((p for p in players if isinstance(p, HexyPlayer)), HexyPlayer())
        self._accounts: dict[Position, Account] = {}

    def remember(self, game: Game, account: Account) -> None:
        """Keep why the last move of a game was made."""
        if not any(move.gives_up for move in game.moves[-1:]):
            self._accounts[game.position()] = account

    def hint(self, game: Game, terms: Terms, generator: np.random.Generator) -> str:
        """Return a sentence with a move for the player to move."""
        choice = self._player.choose(game, terms, generator)
        name = (
            choice.action.value
            if isinstance(choice.action, Special)
            else game.board.name(choice.action)
        )
        return f"Hint: {name}. {choice.account.reason}"

    def why(self, game: Game) -> tuple[Marks, list[str]]:
        """Return what a board points out, and sentences on the position."""
        position = game.position()
        analysis = Analysis(position, self._limits(position))
        return marks(analysis, game.last_cell()), list(self._sentences(game, analysis))

    def _limits(self, position: Position) -> Limits:
        return self._player.strength.settings(position.board).limits

    def _sentences(self, game: Game, analysis: Analysis) -> Iterator[str]:
        yield verdict(analysis)
        yield mustplay(analysis)
        yield estimate(analysis)
        if analysis.winner is None:
            yield weakest(analysis)
        account = self._accounts.get(game.position())
        if account is not None:
            yield f"The last move: {account.reason}"
            if account.line:
                names = " ".join(map(game.board.name, account.line))
                yield f"The line it expects: {names}."
