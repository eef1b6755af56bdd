"""A net on the processor or an accelerator: its learning from generations, and its answers."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as nn
from numpy.typing import NDArray

from hsearch.formats import npz
from player.evaluate.net import Net, add_rim
from player.study import cycle, fitting, training
from player.study.samples import Samples

HALF = 0.5
WARM_UP = 200  # steps in which the learning rate grows
LEAST_RATE = 0.02  # of the highest, at the end
MEASURED = 4096  # most positions of each board size to measure the accuracy on
SEEDS = 1 << 63  # torch takes no greater seeds than twice as many


class Lesson(NamedTuple):
    """Positions of one board size on a device: `Samples` as tensors."""

    planes: Any
    policy: Any
    value: Any
    chance: Any
    owners: Any

    @classmethod
    def of(cls, samples: Samples, device: str) -> "Lesson":
        """Return samples as tensors on a device."""
        kind = torch.float16 if training.is_accelerator(device) else torch.float32
        return cls(
            torch.from_numpy(samples.planes).to(device),
            torch.from_numpy(samples.policy).to(device, kind),
            torch.from_numpy(samples.value).to(device),
            torch.from_numpy(samples.chance).to(device),
            torch.from_numpy(samples.owners).to(device),
        )

    @property
    def side(self) -> int:
        """Rows of the board."""
        return int(self.planes.shape[-1])

    def targets(self, rows: Any, turned: Any, rim: Any) -> training.Targets:
        """Return the positions of these rows, with the board turned by half where `turned`."""
        flag = turned[:, None, None]
        planes, policy, owners = self.planes[rows], self.policy[rows], self.owners[rows]
        planes = torch.where(flag[:, None], planes.flip(-1, -2), planes)
        policy = torch.where(flag, policy.flip(-1, -2), policy).float()
        owners = torch.where(flag, owners.flip(-1, -2), owners)
        return training.Targets(
            planes=with_rim(planes, rim),
            empty=~planes.any(dim=1),
            policy=policy,
            value=self.value[rows],
            chance=self.chance[rows],
            carrier=(owners != 0).float(),
            is_proved=torch.ones_like(self.value[rows]),
        )


def _merge(lessons: Sequence[Lesson]) -> Lesson:
    return Lesson(*(torch.cat(parts) for parts in zip(*lessons, strict=True)))


class Learner:
    """A net that learns step by step. Holds state: weights, their mean, and AdamW's state."""

    def __init__(self, settings: cycle.CycleSettings, start: Net | None, device: str) -> None:
        """Start with random weights, or with a net of the same shape."""
        self._settings, self._device = settings, device
        self._is_accelerated = training.is_accelerator(device)
        fit = settings.fit
        self.shapes = fitting.shapes_of(fit)
        weights = training.first_weights(fit.blocks, fit.channels, fit.seed, start)
        self._weights: training.Tensors = {
            name: torch.tensor(weights[name], device=device, requires_grad=True)
            for name in self.shapes
        }
        self.mean: training.Tensors = {
            name: each.detach().clone() for name, each in self._weights.items()
        }
        self._optimizer = self._new_optimizer()
        self._generator = torch.Generator().manual_seed(fit.seed % SEEDS)
        self._graphs: dict[int, _Graph] = {}
        self._rims: dict[int, Any] = {}
        self._steps = 0

    def learn(self, window: Sequence[Lesson], steps: int, part: Callable[[], float]) -> float:
        """Take steps, each with a batch of one board size; return the mean loss.

        `part` returns the fraction of the run that is over; the learning rate depends on it.
        """
        if not steps:
            return 0.0
        sizes: dict[int, list[Lesson]] = defaultdict(list)
        for lesson in window:
            sizes[lesson.side].append(lesson)
        lessons = [_merge(each) for each in sizes.values()]
        counts = torch.tensor([float(len(each.value)) for each in lessons])
        choices = torch.multinomial(counts, steps, replacement=True, generator=self._generator)
        total = torch.zeros((), device=self._device)
        for number in choices.tolist():
            lesson = lessons[number]
            self._set_rate(self._rate(part()))
            size = (self._settings.fit.batch,)
            rows = torch.randint(len(lesson.value), size, generator=self._generator)
            turned = torch.rand(size, generator=self._generator) < HALF
            total += self._step(lesson, rows.to(self._device), turned.to(self._device))
            self._steps += 1
        return float(total) / steps

    def accuracy(self, lessons: Sequence[Lesson], weights: training.Tensors) -> cycle.Accuracy:
        """Return the accuracy of weights on the first positions of each lesson."""
        sums, count = torch.zeros(4, device=self._device), 0
        with torch.no_grad():
            for lesson in lessons:
                rows = torch.arange(min(MEASURED, len(lesson.value)), device=self._device)
                turned = torch.zeros(len(rows), dtype=torch.bool, device=self._device)
                targets = lesson.targets(rows, turned, self._rim(lesson.side))
                outputs = training.answers(weights, targets.planes.to(weights["stem"].dtype))
                each = training.losses(outputs, targets)
                logits = outputs[0].masked_fill(~targets.empty, training.FULL).flatten(1)
                policy = targets.policy.flatten(1)
                first = policy.gather(1, logits.argmax(1, keepdim=True))[:, 0] == policy.amax(1)
                right = (outputs[1] > 0) == (targets.value > HALF)
                sums += torch.stack([first.sum(), right.sum(), each.policy.sum(), each.value.sum()])
                count += len(rows)
        return cycle.Accuracy(*(float(each) / max(count, 1) for each in sums))

    def net(self, record: dict[str, Any]) -> Net:
        """Return the running mean of the weights as a net."""
        fit = self._settings.fit
        return training.to_net(self.mean, fit.blocks, fit.channels, record)

    def arrays(self) -> npz.Arrays:
        """Return the state as arrays, by name."""
        memory = {name: self._optimizer.state.get(each) for name, each in self._weights.items()}
        kinds = {"weights": self._weights, "mean": self.mean}
        for kind in cycle.MEMORY:
            kinds[kind] = {
                name: state[kind] if state else torch.zeros_like(self.mean[name])
                for name, state in memory.items()
            }
        arrays = {
            f"{kind}.{name}": each.detach().float().cpu().numpy()
            for kind, values in kinds.items()
            for name, each in values.items()
        }
        return arrays | {"steps": np.array([self._steps])}

    def resume(self, arrays: npz.Arrays) -> None:
        """Restore a state that `arrays` returned."""
        self._steps = int(arrays["steps"][0])
        home = self._device if self._is_accelerated else "cpu"
        steps = torch.tensor(float(self._steps), device=home)
        for name, tensor in self._weights.items():
            values = {
                kind: torch.tensor(arrays[f"{kind}.{name}"], device=self._device)
                for kind in cycle.PER_WEIGHT
            }
            with torch.no_grad():
                tensor.copy_(values["weights"])
                self.mean[name].copy_(values["mean"])
            memory = {kind: values[kind] for kind in cycle.MEMORY}
            self._optimizer.state[tensor] = {"step": steps.clone(), **memory}
        self._generator.manual_seed((self._settings.fit.seed + self._steps) % SEEDS)

    def _new_optimizer(self) -> Any:
        fit = self._settings.fit
        groups = training.fading(self._weights, fit)
        for group in groups:  # a recorded graph reads the rate from a tensor
            rate = torch.tensor(fit.rate, device=self._device)
            group["lr"] = rate if self._is_accelerated else fit.rate
        return torch.optim.AdamW(groups, capturable=self._is_accelerated)

    def _step(self, lesson: Lesson, rows: Any, turned: Any) -> Any:
        """Take a step and update the mean of the weights; return the loss before the step."""
        targets = lesson.targets(rows, turned, self._rim(lesson.side))
        if self._is_accelerated:
            if lesson.side not in self._graphs:
                self._graphs[lesson.side] = _Graph(self._descend, targets)
            loss = self._graphs[lesson.side](targets)
        else:
            loss = self._descend(targets)
        # At first, average over the few steps there are.
        keeping = min(self._settings.average, (1 + self._steps) / (10 + self._steps))
        with torch.no_grad():
            for mean, weights in zip(self.mean.values(), self._weights.values(), strict=True):
                mean.lerp_(weights, 1 - keeping)
        return loss

    def _descend(self, targets: training.Targets) -> Any:
        """Take a step toward the targets; return the mean loss before it."""
        return training.descend(self._weights, self._optimizer, targets, self._settings.fit).mean()

    def _rim(self, side: int) -> Any:
        if side not in self._rims:
            self._rims[side] = rim_of(side).to(self._device)
        return self._rims[side]

    def _rate(self, part: float) -> float:
        """Return the learning rate: it grows at first, and falls along a cosine."""
        growing = min(1.0, (self._steps + 1) / WARM_UP)
        falling = 0.5 * (1 + math.cos(math.pi * min(1.0, part)))
        return self._settings.fit.rate * growing * max(falling, LEAST_RATE)

    def _set_rate(self, rate: float) -> None:
        for group in self._optimizer.param_groups:
            if self._is_accelerated:
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate


