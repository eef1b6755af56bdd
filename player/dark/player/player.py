"""Players of Dark Hex: an information state to an attempt, and nothing else to go by."""

from typing import Protocol

import numpy as np

from hsearch.board import Board, Color
from player.dark.information import History
from player.dark.policy import Policy, Study, draw
from player.dark.rules import DarkRules
from player.engine.player import Choice, Participant, PlayerError, Rationale


class DarkPlayer(Participant, Protocol):
    """Attempts cells. It is never shown the game, only what its color knows of it."""

    def study(self, rules: DarkRules) -> None:
        """Get ready for games by these rules, before any clock runs.

        Raise PlayerError when the player cannot play them.
        """
        ...

    def attempt(self, color: Color, history: History, generator: np.random.Generator) -> Choice:
        """Return the cell to attempt in an information state with the player to move."""
        ...


class PolicyPlayer:
    """Attempts cells by a policy, which it studies first."""

    def __init__(self, study: Study, *, name: str) -> None:
        """Take what makes the policy, and the name by which a record calls the player."""
        self.name = name
        self._study = study
        self._law: Policy | None = None

    def prepare(self, _board: Board) -> None:
        """Do nothing: the rules are needed too."""

    def study(self, rules: DarkRules) -> None:
        """Find the policy; raise PlayerError when there is none."""
        try:
            self._law = self._study(rules)
        except ValueError as error:
            raise PlayerError(str(error)) from error

    def attempt(self, color: Color, history: History, generator: np.random.Generator) -> Choice:
        """Return a cell, drawn by the policy's chances."""
        if self._law is None:
            raise PlayerError(f"{self.name} has not studied the rules")
        chances = self._law(color, history)
        cell = draw(chances, generator)
        reason = f"Drawn with chance {float(chances[cell]):.3f}, as its policy says."
        return Choice(cell, Rationale(reason, line=(cell,)))

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""
