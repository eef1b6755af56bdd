"""The determinized player: what H-search and the circuits find best over many guesses.

It guesses the hidden stones anew at each attempt, from all that it knows, and
looks at each guess as if that were the truth. Such a player never hides, and
thinks that it will be told; but it plays on any board.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from hsearch.board import Board, Color
from hsearch.cells import cells_in
from hsearch.position import Position
from player.dark.belief import guesses
from player.dark.information import History, View, view
from player.dark.law import seen_position, unknown
from player.dark.outlook import outlook
from player.dark.rules import Base, Mask, Rules
from player.dark.tree import Floats
from player.engine.player import Choice, PlayerError, Rationale

GUESSES = 24

Look: TypeAlias = Callable[[Position], Floats]


class GuessingPlayer:
    """Attempts the cell that is best on average over guesses."""

    def __init__(
        self, number: int = GUESSES, *, look: Look = outlook, name: str = "belief"
    ) -> None:
        """Make this many guesses an attempt, and look so at each."""
        self.name, self._number, self._look = name, number, look
        self._rules: Rules | None = None

    def prepare(self, board: Board) -> None:
        """Compile the kernels for boards of this size."""
        self._look(Position.of(board))

    def study(self, rules: Rules) -> None:
        """Remember the rules."""
        self._rules = rules

    def attempt(self, color: Color, history: History, generator: np.random.Generator) -> Choice:
        """Return the best cell over guesses; among equals the first."""
        rules = self._rules
        if rules is None:
            raise PlayerError(f"{self.name} has not studied the rules")
        seen = view(history)
        total = np.zeros(rules.board.size)
        for stones, weight in guesses(rules, color, history, self._number, generator):
            total += weight * self._scores(rules, color, seen, stones)
        # Equal sums differ by rounding, which must not decide.
        best = np.round(total / max(total.max(), 1e-300), 9)
        cell = max(unknown(rules, history), key=lambda each: (best[each], -each))
        reason = f"Best on average over {self._number} guesses of the hidden stones."
        return Choice(cell, Rationale(reason, line=(cell,)))

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    def _scores(self, rules: Rules, color: Color, seen: View, stones: Mask) -> Floats:
        """Return how good each attempt is if these are the opponent's stones.

        To hit a hidden stone costs the turn in the abrupt game. In the classic
        game it costs nothing: whatever is best is still to come.
        """
        result = self._look(seen_position(rules.board, color, View(seen.own, stones)))
        if rules.base is Base.CLASSIC:
            result = result.copy()
            result[list(cells_in(stones & ~seen.known))] = result.max()
        return result
