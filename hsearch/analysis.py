"""Everything known of one position, computed once, when it is first asked for."""

import time
from functools import cached_property

from hsearch.board import Color
from hsearch.circuit import Circuits, FullLinks, circuits
from hsearch.closure import Limits, closure_of_both
from hsearch.connection import Connection
from hsearch.mustplay import MustPlay, mustplay
from hsearch.position import Position, winner
from hsearch.store import Store

_DEFAULT = Limits()


class Analysis:
    """What is true of a position, as far as H-search sees under its limits.

    Holds state only to remember what it has computed.
    """

    def __init__(self, position: Position, limits: Limits = _DEFAULT) -> None:
        """Prepare to analyze a position; nothing is computed yet."""
        self.position = position
        self.limits = limits
        self.seconds: dict[str, float] = {}

    @cached_property
    def stores(self) -> dict[Color, Store]:
        """The connections of both players."""
        start = time.perf_counter()
        stores = closure_of_both(self.position, self.limits)
        self.seconds["closure"] = time.perf_counter() - start
        return stores

    @cached_property
    def circuits(self) -> Circuits:
        """The two circuits, wired with the full connections."""
        links = {color: FullLinks(*store.full_links()) for color, store in self.stores.items()}
        start = time.perf_counter()
        both = circuits(self.position, links[Color.BLACK], links[Color.WHITE])
        self.seconds["circuit"] = time.perf_counter() - start
        return both

    @property
    def complete(self) -> bool:
        """Whether no limit bound, so that nothing the rules can derive is missing."""
        return all(store.counts.complete for store in self.stores.values())

    @cached_property
    def chain(self) -> Color | None:
        """The player whose stones join the edges: the game is over."""
        return winner(self.position)

    def edge_to_edge(self, color: Color) -> str | None:
        """Return how a player's edges are joined: `chain`, `full`, `semi`; None if they are not."""
        store = self.stores[color]
        if self.chain is color:
            return "chain"
        if store.edge_fulls:
            return "full"
        return "semi" if store.edge_semis else None

    def edge_connection(self, color: Color) -> Connection | None:
        """Return a player's best connection between the edges, the smallest of its kind."""
        store = self.stores[color]
        return next(iter(store.edge_fulls or store.edge_semis), None)

    @cached_property
    def winner(self) -> Color | None:
        """The player who is proved to win; None if neither is.

        A semi connection counts for the player to move.
        """
        for color in Color:
            decisive = (
                ("chain", "full", "semi") if color is self.position.turn else ("chain", "full")
            )
            if self.edge_to_edge(color) in decisive:
                return color
        return None

    @property
    def proof(self) -> str | None:
        """What proves the win: `chain`, `full` or `semi`; None if nothing does."""
        return None if self.winner is None else self.edge_to_edge(self.winner)

    @cached_property
    def mustplay(self) -> MustPlay:
        """The must-play region of the player to move."""
        return mustplay(self.position, self.stores[self.position.turn.opponent])
