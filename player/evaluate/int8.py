"""A net in eight-bit integers: its graph in ONNX, and its evaluator by onnxruntime."""

import hashlib
import importlib.metadata
import importlib.util
import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.hex import Board, Color, Position
from hsearch.hex.frame import Frame
from hsearch.kernels import stop
from hsearch.kernels.cache import cache_folder
from hsearch.kernels.folder import read_kept, write_kept
from player.evaluate.net import Net, NetError, NetEvaluation, NetEvaluator, features, load_net
from player.kernels import net as kernel

# The net as a graph of ONNX, for boards of one size; `player/evaluate/net.py` defines the net.
#
# The input is `planes`, 1 x 2 x (rows + 2) x (columns + 2). The outputs are `cells`,
# 1 x 2 x rows x columns, the logits of policy and owners, and `value`, 1 x 1 x 1 x 1, its logit.

WHOLE = "whole"  # prefix for the names of nodes that concern the whole board, not single cells
OPERATORS, FORMAT = 17, 8  # versions of ONNX that all current versions of onnxruntime read

Planes = NDArray[np.float32]


def graph_of(net: Net, rows: int, columns: int) -> Any:
    """Return the graph of a net as an ONNX model."""
    return _Graph(net).model(rows, columns)


class _Graph:
    """Nodes and weights of a graph under construction. It holds state."""

    def __init__(self, net: Net) -> None:
        import onnx  # noqa: PLC0415 - only in the extra

        self._onnx: Any = onnx
        self._parts, self._blocks = net.parts(), net.blocks
        self._nodes: list[Any] = []
        self._weights: list[Any] = []

    def model(self, rows: int, columns: int) -> Any:
        """Add the whole net, and return the model."""
        parts = self._parts
        trunk = self._node("Relu", self._convolve("planes", "stem"))
        for block in range(self._blocks):
            hidden = self._convolve(trunk, f"{block}_first", padding=1)
            if f"{block}_pool" in parts:
                more = self._mix(self._pool(trunk), parts[f"{block}_pool"])
                hidden = self._node("Add", hidden, more)
            hidden = self._convolve(self._node("Relu", hidden), f"{block}_second", padding=1)
            trunk = self._node("Add", trunk, hidden)
        trunk = self._node("Relu", trunk)
        head = self._node("Relu", self._mix(trunk, parts["head"], parts["head_bias"]))
        answers = np.concatenate([parts["policy"], parts["owner"]])
        bias = np.concatenate([np.zeros(1, np.float32), parts["owner_bias"]])
        self._mix(head, answers, bias, into="cells")
        pool = self._pool(trunk)
        board = self._mix(pool, parts["value_hidden"], parts["value_hidden_bias"])
        self._mix(self._node("Relu", board), parts["value"], parts["value_bias"], into="value")
        shapes = {
            "planes": (1, 2, rows + 2, columns + 2),
            "cells": (1, 2, rows, columns),
            "value": (1, 1, 1, 1),
        }
        helper = self._onnx.helper
        planes, *outputs = [
            helper.make_tensor_value_info(name, self._onnx.TensorProto.FLOAT, shape)
            for name, shape in shapes.items()
        ]
        graph = helper.make_graph(self._nodes, "net", [planes], outputs, self._weights)
        versions = [helper.make_opsetid("", OPERATORS)]
        return helper.make_model(graph, opset_imports=versions, ir_version=FORMAT)

    def _convolve(self, planes: str, name: str, padding: int = 0) -> str:
        """Add a 3 x 3 convolution with the weights of this name."""
        taps, bias = self._parts[name], self._parts[f"{name}_bias"]
        weights = taps.reshape(len(taps), 3, 3, taps.shape[2]).transpose(0, 3, 1, 2)
        inputs = planes, self._weight(weights), self._weight(bias)
        return self._node("Conv", *inputs, kernel_shape=[3, 3], pads=4 * [padding])

    def _mix(
        self, planes: str, weights: Planes, bias: Planes | None = None, into: str | None = None
    ) -> str:
        """Add a 1 x 1 convolution: weighted sums of planes at each place."""
        inputs = [planes, self._weight(weights[:, :, None, None])]
        inputs += [] if bias is None else [self._weight(bias)]
        return self._node("Conv", *inputs, into=into, kernel_shape=[1, 1])

    def _pool(self, planes: str) -> str:
        """Add the mean of each plane, then the maximum of each."""
        mean, largest = (self._node(f"Global{kind}Pool", planes) for kind in ("Average", "Max"))
        return self._node("Concat", mean, largest, axis=1)

    def _node(self, kind: str, *inputs: str, into: str | None = None, **attributes: Any) -> str:
        is_whole = kind.startswith("Global") or inputs[0].startswith(WHOLE)
        name = f"{WHOLE if is_whole else 'cells'}-{len(self._nodes)}"
        output = name if into is None else into
        self._nodes.append(self._onnx.helper.make_node(kind, inputs, [output], name, **attributes))
        return output

    def _weight(self, values: Planes) -> str:
        name = f"weight{len(self._weights)}"
        array = np.ascontiguousarray(values)
        self._weights.append(self._onnx.numpy_helper.from_array(array, name))
        return name


