"""The carrier of the solver's win suffices when all other cells go to the loser."""

import numpy as np
import pytest

from hsearch.hex.board import Board, Color, cell_set, from_number, to_number
from hsearch.hex.position import Position, winner
from player.solve.budget import Techniques
from player.solve.solver import Solver

CROWDS = ("...BW", "..BBWW", "....BW", "...BBW", "...BWW")
PLAIN = Techniques().without(["lemmas", "regions"])


def _positions(board, count, seed):
    source = np.random.default_rng(seed)
    for _ in range(count):
        owner = source.choice(list(source.choice(CROWDS)), board.size)
        stones = (cell_set(np.flatnonzero(owner == one), board.size) for one in "BW")
        position = Position(board, *stones, Color(int(source.integers(2))))
        if winner(position) is None:
            yield position


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [(5, 5), (5, 6), (6, 6)])
def test_a_win_needs_no_more_than_its_carrier(columns, rows):
    """On 5x5 to 6x6, where carriers include the joins of regions; the turn does not change."""
    board = Board(columns, rows)
    solver, judge = Solver(board), Solver(board, techniques=PLAIN)
    for position in _positions(board, 300, seed=columns * rows):
        node = solver._decide(position)  # noqa: SLF001 - no public method returns a carrier
        first = 0 if node.first is None else 1 << node.first
        given = to_number(position.empty) & ~(node.carrier | first)
        stones = [to_number(position.black), to_number(position.white)]
        stones[1 - node.winner] |= given
        black, white = (from_number(each, board.size) for each in stones)

        assert judge.outcome(Position(board, black, white, position.turn)) == node.winner
