"""Confidence intervals and Elo."""

import importlib.util
import math
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from places import ROOT
from scipy import stats

from player.work.statistics import (
    SequentialVerdict,
    elo,
    elo_interval,
    ratings,
    save_figure,
    sequential,
    share,
)


@given(st.integers(1, 500), st.floats(0, 1))
def test_the_interval_equals_that_of_scipy(games, part):
    """The interval is Wilson's, as scipy computes it."""
    won = round(part * games)
    found = share(won, games)
    known = stats.binomtest(won, games).proportion_ci(0.95, method="wilson")

    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-9)
    assert found.low <= found.estimate <= found.high


# In the results: `| 61 | 68 | 0.802 to 0.949 |`, or the share as well; `61 of 68 (0.802 to 0.949)`.
ENDS = r"(?:\d[.]\d+ )?\(?(\d[.]\d+) to (\d[.]\d+)"
CELLS = rf"\| (\d+) \| (\d+) \| {ENDS}"
PROSE = rf"(\d+) of (\d+)(?:(?! \d+ of \d)[^(|]){{,40}}\({ENDS}"


def test_the_intervals_of_the_results_are_those_of_their_games():
    """Beside games won and played stands the interval of the one player or of the other."""
    count = 0
    for page in sorted((ROOT / "positions/results").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for written in (*re.finditer(CELLS, text), *re.finditer(PROSE, " ".join(text.split()))):
            won, games = sorted(map(int, written.groups()[:2]))
            low, high = written.groups()[2:]
            digits = len(low.partition(".")[2])
            intervals = [share(number, games) for number in (won, games - won)]
            ends = [(f"{each.low:.{digits}f}", f"{each.high:.{digits}f}") for each in intervals]

            assert (low, high) in ends, f"{page.name}: {written[0]}"
            count += 1
    assert count > 100


@pytest.mark.parametrize(("won", "games"), [(1, 0), (-1, 3), (4, 3)])
def test_impossible_counts_are_refused(won, games):
    """The message contains the counts."""
    with pytest.raises(ValueError, match=f"{won} of {games}"):
        share(won, games)


def test_elo_of_known_shares():
    """Even is 0, ten to one is 400 points, all wins are infinite; losses are negative."""
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(1 / 11) == pytest.approx(-400)
    assert (elo(1), elo(0)) == (math.inf, -math.inf)
    with pytest.raises(ValueError, match="no share"):
        elo(1.1)


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_difference_of_two_ratings_is_the_elo_of_the_games(won, lost):
    """The difference is the Elo of the games plus one draw."""
    assume(won + lost)
    one, other = ratings(np.array([[0, won], [lost, 0]], float))

    assert one.estimate - other.estimate == pytest.approx(elo((won + 0.5) / (won + lost + 1)))
    assert one.estimate + other.estimate == pytest.approx(0, abs=1e-6)
    assert one.low < one.estimate < one.high


def test_expected_scores_by_rating_equal_the_actual_scores():
    """With the likeliest ratings, each player's expected score is the actual score."""
    wins = np.array([[0, 30, 39], [10, 0, 28], [1, 12, 0]], float)
    found = [rating.estimate for rating in ratings(wins)]
    for i in range(3):
        expected = sum(
            (wins[i, j] + wins[j, i] + 1) / (1 + 10 ** ((found[j] - found[i]) / 400))
            for j in range(3)
            if j != i
        )
        assert expected == pytest.approx(wins[i].sum() + 1)
    assert found == sorted(found, reverse=True)


def test_rating_intervals_have_their_nominal_coverage():
    """With 200 games of players 100 points apart, 90% of the intervals contain the truth."""
    generator = np.random.default_rng(5)
    held = 0
    for _ in range(200):
        won = int(generator.binomial(200, 1 / (1 + 10 ** (-100 / 400))))
        one, _ = ratings(np.array([[0, won], [200 - won, 0]], float))
        held += one.low <= 50 <= one.high

    assert 180 <= held <= 200


def test_even_players_have_the_same_rating():
    """Ratings are exactly equal, with equal signs, if wins and losses balance."""
    chain = np.zeros((5, 5))
    chain[[0, 1, 2, 3], [1, 2, 3, 4]] = 7
    one, two, three, four, five = (rating.estimate for rating in ratings(chain))

    assert str(three) == "0.0"
    assert (one, two) == (-five, -four)
    assert {str(each.estimate) for each in ratings(np.ones((7, 7)))} == {"0.0"}


def test_ratings_of_groups_that_never_met_are_finite():
    """Without games between two groups, all ratings stay finite."""
    wins = np.zeros((4, 4))
    wins[0, 1], wins[2, 3] = 5, 5
    found = ratings(wins)

    assert found[0].estimate == pytest.approx(found[2].estimate)
    assert all(math.isfinite(rating.low) for rating in found)


def test_a_sequential_test_stops_after_fifteen_straight_wins():
    """The least is fifteen wins in a row; an even score never decides."""
    least = math.ceil(math.log(19) / (35 * math.log(10) / 400))

    assert sequential([True] * 100) == SequentialVerdict(least, better=True)
    assert sequential([False] * 100) == SequentialVerdict(least, better=False)
    assert sequential([True] * (least - 1)) is None
    assert sequential([True, False] * 500) is None


def test_a_sequential_test_is_seldom_mistaken():
    """With players 35 points apart, the worse one is named in at most 8% of the runs."""
    generator = np.random.default_rng(6)
    chance = 1 / (1 + 10 ** (-35 / 400))
    verdicts = [sequential((generator.random(2000) < chance).tolist()) for _ in range(400)]

    assert sum(verdict is not None and not verdict.better for verdict in verdicts) <= 32


@given(st.integers(0, 50), st.integers(1, 50))
def test_elo_intervals_enclose_their_estimate(won, more):
    """The bounds enclose the estimate, also if one is infinite."""
    found = elo_interval(won, won + more)

    assert found.low <= found.estimate <= found.high


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="the extra `plot`")
@pytest.mark.parametrize("ending", [".svg", ".SVG", ".pdf", ".PDF", ".png", ".PNG"])
def test_the_same_figure_makes_the_same_file(tmp_path, monkeypatch, ending):
    """No file has a date, in whatever letters its ending is."""
    files = []
    for date in ("0", "86400"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", date)
        with save_figure(tmp_path / f"x{ending}", (2, 2)) as figure:
            figure.subplots().plot([1, 2])
        files.append((tmp_path / f"x{ending}").read_bytes())

    assert files[0] == files[1]
