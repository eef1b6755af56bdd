"""The settings of a session, which the `param_` commands show and change."""

from dataclasses import dataclass, field

from player.hsearch_options import OPTIONS, HSearchOptions, Value

STEPS = 10_000_000


@dataclass(slots=True)
class ClientSettings:
    """Settings of a client.

    allow_swap       whether the second move may be a swap
    swap_style       what a swap means until the next move tells: `pieces` or `sides`
    on_little_golem  whether to answer `swap` rather than `swap-pieces`
    player           who is asked for moves, as `player.engine` writes it
    max_time         the most seconds for a move; 0 for no bound but the clock's
    seed             of what is left to chance
    use_guifx        whether to send live graphics
    solve_time       the most seconds for the solver, so that a script comes to its end; 0 for any
    semis            how many semis are kept for a pair; 0 for twice M
    hsearch          the limits and switches of H-search, by their names
    """

    allow_swap: bool = False
    swap_style: str = "pieces"
    on_little_golem: bool = False
    player: str = "hexy"
    max_time: float = 0.0
    seed: int = 0
    use_guifx: bool = False
    solve_time: float = 600.0
    semis: int = 0
    hsearch: dict[str, Value] = field(
        default_factory=lambda: {option.name: option.default for option in OPTIONS.values()}
    )

    def options(self) -> HSearchOptions:
        """Return how connections are searched for, within bounds: no button stops a query."""
        return HSearchOptions.of(self.hsearch, semis=self.semis or None, steps=STEPS)