class _Graph:
    """A step on an accelerator, recorded once: to launch its many kernels took twice its time."""

    def __init__(self, step: Callable[[training.Targets], Any], targets: training.Targets) -> None:
        self._targets = training.Targets(*(each.clone() for each in targets))
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(WARM_UPS):
                step(self._targets)
        torch.cuda.current_stream().wait_stream(stream)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._loss = step(self._targets)

    def __call__(self, targets: training.Targets) -> Any:
        """Take the step toward other targets; return the loss, which the next call overwrites."""
        for own, each in zip(self._targets, targets, strict=True):
            own.copy_(each)
        self._graph.replay()
        return self._loss


# The net, evaluated on many positions at once.

WARM_UPS = 3  # runs before a graph is recorded, in which the libraries choose their algorithms
OTHER = 2  # in `questions`


class DeviceNet:
    """Weights of one shape on a device, shared by rooms of several board sizes."""

    def __init__(self, shapes: Mapping[str, tuple[int, ...]], device: str) -> None:
        """Allocate weights of these shapes, by name."""
        self.device = device
        self.kind = torch.float16 if training.is_accelerator(device) else torch.float32
        torch.backends.cudnn.benchmark = True
        self.weights: training.Tensors = {
            name: torch.zeros(shape, dtype=self.kind, device=device)
            for name, shape in shapes.items()
        }

    def load(self, weights: Mapping[str, Any]) -> None:
        """Load other weights, arrays or tensors, into the tensors that the rooms use.

        The scale of a block is multiplied into its second convolution.
        """
        with torch.no_grad():
            for name, own in self.weights.items():
                values = torch.as_tensor(weights[name]).to(self.device)
                block, _, rest = name.partition("_")
                if rest.startswith("second"):
                    values = values * torch.as_tensor(weights[f"{block}_scale"]).to(self.device)
                own.copy_(values)


