"""Inferior cells in every position of twelve cells at each run, and of 4x4 under `nightly`.

There are 43 million placements of stones on 4x4; they take some minutes.
"""

from functools import cache

import every_position
import pytest
from nightly import IS_NIGHTLY

from hsearch.connect import inferior

BOARDS = [(3, 4), (4, 3), (2, 5), (6, 2)]
if IS_NIGHTLY:
    BOARDS.append((4, 4))
pytestmark = [pytest.mark.slow, pytest.mark.parametrize("sides", BOARDS)]


@cache
def winners(sides):
    """Return the winner of each position of a board, and which positions are over."""
    columns, rows = sides
    return every_position.every_winner(columns, columns * rows)


def test_fill_in_keeps_every_winner(sides):
    """Fill-in keeps the winner with any number of stones, whoever is to move."""
    columns, rows = sides
    wins, _ = winners(sides)
    count, wrong = every_position.changed_by_fill_in(
        columns, columns * rows, inferior.dead_rings(), wins
    )

    assert wrong == -1
    assert count > 3 ** (columns * rows) / 2  # fill-in changes most positions


def test_pruning_vulnerable_moves_keeps_a_win_everywhere(sides):
    """In every won position a winning move is left."""
    columns, rows = sides
    wins, over = winners(sides)
    count, wrong = every_position.lost_by_pruning(
        columns, columns * rows, inferior.dead_rings(), wins, over
    )

    assert wrong == -1
    assert count > 0
