"""The budget of a search, and its techniques, which can be switched off."""

import math
import threading
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from player.work.clock import now

LARGE_SECONDS = 300.0  # enough to derive a large template on a busy machine
PAIR_SECONDS = 2.0  # on a free core, for a person's question about two points
TRIES_A_SECOND = 74_000_000  # on a free core (`Examiner.tries`)
SLOW = 20  # wall-clock limit of a search as a multiple of its seconds, for slow machines


class OutOfTimeError(Exception):
    """The budget is spent; the table keeps the results so far."""


class StoppedError(Exception):
    """The answer is no longer needed."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a search.

    deadline  time at which it ends, as `now` returns it
    positions count of examined positions at which it ends
    tries     count of tries of the rules at which it ends (`Examiner.tries`)
    cancel    ends it when set
    is_part   whether a longer search continues after this one, so that `positions` says nothing
              about its length
    """

    deadline: float = math.inf
    positions: float = math.inf
    tries: float = math.inf
    cancel: threading.Event | None = None
    is_part: bool = False

    def is_spent(self, positions: int, tries: int) -> bool:
        """Return whether the search has to stop."""
        if positions >= self.positions or tries >= self.tries or now() > self.deadline:
            return True
        return self.cancel is not None and self.cancel.is_set()


# Techniques, each of which can be switched off to measure its worth.


@dataclass(frozen=True, slots=True)
class Techniques:
    """Techniques of the solver, on or off. None of them changes an answer.

    fill_in        fill dead and captured cells
    regions        fill regions enclosed by groups that are joined inside them
    vulnerable     leave out moves that one reply makes dead
    proofs         after a refuted move, try only moves inside what the refutation needed
    weak_links     try the weakest links first; otherwise the cells in board order
    widening       search a few of the moves first, others as these are refuted
    half_turn      treat a position and its half turn as one
    decomposition  solve the two sides of a chain that cuts the board separately
    lemmas         reuse a win wherever its stones and cells are there
    net            ask the net which moves to try first, in a long search
    """

    fill_in: bool = True
    regions: bool = True
    vulnerable: bool = True
    proofs: bool = True
    weak_links: bool = True
    widening: bool = True
    half_turn: bool = True
    decomposition: bool = True
    lemmas: bool = True
    net: bool = True

    def without(self, names: Iterable[str]) -> "Techniques":
        """Return these without some; names may contain hyphens."""
        return replace(self, **{name.replace("-", "_"): False for name in names})


ALL_TECHNIQUES = Techniques()


NAMES = tuple(field.name.replace("_", "-") for field in fields(Techniques))
