"""Depth and width of the search."""

from dataclasses import dataclass, field

from hsearch.circuit import HEXY, WIRINGS
from hsearch.closure import Limits
from player.evaluate import EVALUATORS
from player.ordering import ORDERINGS


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Options of a search; the defaults are HEXY's on 10x10 (Anshelevich 2002), widths Six's.

    depth        D, how many moves ahead, without those that a proof saves
    widths       how many moves are tried at each ply, the last for all plies after
                 it; a ply is widened when all of them lose
    limits       M, K and the switches of H-search
    ordering     the name of an ordering in `player.ordering`
    incremental  whether connections are kept up to date from move to move; from
                 scratch at each node is several times as slow, and the rival
    evaluator    the name of an evaluator in `player.evaluate`, that weighs leaves;
                 None for HEXY's way, by the circuits that see the connections found
    links        how those circuits are wired, see `hsearch.circuit`
    connections  whether H-search decides nodes where it can, also with an evaluator;
                 without one it always does
    deepens      whether depths grow one by one, each ordered by the one before
    nodes        how many positions are visited at most; None for no limit
    seed         what an ordering by chance draws from

    Raise ValueError when a number is less than 1 or a name unknown.
    """

    depth: int = 3
    widths: tuple[int, ...] = (20, 15, 10)
    limits: Limits = field(default_factory=Limits)
    ordering: str = "weak_links"
    incremental: bool = True
    evaluator: str | None = None
    links: str = HEXY
    connections: bool = False
    deepens: bool = True
    nodes: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise ValueError(f"depth out of range: {self.depth} (1 or more)")
        if self.nodes is not None and self.nodes < 1:
            raise ValueError(f"nodes out of range: {self.nodes} (1 or more)")
        if not self.widths or min(self.widths) < 1:
            words = "x".join(map(str, self.widths))
            raise ValueError(f"widths out of range: {words!r} (each 1 or more)")
        if self.ordering not in ORDERINGS:
            known = ", ".join(ORDERINGS)
            raise ValueError(f"unknown ordering {self.ordering!r} (known: {known})")
        if self.evaluator is not None and self.evaluator not in EVALUATORS:
            known = ", ".join(EVALUATORS)
            raise ValueError(f"unknown evaluator {self.evaluator!r} (known: {known})")
        if self.links not in WIRINGS:
            raise ValueError(f"unknown links {self.links!r} (known: {', '.join(WIRINGS)})")

    def width(self, ply: int) -> int:
        """Return how many moves are tried at a ply, counted from 0 at the root."""
        return self.widths[min(ply, len(self.widths) - 1)]
