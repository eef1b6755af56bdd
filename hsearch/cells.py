"""Sets of cells, one bit a cell.

Python code works on these values. Kernels work on the same sets as rows of
64-bit words, and `to_words` and `from_words` are the only bridge between them.
Python that looks at very many sets works on them as whole numbers, bit by bit:
`to_number`, `from_number` and `cells_in`.

A set is true when its board has cells, not when it holds any: ask `.any()`.
The cells of a set, in order, are `cells.search(1)`.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from bitarray import bitarray, frozenbitarray

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words: TypeAlias = NDArray[np.uint64]

CellSet: TypeAlias = frozenbitarray


def cell_set(cells: Iterable[int], size: int) -> CellSet:
    """Return the set of the given cells of a board of `size` cells."""
    result = bitarray(size, endian="little")
    for cell in cells:
        result[cell] = True
    return frozenbitarray(result)


def from_words(words: "Words", size: int) -> CellSet:
    """Return the set that a kernel's row holds."""
    result = bitarray(endian="little")
    result.frombytes(words.tobytes())
    return frozenbitarray(result[:size])


def to_words(cells: CellSet, width: int) -> "Words":
    """Return a set as a kernel's row of `width` words, writable."""
    import numpy as np  # noqa: PLC0415 - a board is shown without numpy

    return np.frombuffer(cells.tobytes().ljust(8 * width, b"\0"), np.uint64).copy()


def from_number(number: int, size: int) -> CellSet:
    """Return the set whose cells are the bits of a number."""
    return cell_set(cells_in(number), size)


def to_number(cells: CellSet) -> int:
    """Return a set as a number, one bit a cell."""
    return int.from_bytes(cells.tobytes(), "little")


def cells_in(number: int) -> Iterator[int]:
    """Yield the cells of a set that is a number, in order."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1