class QuestionRoom:
    """The questions of one table to a net, and its answers. Holds state.

    questions  seats x cells: 0 empty, 1 the mover's, 2 the other's, as the mover sees the board
    logits     seats x cells: the answers for moves; `values`, seats: those for the winner
    """

    questions: NDArray[np.int8]
    logits: NDArray[np.float32]
    values: NDArray[np.float32]

    def __init__(self, net: DeviceNet, side: int, seats: int) -> None:
        """Allocate the arrays; on an accelerator, record the evaluation as one graph."""
        self._net, self._side, self._graph = net, side, None
        is_pinned = training.is_accelerator(net.device)
        size = side * side
        self._questions = torch.zeros((seats, size), dtype=torch.int8, pin_memory=is_pinned)
        self._logits = torch.zeros((seats, size), dtype=torch.float32, pin_memory=is_pinned)
        self._values = torch.zeros(seats, dtype=torch.float32, pin_memory=is_pinned)
        self.questions, self.logits = self._questions.numpy(), self._logits.numpy()
        self.values = self._values.numpy()
        self._rim = rim_of(side).to(net.device, net.kind)
        if is_pinned:
            self._record()

    def ask(self) -> None:
        """Send the `questions`; on the processor they are answered at once."""
        if self._graph is None:
            self._answer()
            return
        with torch.cuda.stream(self._stream):
            self._graph.replay()
            self._end.record(self._stream)

    def wait(self) -> None:
        """Wait for the answers."""
        if self._graph is not None:
            self._end.synchronize()

    def take_over(self, other: "QuestionRoom") -> None:
        """Copy the questions and answers of another room of the same size."""
        self.questions[:], self.logits[:], self.values[:] = (
            other.questions,
            other.logits,
            other.values,
        )

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
            questions = self._questions.to(self._net.device, non_blocking=True)
            boards = questions.view(-1, 1, self._side, self._side)
            planes = with_rim(torch.cat([boards == 1, boards == OTHER], 1), self._rim)
            policy, value = policy_and_value(self._net.weights, planes)
            self._logits.copy_(policy.flatten(1), non_blocking=True)
            self._values.copy_(value, non_blocking=True)


