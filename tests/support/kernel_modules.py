"""The source of two kernel modules that tests change, one calling the other, and arrays."""

CALLEE = """
from typing import NamedTuple
from hsearch.kernels.cache import kernel

STEP = 3
TABLE = (5, 7)

class Pair(NamedTuple):
    first: int
    second: int

@kernel
def leaf(x):
    return x + STEP

@kernel
def other(x):
    return x * 2
"""

CALLER = """
from hsearch.kernels.cache import kernel
from callee import TABLE, Pair, leaf

@kernel
def middle(x, by=1):
    return leaf(x) * by

@kernel
def top(x):
    return middle(x) + TABLE[1] + 100 * Pair(x, 9).second

@kernel
def first_of(pair):
    return pair.first
"""

ARRAYS = """
import numpy as np
from hsearch.kernels.cache import kernel

@kernel
def add(row, by):
    for i in range(row.size):
        row[i] += by

@kernel
def made(size):
    row = np.zeros(size)
    add(row, 1.0)
    return row

@kernel
def total(size):
    return made(size).sum()

@kernel
def same(row):
    return row
"""


def compiled(kernel):
    """Return whether calling a kernel compiled it rather than loading it from the cache."""
    assert len(kernel.stats.cache_hits) + len(kernel.stats.cache_misses) > 0
    return len(kernel.stats.cache_misses) > 0
