"""Intervals and Elo."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from player.statistics import elo, share


@given(st.integers(1, 500), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_interval_is_scipys(games, part, confidence):
    """Wilson's interval, as another library has it."""
    won = round(part * games)
    found = share(won, games, confidence=confidence)
    known = stats.binomtest(won, games).proportion_ci(confidence, method="wilson")

    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-9)
    assert found.low <= found.estimate <= found.high


@pytest.mark.parametrize(("won", "games"), [(1, 0), (-1, 3), (4, 3)])
def test_impossible_counts_are_refused(won, games):
    """The message tells the counts."""
    with pytest.raises(ValueError, match=f"{won} of {games}"):
        share(won, games)


def test_elo_of_known_shares():
    """Even is 0, ten to one is 400 points, all is infinite; the loser has the negative."""
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(1 / 11) == pytest.approx(-400)
    assert (elo(1), elo(0)) == (math.inf, -math.inf)
    with pytest.raises(ValueError, match="no share"):
        elo(1.1)
