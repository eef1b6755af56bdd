"""Samples that a small net learns quickly: the best move is right of the only stone."""

import numpy as np

from player.study.samples import Samples


def next_to_the_stone(count: int, rows: int, columns: int, seed: int) -> Samples:
    """Return positions with one stone each; its owner wins, and owns it and the best move."""
    generator = np.random.default_rng(seed)
    numbers = np.arange(count)
    row, column = generator.integers(rows, size=count), generator.integers(columns - 1, size=count)
    owner = generator.integers(2, size=count)
    planes = np.zeros((count, 2, rows, columns), np.bool_)
    planes[numbers, owner, row, column] = True
    policy = np.zeros((count, rows, columns), np.float32)
    policy[numbers, row, column + 1] = 1
    owners = np.zeros((count, rows, columns), np.int8)
    owners[numbers, row, column] = owners[numbers, row, column + 1] = 1 - 2 * owner
    return Samples(
        planes=planes,
        policy=policy,
        value=(owner == 0).astype(np.float32),
        chance=(owner == 0).astype(np.float32),
        owners=owners,
        is_proved=np.ones(count, np.bool_),
        games=numbers.astype(np.int32),
    )
