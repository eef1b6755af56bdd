"""A net: its input, weights, definition and file; the shipped net, and its evaluator."""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from hsearch.formats import find_shipped, npz
from hsearch.hex import Board, Color, Position
from hsearch.hex.face import expect_range
from hsearch.hex.frame import Frame
from player.kernels import net as kernel

# Input of a net: two planes of a position, with the edges as a rim of stones.
#
# The player to move joins top and bottom; for White the board is transposed. This is a
# board of 2 rows and 3 columns with a stone of the mover on its first cell, as the planes
# of the mover's and the opponent's stones::
#
#     1 1 1 1 1    1 0 0 0 1
#     0 1 0 0 0    1 0 0 0 1
#     0 0 0 0 0    1 0 0 0 1
#     1 1 1 1 1    1 0 0 0 1


def features(position: Position) -> NDArray[np.float32]:
    """Return a position's planes, 2 x (rows + 2) x (columns + 2), as the mover sees the board."""
    frame = Frame.of(position, position.turn)
    stones = frame.stones.reshape(frame.rows, frame.columns)
    return add_rim(np.stack([stones == 1, stones == 2]))


def add_rim(planes: NDArray[Any]) -> NDArray[np.float32]:
    """Return the planes of one or many positions with the rim added."""
    around = [(0, 0)] * (planes.ndim - 2) + [(1, 1), (1, 1)]
    result = np.pad(planes.astype(np.float32), around)
    result[..., 0, [0, -1], :] = 1
    result[..., 1, :, [0, -1]] = 1
    return result


# A net as a value.
#
# The weights are numbers of half precision in the order of `layout`, so a net of six
# blocks of 64 channels takes less than a megabyte.

MOST_BLOCKS, MOST_CHANNELS, STEP = 40, 256, 8

Shape: TypeAlias = tuple[int, ...]


class NetError(ValueError):
    """A file that is not a net or cannot be used."""


