"""Which samples a net sees when: kept apart by game, in a seeded order, turned or not."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from player.learn.samples import Samples, joined

APART = 10  # every tenth game is kept apart


class Parts(NamedTuple):
    """Samples, one entry a board size: to learn from, and of games that are kept apart."""

    to_learn: list[Samples]
    apart: list[Samples]


class Batch(NamedTuple):
    """Samples of one board size, and which of them are turned by half."""

    samples: Samples
    rows: NDArray[np.int64]
    turned: NDArray[np.bool_]

    def taken(self) -> Samples:
        """Return the samples, turned where they are to be."""
        taken = self.samples.take(self.rows)
        turned = np.flatnonzero(self.turned)
        for array in (taken.planes, taken.policy, taken.owners):
            array[turned] = array[turned][..., ::-1, ::-1]
        return taken


def parts_of(samples: Sequence[Samples]) -> Parts:
    """Return samples by board size, in the order of sizes, every tenth game apart.

    Raise ValueError when nothing is left to learn from.
    """
    sizes = sorted({(each.rows, each.columns) for each in samples if len(each)})
    by_size = [
        joined([each for each in samples if (each.rows, each.columns) == size and len(each)])
        for size in sizes
    ]
    is_apart = [each.games % APART == 0 for each in by_size]
    to_learn = [each.take(~apart) for each, apart in zip(by_size, is_apart, strict=True)]
    if not any(map(len, to_learn)):
        raise ValueError(f"no games to learn from: every {APART}th is kept apart")
    return Parts(
        [each for each in to_learn if len(each)],
        [each.take(apart) for each, apart in zip(by_size, is_apart, strict=True) if apart.any()],
    )


def batch_count(samples: Sequence[Samples], size: int) -> int:
    """Return how many batches of at most `size` there are in an epoch."""
    return sum(-(-len(each) // size) for each in samples)


def batches(samples: Sequence[Samples], size: int, seed: int, epoch: int) -> Iterator[Batch]:
    """Yield each sample once, of one board size at a time; seed and epoch make the order."""
    generator = np.random.default_rng([seed, epoch])
    found = []
    for each in samples:
        order = generator.permutation(len(each))
        for start in range(0, len(each), size):
            rows = order[start : start + size]
            found.append(Batch(each, rows, generator.random(len(rows)) < 0.5))
    for number in generator.permutation(len(found)):
        yield found[number]


def in_order(samples: Sequence[Samples], size: int) -> Iterator[Batch]:
    """Yield each sample once as it is, in order."""
    for each in samples:
        for start in range(0, len(each), size):
            rows = np.arange(start, min(start + size, len(each)))
            yield Batch(each, rows, np.zeros(len(rows), np.bool_))
