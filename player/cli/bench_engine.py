"""Rows for evaluation, search, the solver and reviews."""

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count, cycle, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.analysis.circuit import WIRINGS
from hsearch.connect import Limits
from hsearch.hex import Board, Color, Game, Position, winner
from hsearch.hex.frame import Frame
from player.answers.analysis import SEARCH_SECONDS, Analysis
from player.answers.memory import BySolver, Memory
from player.cli import bench_measure
from player.cli.bench_measure import BenchRow, Rivals, Tally
from player.dark import tree
from player.dark.methods import VARIANTS
from player.dark.regret import Minimizer
from player.dark.rules import Base, DarkRules
from player.engine.self_play import SelfPlay
from player.evaluate import plain_fillings as plain
from player.evaluate.evaluators import evaluate
from player.evaluate.exact import exact
from player.evaluate.fillings import FillingMethod, sample
from player.evaluate.int8 import Int8Evaluator, is_installed
from player.evaluate.net import NetEvaluator, random_net
from player.evaluate.ordering import weak_links
from player.kernels import evaluate as kernel
from player.search.alphabeta import search
from player.search.line import SearchPosition
from player.search.settings import SearchSettings, defaults
from player.search.tree import TreeSearch, TreeSettings
from player.solve.budget import Techniques
from player.solve.job import Worker
from player.solve.job_tree import JobTree
from player.solve.solver import Solver, from_the_center, winning_openings
from player.study.examine import review_game
from player.study.review import EFFORTS


def engine_rows() -> Iterator[BenchRow]:
    """Yield the rows, from fillings to reviews."""
    yield from _filling_rows()
    yield from _search_rows()
    yield from _tree_rows()
    yield from _net_rows()
    yield from _classic_rows()
    yield from _dark_rows()
    yield from _solver_rows()
    yield from _verdict_rows()
    yield from _review_rows()


# Fillings of the empty 11x11: random ones, by each method on one core and on two threads,
# and an exact count of all.

BATCHES = 1000
FILLINGS = 1024 * BATCHES  # a multiple of the batch of the samplers
THREADED = 8 * FILLINGS  # so many that the start of the threads hardly counts


def _filling_rows() -> Iterator[BenchRow]:
    empty = partial(bench_measure.suite_positions, "empty-11")
    walk: Rivals = {"walk": _walk_boundaries}
    rivals = {
        FillingMethod.LOSING: walk
        | {"numpy": lambda position: plain.count_losing(position, BATCHES, 0)},
        FillingMethod.CRITICAL: walk
        | {"numpy": lambda position: plain.sample(position, BATCHES, 0)},
    }
    for method in FillingMethod:
        yield BenchRow(
            f"fillings/11x11/empty/{method.value}",
            empty,
            partial(_draw, method=method),
            rivals.get(method, walk),
            units=FILLINGS,
        )
    yield BenchRow(
        "fillings/11x11/empty/two-threads",
        empty,
        partial(_draw, count=THREADED, threads=2),
        {"one thread": partial(_draw, count=THREADED)},
        units=THREADED,
        threads=True,
    )
    yield BenchRow("fillings/11x11/empty/exact", empty, _count_exactly, passes=20)


def _draw(
    position: Position,
    method: FillingMethod = FillingMethod.CRITICAL,
    *,
    count: int = FILLINGS,
    threads: int = 1,
) -> Tally:
    rng = np.random.default_rng(0)
    odds = sample(position, count, rng, method=method, threads=threads)
    return {"won_by_black": round(odds.black * count)}


def _walk_boundaries(position: Position) -> None:
    """Count losing colors one filling at a time, as Payne and Robeva describe it."""
    plain.count_losing_by_walk(position, FILLINGS, 0)


