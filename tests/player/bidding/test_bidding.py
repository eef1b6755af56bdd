"""Richman values, random turns, and the advice that follows from them."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_least import thresholds
from strategies import positions

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from player.bidding.advice import Reason, advise, average, expected_turns, fair_bid, play
from player.bidding.chips import Holding
from player.bidding.discrete import MAX_EMPTY
from player.evaluate.exact import count, exact
from player.evaluate.fillings import FillingMethod, sample


class TicTacToe:
    """Tic-tac-toe with states of nine characters; a full board without a line counts for White."""

    LINES = ("012", "345", "678", "036", "147", "258", "048", "246")

    def winner(self, state):
        """Return the player with a line."""
        for color, stone in zip(Color, "XO", strict=True):
            if any(all(state[int(cell)] == stone for cell in line) for line in self.LINES):
                return color
        return None if "." in state else Color.WHITE

    def moves(self, state, color):
        """Return the states with one more stone."""
        stone = "XO"[color]
        return [state[:c] + stone + state[c + 1 :] for c in range(9) if state[c] == "."]


class HexGame:
    """Hex as a game for the general recursion."""

    def winner(self, state):
        """Return the player who has joined the edges."""
        return winner(state)

    def moves(self, state, color):
        """Return the positions with one more stone."""
        return [state.put(cell, color) for cell in state.empty.search(1)]


def test_the_richman_value_of_tic_tac_toe_is_the_known_one():
    """The Richman value of tic-tac-toe with ties counted for White is 133/256."""
    assert thresholds(TicTacToe(), "." * 9)["." * 9] == Fraction(133, 256)


@given(positions(max_side=3, stones="..BW"))
def test_richman_value_is_the_chance_to_lose_at_random_turns(position):
    """The recursion agrees with the count of fillings: R = 1 - P, bid = P(critical) / 2."""
    values = thresholds(HexGame(), position)
    counts = count(position)

    assert values[position] == 1 - Fraction(counts.black, counts.fillings)
    if winner(position) is None:
        # Black's best move leads to the least R, and its bid is half the gap.
        gap = {
            cell: values[position.put(cell, Color.WHITE)] - values[position.put(cell, Color.BLACK)]
            for cell in position.empty.search(1)
        }
        assert gap == {c: Fraction(n, counts.fillings) for c, n in counts.critical.items()}


@pytest.mark.parametrize(("side", "turns"), [(2, Fraction(5, 2)), (3, Fraction(563, 128))])
def test_expected_numbers_of_random_turns_are_right(side, turns):
    """The expected number of random turns under best play is exact and independent of ties."""
    assert expected_turns(Position.of(Board(side, side))) == turns


def test_simulated_numbers_of_turns_agree_with_the_expected_one():
    """The mean of 2,000 games on 3x3 is within five standard errors; a seed fixes the games."""
    position = Position.of(Board(3, 3))
    known = cache(exact)
    rng = np.random.default_rng(0)
    mean, error = average([len(play(position, rng, known)) for _ in range(2000)])

    assert abs(mean - 563 / 128) < 5 * error < 0.2
    one, again = (play(position, np.random.default_rng(5), known) for _ in range(2))
    assert one == again
    with pytest.raises(ValueError, match="too few games for a standard error: 1"):
        average([len(one)])


def test_random_turn_games_take_best_cells_until_a_player_wins():
    """Each random turn takes one of the best cells, until a player has won."""
    position = Position.of(Board(4, 4))
    for turn in play(position, np.random.default_rng(1), exact):
        assert winner(position) is None
        assert turn.cell in exact(position).best()
        position = position.put(turn.cell, turn.color)

    assert winner(position) is not None


def test_bids_on_large_boards_follow_the_rule_of_the_paper():
    """On a large board the bid is half of P(critical) of all chips, rounded down."""
    position = Position.of(Board(11, 11))
    odds = exact(position)
    for total, bid in ((200, 6), (1000, 33), (10, 0)):
        advice = advise(odds, Color.BLACK, Holding(total // 2), total=total)

        assert (advice.cell, advice.bid) == (position.board.cell("f6"), bid)
        assert (advice.reason, advice.is_solved) == (Reason.CRITICAL, False)
        assert advice.share == pytest.approx(0.5)
        assert advice.second[1] == fair_bid(odds, advice.second[0], total) <= bid


CHIPS = st.integers(0, 60)


@given(positions(max_side=5, stones="..BBWW"), CHIPS, CHIPS, st.booleans())
def test_no_bid_exceeds_the_players_chips(position, black, white, star):
    """The bid is between 0 and the player's chips, on an empty cell; a full board has no bid."""
    for color in Color:
        holding = Holding((black, white)[color], star == (color is Color.BLACK))
        if not position.empty.any():
            with pytest.raises(ValueError, match="no cell is empty"):
                advise(exact(position), color, holding, total=black + white)
            continue
        advice = advise(exact(position), color, holding, total=black + white)

        assert 0 <= advice.bid <= holding.chips
        assert position.empty[advice.cell]
        if winner(position) is not None:
            assert (advice.bid, advice.reason) == (0, Reason.DECIDED)


