"""Effort of a review: counted in positions, so that it finds the same everywhere."""

from dataclasses import dataclass

from hsearch.closure import Limits
from hsearch.deduction import Depth

_DEFAULT = Limits()
_NO_DEPTH = Depth(0)


@dataclass(frozen=True, slots=True)
class Effort:
    """Positions that a review may look at in a game.

    limits    of H-search, which looks at every position
    depth     of must-play deduction, where H-search leaves a position open
    nodes     positions that the solver may look at for one of the game; 0 is no solver
    total     for the whole game: up to half of it for all of its positions, from the end on, what
              is left for the position before the turning point
    patience  after this many positions in a row that the solver leaves open, it gives up
    further   positions of a game in which it looks for other winning moves where one is known
    seconds   the most time for a game; None, so that nothing depends on a clock
    """

    name: str
    limits: Limits = _DEFAULT
    depth: Depth = _NO_DEPTH
    nodes: int = 0
    total: int = 0
    patience: int = 0
    further: int = 0
    seconds: float | None = None

    @property
    def words(self) -> str:
        """One line that says what was spent."""
        parts = [f"H-search with M={self.limits.M}, K={self.limits.K}"]
        if self.depth.replies:
            parts.append("must-play deduction")
        if self.seconds is not None:
            parts.append(f"the solver as far as {self.seconds:g} seconds a game go")
        elif self.nodes:
            parts.append(f"the solver up to {self.nodes} positions a move")
            parts.append(f"the rest of {self.total} at the turning point")
        return f"{self.name}: {', '.join(parts)}"


EFFORTS = {
    "quick": Effort("quick"),
    "normal": Effort("normal", depth=Depth(1, 60), nodes=600, total=6000, patience=4),
    "deep": Effort("deep", depth=Depth(1), nodes=3000, total=24_000, patience=6, further=6000),
}
