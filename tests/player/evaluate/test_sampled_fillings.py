"""Random fillings: the kernels, their twin in numpy, and the exact shares."""

import importlib.util
import itertools
import math
from pathlib import Path

import brute_fillings
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import positions

from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position
from player.evaluate import fillings as sampling
from player.evaluate import plain_fillings
from player.evaluate.exact import exact
from player.evaluate.fillings import FillingMethod, Sampler, black_share, places, planes, sample
from player.kernels import fillings

KEY = np.uint64(0xC0FFEE)
BATCH = fillings.BATCH


def winners_of_kernel(position, key):
    """Return the words of batch 3, and the winners that the kernel finds."""
    board = position.board
    words = np.zeros(position.empty.count() * plain_fillings.LANES, np.uint64)
    space, winners = planes(position), np.zeros(plain_fillings.LANES, np.uint64)
    fillings.write_words(words, key, 3)
    fillings.spread(words, places(position), space)
    fillings.write_winners(space, board.columns, board.rows, winners)
    return words.reshape(-1, plain_fillings.LANES), winners


@given(positions(max_side=9))
def test_four_ways_to_find_the_winner_agree(position):
    """Kernel, reduction, flood and walk agree bit for bit on the same random words."""
    words, winners = winners_of_kernel(position, KEY)
    filling = plain_fillings.fill(position, plain_fillings.random_words(int(KEY), 3, 1, len(words)))

    assert (words == plain_fillings.random_words(int(KEY), 3, 1, len(words))).all()
    assert (winners == plain_fillings.winners_by_reduction(filling)).all()
    assert (winners == brute_fillings.winners_by_flood(filling)).all()
    assert (winners == brute_fillings.winners_by_walk(filling)).all()


@pytest.mark.parametrize(("columns", "rows"), [(19, 19), (26, 26), (26, 1), (1, 26), (12, 25)])
def test_winners_of_the_kernel_equal_those_of_flood_and_walk(columns, rows):
    position = Position.of(Board(columns, rows))
    words, winners = winners_of_kernel(position, KEY)
    filling = plain_fillings.fill(position, words)

    assert (winners == brute_fillings.winners_by_flood(filling)).all()
    assert (winners == brute_fillings.winners_by_walk(filling)).all()


@given(positions(max_side=8), st.integers(0, 2**64 - 1))
def test_sampled_counts_equal_those_of_plain_numpy(position, seed):
    """Kernels and plain numpy have the same critical and losing counts.

    A cell's losing share is capped at half of all fillings.
    """
    key = int(np.random.default_rng(seed).integers(2**64, dtype=np.uint64))
    critical = sample(position, 3 * BATCH, np.random.default_rng(seed))
    losing = sample(position, 3 * BATCH, np.random.default_rng(seed), method=FillingMethod.LOSING)
    twins = plain_fillings.sample(position, 3, key)
    black, counts = plain_fillings.count_losing(position, 3, key)

    assert (critical.black, critical.critical) == (twins.black, twins.critical)
    assert losing.black * 3 * BATCH == black
    assert [losing.losing(c) * 3 * BATCH for c in losing.critical] == pytest.approx(
        [min(count, 1.5 * BATCH) for count in counts]
    )


@given(positions(max_side=6, stones="....BW"))
def test_critical_cells_decide_the_winner(position):
    """The twin's critical cells are those whose change changes the winner."""
    filling = plain_fillings.fill(
        position, plain_fillings.random_words(5, 0, 1, position.empty.count())
    )
    winners = brute_fillings.winners_by_flood(filling)
    critical = plain_fillings.critical_cells(filling, winners)
    for row, column in np.ndindex(filling.shape[:2]):
        changed = filling.copy()
        changed[row, column] ^= plain_fillings.ALL

        assert (critical[row, column] == winners ^ brute_fillings.winners_by_flood(changed)).all()


