"""How hard a review looks: counted in positions, so that it finds the same everywhere."""

from dataclasses import dataclass

from hsearch.closure import Limits
from hsearch.deduction import Depth

_DEFAULT = Limits()
_NO_DEPTH = Depth(0)


@dataclass(frozen=True, slots=True)
class Effort:
    """What a review may spend on a game.

    limits    of H-search, which looks at every position
    depth     of must-play deduction, where H-search leaves a position open
    nodes     positions that the solver may look at for one of the game; 0 is no solver
    total     for the whole game
    patience  after so many positions in a row that the solver leaves open, it gives up
    every     whether the solver looks for other winning moves where one is known
    seconds   the most time for a game; None, so that nothing depends on a clock
    """

    name: str
    limits: Limits = _DEFAULT
    depth: Depth = _NO_DEPTH
    nodes: int = 0
    total: int = 0
    patience: int = 0
    every: bool = False
    seconds: float | None = None

    @property
    def words(self) -> str:
        """One line that says what was spent."""
        parts = [f"H-search with M={self.limits.M}, K={self.limits.K}"]
        if self.depth.replies:
            parts.append("must-play deduction")
        if self.nodes:
            solver = f"the solver up to {self.nodes} positions a move, {self.total} a game"
            parts.append(solver)
        if self.seconds is not None:
            parts.append(f"{self.seconds:g} seconds a game")
        return f"{self.name}: {', '.join(parts)}"


EFFORTS = {
    "quick": Effort("quick"),
    "normal": Effort("normal", depth=Depth(1, 60), nodes=600, total=3000, patience=4),
    "deep": Effort("deep", depth=Depth(1), nodes=3000, total=12_000, patience=6, every=True),
}
