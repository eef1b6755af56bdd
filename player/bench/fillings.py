"""Rows of the benchmark for fillings of the empty 11x11: drawn, and all of them counted."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from hsearch.position import Position
from player.bench.measure import BenchRow, Tally
from player.fillings import Method, exact, sample, twin

BATCHES = 1000
FILLINGS = 1024 * BATCHES  # a multiple of what the samplers draw at once
THREADED = 8 * FILLINGS  # long enough for threads to start


def filling_rows(empty: Callable[[], Iterable[Position]]) -> Iterator[BenchRow]:
    """Return the rows: each method on one core, two threads against one, the exact pass."""
    walk: dict[str, Callable[[Any], object]] = {"walk": _walk_boundaries}
    rivals = {
        Method.LOSING: walk | {"numpy": lambda now: twin.count_losing(now, BATCHES, 0)},
        Method.CRITICAL: walk | {"numpy": lambda now: twin.sample(now, BATCHES, 0)},
    }
    for method in Method:
        yield BenchRow(
            f"fillings/11x11/empty/{method.value}",
            empty,
            partial(_count, method=method),
            rivals.get(method, walk),
            done=FILLINGS,
        )
    yield BenchRow(
        "fillings/11x11/empty/two-threads",
        empty,
        partial(_count, count=THREADED, threads=2),
        {"one thread": partial(_count, count=THREADED)},
        done=THREADED,
        threads=True,
    )
    yield BenchRow("fillings/11x11/empty/exact", empty, _count_exactly, passes=20)


def _count(
    position: Position,
    method: Method = Method.CRITICAL,
    *,
    count: int = FILLINGS,
    threads: int = 1,
) -> Tally:
    rng = np.random.default_rng(0)
    odds = sample(position, count, rng, method=method, threads=threads)
    return {"won_by_black": round(odds.black * count)}


def _walk_boundaries(position: Position) -> None:
    """Count losing colors as Payne and Robeva describe it, filling by filling."""
    twin.count_losing_by_walk(position, FILLINGS, 0)


def _count_exactly(position: Position) -> Tally:
    odds = exact(position)
    return {"center": round(1e6 * float(odds.critical[position.board.size // 2]))}
