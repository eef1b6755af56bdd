"""Inferior cells in every position of a board: twelve cells at each run, 4x4 under `nightly`.

4x4 has 43 million ways to put stones; it takes some minutes.
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
    """Return who wins each position of a board, and which are over."""
    columns, rows = sides
    return every_position.every_winner(columns, columns * rows)


def test_fill_in_keeps_every_winner(sides):
    """With stones of any number, and whoever is to move."""
    columns, rows = sides
    wins, _ = winners(sides)
    count, wrong = every_position.changed_by_fill_in(
        columns, columns * rows, inferior.dead_rings(), wins
    )

    assert wrong == -1
    assert count > 3 ** (columns * rows) / 2  # most positions have something to fill


def test_pruning_vulnerable_moves_keeps_a_win_everywhere(sides):
    """In every position that is won."""
    columns, rows = sides
    wins, over = winners(sides)
    count, wrong = every_position.lost_by_pruning(
        columns, columns * rows, inferior.dead_rings(), wins, over
    )

    assert wrong == -1
    assert count > 0
