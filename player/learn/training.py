"""The net in torch, as it learns: `player/net/forward` for many positions at a time.

Its weights have the names and shapes of `layout`, so that they are written as they are,
but for a scale a block, from 0 at first (ReZero), which is multiplied in.
"""

from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as nn
from numpy.typing import NDArray

from player.learn.batches import Batch
from player.net.features import rimmed
from player.net.weights import Net, layout

FULL = -1e9  # the logit of a cell that is not empty

Tensors = dict[str, Any]  # of torch, which types nothing here


class Targets(NamedTuple):
    """Planes of a batch, and the outputs that are wanted for them."""

    planes: Any
    empty: Any
    policy: Any
    value: Any
    chance: Any
    carrier: Any
    is_proved: Any

    def softened(self, part: float) -> "Targets":
        """Return the same with the search's chance for a part of who won."""
        return self._replace(value=(1 - part) * self.value + part * self.chance)


class Losses(NamedTuple):
    """Cross entropies, a number a sample; that of the owners is 0 where they are not known."""

    policy: Any
    value: Any
    owners: Any


def first_weights(
    blocks: int, channels: int, seed: int, start: Net | None = None
) -> dict[str, NDArray[np.float32]]:
    """Return weights to begin with: those of a net, or such that all numbers stay of one size."""
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
    """Return the net that these weights make."""
    parts = []
    for name in layout(blocks, channels):
        part = weights[name].detach().float().cpu().numpy()
        block, _, rest = name.partition("_")
        if rest.startswith("second"):
            part = part * weights[f"{block}_scale"].detach().cpu().numpy()
        parts.append(part.ravel())
    return Net(blocks, channels, np.concatenate(parts).astype(np.float16), record)


def targets_of(batch: Batch, device: str) -> Targets:
    """Return a batch as tensors."""
    taken = batch.taken()
    arrays = (
        rimmed(taken.planes),
        ~taken.planes.any(axis=1),
        taken.policy,
        taken.value,
        taken.chance,
        (taken.owners != 0).astype(np.float32),
        taken.is_proved.astype(np.float32),
    )
    return Targets(*(torch.from_numpy(np.ascontiguousarray(each)).to(device) for each in arrays))


def answers(weights: Tensors, planes: Any) -> tuple[Any, Any, Any]:
    """Return logits: of the policy n x rows x columns, of the value n, and of the owners."""
    planes = planes.to(memory_format=torch.channels_last)
    trunk = nn.relu(_convolved(planes, weights, "stem"))
    block = 0
    while f"{block}_first" in weights:
        hidden = _convolved(trunk, weights, f"{block}_first", padding=1)
        if f"{block}_pool" in weights:
            more = nn.linear(_pooled(trunk), weights[f"{block}_pool"])
            hidden = hidden + more[:, :, None, None]
        hidden = _convolved(nn.relu(hidden), weights, f"{block}_second", padding=1)
        trunk = trunk + weights[f"{block}_scale"] * hidden
        block += 1
    trunk = nn.relu(trunk)
    head = nn.relu(nn.conv2d(trunk, weights["head"][:, :, None, None], weights["head_bias"]))
    policy = nn.conv2d(head, weights["policy"][:, :, None, None])
    owners = nn.conv2d(head, weights["owner"][:, :, None, None], weights["owner_bias"])
    known = nn.linear(_pooled(trunk), weights["value_hidden"], weights["value_hidden_bias"])
    value = nn.linear(nn.relu(known), weights["value"], weights["value_bias"])
    return policy[:, 0].float(), value[:, 0].float(), owners[:, 0].float()


def losses(found: tuple[Any, Any, Any], targets: Targets) -> Losses:
    """Return how far what was found is from what it should be."""
    policy, value, owners = found
    logits = policy.masked_fill(~targets.empty, FULL).flatten(1)
    chances = nn.log_softmax(logits, dim=1)
    carriers = nn.binary_cross_entropy_with_logits(owners, targets.carrier, reduction="none")
    return Losses(
        -(targets.policy.flatten(1) * chances).sum(1),
        nn.binary_cross_entropy_with_logits(value, targets.value, reduction="none"),
        carriers.mean((1, 2)) * targets.is_proved,
    )


def _convolved(planes: Any, weights: Tensors, name: str, padding: int = 0) -> Any:
    taps = weights[name]
    shaped = taps.view(len(taps), 3, 3, taps.shape[2]).permute(0, 3, 1, 2)
    return nn.conv2d(planes, shaped, weights[f"{name}_bias"], padding=padding)


def _pooled(planes: Any) -> Any:
    return torch.cat([planes.mean((2, 3)), planes.amax((2, 3))], 1)