# A quantized net in onnxruntime: several times as fast as the kernel.
#
# Intermediate values of each cell become integers of eight bits, whose scales are
# calibrated on a few games that the net's policy plays. Weights become integers of seven
# bits, so that sums overflow on no processor. Values pooled over the board stay in single
# precision. Its outputs differ a little from the net's, but are deterministic.

NEEDED = "a net in eight bits needs the extra fast: pip install 'hsearch[fast]'"
GAMES, PLIES = 3, 70  # for the scales; on large boards later positions are proved, not evaluated
VERSION = 1  # of the quantization; raise it when the numbers change for another reason
MOST = 16  # cached sessions

_sessions: dict[tuple[str, int, int], Any] = {}  # sessions by the key of the net, rows and columns
_making = Lock()


def is_installed() -> bool:
    """Return whether the packages that make and run such nets are installed."""
    return all(map(importlib.util.find_spec, ("onnx", "onnxruntime")))


def is_ready(net: Net, board: Board) -> bool:
    """Return whether the graphs of a net for such boards are cached; making them takes a while."""
    key, shapes = net.key, ((board.rows, board.columns), (board.columns, board.rows))
    return all((key, *shape) in _sessions or _is_on_disk(net, *shape) for shape in shapes)


class Int8Evaluator:
    """Evaluates positions on one board size by a net, as `NetEvaluator` does.

    It has its own work arrays, so each thread needs its own evaluator.
    """

    def __init__(self, net: Net, board: Board) -> None:
        """Prepare the net for such boards, which takes a second or more unless cached.

        Raise ModuleNotFoundError without the extra, Stopped when `hsearch.kernels.stop` ends it.
        """
        if not is_installed():
            raise ModuleNotFoundError(NEEDED)
        self.net, self.board = net, board
        shapes = (board.rows, board.columns), (board.columns, board.rows)
        self._rooms = [_Room(net, *shape) for shape in shapes]

    def evaluate(self, position: Position) -> NetEvaluation:
        """Return the net's evaluation of a position.

        Raise ValueError if the position is on another board than the evaluator's.
        """
        if position.board != self.board:
            raise ValueError(f"a position on {position.board}, not {self.board}")
        turn = position.turn
        policy, value = self.advise(Frame.of(position, Color.BLACK).stones.copy(), turn)
        owners = self._rooms[turn].cells[0, 1]
        logits = owners.T if turn is Color.WHITE else owners
        return NetEvaluation(policy, value, 1 / (1 + np.exp(-logits.ravel())))

    def advise(self, stones: NDArray[np.int8], turn: Color) -> tuple[NDArray[np.float64], float]:
        """Return policy and value for stones: 0 is empty, 1 is Black's, 2 is White's."""
        room, policy = self._rooms[turn], np.empty(self.board.size)
        kernel.show(room.planes, stones, int(turn), room.rows, room.columns)
        room.run()
        logits = room.cells.ravel()
        kernel.share(logits, 0, room.columns, stones, int(turn), room.rows, room.columns, policy)
        return policy, kernel.logistic(room.value.item())


