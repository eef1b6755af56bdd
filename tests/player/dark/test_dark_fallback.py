"""Attempts where nothing better is known: the cell that decides most often."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from hsearch.hex.board import Board, Color, cells_in
from player.dark.book import MOST_CELLS, VARIED, Book, Fallback, center_first, pivots
from player.dark.rules import Base, DarkRules


def row_of(cells, own, known):
    """Return the number of a view in base 3."""
    return sum(3**c * ((own >> c & 1) + 2 * (known >> c & 1)) for c in range(cells))


def views(cells):
    """Yield all views: own stones and found stones."""
    for digits in itertools.product(range(3), repeat=cells):
        own = sum(1 << c for c, digit in enumerate(digits) if digit == 1)
        known = sum(1 << c for c, digit in enumerate(digits) if digit == 2)
        yield own, known


def deciding(rules, color, own, known, cell):
    """Return the share of all fillings in which the cell decides, by enumeration."""
    others = list(cells_in(rules.full & ~own & ~known & ~(1 << cell)))
    times = 0
    for taken in itertools.product((0, 1), repeat=len(others)):
        mine = own | sum(1 << c for c, is_mine in zip(others, taken, strict=True) if is_mine)
        times += rules.connects(color, mine | 1 << cell) > rules.connects(color, mine)
    return Fraction(times, 2 ** len(others))


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (3, 2), (2, 3), (4, 1)])
def test_shares_of_pivotal_cells_equal_those_of_all_fillings(columns, rows, color):
    """In every view, the shares of the unknown cells are right, and other cells have -1."""
    rules = DarkRules(Board(columns, rows), Base.ABRUPT)
    cells = rules.board.size
    found = pivots(rules, color)

    for own, known in views(cells):
        row = found[row_of(cells, own, known)]
        for cell in range(cells):
            if (own | known) >> cell & 1:
                assert row[cell] == -1
            else:
                assert row[cell] == pytest.approx(float(deciding(rules, color, own, known, cell)))


@pytest.mark.parametrize("color", Color)
def test_books_fall_back_on_the_cell_that_decides_most_often(color):
    """Among equal cells, the one nearest to the center is attempted."""
    rules = DarkRules(Board(3, 2))
    book = Book(rules, Fallback(rules, color).orders)
    center = [int(cell) for cell in center_first(rules)]
    for own, known in views(6):
        free = [cell for cell in center if not (own | known) >> cell & 1]
        if free:
            best = max(free, key=lambda cell: deciding(rules, color, own, known, cell))

            assert book.fall_back(own, known) == best


def test_varied_orders_permute_the_cells_and_begin_with_a_good_one():
    """Each row has every cell once, and its first cell decides nearly as often as any."""
    rules = DarkRules(Board(3, 3))
    fallback, worth = Fallback(rules, Color.WHITE), pivots(rules, Color.WHITE)
    varied = fallback.shuffle(np.random.default_rng(2))

    assert (np.sort(varied, axis=1) == np.arange(9)).all()
    assert (varied != fallback.orders).any()
    first = np.take_along_axis(worth, varied[:, :1].astype(int), axis=1)[:, 0]
    assert (first >= worth.max(axis=1) - VARIED - 1e-4).all()


def test_large_boards_have_one_order_for_all_views():
    """The order goes from the center outward."""
    rules = DarkRules(Board(5, 3))
    orders = Fallback(rules, Color.BLACK).orders

    assert rules.board.size > MOST_CELLS
    assert orders.tolist() == [center_first(rules).tolist()]
