"""A net in torch: its computation, its scores on samples, and its training."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as nn
from numpy.typing import NDArray

from hsearch.formats.files import hold
from hsearch.formats.npz import digest_of
from player.evaluate.net import Net, add_rim, layout, write_net
from player.study import fitting
from player.study.samples import ARRAYS, Samples

# The device where torch computes.


def is_accelerator(device: str) -> bool:
    """Return whether a device uses CUDA."""
    return bool(torch.device(device).type == "cuda")


@contextmanager
def within_memory(advice: str) -> Iterator[None]:
    """Raise ValueError, with advice, when a device runs out of memory."""
    try:
        yield
    except torch.cuda.OutOfMemoryError:
        raise ValueError(f"the device has too little memory: {advice}") from None


def check_device(device: str) -> None:
    """Raise ValueError when torch finds no such device here."""
    if is_accelerator(device) and not torch.cuda.is_available():
        raise ValueError(f"torch finds no device {device!r} here")


# The net in torch: `player/evaluate/net` for many positions at a time.
#
# Its weights have the names and shapes of `layout`, so they are written unchanged, except
# that each block has a scale, at first 0 (ReZero), which is multiplied in.

FULL = -1e9  # the logit of a cell that is not empty

Tensors = dict[str, Any]  # of torch, which types nothing here


class Targets(NamedTuple):
    """The inputs of a batch, and the outputs to learn."""

    planes: Any
    empty: Any
    policy: Any
    value: Any
    chance: Any
    carrier: Any
    is_proved: Any

    def soften(self, part: float) -> "Targets":
        """Return the same with the search's chance as this part of the value's label."""
        return self._replace(value=(1 - part) * self.value + part * self.chance)


class Losses(NamedTuple):
    """Cross entropies, one for each sample; that of the owners is 0 where they are unknown."""

    policy: Any
    value: Any
    owners: Any


def first_weights(
    blocks: int, channels: int, seed: int, start: Net | None = None
) -> dict[str, NDArray[np.float32]]:
    """Return first weights: those of a net, or random ones that keep activations in scale."""
    if start is not None:
        ones = {f"{block}_scale": np.ones(1, np.float32) for block in range(blocks)}
        return start.parts() | ones
    generator = np.random.default_rng(seed)
    weights = {}
    for name, shape in layout(blocks, channels).items():
        inputs = int(np.prod(shape[1:]))
        size = 0.0 if name.endswith("bias") else (2 / inputs) ** 0.5
        if name in {"policy", "owner", "value"} or name.endswith("_pool"):
            size /= 10
        weights[name] = generator.normal(0, size, shape).astype(np.float32)
    zeros = {f"{block}_scale": np.zeros(1, np.float32) for block in range(blocks)}
    return weights | zeros


def to_net(weights: Tensors, blocks: int, channels: int, record: dict[str, Any]) -> Net:
    """Return weights as a net, with the scales multiplied in.

    Raise FitError when one is not a finite number of half precision.
    """
    parts = []
    for name in layout(blocks, channels):
        part = weights[name].detach().float().cpu().numpy()
        block, _, rest = name.partition("_")
        if rest.startswith("second"):
            part = part * weights[f"{block}_scale"].detach().cpu().numpy()
        parts.append(part.ravel())
    with np.errstate(over="ignore"):
        numbers = np.concatenate(parts).astype(np.float16)
    if not np.isfinite(numbers).all():
        raise fitting.FitError("the training diverged, and is kept as it was: use a lower --rate")
    return Net(blocks, channels, numbers, record)


def targets_of(batch: fitting.SampleBatch, device: str) -> Targets:
    """Return a batch as tensors."""
    samples = batch.take()
    arrays = (
        add_rim(samples.planes),
        ~samples.planes.any(axis=1),
        samples.policy,
        samples.value,
        samples.chance,
        (samples.owners != 0).astype(np.float32),
        samples.is_proved.astype(np.float32),
    )
    return Targets(*(torch.from_numpy(np.ascontiguousarray(each)).to(device) for each in arrays))


def answers(weights: Tensors, planes: Any) -> tuple[Any, Any, Any]:
    """Return logits: policy, n x rows x columns; value, n; owners, n x rows x columns."""
    planes = planes.to(memory_format=torch.channels_last)
    trunk = nn.relu(_convolve(planes, weights, "stem"))
    block = 0
    while f"{block}_first" in weights:
        hidden = _convolve(trunk, weights, f"{block}_first", padding=1)
        if f"{block}_pool" in weights:
            more = nn.linear(pool(trunk), weights[f"{block}_pool"])
            hidden = hidden + more[:, :, None, None]
        hidden = _convolve(nn.relu(hidden), weights, f"{block}_second", padding=1)
        trunk = trunk + weights[f"{block}_scale"] * hidden
        block += 1
    trunk = nn.relu(trunk)
    head = nn.relu(nn.conv2d(trunk, weights["head"][:, :, None, None], weights["head_bias"]))
    policy = nn.conv2d(head, weights["policy"][:, :, None, None])
    owners = nn.conv2d(head, weights["owner"][:, :, None, None], weights["owner_bias"])
    values = nn.linear(pool(trunk), weights["value_hidden"], weights["value_hidden_bias"])
    value = nn.linear(nn.relu(values), weights["value"], weights["value_bias"])
    return policy[:, 0].float(), value[:, 0].float(), owners[:, 0].float()


def losses(outputs: tuple[Any, Any, Any], targets: Targets) -> Losses:
    """Return the losses of outputs against the targets."""
    policy, value, owners = outputs
    logits = policy.masked_fill(~targets.empty, FULL).flatten(1)
    chances = nn.log_softmax(logits, dim=1)
    carriers = nn.binary_cross_entropy_with_logits(owners, targets.carrier, reduction="none")
    return Losses(
        -(targets.policy.flatten(1) * chances).sum(1),
        nn.binary_cross_entropy_with_logits(value, targets.value, reduction="none"),
        carriers.mean((1, 2)) * targets.is_proved,
    )


def _convolve(planes: Any, weights: Tensors, name: str, padding: int = 0) -> Any:
    return nn.conv2d(planes, reshape(weights[name]), weights[f"{name}_bias"], padding=padding)


def reshape(taps: Any) -> Any:
    """Return the weights of a convolution in torch's shape: output x input x 3 x 3."""
    return taps.view(len(taps), 3, 3, taps.shape[2]).permute(0, 3, 1, 2)


