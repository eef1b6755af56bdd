"""Whole chips in any game: tic-tac-toe against the papers, Hex against its own solver."""

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from naive_least import least_holdings, thresholds
from strategies import positions
from test_bidding import HexGame, TicTacToe

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from player.bidding.advice import richman_values
from player.bidding.discrete import Thresholds
from player.evaluate.exact import exact

EMPTY = "." * 9


class TiesForBlack(TicTacToe):
    """Tic-tac-toe in which a full board without a line counts for Black."""

    def winner(self, state):
        """Return the player with a line, or Black if the board is full without one."""
        has_line = any(all(state[int(cell)] == "O" for cell in line) for line in self.LINES)
        won = super().winner(state)
        return Color.BLACK if won is Color.WHITE and not has_line else won


class Remembered:
    """A game that caches its winners and moves for all numbers of chips."""

    def __init__(self, game):
        self.winner, self.moves = cache(game.winner), cache(game.moves)


TIES_FOR_WHITE, TIES_FOR_BLACK = Remembered(TicTacToe()), Remembered(TiesForBlack())


def best_squares(game, total):
    """Return Black's best first squares, 0 to 8."""
    least = least_holdings(game, EMPTY, total)
    codes = [least[state] for state in game.moves(EMPTY, Color.BLACK)]
    return {square for square, code in enumerate(codes) if code == min(codes)}


def test_with_five_chips_the_center_is_not_best():
    """Five chips make the center of tic-tac-toe not best (Develin and Payne, theorem 6.17)."""
    assert best_squares(TIES_FOR_WHITE, 5) == {0, 2, 6, 8}
    # For White the roles are reversed: White's best squares are the worst for Black.
    game = TIES_FOR_BLACK
    least = least_holdings(game, EMPTY, 5)
    codes = [least[state] for state in game.moves(EMPTY, Color.WHITE)]
    assert {s for s, code in enumerate(codes) if code == max(codes)} == {0, 2, 6, 8}


@pytest.mark.slow
@pytest.mark.parametrize("game", [TIES_FOR_WHITE, TIES_FOR_BLACK])
def test_beyond_26_chips_only_the_center_is_best(game):
    """From 27 to 40 chips only the center is best (Develin and Payne, theorem 6.17)."""
    for total in range(27, 41):
        assert best_squares(game, total) == {4}, total


def test_the_threshold_approaches_the_richman_value():
    """With many chips the threshold nears 133/256 of them, ties for White (theorem 3.10)."""
    least = least_holdings(TIES_FOR_WHITE, EMPTY, 1000)[EMPTY]

    assert least / 2002 == pytest.approx(Fraction(133, 256), abs=0.005)


@given(positions(max_side=3, stones="..BW"), st.integers(0, 40))
def test_the_general_recursion_agrees_with_the_thresholds_of_hex(position, total):
    """The recursion over states agrees with the arrays of `Thresholds`."""
    assume(position.empty.count() <= 6)
    solved = Thresholds(position, total)
    for state, code in least_holdings(HexGame(), position, total).items():
        holding = solved.threshold(state, Color.BLACK)
        expected = 2 * total + 2 if holding is None else 2 * holding.chips + holding.tie_break

        assert code == expected


@given(positions(max_side=3, stones="..BW"))
def test_richman_values_agree_with_the_general_recursion(position):
    """R- and R+ by the general recursion equal those by critical cells."""
    assume(winner(position) is None and 0 < position.empty.count() <= 6)
    known = thresholds(HexGame(), position)
    values = richman_values(exact(position))

    assert values.value == known[position]
    moves = {color: HexGame().moves(position, color) for color in Color}
    assert values.after_black == min(known[state] for state in moves[Color.BLACK])
    assert values.after_white == max(known[state] for state in moves[Color.WHITE])


def test_balanced_fillings_give_no_richman_values():
    with pytest.raises(ValueError, match="balanced"):
        richman_values(exact(Position.of(Board(3, 3)), balanced=True))
