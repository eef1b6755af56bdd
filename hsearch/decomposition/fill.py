"""Regions that a player encloses, found among the connections of a position and filled."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from hsearch.board import Color
from hsearch.cells import from_words
from hsearch.connection import Connection, Fill, fill_in_rule
from hsearch.kernels.region import NO_REGION, next_region
from hsearch.position import Position
from hsearch.position.frame import Frame
from hsearch.store import Store


def fills(position: Position, store: Store, since: int = 0) -> Iterator[Fill]:
    """Yield the regions of a store's owner one by one, each as the ones before leave the board.

    `since` is how many were filled before the connections were found. A pair of
    groups is looked at once: filling one region may enclose another, which the
    connections of the filled board show.
    """
    board, color, layout = position.board, store.color, store.layout
    frame = Frame.of(position, color)
    stones = frame.stones.copy()
    marks, stack = np.empty(board.size, np.int8), np.empty(board.size, np.int64)
    region, carrier = np.empty((2, len(layout.words)), np.int64)
    arrays = marks, stack, region, carrier
    at = 0
    while True:
        at = next_region(store.memory, layout, frame.columns, stones, at, *arrays)
        if at == NO_REGION:
            return
        y, x = divmod(at - 1, board.size + 2)
        cells = from_words(region.view(np.uint64), board.size)
        stones[list(cells.search(1))] = 1
        groups = tuple(sorted({store.named(x), store.named(y)}))
        needs = store.unframed(from_words(carrier.view(np.uint64), board.size))
        join = None if x == y else next(f for f in store.fulls(*groups) if f.carrier == needs)
        yield Fill(color, groups, store.unframed(cells), join, since)


@dataclass(frozen=True, slots=True)
class Filled:
    """A position after all regions that either player encloses are filled.

    position  the position then
    fills     the regions, in the order in which they were filled
    stores    the connections of both players there
    """

    position: Position
    fills: tuple[Fill, ...]
    stores: dict[Color, Store]

    def real(self, color: Color, connection: Connection) -> Connection:
        """Return what a connection of a player's edges says of the board as it was."""
        found = fill_in_rule(connection, self.fills, color)
        assert found is not None  # noqa: S101 - regions are filled but once
        return found


def decompose(position: Position, connections: Callable[[Position, Color], Store]) -> Filled:
    """Fill regions of both players until there are none; `connections` finds a player's.

    It ends as soon as a player's edges are joined by a full.
    """
    done: list[Fill] = []
    while True:
        stores: dict[Color, Store] = {}
        found: list[Fill] = []
        for color in Color:
            stores[color] = connections(position, color)
            if stores[color].has_chain or stores[color].edge_fulls:
                continue
            for fill in fills(position, stores[color], len(done)):
                found.append(fill)
                position = fill.applied(position)
            if found:
                break
        done += found
        if not found:
            return Filled(position, tuple(done), stores)