def pool(planes: Any) -> Any:
    """Return the mean of each plane, then the largest number of each."""
    return torch.cat([planes.mean((2, 3)), planes.amax((2, 3))], 1)


# A step of learning.


def fading(weights: Tensors, settings: fitting.FitSettings) -> list[dict[str, Any]]:
    """Return the parameter groups for an optimizer: biases and scales do not decay."""
    matrices = [each for each in weights.values() if each.ndim > 1]
    others = [each for each in weights.values() if each.ndim == 1]
    return [
        {"params": matrices, "weight_decay": settings.decay},
        {"params": others, "weight_decay": 0.0},
    ]


def descend(
    weights: Tensors, optimizer: Any, targets: Targets, settings: fitting.FitSettings
) -> Any:
    """Take a step toward the targets; return the loss of each sample before it."""
    kind = targets.planes.device.type
    with torch.autocast(kind, torch.bfloat16, enabled=settings.halves, cache_enabled=False):
        outputs = answers(weights, targets.planes)
    each = losses(outputs, targets.soften(settings.chance))
    loss = each.policy + settings.value * each.value + settings.owners * each.owners
    optimizer.zero_grad(set_to_none=True)
    loss.mean().backward()
    torch.nn.utils.clip_grad_norm_(list(weights.values()), 5.0)
    optimizer.step()
    return loss.detach()


# The scores of weights on samples that they did not learn from.


def score_of(
    weights: Tensors, samples: Sequence[Samples], batch: int, device: str
) -> fitting.Score:
    """Return the scores of weights on samples, `batch` at a time, in single precision."""
    sums, proofs = np.zeros(6), 0.0
    with torch.no_grad():
        for part in fitting.in_order(samples, batch):
            targets = targets_of(part, device)
            outputs = answers(weights, targets.planes)
            each = losses(outputs, targets)
            logits = outputs[0].masked_fill(~targets.empty, FULL).flatten(1)
            policy = targets.policy.flatten(1)
            best = logits.topk(min(5, logits.shape[1]), dim=1).indices
            is_best = policy.gather(1, best) == policy.amax(1, keepdim=True)
            sums += [
                float(is_best[:, 0].sum()),
                float(is_best.any(1).sum()),
                float(((outputs[1] > 0) == (targets.value > 0.5)).sum()),
                *(float(loss.sum()) for loss in each),
            ]
            proofs += float(targets.is_proved.sum())
    count = sum(map(len, samples))
    first, five, winner, policy, value = (float(each) / count for each in sums[:5])
    owners = float(sums[5]) / max(proofs, 1.0)
    return fitting.Score(count, first, five, winner, policy, value, owners)


# A training in progress: steps of AdamW over batches, epoch by epoch.

NET, STATE = "net.npz", "state.npz"
OnTrainingSteps = Callable[[fitting.Steps], None]


