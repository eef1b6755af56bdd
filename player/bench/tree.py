"""Rows on best-first search: simulations alone, and with looks by H-search."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np

from hsearch.board import Board
from hsearch.position import Position
from player.bench.measure import BenchRow, Tally
from player.tree import TreeSearch, TreeSettings

MANY, FEW = 20_000, 1_000


def tree_rows(london: Callable[[], Iterable[Position]]) -> Iterator[BenchRow]:
    """Yield the rows; `london` gives positions of famous games."""
    alone, looking = TreeSettings(simulations=MANY, look_at=None), TreeSettings(simulations=FEW)
    yield BenchRow("tree/11x11/simulations", _opened, partial(_grow, settings=alone), done=MANY)
    yield BenchRow("tree/11x11/london/looks", london, partial(_grow, settings=looking), passes=3)


def _opened() -> list[Position]:
    board = Board(11, 11)
    return [Position.of(board).play(board.cell("a10"))]


def _grow(position: Position, settings: TreeSettings) -> Tally:
    """Grow a tree from a seed, and count what its best move and its looks came to."""
    found = TreeSearch(position, settings).run(np.random.default_rng(0))
    best = found.best
    return {"visits": 0 if best is None else best.visits, "looks": found.looks}