def made_balanced(words, blacks, batch):
    """Return the words of empty cells after balancing, and the order of each lane."""
    order, begins = np.empty(2 * len(words), np.int64), np.empty(plain_fillings.LANES, np.int64)
    bits, flat = np.empty(fillings.ROWS * plain_fillings.LANES, np.uint64), words.flatten()
    fillings.balance(flat, blacks, KEY, batch, bits, order, begins)
    return flat.reshape(words.shape), [order[begin : begin + len(words)] for begin in begins]


@given(st.integers(1, 130), st.data())
def test_balanced_fillings_equal_those_of_plain_numpy(cells, data):
    """Kernel and twin make the same fillings, and these are balanced."""
    blacks = data.draw(st.integers(0, cells))
    fair = plain_fillings.random_words(int(KEY), 7, 1, cells)
    made, orders = made_balanced(fair, blacks, 7)
    black = np.unpackbits(made.view(np.uint8), axis=1, bitorder="little").sum(axis=0)

    assert all(sorted(order) == list(range(cells)) for order in orders)
    assert (made == brute_fillings.balanced_words(fair, blacks, orders)).all()
    assert (black == blacks).all()


def test_all_balanced_fillings_are_equally_likely():
    """Six cells have 20 balanced fillings; one per batch is used, so all are independent.

    Chi-squared stays below its 99.9 % point, 43.8.
    """
    seen = np.zeros(64, np.int64)
    for batch in range(5000):
        made, _ = made_balanced(plain_fillings.random_words(int(KEY), batch, 1, 6), 3, batch)
        seen[int((made[:, 0] & np.uint64(1)) @ (1 << np.arange(6, dtype=np.uint64)))] += 1
    halves = [n for n in range(64) if n.bit_count() == 3]

    assert seen[halves].sum() == 5000
    assert ((seen[halves] - 250) ** 2 / 250).sum() < 43.8


def test_walking_one_filling_at_a_time_agrees_with_exact_odds():
    """The method of Payne and Robeva, one filling at a time, is within five standard errors."""
    position = Position.of(Board(4, 5), black="b2", white="c3 d1")
    odds = exact(position)
    count = 100_000
    won, counts = plain_fillings.count_losing_by_walk(position, count, int(KEY))

    assert is_near(won / count, odds.black, count)
    for cell, losing in zip(position.empty.search(1), counts, strict=True):
        assert is_near(losing / count, odds.losing(cell), count)


def is_near(share, truth, count):
    """Return whether a share of `count` fillings is within five standard errors of the truth.

    The errors are those of the true probability, plus one filling.
    """
    return abs(share - truth) <= 5 * math.sqrt(truth * (1 - truth) / count) + 1 / count


def is_close(odds, truth):
    """Return whether the samples agree with the exact odds, cell for cell."""
    if not is_near(odds.black, truth.black, odds.fillings):
        return False
    return all(
        is_near(odds.critical[cell], share, odds.fillings) for cell, share in truth.critical.items()
    )


def a_hundred_positions():
    """Yield 100 positions up to 11x11, of any shape, from empty to nearly full."""
    rng = np.random.default_rng(2008)
    for _ in range(100):
        columns, rows = rng.integers(1, 12, 2)
        empty = rng.integers(1, columns * rows + 1)
        yield brute_fillings.random_position(rng, columns=columns, rows=rows, empty=empty)


@pytest.mark.slow
def test_sampled_shares_agree_with_exact_ones():
    """Critical and losing counts in 100 positions are within five standard errors."""
    for seed, position in enumerate(a_hundred_positions()):
        truth, rng = exact(position), np.random.default_rng(seed)
        losing = sample(position, 100_000, rng, method=FillingMethod.LOSING)

        assert is_close(sample(position, 100_000, rng), truth)
        assert is_near(losing.black, truth.black, losing.fillings)
        for cell in truth.critical:
            assert is_near(losing.losing(cell), truth.losing(cell), losing.fillings)


FAIR = "        words[at] = splitmix(base + (at + ONE) * GOLDEN)\n"
# 33,096 of 65,536 is 0.505; its lowest bit is used first.
BIASED = """\
        words[at] = ZERO
        for bit in range(16):
            coin = splitmix(base + (at + ONE) * GOLDEN + U(bit) * MIX_ONE)
            words[at] = words[at] | coin if (33096 >> bit) & 1 else words[at] & coin
"""


