"""The simulated clock that measures how solving by jobs scales."""

from job_growth import WAY, growth

from hsearch.hex.board import Board
from hsearch.hex.position import Position
from player.solve.solver import from_the_center


def test_one_worker_is_always_busy_and_two_are_no_slower():
    """The clock adds up the work: one worker is always busy, and two are no slower."""
    board = Board(4, 4)
    positions = [Position.of(board).play(cell) for cell in from_the_center(board)]
    one, two = (growth(positions, workers, smallest=1, memory=1) for workers in (1, 2))

    assert one.elapsed == one.nodes + WAY * one.jobs
    assert one.busy == 1
    assert two.elapsed <= one.elapsed
    assert two.nodes + WAY * two.jobs <= 2 * two.elapsed
    assert two.busy <= 1
