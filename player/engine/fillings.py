"""Players that play the cell most often critical in fillings of the rest of the board.

With a coin for each cell that is the best move at random turns (Peres, Schramm,
Sheffield and Wilson 2007); with as many stones of each color it is Cohen's way
to play by ordinary turns.
"""

from collections.abc import Callable

import numpy as np

from hsearch.board import Board
from hsearch.game import Game
from hsearch.position import Position
from player.clock import now
from player.engine.player import Choice, MoveRequest, Rationale
from player.fillings import Method, Odds, weigh


class FillingsPlayer:
    """Counts or draws fillings anew for each move."""

    def __init__(self, method: Method, fillings: int | None = None, *, name: str) -> None:
        """Draw this many fillings; None is all of them, where they can be counted."""
        self.name = name
        self.method = method
        self.fillings = fillings

    def prepare(self, board: Board) -> None:
        """Compile the kernels, and make the tables of the exact pass."""
        self.weigh(Position.of(board), np.random.default_rng(0), lambda: True)

    def choose(self, game: Game, terms: MoveRequest, generator: np.random.Generator) -> Choice:
        """Return the cell most often critical; a random one of those that are so for sure."""
        odds = self.odds(game.position(), terms, generator)
        cell = int(generator.choice(odds.best())) if odds.is_exact else odds.ranked()[0]
        return Choice(cell, Rationale(_reason(odds, cell), line=(cell,)))

    def odds(self, position: Position, terms: MoveRequest, generator: np.random.Generator) -> Odds:
        """Return the odds of a position, of fewer fillings when time is short."""
        begin = now()

        def is_enough() -> bool:
            is_late = terms.seconds is not None and now() - begin > terms.seconds / 2
            return is_late or (terms.cancel is not None and terms.cancel.is_set())

        return self.weigh(position, generator, is_enough)

    def weigh(
        self,
        position: Position,
        generator: np.random.Generator,
        is_enough: Callable[[], bool] | None = None,
    ) -> Odds:
        """Return the odds of a position, from as many fillings as this player takes."""
        return weigh(
            position,
            generator,
            fillings=self.fillings,
            method=self.method,
            is_enough=is_enough,
        )

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


def _reason(odds: Odds, cell: int) -> str:
    name, mover = odds.position.board.name(cell), odds.position.turn
    how = "all fillings" if odds.fillings is None else f"{odds.fillings:,} fillings"
    kind = "balanced " if odds.balanced else ""
    return (
        f"{mover.word.capitalize()} wins {100 * odds.chance(mover):.2f} % of the {kind}fillings; "
        f"{name} is critical in {100 * odds.critical[cell]:.2f} % ({how})."
    )