@pytest.mark.slow
def test_a_biased_coin_is_caught(tmp_path, monkeypatch):
    """In 10 million fillings, a coin that shows black in 50.5 % of throws is detected."""
    position = Position.of(Board(11, 11), black="e5", white="g6")
    truth, count = exact(position), 10_000_000
    fair = sample(position, count, np.random.default_rng(0), method=FillingMethod.LOSING)
    source = Path(fillings.__file__).read_text()
    assert FAIR in source
    path = tmp_path / "biased.py"
    # Kernels of a module that cannot be imported again must not be cached.
    kept = "from hsearch.kernels.cache import kernel\n"
    assert kept in source
    path.write_text(
        source.replace(FAIR, BIASED).replace(kept, "from numba import njit as kernel\n")
    )
    spec = importlib.util.spec_from_file_location("biased", path)
    biased = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(biased)
    monkeypatch.setattr(sampling, "fillings", biased)
    unfair = sample(position, count, np.random.default_rng(0), method=FillingMethod.LOSING)

    assert is_near(fair.black, truth.black, count)
    assert not is_near(unfair.black, truth.black, count)


def test_balanced_shares_of_small_boards_are_the_known_ones():
    """The first player's shares of balanced fillings are 1/2, 2/3 and 1/2."""
    for side, share in ((2, 1 / 2), (3, 2 / 3), (4, 1 / 2)):
        rng = np.random.default_rng(side)
        odds = sample(Position.of(Board(side, side)), 1_000_000, rng, method=FillingMethod.BALANCED)

        assert abs(odds.black - share) < 5 * odds.error < 0.02


@given(positions(max_side=4, stones="....BW"))
def test_sampled_balanced_shares_agree_with_enumeration(position):
    """Wins and criticality agree with enumeration of the fillings with as many black cells."""
    assume(0 < position.empty.count() <= 12)
    won = brute_fillings.winners(position)
    blacks = black_share(position)
    right = np.array([n.bit_count() == blacks for n in range(len(won))])
    rng = np.random.default_rng(1)
    odds = sample(position, 100_000, rng, method=FillingMethod.BALANCED)

    assert abs(odds.black - won[right].mean()) <= 5 * odds.error + 1 / odds.fillings
    for cell, critical in brute_fillings.balanced(position).items():
        assert abs(odds.critical[cell] - critical) <= 5 * odds.errors[cell] + 1 / odds.fillings


@given(positions(max_side=4))
def test_losing_color_identity_holds_for_fair_fillings(position):
    """P(critical) = 1 - 2 L_H for fair fillings, in every position (Payne and Robeva)."""
    assume(position.empty.count() <= 12)
    won = brute_fillings.winners(position)
    counts = exact(position)
    for bit, cell in enumerate(position.empty.search(1)):
        black = np.arange(len(won)) >> bit & 1 == 1
        losing = (black != won).mean()

        assert counts.critical[cell] == 1 - 2 * losing
        assert counts.losing(cell) == losing


def test_losing_color_identity_fails_for_balanced_fillings():
    """In the balanced fillings of 3x3, b2 loses in 30 of 126 and is critical in 38."""
    position = Position.of(Board(3, 3))
    won = brute_fillings.winners(position)
    right = np.array([n.bit_count() == 5 for n in range(512)])
    losing = ((np.arange(512) >> 4 & 1 == 1) != won)[right].mean()
    critical = (won != won[np.arange(512) ^ (1 << 4)])[right].mean()

    assert critical != pytest.approx(1 - 2 * losing, abs=0.01)
    odds = sample(position, 1, np.random.default_rng(0), method=FillingMethod.BALANCED)
    with pytest.raises(ValueError, match="balanced"):
        odds.losing(4)
    with pytest.raises(ValueError, match="balanced"):
        odds.chance_after(4, Color.BLACK)


