"""A net as a value.

The weights are numbers of half precision, one behind the other in the order of
`layout`, so a net of six blocks of 64 channels takes less than a megabyte.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.files import arrays as files

MOST_BLOCKS, MOST_CHANNELS, STEP = 40, 256, 8

Shape: TypeAlias = tuple[int, ...]


class NetError(ValueError):
    """A file that is no net, or not one that can be used."""


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """Weights of a net.

    blocks    residual blocks, of two convolutions each
    channels  numbers that it keeps of each cell: a multiple of eight
    weights   all of them, in the order of `layout`
    record    how it was made: seeds, games, settings; in JSON's types

    Raise ValueError when the shape is not one that is served, when the weights are not
    as many as it has, or when one is no finite number.
    """

    blocks: int
    channels: int
    weights: NDArray[np.float16]
    record: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_shape(self.blocks, self.channels)
        count, expected = self.weights.size, weight_count(self.blocks, self.channels)
        if self.weights.dtype != np.float16 or self.weights.shape != (expected,):
            kind = self.weights.dtype
            raise ValueError(f"{count} weights of {kind}, not {expected} of float16")
        if not np.isfinite(self.weights).all():
            raise ValueError("a weight is no finite number")

    @property
    def key(self) -> str:
        """A digest that nets share only when they say the same of every position."""
        shape = np.array([self.blocks, self.channels])
        return files.digest_of({"shape": shape, "weights": self.weights})

    def parts(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights by name, in single precision, as it computes with them."""
        weights, parts, start = self.weights.astype(np.float32), {}, 0
        for name, shape in layout(self.blocks, self.channels).items():
            end = start + int(np.prod(shape))
            parts[name] = weights[start:end].reshape(shape)
            start = end
        return parts


def check_shape(blocks: int, channels: int) -> None:
    """Raise ValueError when there is no net of this shape."""
    if not 1 <= blocks <= MOST_BLOCKS:
        raise ValueError(f"blocks out of range: {blocks} (1 to {MOST_BLOCKS})")
    if channels % STEP or not STEP <= channels <= MOST_CHANNELS:
        raise ValueError(
            f"channels out of range: {channels} ({STEP} to {MOST_CHANNELS}, a multiple of {STEP})"
        )


def is_pooled(block: int, blocks: int) -> bool:
    """Return whether a block sees the whole board: that in the middle, and the last."""
    return block in {(blocks - 1) // 2, blocks - 1}


@cache
def layout(blocks: int, channels: int) -> dict[str, Shape]:
    """Return the shape of each part of the weights, in their order.

    A convolution is told as output x 9 places x input; the places are those of the
    3 x 3 cells around, row by row.
    """
    shapes: dict[str, Shape] = {"stem": (channels, 9, 2), "stem_bias": (channels,)}
    for block in range(blocks):
        for name in ("first", "second"):
            shapes[f"{block}_{name}"] = (channels, 9, channels)
            shapes[f"{block}_{name}_bias"] = (channels,)
        if is_pooled(block, blocks):
            shapes[f"{block}_pool"] = (channels, 2 * channels)
    return shapes | {
        "head": (channels, channels),
        "head_bias": (channels,),
        "policy": (1, channels),
        "owner": (1, channels),
        "owner_bias": (1,),
        "value_hidden": (channels, 2 * channels),
        "value_hidden_bias": (channels,),
        "value": (1, channels),
        "value_bias": (1,),
    }


def weight_count(blocks: int, channels: int) -> int:
    """Return how many weights a net of this shape has."""
    return sum(int(np.prod(shape)) for shape in layout(blocks, channels).values())


def random_net(blocks: int, channels: int, generator: np.random.Generator) -> Net:
    """Return a net that has learned nothing: weights at random, each sum of them of size one."""
    check_shape(blocks, channels)
    parts = []
    for shape in layout(blocks, channels).values():
        inputs = int(np.prod(shape[1:])) if len(shape) > 1 else 100
        parts.append(generator.normal(0, (1 / inputs) ** 0.5, shape).ravel())
    return Net(blocks, channels, np.concatenate(parts).astype(np.float16))
