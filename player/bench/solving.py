"""Rows for the solver: all openings of a board, from an empty table each time."""

from collections.abc import Iterator
from functools import partial

from hsearch.board import Board
from hsearch.position import Position
from player.bench.measure import BenchRow, Tally
from player.jobs import JobTree
from player.jobs.job import Worker
from player.solve import Solver, Techniques, winning_openings
from player.solve.openings import from_the_center

SIDES = (4, 5, 6)


def solving_rows() -> Iterator[BenchRow]:
    """Yield a row a board; the rivals are two threads, jobs, and the search without techniques."""
    for side in SIDES:
        yield BenchRow(
            f"solve/{side}x{side}/openings",
            partial(_boards, side),
            _count,
            {
                "two-workers": partial(_solve, workers=2),
                "one-worker-by-jobs": _solve_by_jobs,
                "without-widening": partial(_solve, without="widening"),
                "without-fill-in": partial(_solve, without="fill-in"),
            },
            passes=2,
        )


def _boards(side: int) -> list[Board]:
    return [Board(side, side)]


def _count(board: Board) -> Tally:
    solver = Solver(board)
    return {"wins": winning_openings(solver).count(), "nodes": solver.nodes}


def _solve(board: Board, *, workers: int = 1, without: str | None = None) -> None:
    techniques = Techniques().without([] if without is None else [without])
    winning_openings(Solver(board, workers=workers, techniques=techniques))


def _solve_by_jobs(board: Board) -> None:
    tree, worker = JobTree(board), Worker(board, memory=1000)
    for cell in from_the_center(board):
        position = Position.of(board).play(cell)
        while (job := tree.next_job([position])) is not None:
            tree.keep(worker.run(job))
