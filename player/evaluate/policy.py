"""A third-party policy net in ONNX: its form, its file, and its evaluator for the tree."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.formats.files import contents
from hsearch.hex import Board, Color, Position
from player.evaluate import int8
from player.evaluate.int8 import Int8Evaluator
from player.evaluate.net import Net, NetError, NetEvaluator, features, load_net, read_net
from player.kernels import net as kernel

# The form of a policy net: that of HexHex, for a board of n rows and n columns.
#
# Its only input is 1 x 2 x (n + 2) x (n + 2) in single precision: the planes of `features`,
# with other corners. The first and the last row of the mover's plane are edges, as are the
# first and the last column of the opponent's plane; the four corners are 0 in both. This is
# a 2 x 2 board with a stone of the mover on its first cell::
#
#     0 1 1 0    0 0 0 0
#     0 1 0 0    1 0 0 1
#     0 0 0 0    1 0 0 1
#     0 1 1 0    0 0 0 0
#
# Its only output has n * n numbers in single precision, row by row: a logit for each cell;
# those of stones are ignored. We use the mean of the logits for the position and for its
# half turn, because such nets are trained so: HexHex with one evaluation loses 95 of 96
# games against HexHex with both (`positions/results/strength.md`).
#
# The net does not estimate who wins. The shipped net does, in a fraction of the time.

SUFFIX, NUMBERS = ".onnx", "tensor(float)"
NEEDED = "a net in ONNX needs the extra fast: pip install 'hsearch[fast]'"
LONGEST = 80  # characters of a message from onnxruntime


@dataclass(frozen=True, slots=True, eq=False)
class PolicyNet:
    """A policy net read from a file, for boards of `side` rows and as many columns."""

    path: Path
    side: int
    session: Any

    def expect(self, board: Board) -> None:
        """Raise NetError when the net is for boards of another size."""
        own = Board(self.side)
        if board != own:
            raise NetError(f"{self.path}: a net for {own}, not for {board}")

    def logits(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return a logit for each cell: the mean over the planes and their half turn.

        `planes` is 2 x (n + 2) x (n + 2); its corners are ignored. Raise NetError when the
        net fails.
        """
        planes = planes.copy()
        planes[:, [0, 0, -1, -1], [0, -1, 0, -1]] = 0
        both = self._answer(planes) + self._answer(planes[:, ::-1, ::-1])[::-1]
        return both / np.float32(2)

    def _answer(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        name = self.session.get_inputs()[0].name
        try:
            (answer,) = self.session.run(None, {name: np.ascontiguousarray(planes)[None]})
        except Exception as error:  # noqa: BLE001 - onnxruntime's errors have no common base
            raise NetError(f"{self.path}: the net does not answer: {_brief(error)}") from None
        if answer.size != self.side**2:
            cells = f"{self.side**2} cells"
            raise NetError(f"{self.path}: not a policy net: {answer.size} outputs, not {cells}")
        flat: NDArray[np.float32] = answer.ravel()
        return flat


def read_policy_net(path: Path) -> PolicyNet:
    """Read a policy net from a file.

    Raise NetError, naming the file, when it cannot be used or the extra `fast` is missing.
    """
    if find_spec("onnxruntime") is None:
        raise NetError(f"{path}: {NEEDED}")
    import onnxruntime  # noqa: PLC0415 - only in the extra

    try:
        content = contents(path)
    except OSError as error:
        raise NetError(f"{path}: {error.strerror or error}") from None
    if not content:
        raise NetError(f"{path}: an empty file, not a net in ONNX")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # the exception has the message
    try:
        # Loaded by path, because weights may be in files beside it.
        session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # noqa: BLE001 - onnxruntime's errors have no common base
        message = _brief(error, f"Load model from {path} failed:")
        raise NetError(f"{path}: not a net in ONNX that onnxruntime runs: {message}") from None
    net = PolicyNet(path, _side(path, session), session)
    planes = features(Position.of(Board(net.side)))
    if not np.isfinite(net.logits(planes)).all():
        raise NetError(f"{path}: its answers are not finite numbers")
    return net


def _side(path: Path, session: Any) -> int:
    """Return the side of a net's board; raise NetError when its form is not a policy net's."""
    inputs, outputs = session.get_inputs(), session.get_outputs()
    if (len(inputs), len(outputs)) != (1, 1):
        counts = f"{len(inputs)} inputs and {len(outputs)} outputs"
        raise NetError(f"{path}: not a policy net: {counts}, not one of each")
    for what, each in (("input", inputs[0]), ("output", outputs[0])):
        if each.type != NUMBERS:
            raise NetError(f"{path}: not a policy net: its {what} is a {each.type}, not {NUMBERS}")
    shape = list(inputs[0].shape)
    first, *rest = shape or [None]
    # A symbolic or missing first dimension may be 1.
    is_one = first == 1 or not isinstance(first, int)
    if is_one and len(rest) == 3 and rest[0] == 2 and rest[1] == rest[2]:
        try:
            return Board(rest[1] - 2, rest[2] - 2).rows
        except (TypeError, ValueError):
            pass
    sides = "x".join(map(str, shape))[:LONGEST]
    raise NetError(f"{path}: not a policy net: an input of {sides}, not 1x2x(N+2)x(N+2)")


def _brief(error: Exception, prefix: str = "") -> str:
    """Return the first line of a message from onnxruntime, without codes and the text `prefix`."""
    message = str(error).split(" : ", 3)[-1].removeprefix(prefix).strip()
    first, *_ = message.splitlines() or [type(error).__name__]
    return first if len(first) <= LONGEST else f"{first[: LONGEST - 3]}..."


class PolicyEvaluator:
    """Evaluates positions by a policy net for the moves and the shipped net for the value.

    It has its own work arrays, so each thread needs its own evaluator.
    """

    def __init__(
        self, net: PolicyNet, board: Board, *, int8: bool = False, heat: float = 1.0
    ) -> None:
        """Prepare both nets, the shipped one in eight bits if `int8`.

        A cell whose logit is greater by `heat` is e times as likely. Raise NetError when the
        policy net is for boards of another size.
        """
        net.expect(board)
        self.net, self.board, self._heat = net, board, np.float32(heat)
        self._planes = np.zeros((2, net.side + 2, net.side + 2), np.float32)
        judge, kind = load_net(), Int8Evaluator if int8 else NetEvaluator
        self._judge = None if judge is None else kind(judge, board)

    def advise(self, stones: NDArray[np.int8], turn: Color) -> tuple[NDArray[np.float64], float]:
        """Return policy and value for stones: 0 is empty, 1 is Black's, 2 is White's.

        Without a shipped net the value is one half. Raise NetError when the net's logits for
        empty cells are not finite.
        """
        side, policy = self.net.side, np.empty(stones.size)
        kernel.show(self._planes.reshape(2, -1), stones, int(turn), side, side)
        logits = self.net.logits(self._planes) / self._heat
        kernel.share(logits, 0, side, stones, int(turn), side, side, policy)
        if not np.isfinite(policy).all():
            raise NetError(f"{self.net.path}: its answers are not finite numbers")
        return policy, 0.5 if self._judge is None else self._judge.advise(stones, turn)[1]


# Both kinds of nets, by the name of the file.

AnyNet: TypeAlias = Net | PolicyNet
AnyNetEvaluator: TypeAlias = NetEvaluator | Int8Evaluator | PolicyEvaluator


def read_any_net(path: Path) -> AnyNet:
    """Read a net from a file: a third-party policy net if the name ends in `.onnx`.

    Raise NetError, naming the file, when it cannot be used.
    """
    return read_policy_net(path) if path.suffix.lower() == SUFFIX else read_net(path)


def net_evaluator(
    net: AnyNet, board: Board, *, int8: bool = False, heat: float = 1.0
) -> AnyNetEvaluator:
    """Return an evaluator of a net for a board, in eight bits if `int8`.

    `heat` applies only to a policy net. Raise NetError when that is for boards of another size.
    """
    if isinstance(net, PolicyNet):
        return PolicyEvaluator(net, board, int8=int8, heat=heat)
    return Int8Evaluator(net, board) if int8 else NetEvaluator(net, board)


def is_ready(net: AnyNet, board: Board) -> bool:
    """Return whether the net in eight bits for such boards is cached."""
    judge = load_net() if isinstance(net, PolicyNet) else net
    return judge is not None and int8.is_ready(judge, board)
