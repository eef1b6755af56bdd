"""The samples that a net sees, and when; torch is not needed for that."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_samples import next_to_the_stone

from player.study.fitting import FitSettings, batch_count, batches, in_order, parts_of

SIZES = st.lists(
    st.tuples(st.integers(1, 30), st.integers(1, 3), st.integers(2, 3)), min_size=1, max_size=4
)


@given(SIZES, st.integers(1, 8), st.integers(0, 3), st.integers(1, 3))
def test_each_sample_is_seen_once_an_epoch(sizes, batch, seed, epoch):
    """Batches have one board size each, and depend only on seed and epoch."""
    samples = [next_to_the_stone(*size, seed=0) for size in sizes]
    found = list(batches(samples, batch, seed, epoch))
    again = list(batches(samples, batch, seed, epoch))

    assert len(found) == batch_count(samples, batch)
    for each in samples:
        rows = np.concatenate([b.rows for b in found if b.samples is each])
        assert sorted(rows) == list(range(len(each)))
    for one, other in zip(found, again, strict=True):
        assert len(one.rows) <= batch
        assert one.rows.tolist() == other.rows.tolist()
        assert one.turned.tolist() == other.turned.tolist()


def test_another_epoch_has_another_order_and_rotation():
    """Another epoch also rotates other samples."""
    samples = [next_to_the_stone(64, 3, 3, seed=0)]
    first, second = (next(batches(samples, 64, 0, epoch)) for epoch in (1, 2))

    assert first.rows.tolist() != second.rows.tolist()
    assert first.turned.tolist() != second.turned.tolist()


def test_all_parts_of_a_rotated_sample_are_rotated():
    """Stones, moves and owners are rotated: the best move is now left of the stone."""
    samples = next_to_the_stone(64, 3, 4, seed=1)
    batch = next(batches([samples], 64, 0, 1))
    taken = batch.take()
    stones = taken.planes.any(axis=1).reshape(64, -1).argmax(1)
    moves = taken.policy.reshape(64, -1).argmax(1)
    owned = [set(np.flatnonzero(each)) for each in taken.owners]

    assert (moves - stones).tolist() == np.where(batch.turned, -1, 1).tolist()
    assert owned == [{stone, move} for stone, move in zip(stones, moves, strict=True)]
    assert taken.value.tolist() == samples.value[batch.rows].tolist()
    assert 0 < batch.turned.sum() < 64


@given(SIZES)
def test_every_tenth_game_is_held_out(sizes):
    """All positions of a game are in the same part, on each board, and none is lost."""
    samples = [next_to_the_stone(*size, seed=0) for size in sizes]
    if all(len(each) == 1 for each in samples):
        with pytest.raises(ValueError, match="no games to learn from: every 10th is kept apart"):
            parts_of(samples)
        return
    parts = parts_of(samples)

    assert all((each.games % 10 != 0).all() for each in parts.to_learn)
    assert all((each.games % 10 == 0).all() for each in parts.apart)
    assert sum(map(len, [*parts.to_learn, *parts.apart])) == sum(map(len, samples))
    shapes = [(each.rows, each.columns) for each in parts.to_learn]
    assert shapes == sorted(set(shapes))


def test_in_order_neither_shuffles_nor_rotates():
    """`in_order` neither rotates nor mixes samples."""
    samples = [next_to_the_stone(5, 2, 2, seed=0)]
    found = list(in_order(samples, 2))

    assert [batch.rows.tolist() for batch in found] == [[0, 1], [2, 3], [4]]
    assert not any(batch.turned.any() for batch in found)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("blocks", 0, "blocks out of range: 0"),
        ("channels", 9, "channels out of range: 9"),
        ("epochs", 0, "epochs out of range: 0"),
        ("rate", 0.0, "rate out of range: 0"),
        ("warm_up", 1.0, "warm_up out of range: 1"),
        ("owners", -1.0, "owners out of range: -1"),
    ],
)
def test_settings_out_of_range_are_refused(name, value, message):
    """The message names the setting and its range."""
    with pytest.raises(ValueError, match=message):
        FitSettings(**{name: value})


@given(st.integers(1, 300), st.floats(0, 0.99))
def test_the_rate_grows_to_its_highest_and_falls(total, warm_up):
    """The rate rises to its maximum, then falls, and is never 0."""
    settings = FitSettings(rate=0.5, warm_up=warm_up)
    rates = [settings.rate_after(done, total) for done in range(total)]
    top = rates.index(max(rates))

    assert max(rates) == pytest.approx(0.5)
    assert rates[: top + 1] == sorted(rates[: top + 1])
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert min(rates) > 0