@pytest.mark.parametrize("method", list(FillingMethod))
def test_samples_do_not_depend_on_threads_or_steps(method):
    """The result depends only on the seed and the number of fillings."""
    position = Position.of(Board(5, 4), black="c2", white="b4")
    wanted = 400 * BATCH
    one = sample(position, wanted, np.random.default_rng(3), method=method, threads=1)
    three = sample(position, wanted, np.random.default_rng(3), method=method, threads=3)
    steps = Sampler(position, np.random.default_rng(3), method=method, threads=2)
    for batches in (1, 299, 100):
        steps.draw(batches * BATCH)

    assert one == three == steps.odds()
    assert one != sample(position, wanted, np.random.default_rng(4), method=method)


@pytest.mark.parametrize("side", [3, 7])
@pytest.mark.parametrize("method", list(FillingMethod))
def test_standard_errors_are_true(method, side):
    """The spread of 200 repeated estimates agrees with their standard errors."""
    position = Position.of(Board(side, side))
    rng = np.random.default_rng(11)
    odds = [sample(position, 32 * BATCH, rng, method=method, threads=1) for _ in range(200)]
    cell = position.board.size // 2
    wins = [(o.black, o.error) for o in odds]
    critical = [(o.critical[cell], o.errors[cell]) for o in odds]
    for pairs in (wins, critical):
        shares, errors = np.array(pairs).T

        assert 0.7 < shares.var(ddof=1) / (errors**2).mean() < 1.4


@pytest.mark.parametrize("wanted", [1, BATCH, 3 * BATCH])
def test_the_error_of_few_balanced_fillings_is_true(wanted):
    """Fillings of one batch are not independent, so their error takes several batches."""
    position, rng = Position.of(Board(3, 3)), np.random.default_rng(11)
    method = FillingMethod.BALANCED
    odds = [sample(position, wanted, rng, method=method, threads=1) for _ in range(200)]
    shares, errors = np.array([(o.black, o.error) for o in odds]).T

    assert 0.7 < shares.var(ddof=1) / (errors**2).mean() < 1.4
    assert errors.min() > 0.3 * shares.std(ddof=1)


@pytest.mark.parametrize("method", [FillingMethod.CRITICAL, FillingMethod.BALANCED])
def test_fillings_that_are_all_alike_leave_an_error(method):
    """White wins one filling of 4,096 (balanced: none): that none drawn is won does not show it."""
    board = Board(12, 2)
    position = Position.of(board, black=[board.name(cell) for cell in range(12)])
    odds = sample(position, 1024, np.random.default_rng(1), method=method)

    assert exact(position).black == 1 - 1 / 4096
    assert odds.black == 1.0
    assert odds.error == pytest.approx(1 / odds.fillings)


def test_equally_good_cells_are_reported_as_ties():
    """On 2x2, b1 and a2 are equally good, and no number of fillings separates them."""
    position = Position.of(Board(2, 2))
    rng = np.random.default_rng(0)

    assert exact(position).best() == [1, 2]
    assert sample(position, 100_000, rng).best() == [1, 2]
    assert not sample(position, 100_000, rng).is_apart(1, 2)
    assert sample(position, 100_000, rng).is_apart(1, 0)


@pytest.mark.parametrize("count", [0, -5])
def test_an_impossible_number_of_fillings_is_rejected(count):
    with pytest.raises(ValueError, match=f"not a number of fillings: {count}"):
        sample(Position.of(Board(2, 2)), count, np.random.default_rng(0))


def test_full_board():
    """Nothing is drawn, and the winner is known."""
    position = Position.of(Board(2, 1), black="a1", white="b1")

    assert sample(position, 1, np.random.default_rng(0)).black == 1.0
    assert exact(position).black == 1.0
    assert exact(position).best() == []


def test_exact_and_sampled_shares_agree_on_small_boards():
    """Exact and sampled shares agree on every empty board up to 4x4."""
    for columns, rows in itertools.product(range(1, 5), repeat=2):
        position = Position.of(Board(columns, rows))

        assert is_close(sample(position, 50_000, np.random.default_rng(9)), exact(position))