def policy_and_value(weights: training.Tensors, planes: Any) -> tuple[Any, Any]:
    """Return the logits of policy and value like `training.answers`, but for scaled weights.

    On an accelerator a convolution, its bias and the rectifier are one operation.
    """
    trunk = _convolve(planes, weights, "stem", 0)
    block = 0
    while f"{block}_first" in weights:
        if f"{block}_pool" in weights:
            more = nn.linear(
                training.pool(trunk), weights[f"{block}_pool"], weights[f"{block}_first_bias"]
            )
            taps = training.reshape(weights[f"{block}_first"])
            hidden = nn.conv2d(trunk, taps, padding=1).add_(more[:, :, None, None]).relu_()
        else:
            hidden = _convolve(trunk, weights, f"{block}_first", 1)
        taps, bias = training.reshape(weights[f"{block}_second"]), weights[f"{block}_second_bias"]
        trunk = nn.conv2d(hidden, taps, bias, padding=1).add_(trunk)
        block += 1
    trunk = trunk.relu_()
    head = nn.conv2d(trunk, weights["head"][:, :, None, None], weights["head_bias"]).relu_()
    policy = nn.conv2d(head, weights["policy"][:, :, None, None])
    values = nn.linear(training.pool(trunk), weights["value_hidden"], weights["value_hidden_bias"])
    value = nn.linear(values.relu_(), weights["value"], weights["value_bias"])
    return policy[:, 0].float(), value[:, 0].float()


def _convolve(planes: Any, weights: training.Tensors, name: str, padding: int) -> Any:
    taps, bias = training.reshape(weights[name]), weights[f"{name}_bias"]
    if planes.is_cuda:
        ways = [padding] * 2
        return torch.cudnn_convolution_relu(planes, taps, bias, [1, 1], ways, [1, 1], 1)
    return nn.conv2d(planes, taps, bias, padding=padding).relu_()


def rim_of(side: int) -> Any:
    """Return the planes of an empty board with its rim, 1 x 2 x side + 2 x side + 2."""
    return torch.from_numpy(add_rim(np.zeros((1, 2, side, side))))


def with_rim(stones: Any, rim: Any) -> Any:
    """Return planes of stones, n x 2 x side x side, in their rim, with the channels last."""
    planes = rim.repeat(len(stones), 1, 1, 1)
    planes[:, :, 1:-1, 1:-1] = stones
    return planes.contiguous(memory_format=torch.channels_last)
