"""Training samples as arrays that fit together."""

from dataclasses import fields, replace

import numpy as np
import pytest

from player.study.samples import Samples, concatenate


def samples(count: int, rows: int = 3, columns: int = 4, *, first_game: int = 0) -> Samples:
    """Return samples of empty boards, each from its own game."""
    return Samples(
        planes=np.zeros((count, 2, rows, columns), np.bool_),
        policy=np.full((count, rows, columns), 1 / (rows * columns), np.float32),
        value=np.ones(count, np.float32),
        chance=np.ones(count, np.float32),
        owners=np.zeros((count, rows, columns), np.int8),
        is_proved=np.zeros(count, np.bool_),
        games=np.arange(first_game, first_game + count, dtype=np.int32),
    )


def test_split_samples_can_be_joined_again():
    """Samples that are split by a mask and joined are the same, in order."""
    whole = samples(5)
    early = np.array([True, True, False, False, False])

    again = concatenate([whole.take(early), whole.take(~early)])

    assert (again.rows, again.columns, len(again)) == (3, 4, 5)
    assert all(
        np.array_equal(getattr(again, each.name), getattr(whole, each.name))
        for each in fields(Samples)
    )


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("planes", np.zeros((2, 3, 3, 4), np.bool_)),
        ("policy", np.zeros((2, 3, 4), np.float64)),
        ("value", np.zeros(3, np.float32)),
        ("chance", np.zeros(3, np.float32)),
        ("owners", np.zeros((2, 4, 3), np.int8)),
        ("is_proved", np.zeros((2, 1), np.bool_)),
        ("games", np.zeros(1, np.int32)),
    ],
)
def test_arrays_that_do_not_fit_are_refused_by_name(name, array):
    """The message names the array of the wrong type or shape."""
    with pytest.raises(ValueError, match=f"{name} of samples"):
        replace(samples(2), **{name: array})