class _Room:
    """The input and output arrays that onnxruntime reads and writes. It holds state."""

    def __init__(self, net: Net, rows: int, columns: int) -> None:
        """Allocate the arrays for a board with these rows and columns as the mover sees it."""
        from onnxruntime import OrtValue  # noqa: PLC0415 - only in the extra

        self.rows, self.columns = rows, columns
        planes = np.zeros((1, 2, rows + 2, columns + 2), np.float32)
        self.planes = planes.reshape(2, -1)
        self.cells = np.zeros((1, 2, rows, columns), np.float32)
        self.value = np.zeros((1, 1, 1, 1), np.float32)
        self._session = _session(net, rows, columns)
        # On the CPU such a value shares the array's memory.
        values = map(OrtValue.ortvalue_from_numpy, (planes, self.cells, self.value))
        self._values = dict(zip(("planes", "cells", "value"), values, strict=True))
        self._binding = self._session.io_binding()
        self._binding.bind_ortvalue_input("planes", self._values["planes"])
        for name in ("cells", "value"):
            self._binding.bind_ortvalue_output(name, self._values[name])

    def run(self) -> None:
        """Evaluate `planes` into `cells` and `value`."""
        self._session.run_with_iobinding(self._binding)


def _session(net: Net, rows: int, columns: int) -> Any:
    """Return a single-threaded session for a net and a board as the mover sees it.

    Threads may request the same session; the first one makes it. The key is a digest, so a
    net read again from its file, as for each game of a tournament, has the same session.
    """
    key = (net.key, rows, columns)
    with _making:
        if key not in _sessions:
            session = _make_session(net, rows, columns)
            while len(_sessions) >= MOST:
                del _sessions[next(iter(_sessions))]
            _sessions[key] = session
        return _sessions[key]


def _make_session(net: Net, rows: int, columns: int) -> Any:
    """Return a new session."""
    import onnxruntime  # noqa: PLC0415 - only in the extra

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    content = _load_graph(net, rows, columns)
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


# The graphs of the shipped net are cached in the folder of compiled kernels, a file for each
# board: making one takes two seconds of processor time, reading it a tenth. Others are not.


def _file(net: Net, rows: int, columns: int) -> Path | None:
    """Return the cache file of a net's graph; None if the net is not the shipped one."""
    if net is not load_net():
        return None
    versions = map(importlib.metadata.version, ("onnx", "onnxruntime"))
    parts = (net.key, *versions, VERSION, GAMES, PLIES, OPERATORS, FORMAT)
    digest = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()
    return cache_folder() / f"net-{columns}x{rows}-{digest[:32]}.onnx"


def _is_on_disk(net: Net, rows: int, columns: int) -> bool:
    path = _file(net, rows, columns) if is_installed() else None
    return path is not None and path.exists()


def _load_graph(net: Net, rows: int, columns: int) -> bytes:
    """Return the quantized graph of a net, from its cache file or made anew."""
    path = _file(net, rows, columns)
    content = None if path is None else read_kept(path)
    if content is None:
        content = in_eight_bits(net, rows, columns)
        if path is not None:
            with suppress(OSError):  # if the disk is full, the next process makes it again
                write_kept(path, content)
    return content


def in_eight_bits(net: Net, rows: int, columns: int) -> bytes:
    """Return the quantized graph of a net as the bytes of an ONNX file; `stop` may end it."""
    from onnxruntime import quantization  # noqa: PLC0415 - only in the extra

    class Reader(quantization.CalibrationDataReader):  # type: ignore[misc] # knows no types
        """Planes, one position after the other."""

        def __init__(self) -> None:
            self._planes = _typical(net, Board(columns, rows))

        def get_next(self) -> dict[str, NDArray[np.float32]] | None:
            stop.check(late=True)  # hundreds of evaluations take time; the caller may be gone
            planes = next(self._planes, None)
            return None if planes is None else {"planes": planes[None]}

    graph = graph_of(net, rows, columns)
    names = [node.name for node in graph.graph.node]
    with tempfile.TemporaryDirectory() as folder, _quiet():
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
def _quiet() -> Iterator[None]:
    """Suppress onnxruntime's warnings, which do not apply to this net. Not thread-safe."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


def _typical(net: Net, board: Board) -> Iterator[NDArray[np.float32]]:
    """Yield the planes of positions with Black to move, from games that the policy plays."""
    evaluator = NetEvaluator(net, board)
    for seed in range(GAMES):
        generator, position = np.random.default_rng(seed), Position.of(board)
        for _ in range(min(board.size, PLIES)):
            if position.turn is Color.BLACK:
                yield features(position)
            policy = evaluator.evaluate(position).policy
            if not np.isfinite(policy).all():
                raise NetError(f"the net's answer is not a chance on {board}")
            position = position.play(int(generator.choice(board.size, p=policy)))
