"""A net: its input, its weights, what it computes, its file, and the net that is shipped."""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from hsearch.formats import npz
from hsearch.formats.files import shipped
from hsearch.hex.board import Board, Color
from hsearch.hex.frame import Frame
from hsearch.hex.position import Position
from player.kernels import net as kernel

# Input of a net: two planes of a position, with the edges as a rim of stones.
#
# The player to move joins top and bottom, White by way of the transposed board. A 2 x 3
# board with a stone of the mover on its first cell, as the planes of own and other stones::
#
#     1 1 1 1 1    1 0 0 0 1
#     0 1 0 0 0    1 0 0 0 1
#     0 0 0 0 0    1 0 0 0 1
#     1 1 1 1 1    1 0 0 0 1


def features(position: Position) -> NDArray[np.float32]:
    """Return the planes of a position, 2 x rows + 2 x columns + 2 as its mover sees the board."""
    frame = Frame.of(position, position.turn)
    stones = frame.stones.reshape(frame.rows, frame.columns)
    return rimmed(np.stack([stones == 1, stones == 2]))


def rimmed(planes: NDArray[Any]) -> NDArray[np.float32]:
    """Return planes of stones, of one position or of many, with the rim around."""
    around = [(0, 0)] * (planes.ndim - 2) + [(1, 1), (1, 1)]
    result = np.pad(planes.astype(np.float32), around)
    result[..., 0, [0, -1], :] = 1
    result[..., 1, :, [0, -1]] = 1
    return result


# A net as a value.
#
# The weights are numbers of half precision, one behind the other in the order of
# `layout`, so a net of six blocks of 64 channels takes less than a megabyte.

MOST_BLOCKS, MOST_CHANNELS, STEP = 40, 256, 8

Shape: TypeAlias = tuple[int, ...]


class NetError(ValueError):
    """A file that is not a net, or not one that can be used."""


@lru_cache(maxsize=4)  # by the object; a digest takes some milliseconds
def _key_of(net: "Net") -> str:
    shape = np.array([net.blocks, net.channels])
    return npz.digest_of({"shape": shape, "weights": net.weights})


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """Weights of a net.

    blocks    residual blocks, of two convolutions each
    channels  numbers that it keeps of each cell: a multiple of eight
    weights   all of them, in the order of `layout`
    record    how it was made: seeds, games, settings; in JSON's types

    Raise ValueError when the shape is not one that is served, when the weights are not
    as many as it has, or when one is not a finite number.
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
            raise ValueError("a weight is not a finite number")

    @property
    def key(self) -> str:
        """A digest that nets share only when they say the same of every position."""
        return _key_of(self)

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

    A convolution is stored as output x 9 places x input; the places are those of the
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


# Output of a net for a position: the definition, to which the kernel is held.
#
# A residual net as in He et al.: Deep residual learning for image recognition (2016),
# without a normalisation: Bachlechner et al.: ReZero is all you need (2020), whose scales
# are multiplied into the weights here. Some blocks see the whole board by pooling, after
# Wu: Accelerating self-play learning in Go (2019).

Values = NDArray[np.float32]


class NetOutput(NamedTuple):
    """Output of a net, as logits, for the board as the mover sees it.

    policy  rows x columns: how good each move is; stones are not left out
    value   how likely the mover wins
    owners  rows x columns: how likely each cell is in the carrier of the winner's connection
    """

    policy: Values
    value: float
    owners: Values


def forward(net: Net, planes: Values) -> NetOutput:
    """Return what a net says of the planes of a position (`features`)."""
    parts = net.parts()
    trunk = convolved(planes, parts["stem"], parts["stem_bias"])
    trunk = np.maximum(trunk, 0)
    for block in range(net.blocks):
        hidden = convolved(padded(trunk), parts[f"{block}_first"], parts[f"{block}_first_bias"])
        if f"{block}_pool" in parts:
            hidden += (parts[f"{block}_pool"] @ pooled(trunk))[:, None, None]
        hidden = padded(np.maximum(hidden, 0))
        trunk = trunk + convolved(hidden, parts[f"{block}_second"], parts[f"{block}_second_bias"])
    trunk = np.maximum(trunk, 0)
    head = np.einsum("oc,crs->ors", parts["head"], trunk) + parts["head_bias"][:, None, None]
    head = np.maximum(head, 0)
    known = np.maximum(parts["value_hidden"] @ pooled(trunk) + parts["value_hidden_bias"], 0)
    return NetOutput(
        policy=np.einsum("c,crs->rs", parts["policy"][0], head),
        value=float((parts["value"] @ known + parts["value_bias"])[0]),
        owners=np.einsum("c,crs->rs", parts["owner"][0], head) + parts["owner_bias"],
    )


def convolved(planes: Values, weights: Values, bias: Values) -> Values:
    """Return what a convolution makes of planes that reach one cell further on each side."""
    windows = sliding_window_view(planes, (3, 3), axis=(1, 2))
    taps = weights.reshape(len(weights), 3, 3, len(planes))
    sums: Values = np.einsum("crsij,oijc->ors", windows, taps, optimize=True)
    return sums + bias[:, None, None]


def padded(planes: Values) -> Values:
    """Return planes with zeros around."""
    return np.pad(planes, [(0, 0), (1, 1), (1, 1)])


def pooled(planes: Values) -> Values:
    """Return the mean of each plane, then the largest number of each."""
    return np.concatenate([planes.mean(axis=(1, 2)), planes.max(axis=(1, 2))])


# The file of a net.

SCHEMA = "hsearch/net/1"


def write_net(path: Path, net: Net) -> None:
    """Write a net, whole or not at all. Raise OSError, naming the file, when that fails."""
    about = {"blocks": net.blocks, "channels": net.channels, "record": net.record}
    npz.save(path, SCHEMA, about, {"weights": net.weights})


def read_net(path: Path) -> Net:
    """Return the net of a file. Raise NetError, naming the file, when it cannot be used."""
    try:
        about, arrays = npz.load(path, SCHEMA, "net")
    except npz.ArraysError as error:
        raise NetError(str(error)) from None
    blocks, channels, record = (about.get(key) for key in ("blocks", "channels", "record"))
    if type(blocks) is not int or type(channels) is not int or not isinstance(record, dict):
        raise NetError(f"{path}: not a net: blocks, channels or record are missing")
    if set(arrays) != {"weights"}:
        raise NetError(f"{path}: not a net: it has {', '.join(sorted(arrays)) or 'no arrays'}")
    try:
        net = Net(blocks, channels, arrays["weights"], record)
    except ValueError as error:
        raise NetError(f"{path}: not a net: {error}") from None
    if not _answers(net):
        raise NetError(f"{path}: its answers are not finite numbers")
    return net


def _answers(net: Net) -> bool:
    """Return whether what a net says of the empty 3x3 board is finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        outputs = forward(net, np.zeros((2, 5, 5), np.float32))
    return all(np.isfinite(each).all() for each in outputs)


