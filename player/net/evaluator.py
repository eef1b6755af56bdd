"""A net at work: a position, and what the net says of it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Board, Color
from hsearch.position import Position
from hsearch.position.frame import Frame
from player.kernels import net as kernel
from player.net.weights import Net, is_pooled


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
