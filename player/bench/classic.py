"""Rows of the benchmark for the classic evaluators: one evaluation, and one move."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Color
from hsearch.circuit import WIRINGS
from hsearch.position import Position, winner
from hsearch.position.frame import Frame
from player.bench.measure import BenchRow, Tally
from player.evaluate import evaluate
from player.kernels import weigh as kernel
from player.search import SearchSettings, search

Framed = tuple[Position, NDArray[np.int8], NDArray[np.int8]]
Positions = Callable[[], Iterable[Position]]

TIMES = 20  # evaluations in one run, for one is too short to time


def classic_rows(positions: Positions) -> Iterator[BenchRow]:
    """Return the rows: evaluations by kernel and by the face, moves of depth 2 over all cells."""
    for which, name in enumerate(kernel.NAMES):
        yield BenchRow(
            f"evaluation/11x11/london/{name}",
            partial(_framed, positions),
            partial(_weigh, which),
            {"face": partial(_evaluate, name)},
            done=TIMES,
        )
    for name in kernel.NAMES:
        settings = SearchSettings(
            depth=2, widths=(676,), ordering="charge", evaluator=name, deepens=False
        )
        yield BenchRow(
            f"classic/11x11/london/depth2/{name}",
            partial(_open, positions),
            partial(_search, settings),
            passes=2,
        )


def _open(positions: Positions) -> list[Position]:
    return [position for position in positions() if winner(position) is None]


def _framed(positions: Positions) -> list[Framed]:
    return [
        (position, Frame.of(position, Color.BLACK).stones, Frame.of(position, Color.WHITE).stones)
        for position in _open(positions)
    ]


def _weigh(which: int, framed: Framed) -> Tally:
    position, black, white = framed
    board, wiring = position.board, WIRINGS["none"]
    for _ in range(TIMES):
        value = kernel.weigh(which, board.columns, board.rows, black, white, wiring)
    return {"evaluations": TIMES, "thousandths": round(1000 * value)}


def _evaluate(name: str, framed: Framed) -> None:
    for _ in range(TIMES):
        evaluate(framed[0], name)


def _search(settings: SearchSettings, position: Position) -> Tally:
    counts = search(position, settings).counts
    return {"nodes": counts.nodes, "cutoffs": counts.cutoffs}
