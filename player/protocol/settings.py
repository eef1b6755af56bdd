"""The settings of a session, which the `param_` commands show and change."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hsearch.closure import Limits

STEPS = 10_000_000


@dataclass(slots=True)
class Settings:
    """What a client may set.

    allow_swap       whether the second move may be a swap
    swap_style       what a swap means until the next move tells: `pieces` or `sides`
    on_little_golem  whether to answer `swap` rather than `swap-pieces`
    player           who is asked for moves, as `player.engine` writes it
    max_time         the most seconds for a move; 0 for no bound but the clock's
    seed             of what is left to chance
    use_guifx        whether to send live graphics
    solve_time       the most seconds for the solver, so that a script comes to its end; 0 for any
    fulls, semis     M, and how many semis are kept for a pair; 0 for twice M
    joined           K
    edge_pivot, greedy_union  the switches of H-search
    """

    allow_swap: bool = False
    swap_style: str = "pieces"
    on_little_golem: bool = False
    player: str = "hexy"
    max_time: float = 0.0
    seed: int = 0
    use_guifx: bool = False
    solve_time: float = 600.0
    fulls: int = 20
    semis: int = 0
    joined: int = 4
    edge_pivot: bool = False
    greedy_union: bool = True

    def limits(self) -> "Limits":
        """Return the limits of H-search, with a bound on time: no button stops a query."""
        from hsearch.closure import Limits  # noqa: PLC0415 - it loads numba

        return Limits(
            M=self.fulls,
            semis=self.semis or None,
            K=self.joined,
            edge_pivot=self.edge_pivot,
            greedy_union=self.greedy_union,
            steps=STEPS,
        )