def _count_exactly(position: Position) -> Tally:
    odds = exact(position)
    return {"center": round(1e6 * float(odds.critical[position.board.size // 2]))}


# Alpha-beta: nodes a second, nodes to a depth, and one look (the evaluation of a node).
#
# Compare rows to see what takes the time of a node: the closures of both players, both
# circuits, and the rest. To compare orderings, compare the nodes of two rows. A search
# that has to stop finishes its current look; the longest is that of a root, which is
# evaluated from scratch.

NODES = 20  # evaluated in each position, for the rate


def _search_rows() -> Iterator[BenchRow]:
    yield BenchRow(
        "node/11x11/london/M20K4",
        _positions_to_search,
        _look_around,
        {"scratch": partial(_look_around, incremental=False)},
        units=NODES,
    )
    yield BenchRow("node/11x11/london/closures", _lines, _close_around, units=NODES)
    yield BenchRow("node/11x11/london/circuits", _lines_with_closures, _solve_line, units=NODES)
    for side in (11, 14, 19):
        yield BenchRow(f"look/{side}x{side}/walk", partial(_walk, Board(side, side)), _look)
    for depth, widths in ((2, (20, 15)), (3, (20, 15, 10))):
        by_links, by_center = (
            partial(_search, SearchSettings(depth=depth, widths=widths, ordering=ordering))
            for ordering in ("weak_links", "center")
        )
        name = f"search/11x11/london/depth{depth}"
        yield BenchRow(
            f"{name}/weak_links", _positions_to_search, by_links, {"center": by_center}, 2
        )
        yield BenchRow(f"{name}/center", _positions_to_search, by_center, passes=2)


def _positions_to_search() -> list[Position]:
    """Return the positions that a look does not decide; the others need no search."""
    return [
        position
        for position in bench_measure.london_suite()
        if SearchPosition(position, Limits(), weak_links).probe().winner is None
    ]


def _lines() -> list[SearchPosition]:
    return [SearchPosition(position, Limits(), weak_links) for position in _positions_to_search()]


def _lines_with_closures() -> list[SearchPosition]:
    """Return lines whose connections are computed, so that a look has only the circuits left."""
    lines = _lines()
    for line in lines:
        line.probe()
    return lines


def _close_around(line: SearchPosition) -> Tally:
    """Find the connections of both players at each position of `_look_around`, but no circuits."""
    chains = 0
    for move in islice(cycle(line.probe().moves), NODES - 1):
        line.play(move)
        for side in line.sides.values():
            side.close()
            chains += side.has_chain
        line.undo()
    return {"nodes": NODES, "chains": chains}


def _solve_line(line: SearchPosition) -> Tally:
    for _ in range(NODES):
        evaluation, _ = line.solve_circuits()
    return {"nodes": NODES, "thousandths": round(1000 * evaluation)}


def _walk(board: Board) -> Iterator[Position]:
    """Yield every fifth position of a game on weak links, whose moves are not always the best."""
    position, limits = Position.of(board), Limits(M=4, K=3)
    for move in count():
        view = SearchPosition(position, limits, weak_links).probe()
        if view.winner is not None:
            return
        if move % 5 == 0:
            yield position
        position = position.play(view.moves[3 * move % 7 % len(view.moves)])


def _look(position: Position) -> Tally:
    """Evaluate a root with the limits that a player uses on this board."""
    view = SearchPosition(position, defaults(position.board).limits, weak_links).probe()
    return {"looks": 1, "moves": len(view.moves)}


def _look_around(position: Position, *, incremental: bool = True) -> Tally:
    """Evaluate the positions after the best moves: closures of both players, both circuits.

    The best move follows the last one again, so each position has the same number of looks.
    """
    line = SearchPosition(position, Limits(), weak_links, incremental=incremental)
    open_ones = 0
    for move in islice(cycle(line.probe().moves), NODES - 1):
        line.play(move)
        open_ones += line.probe().winner is None
        line.undo()
    return {"nodes": NODES, "open": open_ones}


def _search(settings: SearchSettings, position: Position) -> Tally:
    counts = search(position, settings).counts
    return {"nodes": counts.closures, "hits": counts.hits, "cutoffs": counts.cutoffs}


# Best-first search: simulations alone, and with looks by H-search.

MANY, FEW = 20_000, 1_000


def _tree_rows() -> Iterator[BenchRow]:
    alone, looking = TreeSettings(simulations=MANY, look_at=None), TreeSettings(simulations=FEW)
    board = Board(11, 11)
    positions = [Position.of(board).play(board.cell("a10"))]
    grow = partial(_grow, settings=alone)
    yield BenchRow("tree/11x11/simulations", lambda: positions, grow, units=MANY)
    grow = partial(_grow, settings=looking)
    yield BenchRow("tree/11x11/london/looks", bench_measure.london_suite, grow, passes=3)


def _grow(position: Position, settings: TreeSettings) -> Tally:
    """Grow a tree with a fixed seed, and count the visits of its best move and its looks."""
    findings = TreeSearch(position, settings).run(np.random.default_rng(0))
    best = findings.best
    return {"visits": 0 if best is None else best.visits, "looks": findings.looks}


# Nets: evaluations of a position by the kernel, with random weights.

ASKED = 100  # evaluations in one run

BenchedNet = NetEvaluator | Int8Evaluator


def _net_rows() -> Iterator[BenchRow]:
    """Yield a row for each shape of net, and in eight bits if the extra `fast` is installed."""
    for blocks, channels in ((4, 32), (6, 64)):
        name = f"net/11x11/{blocks}x{channels}"
        yield BenchRow(name, partial(_nets, NetEvaluator, blocks, channels), _ask, units=ASKED)
        if is_installed():
            nets = partial(_nets, Int8Evaluator, blocks, channels)
            yield BenchRow(f"{name}/int8", nets, _ask, units=ASKED)


def _nets(kind: type[BenchedNet], blocks: int, channels: int) -> list[BenchedNet]:
    return [kind(random_net(blocks, channels, np.random.default_rng(0)), Board(11, 11))]


def _ask(evaluator: BenchedNet) -> Tally:
    """Evaluate a position many times; count only what rounding does not change."""
    position = Position.of(evaluator.board, black="a10 f6", white="d8", turn=Color.WHITE)
    stones = Frame.of(position, Color.BLACK).stones.copy()
    for _ in range(ASKED):
        policy, value = evaluator.advise(stones, position.turn)
    return {"best": int(policy.argmax()), "percent": round(100 * value)}


# Classic evaluators: evaluations by the kernel and in Python, searches to depth 2 over all cells.

EVALUATIONS = 20  # in one run; one is too short to time

Frames = tuple[Position, NDArray[np.int8], NDArray[np.int8]]


def _classic_rows() -> Iterator[BenchRow]:
    for which, name in enumerate(kernel.NAMES):
        yield BenchRow(
            f"evaluation/11x11/london/{name}",
            _frames,
            partial(_run_kernel, which),
            {"face": partial(_evaluate, name)},
            units=EVALUATIONS,
        )
    for name in kernel.NAMES:
        settings = SearchSettings(
            depth=2, widths=(676,), ordering="charge", evaluator=name, deepens=False
        )
        move = partial(_search_classically, settings)
        yield BenchRow(f"classic/11x11/london/depth2/{name}", _positions_in_play, move, passes=2)


def _positions_in_play() -> list[Position]:
    return [position for position in bench_measure.london_suite() if winner(position) is None]


def _frames() -> list[Frames]:
    return [
        (position, Frame.of(position, Color.BLACK).stones, Frame.of(position, Color.WHITE).stones)
        for position in _positions_in_play()
    ]


def _run_kernel(which: int, frames: Frames) -> Tally:
    position, black, white = frames
    board, wiring = position.board, WIRINGS["none"]
    for _ in range(EVALUATIONS):
        value = kernel.evaluate(which, board.columns, board.rows, black, white, wiring)
    return {"evaluations": EVALUATIONS, "thousandths": round(1000 * value)}


def _evaluate(name: str, frames: Frames) -> None:
    for _ in range(EVALUATIONS):
        evaluate(frames[0], name)


def _search_classically(settings: SearchSettings, position: Position) -> Tally:
    counts = search(position, settings).counts
    return {"nodes": counts.nodes, "cutoffs": counts.cutoffs}


# Dark Hex: an iteration of CFR+, compared with OpenSpiel if that is installed.

OPENSPIEL = "open_spiel"
ABSENT = "open_spiel is not installed: no comparison (pip install open_spiel)"


class _Solvers(NamedTuple):
    """Two solvers of one game; each call of `rival` does one iteration."""

    own: Minimizer
    rival: Callable[[], None]


def _dark_rows() -> Iterator[BenchRow]:
    """Yield a row for each of two silent abrupt boards."""
    is_there = importlib.util.find_spec("pyspiel") is not None
    rivals: Rivals = {OPENSPIEL: lambda solvers: solvers.rival()} if is_there else {}
    for columns, passes in ((2, 200), (3, 100)):
        yield BenchRow(
            f"dark/cfr+/{columns}x2-abrupt-silent",
            partial(_solvers, DarkRules(Board(columns, 2), Base.ABRUPT), with_rival=is_there),
            _iterate,
            rivals,
            passes=passes,
            absent="" if is_there else ABSENT,
        )


def _solvers(rules: DarkRules, *, with_rival: bool) -> list[_Solvers]:
    own = Minimizer(tree.build(rules), VARIANTS["cfr+"])
    if not with_rival:
        return [_Solvers(own, lambda: None)]
    pyspiel = importlib.import_module("pyspiel")
    board = {"num_rows": rules.board.rows, "num_cols": rules.board.columns}
    game = pyspiel.load_game("dark_hex", {"gameversion": "adh", **board})
    return [_Solvers(own, pyspiel.CFRPlusSolver(game).evaluate_and_update_policy)]


def _iterate(solvers: _Solvers) -> Tally:
    solvers.own.step()
    return {"nodes": solvers.own.tree.nodes}


# The solver: all openings of a board, from an empty table each time.


def _solver_rows() -> Iterator[BenchRow]:
    """Yield a row for each board; the rivals are two threads, jobs, and other techniques.

    The net is only a rival, so that the signature does not depend on what is installed.
    """
    for board in (Board(side, side) for side in (4, 5, 6)):
        yield BenchRow(
            f"solve/{board}/openings",
            partial(list, [board]),
            _count_openings,
            {
                "two-workers": partial(_solve, workers=2),
                "one-worker-by-jobs": _solve_by_jobs,
                "without-widening": partial(_solve, without="widening"),
                "without-fill-in": partial(_solve, without="fill-in"),
                "with-net": partial(_solve, net=True),
            },
            passes=2,
        )


def _count_openings(board: Board) -> Tally:
    solver = Solver(board, techniques=Techniques(net=False))
    return {"wins": winning_openings(solver).count(), "nodes": solver.nodes}


def _solve(
    board: Board, *, workers: int = 1, without: str | None = None, net: bool = False
) -> None:
    techniques = Techniques(net=net).without([] if without is None else [without])
    winning_openings(Solver(board, workers=workers, techniques=techniques))


def _solve_by_jobs(board: Board) -> None:
    jobs, worker = JobTree(board), Worker(board, memory=1000)
    for cell in from_the_center(board):
        position = Position.of(board).play(cell)
        while (job := jobs.next_job([position])) is not None:
            jobs.keep(worker.run(job))


# Verdicts: who wins each position, without memory of others, by connections and with the solver.


def _verdict_rows() -> Iterator[BenchRow]:
    """Yield a row for connections alone, and one with the solver."""
    for name, seconds in (("connections", 0.0), ("solver", SEARCH_SECONDS)):
        work = partial(_verdict, seconds)
        yield BenchRow(
            f"verdict/11x11/london/{name}", bench_measure.london_positions, work, passes=1
        )


def _verdict(seconds: float, position: Position) -> Tally:
    analysis = Analysis(position, search=seconds, memory=Memory())
    proof = analysis.proved
    by = None if proof is None else proof.by
    return {
        "proved": int(proof is not None),
        "solver": by.positions if isinstance(by, BySolver) else 0,
    }


# Reviews: the London games with effort quick, and small games with quick and with normal.

REVIEWED = 8  # small games


def _review_rows() -> Iterator[BenchRow]:
    """Yield the row of the London games, and those of small games at each effort."""
    quick = partial(_review, effort="quick")
    yield BenchRow("review/11x11/london/quick", bench_measure.london_games, quick, passes=3)
    for effort in ("quick", "normal"):
        review = partial(_review, effort=effort)
        yield BenchRow(f"review/7x7/{effort}", _small_games, review, passes=2)


def _small_games() -> Iterable[Game]:
    return map(SelfPlay("hexy:level=2", (7,), seed=1).game, range(REVIEWED))


def _review(game: Game, effort: str) -> Tally:
    result = review_game(game, replace(EFFORTS[effort], search=0))  # the solver has its own rows
    return {
        "moves": len(result.moves),
        "proved": sum(state.winner is not None for state in result.states),
        "mistakes": sum(move.is_mistake for move in result.moves),
        "nodes": result.nodes,
    }