@lru_cache(maxsize=4)  # keyed by object; a digest takes some milliseconds
def _key_of(net: "Net") -> str:
    shape = np.array([net.blocks, net.channels])
    return npz.digest_of({"shape": shape, "weights": net.weights})


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """Weights of a net.

    blocks    residual blocks, of two convolutions each
    channels  numbers for each cell: a multiple of eight
    weights   all weights, in the order of `layout`
    record    how it was made: seeds, games, settings; in JSON's types

    Raise ValueError when blocks or channels are out of range, when the number of weights
    does not match them, or when a weight is not finite.
    """

    blocks: int
    channels: int
    weights: NDArray[np.float16]
    record: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_shape(self.blocks, self.channels)
        count, size = self.weights.size, weight_count(self.blocks, self.channels)
        if self.weights.dtype != np.float16 or self.weights.shape != (size,):
            kind = self.weights.dtype
            raise ValueError(f"{count} weights of {kind}, not {size} of float16")
        if not np.isfinite(self.weights).all():
            raise ValueError("a weight is not a finite number")

    @property
    def key(self) -> str:
        """A digest: only nets with the same output for every position share it."""
        return _key_of(self)

    def parts(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights by name, in single precision, as the net uses them."""
        weights, parts, start = self.weights.astype(np.float32), {}, 0
        for name, shape in layout(self.blocks, self.channels).items():
            end = start + int(np.prod(shape))
            parts[name] = weights[start:end].reshape(shape)
            start = end
        return parts


def check_shape(blocks: int, channels: int) -> None:
    """Raise ValueError when blocks or channels are out of range."""
    expect_range("blocks", blocks, 1, MOST_BLOCKS)
    if channels % STEP or not STEP <= channels <= MOST_CHANNELS:
        raise ValueError(
            f"channels out of range: {channels} ({STEP} to {MOST_CHANNELS}, a multiple of {STEP})"
        )


def is_pooled(block: int, blocks: int) -> bool:
    """Return whether a block pools the whole board: the middle one and the last one do."""
    return block in {(blocks - 1) // 2, blocks - 1}


@cache
def layout(blocks: int, channels: int) -> dict[str, Shape]:
    """Return the shape of each part of the weights, in their order.

    A convolution is stored as output x 9 places x input; the places are the 3 x 3 cells
    around a cell, row by row.
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
    """Return an untrained net: random weights, scaled so that each sum has variance one."""
    check_shape(blocks, channels)
    parts = []
    for shape in layout(blocks, channels).values():
        inputs = int(np.prod(shape[1:])) if len(shape) > 1 else 100
        parts.append(generator.normal(0, (1 / inputs) ** 0.5, shape).ravel())
    return Net(blocks, channels, np.concatenate(parts).astype(np.float16))


# Output of a net for a position: the definition, which the kernel must match.
#
# A residual net as in He et al.: Deep residual learning for image recognition (2016),
# without normalization: Bachlechner et al.: ReZero is all you need (2020), whose scales
# are multiplied into the weights here. Some blocks pool the whole board, after Wu:
# Accelerating self-play learning in Go (2019).

Values = NDArray[np.float32]


class NetOutput(NamedTuple):
    """Output of a net, as logits, for the board as the mover sees it.

    policy  rows x columns: how good each move is; cells with stones are included
    value   the chance that the mover wins
    owners  rows x columns: the chance that each cell is in the carrier of the winner's connection
    """

    policy: Values
    value: float
    owners: Values


def forward(net: Net, planes: Values) -> NetOutput:
    """Return the output of a net for the planes of a position (`features`)."""
    parts = net.parts()
    trunk = convolve(planes, parts["stem"], parts["stem_bias"])
    trunk = np.maximum(trunk, 0)
    for block in range(net.blocks):
        hidden = convolve(pad(trunk), parts[f"{block}_first"], parts[f"{block}_first_bias"])
        if f"{block}_pool" in parts:
            hidden += (parts[f"{block}_pool"] @ pool(trunk))[:, None, None]
        hidden = pad(np.maximum(hidden, 0))
        trunk = trunk + convolve(hidden, parts[f"{block}_second"], parts[f"{block}_second_bias"])
    trunk = np.maximum(trunk, 0)
    head = np.einsum("oc,crs->ors", parts["head"], trunk) + parts["head_bias"][:, None, None]
    head = np.maximum(head, 0)
    board = np.maximum(parts["value_hidden"] @ pool(trunk) + parts["value_hidden_bias"], 0)
    return NetOutput(
        policy=np.einsum("c,crs->rs", parts["policy"][0], head),
        value=float((parts["value"] @ board + parts["value_bias"])[0]),
        owners=np.einsum("c,crs->rs", parts["owner"][0], head) + parts["owner_bias"],
    )


def convolve(planes: Values, weights: Values, bias: Values) -> Values:
    """Return the 3 x 3 convolution of planes that are one cell larger on each side."""
    windows = sliding_window_view(planes, (3, 3), axis=(1, 2))
    taps = weights.reshape(len(weights), 3, 3, len(planes))
    sums: Values = np.einsum("crsij,oijc->ors", windows, taps, optimize=True)
    return sums + bias[:, None, None]


def pad(planes: Values) -> Values:
    """Return planes with a rim of zeros."""
    return np.pad(planes, [(0, 0), (1, 1), (1, 1)])


def pool(planes: Values) -> Values:
    """Return the mean of each plane, then the maximum of each."""
    return np.concatenate([planes.mean(axis=(1, 2)), planes.max(axis=(1, 2))])


# The file of a net.

SCHEMA = "hsearch/net/1"


def write_net(path: Path, net: Net) -> None:
    """Write a net to a file, atomically. Raise OSError, naming it, when that fails."""
    about = {"blocks": net.blocks, "channels": net.channels, "record": net.record}
    npz.save(path, SCHEMA, about, {"weights": net.weights})


def read_net(path: Path) -> Net:
    """Return the net of a file. Raise NetError, naming the file, when it cannot be used."""
    about, arrays = npz.load(path, SCHEMA, "net", NetError)
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
    """Return whether a net's output for the empty 3x3 board is finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        outputs = forward(net, features(Position.of(Board(3))))
    return all(np.isfinite(each).all() for each in outputs)


# The shipped net.


@cache
def load_net() -> Net | None:
    """Return the shipped net; None if this copy has none."""
    path = find_shipped("net.npz")
    return None if path is None else read_net(path)


def shipped_net() -> Net:
    """Return the shipped net. Raise ValueError if this copy has none."""
    net = load_net()
    if net is None:
        raise ValueError("no net came with this copy of hsearch")
    return net


# Evaluation of positions by the kernel.


class NetEvaluation(NamedTuple):
    """A net's evaluation of a position.

    policy  the chance that each cell is the best move; 0 for cells with a stone
    value   the chance that the player to move wins
    owners  the chance that each cell is in the carrier of the winner's connection
    """

    policy: NDArray[np.float64]
    value: float
    owners: NDArray[np.float64]


class NetEvaluator:
    """Evaluates positions on one board size by a net.

    It has its own work arrays, so each thread needs its own evaluator. Kernels may call
    `player.kernels.net.look` with `arrays` instead.
    """

    def __init__(self, net: Net, board: Board) -> None:
        """Prepare the weights and the work arrays."""
        self.net, self.board = net, board
        self.arrays = net_arrays(net, board)

    def evaluate(self, position: Position) -> NetEvaluation:
        """Return the net's evaluation of a position.

        Raise ValueError if the position is on another board than the evaluator's.
        """
        if position.board != self.board:
            raise ValueError(f"a position on {position.board}, not {self.board}")
        policy, owners = np.zeros(self.board.size), np.zeros(self.board.size)
        stones = Frame.of(position, Color.BLACK).stones.copy()  # a read-only array would recompile
        value = kernel.look(self.arrays, stones, int(position.turn), policy, owners)
        return NetEvaluation(policy, value, owners)

    def advise(self, stones: NDArray[np.int8], turn: Color) -> tuple[NDArray[np.float64], float]:
        """Return policy and value for stones: 0 is empty, 1 is Black's, 2 is White's."""
        policy, owners = np.zeros(self.board.size), np.zeros(self.board.size)
        value: float = kernel.look(self.arrays, stones, int(turn), policy, owners)
        return policy, value


def net_arrays(net: Net, board: Board) -> kernel.NetArrays:
    """Return a net in the kernel's form, with work arrays for a board of this size."""
    room = kernel.room(board.columns, board.rows)
    return _with_weights(net)._replace(
        columns=board.columns,
        rows=board.rows,
        planes=np.zeros((4, room), np.float32),
        trunk=np.zeros((net.channels, room), np.float32),
        hidden=np.zeros((net.channels, room), np.float32),
        summary=np.zeros(2 * net.channels, np.float32),
    )


@lru_cache(maxsize=2)  # keyed by object; each search has arrays of its own
def _with_weights(net: Net) -> kernel.NetArrays:
    """Return a net in the kernel's form without work arrays; the kernel only reads the rest."""
    parts = net.parts()
    channels, blocks = net.channels, range(net.blocks)
    stem = np.zeros((channels, 9, 4), np.float32)
    stem[:, :, :2] = parts["stem"]
    pools = np.zeros((net.blocks, channels, 2 * channels), np.float32)
    for block in blocks:
        if is_pooled(block, net.blocks):
            pools[block] = parts[f"{block}_pool"]
    nothing = np.zeros((0, 0), np.float32)
    return kernel.NetArrays(
        columns=0,
        rows=0,
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
        planes=nothing,
        trunk=nothing,
        hidden=nothing,
        summary=nothing,
    )
