"""A net in numbers of eight bits, as onnxruntime runs it: several times as fast as the kernel.

What a net makes of each cell on the way becomes a whole number of eight bits, whose scales
follow from a few games that its policy plays, and weights become such of seven, so that
sums overflow on no processor. What is pooled over the board stays in single precision. So
its answers are off by a little, each time by the same.
"""

import importlib.util
import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.board import Board, Color
from hsearch.position import Position
from hsearch.position.frame import Frame
from player.kernels import net as kernel
from player.net.evaluator import Evaluator, Seen
from player.net.features import features
from player.net.weights import Net, NetError

NEEDED = "a net in eight bits needs the extra fast: pip install 'hsearch[fast]'"
GAMES = 3  # that the scales follow from
MOST = 16  # sessions that are kept

_kept: dict[tuple[Net, int, int], Any] = {}  # sessions, by net, rows and columns
_making = Lock()


def is_installed() -> bool:
    """Return whether there is what makes and runs such nets."""
    return all(map(importlib.util.find_spec, ("onnx", "onnxruntime")))


def is_ready(net: Net, board: Board) -> bool:
    """Return whether an evaluator of a net on such boards was made before, which takes a while."""
    shapes = (board.rows, board.columns), (board.columns, board.rows)
    return all((net, *shape) in _kept for shape in shapes)


class Int8Evaluator:
    """Asks a net about positions of one board size, as `Evaluator` does.

    It holds room for what it is asked, so threads need one each.
    """

    def __init__(self, net: Net, board: Board) -> None:
        """Get the net ready for such boards. Raise ModuleNotFoundError without the extra."""
        if not is_installed():
            raise ModuleNotFoundError(NEEDED)
        self.net, self.board = net, board
        shapes = (board.rows, board.columns), (board.columns, board.rows)
        self._rooms = [_Room(net, *shape) for shape in shapes]

    def look(self, position: Position) -> Seen:
        """Return what the net says of a position."""
        if position.board != self.board:
            raise ValueError(f"a position on {position.board}, not {self.board}")
        turn = position.turn
        policy, value = self.advise(Frame.of(position, Color.BLACK).stones.copy(), turn)
        owners = self._rooms[turn].cells[0, 1]
        shown = owners.T if turn is Color.WHITE else owners
        return Seen(policy, value, 1 / (1 + np.exp(-shown.ravel())))

    def advise(self, stones: NDArray[np.int8], turn: Color) -> tuple[NDArray[np.float64], float]:
        """Return policy and value alone, of stones: 0 is empty, 1 is Black's, 2 is White's."""
        room, policy = self._rooms[turn], np.empty(self.board.size)
        kernel.show(room.planes, stones, int(turn), room.rows, room.columns)
        room.run()
        logits = room.cells.ravel()
        kernel.share(logits, 0, room.columns, stones, int(turn), room.rows, room.columns, policy)
        return policy, kernel.logistic(room.value.item())


class _Room:
    """What a net is asked and what it answers, where onnxruntime reads and writes. Holds state."""

    def __init__(self, net: Net, rows: int, columns: int) -> None:
        """Make room for a board of which the mover sees so many rows."""
        from onnxruntime import OrtValue  # noqa: PLC0415 - of the extra

        self.rows, self.columns = rows, columns
        planes = np.zeros((1, 2, rows + 2, columns + 2), np.float32)
        self.planes = planes.reshape(2, -1)
        self.cells = np.zeros((1, 2, rows, columns), np.float32)
        self.value = np.zeros((1, 1, 1, 1), np.float32)
        self._session = _session(net, rows, columns)
        # On the processor such a value is the array itself, not a copy.
        values = map(OrtValue.ortvalue_from_numpy, (planes, self.cells, self.value))
        self._values = dict(zip(("planes", "cells", "value"), values, strict=True))
        self._binding = self._session.io_binding()
        self._binding.bind_ortvalue_input("planes", self._values["planes"])
        for name in ("cells", "value"):
            self._binding.bind_ortvalue_output(name, self._values[name])

    def run(self) -> None:
        """Answer what stands in `planes`."""
        self._session.run_with_iobinding(self._binding)


def _session(net: Net, rows: int, columns: int) -> Any:
    """Return what runs a net on one thread, for a board of which the mover sees so many rows.

    Threads may ask for the same one; the first of them makes it.
    """
    key = (net, rows, columns)
    with _making:
        if key not in _kept:
            made = _made(net, rows, columns)
            while len(_kept) >= MOST:
                del _kept[next(iter(_kept))]
            _kept[key] = made
        return _kept[key]


def _made(net: Net, rows: int, columns: int) -> Any:
    """Return a new session."""
    import onnxruntime  # noqa: PLC0415 - of the extra

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    content = _in_eight_bits(net, rows, columns)
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def _in_eight_bits(net: Net, rows: int, columns: int) -> bytes:
    """Return the graph of a net, scaled, as a file of ONNX holds it."""
    from onnxruntime import quantization  # noqa: PLC0415 - of the extra

    from player.net.graph import WHOLE, graph_of  # noqa: PLC0415 - it needs the extra

    class Reader(quantization.CalibrationDataReader):  # type: ignore[misc] # knows no types
        """Planes, one position after the other."""

        def __init__(self) -> None:
            self._planes = _typical(net, Board(columns, rows))

        def get_next(self) -> dict[str, NDArray[np.float32]] | None:
            planes = next(self._planes, None)
            return None if planes is None else {"planes": planes[None]}

    graph = graph_of(net, rows, columns)
    names = [node.name for node in graph.graph.node]
    with tempfile.TemporaryDirectory() as folder, _hushed():
        path = Path(folder) / "net.onnx"
        quantization.quantize_static(
            graph,
            path,
            Reader(),
            quant_format=quantization.QuantFormat.QOperator,
            per_channel=True,
            reduce_range=True,
            nodes_to_exclude=[name for name in names if name.startswith(WHOLE)],
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
        )
        return path.read_bytes()


@contextmanager
def _hushed() -> Iterator[None]:
    """Keep advice for other kinds of nets from the user. No two threads may do so at once."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


def _typical(net: Net, board: Board) -> Iterator[NDArray[np.float32]]:
    """Yield the planes of positions with Black to move, of games that the policy plays."""
    evaluator = Evaluator(net, board)
    for seed in range(GAMES):
        generator, position = np.random.default_rng(seed), Position.of(board)
        for _ in range(board.size):
            if position.turn is Color.BLACK:
                yield features(position)
            policy = evaluator.look(position).policy
            if not np.isfinite(policy).all():
                raise NetError(f"the net answers with what is no chance on {board}")
            position = position.play(int(generator.choice(board.size, p=policy)))
