"""A player who moves at random."""

import numpy as np

from hsearch.board import Board
from hsearch.game import Game
from player.engine.player import Choice, MoveRequest, Rationale


class RandomPlayer:
    """Plays every empty cell with the same chance; never swaps."""

    def __init__(self, *, name: str = "random") -> None:
        """Take the name by which a record calls the player."""
        self.name = name

    def prepare(self, _board: Board) -> None:
        """Do nothing: it is always ready."""

    def choose(self, game: Game, _terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return a random move."""
        cell = int(generator.choice(list(game.position().empty.search(1))))
        name = game.board.name(cell)
        return Choice(cell, Rationale(f"{name}, chosen at random.", line=(cell,)))

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""
