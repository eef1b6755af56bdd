"""Everything known of one position, computed once, when it is first asked for."""

import time
from dataclasses import replace
from functools import cached_property

from hsearch.board import Color
from hsearch.circuit import Circuits, FullLinks, circuits
from hsearch.closure import Limits, closure_of_both
from hsearch.connection import Connection
from hsearch.deduction import Deduction, Depth
from hsearch.mustplay import MustPlay, lost, mustplay
from hsearch.position import Position, winner
from hsearch.store import Store

_DEFAULT = Limits()
_NO_DEPTH = Depth(0)


class Analysis:
    """What is true of a position, as far as H-search sees under its limits.

    With a `depth`, must-play deduction looks for a full between a player's edges
    where H-search has none. Holds state only to remember what it has computed.
    """

    def __init__(
        self, position: Position, limits: Limits = _DEFAULT, depth: Depth = _NO_DEPTH
    ) -> None:
        """Prepare to analyze a position; nothing is computed yet."""
        self.position = position
        self.limits = limits
        self.depth = depth
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

    @cached_property
    def deduced(self) -> dict[Color, Connection]:
        """The fulls between a player's edges that only must-play deduction finds."""
        found: dict[Color, Connection] = {}
        for color, store in self.stores.items():
            if self.depth.replies and not (store.has_chain or store.edge_fulls):
                deduction = Deduction(color, self.depth, self.limits)
                full = deduction.full(self.position, *self.position.board.edges(color))
                if full is not None:
                    found[color] = full
        return found

    def with_turn(self, turn: Color) -> "Analysis":
        """Return the analysis of the same stones with another player to move.

        What does not depend on the turn is not computed again.
        """
        other = Analysis(replace(self.position, turn=turn), self.limits, self.depth)
        other.seconds = self.seconds
        for name in ("stores", "circuits", "deduced"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

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
        if store.edge_fulls or color in self.deduced:
            return "full"
        return "semi" if store.edge_semis else None

    def edge_connection(self, color: Color) -> Connection | None:
        """Return a player's best connection between the edges, the smallest of its kind."""
        store = self.stores[color]
        deduced = [self.deduced[color]] if color in self.deduced else []
        return next(iter(store.edge_fulls or deduced or store.edge_semis), None)

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
        opponent = self.position.turn.opponent
        if opponent in self.deduced:
            return lost(self.position, self.deduced[opponent])
        return mustplay(self.position, self.stores[opponent])
