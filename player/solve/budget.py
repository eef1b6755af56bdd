"""Budget of a search, and how it ends before it has an answer."""

import math
import threading
from dataclasses import dataclass

from player.clock import now


class OutOfTimeError(Exception):
    """The budget is spent; the table keeps what was found."""


class StoppedError(Exception):
    """Nobody needs the answer any more."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Until when a search may go, to how many positions, and what cancels it when set."""

    deadline: float = math.inf
    examined: float = math.inf
    cancel: threading.Event | None = None

    def is_spent(self, examined: int) -> bool:
        """Return whether the search has to stop."""
        if examined >= self.examined or now() > self.deadline:
            return True
        return self.cancel is not None and self.cancel.is_set()
