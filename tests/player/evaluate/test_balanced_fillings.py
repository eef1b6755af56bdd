"""Balanced fillings (Cohen), with equally many stones of each color, counted exactly."""

import math
from fractions import Fraction

import brute_fillings
import numpy as np
import pytest
from hypothesis import assume, given
from strategies import positions

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.evaluate.exact import count, count_or_draw, exact, fractions
from player.evaluate.fillings import FillingMethod, black_share, sample


@given(positions(max_side=4, stones="....BW"))
def test_counts_of_balanced_fillings_equal_enumeration(position):
    """Fillings that Black wins, and those in which each cell is critical, are those enumerated."""
    assume(position.empty.count() <= 12)
    won, blacks = brute_fillings.winners(position), black_share(position)
    right = np.array([number.bit_count() == blacks for number in range(len(won))])
    counts = count(position, balanced=True)

    assert (counts.fillings, counts.black) == (right.sum(), won[right].sum())
    shares = {cell: number / counts.fillings for cell, number in counts.critical.items()}
    assert shares == brute_fillings.balanced(position)


@given(positions(max_side=5))
def test_balanced_odds_in_doubles_agree_with_integers(position):
    """The kernel that counts stones along the frontier agrees with big whole numbers."""
    counts, odds = count(position, balanced=True), exact(position, balanced=True)
    shares = {cell: number / counts.fillings for cell, number in counts.critical.items()}

    assert odds.balanced
    assert odds.black == pytest.approx(counts.black / counts.fillings, abs=1e-13)
    assert odds.critical == pytest.approx(shares, abs=1e-13)


@pytest.mark.parametrize(
    ("side", "black", "best"),
    [
        (2, Fraction(1, 2), {"b1", "a2"}),
        (3, Fraction(2, 3), {"b2"}),
        (4, Fraction(1, 2), {"c2", "b3"}),
        (5, Fraction(2981241, 5200300), {"c3"}),
    ],
)
def test_balanced_shares_of_empty_boards_are_the_known_ones(side, black, best):
    """The first player's share is more than half on odd boards, which have one stone more."""
    position = Position.of(Board(side, side))
    odds = exact(position, balanced=True)

    assert fractions(odds).black == black
    assert {position.board.name(cell) for cell in odds.best()} == best


@pytest.mark.slow
def test_balanced_odds_on_11x11_agree_with_samples():
    """Exact odds agree with four million sampled fillings, and with their rotation."""
    position = Position.of(Board(11, 11))
    odds = exact(position, balanced=True)
    drawn = sample(position, 4_000_000, np.random.default_rng(3), method=FillingMethod.BALANCED)

    assert odds.best() == [position.board.cell("f6")]
    assert abs(drawn.black - odds.black) < 5 * drawn.error
    for cell, share in odds.critical.items():
        assert abs(drawn.critical[cell] - share) < 5 * drawn.errors[cell]
        assert odds.critical[position.board.rotate(cell)] == pytest.approx(share, abs=1e-12)


def test_balanced_odds_of_a_wide_board_equal_those_transposed():
    """A board that is wider than high is counted transposed, with colors exchanged."""
    position = Position.of(Board(6, 3), black="b2", turn=Color.WHITE)
    wide, high = exact(position, balanced=True), exact(position.transposed(), balanced=True)

    assert wide.black == high.chance(Color.WHITE)
    assert fractions(wide).black == 1 - fractions(high).black
    assert fractions(wide).black == Fraction(*_counted(position))


def test_balanced_fillings_of_large_boards_are_sampled():
    """Larger boards are sampled, and so is any board if a number of fillings is given."""
    position, rng = Position.of(Board(12, 12)), np.random.default_rng(0)
    with pytest.raises(
        ValueError, match=r"all balanced fillings: 12x12 \(one side must be at most 11\)"
    ):
        exact(position, balanced=True)

    assert not count_or_draw(position, rng, fillings=1000, method=FillingMethod.BALANCED).is_exact
    assert count_or_draw(Position.of(Board(3, 3)), rng, method=FillingMethod.BALANCED).is_exact


def test_the_player_to_move_gets_the_odd_stone_of_balanced_fillings():
    """The player to move gets the odd stone, and a full board has one filling."""
    position = Position.of(Board(3, 3))

    assert count(position, balanced=True).fillings == math.comb(9, 5)
    assert count(position.play(4), balanced=True).fillings == math.comb(8, 4)
    assert count(Position.of(Board(1, 1), black="a1"), balanced=True).fillings == 1


def _counted(position):
    counts = count(position, balanced=True)
    return counts.black, counts.fillings
