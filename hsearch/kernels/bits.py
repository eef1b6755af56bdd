"""Bits of 64-bit words.

Sets of points are rows of int64 words in a one-dimensional array: point `p` is
bit `p % 64` of word `p // 64` of its row. The words are signed because Numba
converts an operation on a signed and an unsigned integer to floats.
"""

import numpy as np
from numba import types
from numba.extending import intrinsic

from hsearch.kernels.cache import kernel


@intrinsic
def popcount(_context, _word):
    """Return the number of bits set in a word."""

    def codegen(_context, builder, _signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def lowest_bit(_context, _word):
    """Return the place of the lowest bit set in a word that is not zero."""

    def codegen(context, builder, _signature, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, 0))

    return types.int64(types.int64), codegen


@intrinsic
def word_at(_context, _address):
    """Return the word at an address as it is now, whatever other threads write there."""

    def codegen(context, builder, _signature, args):
        pointer = builder.inttoptr(args[0], context.get_value_type(types.int64).as_pointer())
        return builder.load_atomic(pointer, "monotonic", 8)

    return types.int64(types.int64), codegen


@kernel
def is_stopped(flag):
    """Return whether another thread has set the flag at an address, see `stop`; 0 means no flag."""
    return flag != 0 and word_at(flag) != 0


@kernel
def copy(row, target):
    """Copy a row into another that is as long.

    A plain loop: an assignment of slices took two seconds to compile, because of
    its error for rows of other lengths.
    """
    for i in range(target.size):
        target[i] = row[i]


@kernel
def bit(point):
    """Return the word in which only the bit of a point is set."""
    return np.int64(1) << (point & 63)


@kernel
def has(memory, row, point):
    """Return whether the row that starts at `row` holds a point."""
    return memory[row + (point >> 6)] >> (point & 63) & 1


@kernel
def put(memory, row, point):
    """Add a point to the row that starts at `row`."""
    memory[row + (point >> 6)] |= bit(point)