# The net that comes with the program.


@cache
def shipped_net() -> Net | None:
    """Return the net; None if this copy has none."""
    path = shipped("net.npz")
    return None if path is None else read_net(path)


# A net at work: a position, and what the net says of it.


class Seen(NamedTuple):
    """A net's judgement of a position.

    policy  the chance that each cell is the best move, 0 where it is not empty
    value   the chance that the player to move wins
    owners  the chance that each cell is in the carrier of the connection that wins
    """

    policy: NDArray[np.float64]
    value: float
    owners: NDArray[np.float64]


class Evaluator:
    """Asks a net about positions of one board size.

    It holds room to compute in, so threads need one each. Kernels may take `arrays`
    and `player.kernels.net.look`, which is all that happens here.
    """

    def __init__(self, net: Net, board: Board) -> None:
        """Get the weights and the room ready."""
        self.net, self.board = net, board
        self.arrays = net_arrays(net, board)

    def look(self, position: Position) -> Seen:
        """Return what the net says of a position."""
        if position.board != self.board:
            raise ValueError(f"a position on {position.board}, not {self.board}")
        policy, owners = np.zeros(self.board.size), np.zeros(self.board.size)
        stones = Frame.of(position, Color.BLACK).stones.copy()  # read-only compiles another one
        value = kernel.look(self.arrays, stones, int(position.turn), policy, owners)
        return Seen(policy, value, owners)

    def advise(self, stones: NDArray[np.int8], turn: Color) -> tuple[NDArray[np.float64], float]:
        """Return policy and value alone, of stones: 0 is empty, 1 is Black's, 2 is White's."""
        policy, owners = np.zeros(self.board.size), np.zeros(self.board.size)
        value: float = kernel.look(self.arrays, stones, int(turn), policy, owners)
        return policy, value


def net_arrays(net: Net, board: Board) -> kernel.NetArrays:
    """Return a net as the kernel takes it, with room for a board of this size."""
    parts = net.parts()
    channels, blocks = net.channels, range(net.blocks)
    room = kernel.room(board.columns, board.rows)
    stem = np.zeros((channels, 9, 4), np.float32)
    stem[:, :, :2] = parts["stem"]
    pools = np.zeros((net.blocks, channels, 2 * channels), np.float32)
    for block in blocks:
        if is_pooled(block, net.blocks):
            pools[block] = parts[f"{block}_pool"]
    return kernel.NetArrays(
        columns=board.columns,
        rows=board.rows,
        stem=stem,
        stem_bias=parts["stem_bias"],
        first=np.stack([parts[f"{block}_first"] for block in blocks]),
        first_bias=np.stack([parts[f"{block}_first_bias"] for block in blocks]),
        second=np.stack([parts[f"{block}_second"] for block in blocks]),
        second_bias=np.stack([parts[f"{block}_second_bias"] for block in blocks]),
        pools=pools,
        is_pooled=np.array([is_pooled(block, net.blocks) for block in blocks]),
        head=parts["head"],
        head_bias=parts["head_bias"],
        answers=np.stack([parts["policy"][0], parts["owner"][0]]),
        answer_bias=np.array([0.0, parts["owner_bias"][0]], np.float32),
        value_hidden=parts["value_hidden"],
        value_hidden_bias=parts["value_hidden_bias"],
        value=parts["value"][0],
        value_bias=parts["value_bias"],
        planes=np.zeros((4, room), np.float32),
        trunk=np.zeros((channels, room), np.float32),
        hidden=np.zeros((channels, room), np.float32),
        pooled=np.zeros(2 * channels, np.float32),
    )
