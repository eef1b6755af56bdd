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
from player.dark.belief import Guess, guesses
from player.dark.inference import Inference, Model
from player.dark.information import History, View, seen_position, view
from player.dark.outlook import outlook
from player.dark.policy import unknown
from player.dark.rules import Base, DarkRules, Mask
from player.dark.tree import Floats
from player.engine.player import Choice, PlayerError, Rationale

GUESSES = 24

Look: TypeAlias = Callable[[Position], Floats]


class GuessingPlayer:
    """Attempts the cell that is best on average over guesses."""

    def __init__(
        self,
        number: int = GUESSES,
        *,
        look: Look = outlook,
        model: Model | None = None,
        near: int = 0,
        name: str = "belief",
    ) -> None:
        """Make this many guesses an attempt, and look so at each.

        model  what the opponent is believed to do; None for chance
        near   percent of the best score that any other cell may lack to be drawn as well
        """
        self.name, self._number, self._look, self._model = name, number, look, model
        self._near = near
        self._rules: DarkRules | None = None
        self._inferences: dict[Color, Inference] = {}

    def prepare(self, board: Board) -> None:
        """Compile the kernels for boards of this size."""
        self._look(Position.of(board))

    def study(self, rules: DarkRules) -> None:
        """Remember the rules."""
        self._rules = rules
        if self._model is not None:
            self._inferences = {color: Inference(rules, color, self._model) for color in Color}

    def attempt(self, color: Color, history: History, generator: np.random.Generator) -> Choice:
        """Return the best cell over guesses, among equals the first; or one as good as that."""
        rules = self._rules
        if rules is None:
            raise PlayerError(f"{self.name} has not studied the rules")
        seen = view(history)
        found = self._guesses(rules, color, history, generator)
        if self._model is not None and rules.base is Base.CLASSIC:
            total = self._foreseen(rules, color, seen, found)
        else:
            total = np.zeros(rules.board.size)
            for stones, weight in found:
                total += weight * self._scores(rules, color, seen, stones)
        # Equal sums differ by rounding, which must not decide.
        best = np.round(total / max(total.max(), 1e-300), 9)
        cell = max(unknown(rules, history), key=lambda each: (best[each], -each))
        if self._near:
            enough = best[cell] * (1 - self._near / 100)
            good = [each for each in unknown(rules, history) if best[each] >= enough]
            cell = int(generator.choice(good))
        reason = f"Best on average over {self._number} guesses of the hidden stones."
        return Choice(cell, Rationale(reason, line=(cell,)))

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    def _guesses(
        self, rules: DarkRules, color: Color, history: History, generator: np.random.Generator
    ) -> list[Guess]:
        if self._inferences:
            return self._inferences[color].guesses(history, self._number, generator)
        return guesses(rules, color, history, self._number, generator)

    def _foreseen(self, rules: DarkRules, color: Color, seen: View, found: list[Guess]) -> Floats:
        """Return how good each attempt is where a hit costs nothing and tells something.

        A hit is worth what is best on average over the guesses that it leaves.
        """
        looks = [
            self._look(seen_position(rules.board, color, View(seen.own, stones)))
            for stones, _ in found
        ]
        weight = np.array([each for _, each in found])
        hit = np.array([[stones >> c & 1 for c in rules.board.cells] for stones, _ in found])
        worth = np.where(hit, 0.0, np.array(looks)) * weight[:, None]
        result: Floats = worth.sum(axis=0) + (hit.T @ worth).max(axis=1)
        return result

    def _scores(self, rules: DarkRules, color: Color, seen: View, stones: Mask) -> Floats:
        """Return how good each attempt is if these are the opponent's stones.

        To hit a hidden stone costs the turn in the abrupt game. In the classic
        game it costs nothing: whatever is best is still to come.
        """
        result = self._look(seen_position(rules.board, color, View(seen.own, stones)))
        if rules.base is Base.CLASSIC:
            result = result.copy()
            result[list(cells_in(stones & ~seen.known))] = result.max()
        return result
