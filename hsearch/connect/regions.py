"""Regions that a player encloses and that are filled, and the connections that enclose them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from hsearch.connect.closure import closure, extend
from hsearch.connect.connection import Connection, Fill, fill_in_rule
from hsearch.connect.limits import Limits, times
from hsearch.connect.store import Store
from hsearch.connect.window import strengthen
from hsearch.connect.window_answers import usual_windows
from hsearch.hex import Color, Position
from hsearch.hex.board import from_words
from hsearch.hex.frame import Frame
from hsearch.kernels.inferior import NO_REGION, next_region


def local_limits(limits: Limits) -> Limits:
    """Return limits that keep five times the fulls and the same semis, and add known templates.

    The long fulls that enclose a region are seldom among the smallest M. A
    closure takes about as long as without, since the semis take most of the time.
    """
    return replace(limits, M=times(5, limits.M), semis=limits.most_semis, templates=True)


def local_connections(limits: Limits) -> Callable[[Position, Color], Store]:
    """Return a function that finds a player's connections by H-search, templates and windows."""
    limits = local_limits(limits)

    def connections(position: Position, color: Color) -> Store:
        store = closure(position, color, limits)
        if store.has_chain or store.edge_fulls:
            return store
        additions = strengthen(position, store, usual_windows())
        return extend(position, store, additions, limits) if additions else store

    return connections


# Regions that a player encloses, found among the connections of a position and filled.


def fills(position: Position, store: Store, since: int = 0) -> Iterator[Fill]:
    """Yield the regions that a store's owner encloses, each with the earlier ones filled.

    `since` is how many regions were filled before the connections were found. Each
    pair of groups is examined once. If filling one region encloses another, the
    connections of the filled board show it.
    """
    board, color, layout = position.board, store.color, store.layout
    frame = Frame.of(position, color)
    stones = frame.stones.copy()
    region, carrier = np.empty((2, len(layout.words)), np.int64)
    at = 0
    while True:
        at = next_region(store.memory, layout, frame.columns, stones, at, region, carrier)
        if at == NO_REGION:
            return
        y, x = divmod(at - 1, board.size + 2)
        cells = from_words(region, board.size)
        stones[list(cells.search(1))] = 1
        groups = tuple(sorted({store.board_captain(x), store.board_captain(y)}))
        needs = store.board_cells(from_words(carrier, board.size))
        # A given full may need fewer cells once it is derived.
        join = None if x == y else next(f for f in store.fulls(*groups) if f.carrier <= needs)
        yield Fill(color, groups, store.board_cells(cells), join, since)


@dataclass(frozen=True, slots=True)
class FilledPosition:
    """A position after all regions that either player encloses are filled.

    position  the filled position
    fills     the regions, in the order in which they were filled
    stores    the connections of both players in the filled position
    """

    position: Position
    fills: tuple[Fill, ...]
    stores: dict[Color, Store]

    def real(self, color: Color, connection: Connection) -> Connection:
        """Return what a connection of a player's edges here implies for the original board."""
        conclusion = fill_in_rule(connection, self.fills, color)
        assert conclusion is not None  # noqa: S101 - no region is filled twice
        return conclusion


def decompose(
    position: Position, connections: Callable[[Position, Color], Store]
) -> FilledPosition:
    """Fill regions of both players until there are none.

    `connections` returns a player's connections in a position. No regions are filled for a
    player whose edges are joined by a full already.
    """
    regions: list[Fill] = []
    while True:
        stores: dict[Color, Store] = {}
        parts: list[Fill] = []
        for color in Color:
            stores[color] = connections(position, color)
            if stores[color].has_chain or stores[color].edge_fulls:
                continue
            for fill in fills(position, stores[color], len(regions)):
                parts.append(fill)
                position = fill.applied(position)
            if parts:
                break
        regions += parts
        if not parts:
            return FilledPosition(position, tuple(regions), stores)
