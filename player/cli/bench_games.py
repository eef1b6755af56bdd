"""Rows of the benchmark for the classic evaluators: one evaluation, and one move."""

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.analysis.circuit import WIRINGS
from hsearch.hex.board import Board, Color
from hsearch.hex.frame import Frame
from hsearch.hex.position import Position, winner
from player.cli.bench_measure import BenchRow, Tally
from player.dark import tree
from player.dark.regret import VARIANTS, Minimizer
from player.dark.rules import Base, DarkRules
from player.evaluate import plain_fillings as twin
from player.evaluate.evaluators import evaluate
from player.evaluate.exact import exact
from player.evaluate.fillings import Method, sample
from player.kernels import weigh as kernel
from player.search.alphabeta import search
from player.search.settings import SearchSettings

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


# Rows of the benchmark for fillings of the empty 11x11: drawn, and all of them counted.

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


# Rows of the benchmark for Dark Hex: an iteration of CFR+, against OpenSpiel where that is.

RIVAL = "open_spiel"
ABSENT = "open_spiel is not installed: no comparison (pip install open_spiel)"


@dataclass(frozen=True, slots=True)
class _Solvers:
    """Two solvers of one game; each call of `rival` makes an iteration."""

    own: Minimizer
    rival: Callable[[], None] | None


def dark_rows() -> Iterator[BenchRow]:
    """Return a row for each of two silent abrupt boards."""
    is_there = importlib.util.find_spec("pyspiel") is not None
    for columns, passes in ((2, 200), (3, 100)):
        rivals: dict[str, Callable[[Any], object]] = {RIVAL: _rival} if is_there else {}
        yield BenchRow(
            f"dark/cfr+/{columns}x2-abrupt-silent",
            partial(_solvers, DarkRules(Board(columns, 2), Base.ABRUPT)),
            _iterate,
            rivals,
            passes=passes,
            absent="" if is_there else ABSENT,
        )


def _solvers(rules: DarkRules) -> list[_Solvers]:
    rival = None
    if importlib.util.find_spec("pyspiel") is not None:
        pyspiel = importlib.import_module("pyspiel")
        board = {"num_rows": rules.board.rows, "num_cols": rules.board.columns}
        game = pyspiel.load_game("dark_hex", {"gameversion": "adh", **board})
        rival = pyspiel.CFRPlusSolver(game).evaluate_and_update_policy
    return [_Solvers(Minimizer(tree.build(rules), VARIANTS["cfr+"]), rival)]


def _iterate(solvers: _Solvers) -> Tally:
    solvers.own.step()
    return {"nodes": solvers.own.tree.nodes}


def _rival(solvers: _Solvers) -> None:
    if solvers.rival is not None:
        solvers.rival()
