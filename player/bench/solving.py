"""Rows for the solver: all openings of a board, from an empty table each time."""

from collections.abc import Iterator
from functools import partial

from hsearch.board import Board
from player.bench.measure import Row, Tally
from player.solve import Solver, Techniques, winning_openings

SIDES = (4, 5, 6)


def solving_rows() -> Iterator[Row]:
    """Yield a row a board; the rivals are two workers, and the search without some techniques."""
    for side in SIDES:
        yield Row(
            f"solve/{side}x{side}/openings",
            partial(_boards, side),
            _count,
            {
                "two-workers": partial(_solve, workers=2),
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