class Training:
    """A training in a folder. Holds state: the weights, the optimizer, the finished epochs."""

    def __init__(
        self,
        parts: fitting.SampleSplit,
        settings: fitting.FitSettings,
        folder: Path,
        start: Net | None,
        device: str,
    ) -> None:
        """Resume the training in the folder, or start one.

        Raise FitError when the folder has another training, ValueError for an unknown device.
        """
        check_device(device)
        self._parts, self._settings, self._folder, self._device = parts, settings, folder, device
        self._batches = fitting.batch_count(parts.to_learn, settings.batch)
        self._origin = {
            "samples": _digest(parts),
            "start": None if start is None else start.key,
        }
        self._earlier = [] if start is None else fitting.history(start.record)
        state = fitting.read_state(folder / STATE, settings, self._origin)
        weights = (
            first_weights(settings.blocks, settings.channels, settings.seed, start)
            if state is None
            else state.weights
        )
        self._epochs = () if state is None else state.epochs
        self._weights = {
            name: torch.tensor(weights[name], device=device, requires_grad=True)
            for name in fitting.shapes_of(settings)
        }
        self._optimizer = self._make_optimizer(state)

    def run(self, threads: int, on_progress: OnTrainingSteps) -> fitting.FittedNet:
        """Continue to the last epoch, and return the net; write every epoch."""
        torch.set_num_threads(threads)
        before = len(self._epochs)
        total = self._settings.epochs * self._batches
        with hold(self._folder, doing="fits into", error=fitting.FitError):
            for number in range(before + 1, self._settings.epochs + 1):
                loss = 0.0
                for count, batch in enumerate(self._order(number), 1):
                    loss += self._step(batch, (number - 1) * self._batches + count - 1)
                    steps = (number - 1) * self._batches + count
                    on_progress(fitting.Steps(steps, total, self._epochs))
                positions = sum(map(len, self._parts.to_learn))
                score = self._score() if self._parts.apart else None
                self._epochs = (*self._epochs, fitting.Epoch(number, loss / positions, score))
                self._keep()
                on_progress(fitting.Steps(number * self._batches, total, self._epochs))
            net = self._net()
            write_net(self._folder / NET, net)
        return fitting.FittedNet(net, self._epochs, before)

    def _order(self, epoch: int) -> Iterator[fitting.SampleBatch]:
        return fitting.batches(
            self._parts.to_learn, self._settings.batch, self._settings.seed, epoch
        )

    def _make_optimizer(self, state: fitting.TrainingState | None) -> Any:
        """Return the optimizer, in the state it was left in."""
        groups = fading(self._weights, self._settings)
        optimizer = torch.optim.AdamW(groups, lr=self._settings.rate)
        if state is not None:
            for name, tensor in self._weights.items():
                optimizer.state[tensor] = {
                    "step": torch.tensor(float(len(state.epochs) * self._batches)),
                    "exp_avg": torch.tensor(state.means[name], device=self._device),
                    "exp_avg_sq": torch.tensor(state.squares[name], device=self._device),
                }
        return optimizer

    def _step(self, batch: fitting.SampleBatch, steps: int) -> float:
        """Learn from a batch after `steps` others; return the sum of its losses."""
        rate = self._settings.rate_after(steps, self._settings.epochs * self._batches)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        targets = targets_of(batch, self._device)
        loss = descend(self._weights, self._optimizer, targets, self._settings)
        return float(loss.sum().item())

    def _score(self) -> fitting.Score:
        return score_of(self._weights, self._parts.apart, self._settings.batch, self._device)

    def _keep(self) -> None:
        """Write the state, then its net. Raise FitError, and write neither, without a net."""
        net = self._net()
        memory = {name: self._optimizer.state[each] for name, each in self._weights.items()}
        weights = {name: _array(each) for name, each in self._weights.items()}
        means = {name: _array(each["exp_avg"]) for name, each in memory.items()}
        squares = {name: _array(each["exp_avg_sq"]) for name, each in memory.items()}
        state = fitting.TrainingState(self._epochs, weights, means, squares)
        fitting.write_state(self._folder / STATE, state, self._settings, self._origin)
        write_net(self._folder / NET, net)

    def _net(self) -> Net:
        games = sum(np.unique(each.games).size for each in self._parts.to_learn)
        record = {
            "made by": "hsearch learn fit",
            "settings": asdict(self._settings),
            **self._origin,
            "games": games,
            "positions": sum(map(len, self._parts.to_learn)),
            "epochs": [asdict(epoch) for epoch in self._epochs],
            "earlier": self._earlier,
        }
        return to_net(self._weights, self._settings.blocks, self._settings.channels, record)


def _array(tensor: Any) -> Any:
    return tensor.detach().float().cpu().numpy()


def _digest(parts: fitting.SampleSplit) -> str:
    arrays = {
        f"{part} {each.rows}x{each.columns} {name}": getattr(each, name)
        for part, samples in parts._asdict().items()
        for each in samples
        for name in ARRAYS
    }
    return digest_of(arrays)
