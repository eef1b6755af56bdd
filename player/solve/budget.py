"""Budget of a search, which ends it before it has an answer, and techniques it can do without."""

import math
import threading
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from player.work.clock import now

LARGE_SECONDS = 300.0  # in which a large template is derived, on a busy machine
PAIR_SECONDS = 2.0  # of a free core, where a person asks about two points
TRIES_A_SECOND = 65_000_000  # of a free core (`Examiner.tries`)
SLOW = 20  # wall-clock limit of a search as a multiple of its seconds, for slow machines


class OutOfTimeError(Exception):
    """The budget is spent; the table keeps what was found."""


class StoppedError(Exception):
    """Nobody needs the answer any more."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a search, and what cancels it when set.

    deadline  when it ends, by the clock
    examined  positions it may look at
    tries     of the two rules at these positions (`Examiner.tries`)
    """

    deadline: float = math.inf
    examined: float = math.inf
    tries: float = math.inf
    cancel: threading.Event | None = None

    def is_spent(self, examined: int, tries: int) -> bool:
        """Return whether the search has to stop."""
        if examined >= self.examined or tries >= self.tries or now() > self.deadline:
            return True
        return self.cancel is not None and self.cancel.is_set()


# Techniques, each of which can be left out to see what it is worth.


@dataclass(frozen=True, slots=True)
class Techniques:
    """Switches. None of them changes an answer.

    fill_in        fill dead and captured cells
    regions        fill what groups enclose that are joined inside it
    vulnerable     leave out moves that one reply makes dead
    proofs         after a refuted move, try only moves inside what the refutation needed
    weak_links     try the weakest links first; else the cells in their order
    widening       look at a few of the moves first, at more as they are refuted
    half_turn      know a position again after half a turn of the board
    decomposition  solve the sides of a chain that cuts the board one by one
    lemmas         know a win again wherever what it needs is there
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
        """Return these but for some; a name may have hyphens."""
        return replace(self, **{name.replace("-", "_"): False for name in names})


NAMES = tuple(field.name.replace("_", "-") for field in fields(Techniques))