@pytest.mark.parametrize("rows", [3, 15])
def test_advice_bids_all_chips_on_a_cell_that_wins_for_both(rows):
    """Advice bids everything where one cell completes both chains, on any board.

    On a large board no other exact rule is known::

        . B .
         W . W
          . B .
    """
    board = Board(3, rows)
    column = " ".join(f"b{row}" for row in range(1, rows + 1) if row != 2)
    position = Position.of(board, black=column, white="a2 c2")
    odds = exact(position)
    for color in Color:
        for chips in (0, 7, 93):
            advice = advise(odds, color, Holding(chips), total=100)

            assert (board.name(advice.cell), advice.bid) == ("b2", chips)
            assert advice.reason is Reason.EVERYTHING


def test_sampled_odds_give_the_same_advice():
    """Sampled odds give the same cell of 11x11, and the same bid to within one chip."""
    position = Position.of(Board(11, 11), black="e5", white="g6")
    rng = np.random.default_rng(0)
    exactly = advise(exact(position), Color.WHITE, Holding(100), total=1000)
    sampled = advise(sample(position, 3_000_000, rng), Color.WHITE, Holding(100), total=1000)

    assert sampled.cell == exactly.cell
    assert abs(sampled.bid - exactly.bid) <= 1


@pytest.mark.parametrize(("holding", "bid"), [("997", 4), ("997*", 3), ("950", 33), ("950*", 33)])
def test_no_bid_exceeds_what_outbids_the_opponent(holding, bid):
    """A bid is no higher than outbids the opponent's 3 chips, where the rule would say 33."""
    odds = exact(Position.of(Board(11, 11)))
    advice = advise(odds, Color.WHITE, Holding.read(holding), total=1000)

    assert (advice.bid, advice.takes_tie) == (bid, True)
    assert advice.reason is (Reason.OUTBIDS if bid < 33 else Reason.CRITICAL)


def test_a_bid_limited_by_the_chips_gives_that_as_the_reason():
    """The rule of the paper says 33; with fewer chips the reason is that there are no more."""
    odds = exact(Position.of(Board(11, 11)))
    poor, able = (advise(odds, Color.BLACK, Holding(chips), total=1000) for chips in (32, 33))

    assert (poor.bid, poor.reason) == (32, Reason.ALL)
    assert (able.bid, able.reason) == (33, Reason.CRITICAL)


def test_balanced_odds_and_excess_chips_are_refused():
    position = Position.of(Board(4, 4))
    balanced = sample(position, 1, np.random.default_rng(0), method=FillingMethod.BALANCED)

    with pytest.raises(ValueError, match="balanced fillings do not give a bid"):
        advise(balanced, Color.BLACK, Holding(5), total=10)
    with pytest.raises(ValueError, match="11 of 10 chips"):
        advise(exact(position), Color.BLACK, Holding(11), total=10)


def test_advice_with_few_empty_cells_uses_the_exact_threshold():
    """With at most MAX_EMPTY empty cells, advice uses the exact threshold."""
    position = Position.of(Board(3, 3))
    known = advise(exact(position), Color.BLACK, Holding.read("50*"), total=100)
    lost = advise(exact(position), Color.BLACK, Holding.read("50"), total=100)

    assert position.empty.count() <= MAX_EMPTY
    assert (known.threshold, known.reason) == (Holding.read("50*"), Reason.THRESHOLD)
    assert (lost.threshold, lost.reason) == (Holding.read("50*"), Reason.CRITICAL)
