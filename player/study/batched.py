"""A net in torch that answers for many games at once, on the processor or an accelerator."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
import torch.nn.functional as nn
from numpy.typing import NDArray

from player.net.net import rimmed
from player.study.training import Tensors, is_accelerator, pooled, shaped

WARM_UPS = 3  # times that a graph runs before it is recorded: libraries choose their ways then
OTHER = 2  # in `asked`


class DeviceNet:
    """Weights of one shape on a device, which rooms of several board sizes ask."""

    def __init__(self, shapes: Mapping[str, tuple[int, ...]], device: str) -> None:
        """Make room for weights of these shapes, by name."""
        self.device = device
        self.kind = torch.float16 if is_accelerator(device) else torch.float32
        torch.backends.cudnn.benchmark = True
        self.weights: Tensors = {
            name: torch.zeros(shape, dtype=self.kind, device=device)
            for name, shape in shapes.items()
        }

    def load(self, weights: Mapping[str, Any]) -> None:
        """Take other weights, arrays or tensors, where the rooms expect them.

        The scale of a block goes into its second convolution.
        """
        with torch.no_grad():
            for name, own in self.weights.items():
                values = torch.as_tensor(weights[name]).to(self.device)
                block, _, rest = name.partition("_")
                if rest.startswith("second"):
                    values = values * torch.as_tensor(weights[f"{block}_scale"]).to(self.device)
                own.copy_(values)


class Room:
    """Where the questions of one table are put to a net, and its answers are. Holds state.

    asked   seats x cells: 0 empty, 1 the mover's, 2 the other's, as the mover sees the board
    logits  seats x cells, and values, seats: the answers
    """

    asked: NDArray[np.int8]
    logits: NDArray[np.float32]
    values: NDArray[np.float32]

    def __init__(self, net: DeviceNet, side: int, seats: int) -> None:
        """Make room; on an accelerator what is asked is one graph, which is recorded here."""
        self._net, self._side, self._graph = net, side, None
        is_pinned = is_accelerator(net.device)
        size = side * side
        self._asked = torch.zeros((seats, size), dtype=torch.int8, pin_memory=is_pinned)
        self._logits = torch.zeros((seats, size), dtype=torch.float32, pin_memory=is_pinned)
        self._values = torch.zeros(seats, dtype=torch.float32, pin_memory=is_pinned)
        self.asked, self.logits = self._asked.numpy(), self._logits.numpy()
        self.values = self._values.numpy()
        self._rim = rim_of(side).to(net.device, net.kind)
        if is_pinned:
            self._record()

    def ask(self) -> None:
        """Send what stands in `asked`; on the processor it is answered at once."""
        if self._graph is None:
            self._answer()
            return
        with torch.cuda.stream(self._stream):
            self._graph.replay()
            self._end.record(self._stream)

    def wait(self) -> None:
        """Wait until the answers are there."""
        if self._graph is not None:
            self._end.synchronize()

    def take_over(self, other: "Room") -> None:
        """Take over the questions and answers of another room of the same size."""
        self.asked[:], self.logits[:], self.values[:] = other.asked, other.logits, other.values

    def _record(self) -> None:
        self._stream, self._end = torch.cuda.Stream(), torch.cuda.Event()
        with torch.cuda.stream(self._stream):
            for _ in range(WARM_UPS):
                self._answer()
        torch.cuda.synchronize()
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, stream=self._stream):
            self._answer()

    def _answer(self) -> None:
        with torch.no_grad():
            asked = self._asked.to(self._net.device, non_blocking=True)
            boards = asked.view(-1, 1, self._side, self._side)
            planes = with_rim(torch.cat([boards == 1, boards == OTHER], 1), self._rim)
            policy, value = policy_and_value(self._net.weights, planes)
            self._logits.copy_(policy.flatten(1), non_blocking=True)
            self._values.copy_(value, non_blocking=True)


def policy_and_value(weights: Tensors, planes: Any) -> tuple[Any, Any]:
    """Return logits of policy and value as `training.answers` does, of scaled weights.

    On an accelerator a convolution, its bias and the rectifier are one step.
    """
    trunk = _rectified(planes, weights, "stem", 0)
    block = 0
    while f"{block}_first" in weights:
        if f"{block}_pool" in weights:
            more = nn.linear(
                pooled(trunk), weights[f"{block}_pool"], weights[f"{block}_first_bias"]
            )
            taps = shaped(weights[f"{block}_first"])
            hidden = nn.conv2d(trunk, taps, padding=1).add_(more[:, :, None, None]).relu_()
        else:
            hidden = _rectified(trunk, weights, f"{block}_first", 1)
        taps, bias = shaped(weights[f"{block}_second"]), weights[f"{block}_second_bias"]
        trunk = nn.conv2d(hidden, taps, bias, padding=1).add_(trunk)
        block += 1
    trunk = trunk.relu_()
    head = nn.conv2d(trunk, weights["head"][:, :, None, None], weights["head_bias"]).relu_()
    policy = nn.conv2d(head, weights["policy"][:, :, None, None])
    known = nn.linear(pooled(trunk), weights["value_hidden"], weights["value_hidden_bias"])
    value = nn.linear(known.relu_(), weights["value"], weights["value_bias"])
    return policy[:, 0].float(), value[:, 0].float()


def _rectified(planes: Any, weights: Tensors, name: str, padding: int) -> Any:
    taps, bias = shaped(weights[name]), weights[f"{name}_bias"]
    if planes.is_cuda:
        ways = [padding] * 2
        return torch.cudnn_convolution_relu(planes, taps, bias, [1, 1], ways, [1, 1], 1)
    return nn.conv2d(planes, taps, bias, padding=padding).relu_()


def rim_of(side: int) -> Any:
    """Return the planes of an empty board with its rim, 1 x 2 x side + 2 x side + 2."""
    return torch.from_numpy(rimmed(np.zeros((1, 2, side, side))))


def with_rim(stones: Any, rim: Any) -> Any:
    """Return planes of stones, n x 2 x side x side, with the rim around, as torch likes them."""
    planes = rim.repeat(len(stones), 1, 1, 1)
    planes[:, :, 1:-1, 1:-1] = stones
    return planes.contiguous(memory_format=torch.channels_last)
