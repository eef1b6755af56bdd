"""A game at the terminal in which a coin tells who moves."""

from typing import Any, TextIO

import click
import numpy as np

from hsearch.game import Game
from hsearch.position import Position
from hsearch.render import Marks
from player.engine import MoveRequest, Rationale
from player.engine.fillings import FillingsPlayer
from player.fillings import Method
from player.match.random_turn import tossed
from player.report.bid import board_marks, chances, on_the_board
from player.terminal.advice import Adviser, Hint
from player.terminal.commands import Commands, refused
from player.terminal.game import TerminalGame


class RandomTurnGame(TerminalGame):
    """A game at random turns; the coins follow from the seed alone."""

    def __init__(self, game: Game, *rest: Any, **options: Any) -> None:
        """Begin, or go on with, a game."""
        super().__init__(game, *rest, **options)
        self.coin = self.generator.spawn(1)[0]

    def adviser(self) -> Adviser:
        """Return one who knows random turns."""
        return RandomTurnAdvice()

    def known_commands(self) -> Commands:
        """Return the commands; there is no swap."""
        known = super().known_commands()
        known["swap"] = refused("there is no swap at random turns")
        known["hint"] = (known["hint"][0], "the best move at random turns")
        known["why"] = (known["why"][0], "the chance to win, and how critical each cell is")
        return known

    @property
    def _is_awaited(self) -> bool:
        """Whether to show the board: always, as nobody knows whom the coin falls for."""
        return True

    def turn(self, lines: TextIO) -> None:
        """Toss the coin, unless it lies there already; then go on as ever."""
        after = tossed(self.game, self.coin)
        if after is not self.game:
            self.session.rewrite(after)
            click.echo(f"The coin falls for {self.position.turn.word.capitalize()}.")
        super().turn(lines)


class RandomTurnAdvice:
    """Knows the chances by the fillings; remembers why engines moved."""

    def __init__(self) -> None:
        """Ask a player of its own, whoever plays."""
        self._player = FillingsPlayer(Method.CRITICAL, name="hint")
        self._accounts: dict[Position, Rationale] = {}

    def remember(self, game: Game, account: Rationale) -> None:
        """Keep why the last move of a game was made."""
        self._accounts[_stones(game)] = account

    def hint(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Hint:
        """Return the best move, and why."""
        choice = self._player.choose(game, terms, generator)
        cell = choice.account.line[0]
        return Hint(f"Hint: {game.board.name(cell)}. {choice.account.reason}", cell)

    def why(self, game: Game) -> tuple[Marks, list[str]]:
        """Return how critical each cell is, the chances, and why the last move was made."""
        odds = self._player.weigh(game.position(), np.random.default_rng(0))
        best = " ".join(map(game.board.name, odds.best()))
        lines = [
            on_the_board(game.board),
            chances(odds),
            f"Best, for both players: {best}.",
        ]
        account = self._accounts.get(_stones(game))
        if account is not None:
            lines.append(f"The last move: {account.reason}")
        return board_marks(odds, game.last_cell()), lines


def _stones(game: Game) -> Position:
    """Return the position as it is before the coin falls."""
    return game.position(turn=game.moves[-1].color if game.moves else None)
