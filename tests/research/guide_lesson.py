"""How the net that guides the solver learns, in torch: see `guide_net.py`."""

from typing import Any

import numpy as np
import torch
import torch.nn.functional as nn
from numpy.typing import NDArray

from player.net.net import Net, rimmed
from player.study.fitting import FitSettings
from player.study.training import FULL, Tensors, answers, fading, first_weights, to_net

AVERAGE = 0.998  # what each step leaves of the mean of the weights, which becomes the net
SHARE = 0.5  # what the policy on all cells counts, that on those left, and the chance
WARM_UP, LONGEST = 200, 2.0  # steps of a growing rate, and the norm of a gradient

Arrays = list[NDArray[Any]]


class Lesson:
    """A small net as it learns. Holds state."""

    def __init__(
        self, learned: dict[int, Arrays], settings: FitSettings, start: Net | None = None
    ) -> None:
        """Begin with the weights of a net, else with weights at random.

        learned  by side: planes, policy, chance and the moves left, as `guide_net.targets`
        """
        self._learned, self._settings = learned, settings
        torch.manual_seed(settings.seed)
        torch.set_num_threads(1)
        self._draw = np.random.default_rng(settings.seed)
        begun = first_weights(settings.blocks, settings.channels, 1, start)
        self._weights = {
            name: torch.tensor(value, requires_grad=True) for name, value in begun.items()
        }
        self._means = {name: each.detach().clone() for name, each in self._weights.items()}
        groups = fading(self._weights, settings)
        self._optimizer = torch.optim.AdamW(groups, lr=settings.rate, betas=(0.9, 0.98))
        self._done = 0
        batch = settings.batch
        self._total = settings.epochs * sum(-(-len(some[0]) // batch) for some in learned.values())

    def learn(self) -> None:
        """See each position once, of one board size at a time."""
        size = self._settings.batch
        jobs = []
        for side, some in self._learned.items():
            order = self._draw.permutation(len(some[0]))
            jobs += [(side, order[at : at + size]) for at in range(0, len(order), size)]
        for number in self._draw.permutation(len(jobs)):
            side, rows = jobs[number]
            self._step([each[rows] for each in self._learned[side]])

    def _step(self, some: Arrays) -> None:
        part = self._done / self._total
        rate = self._settings.rate * min(1, (self._done + 1) / WARM_UP)
        for group in self._optimizer.param_groups:
            group["lr"] = rate * 0.5 * (1 + np.cos(np.pi * part))
        turned = self._draw.random(len(some[0])) < 0.5
        planes, policy, chance, left = (each.copy() for each in some)
        for each in (planes, policy, left):
            each[turned] = each[turned][..., ::-1, ::-1]
        self._optimizer.zero_grad()
        self._loss(planes, policy, chance, left).backward()
        torch.nn.utils.clip_grad_norm_(list(self._weights.values()), LONGEST)
        self._optimizer.step()
        self._done += 1
        kept = min(AVERAGE, self._done / (self._done + 100))
        for name, mean in self._means.items():
            mean.mul_(kept).add_(self._weights[name].detach(), alpha=1 - kept)

    def _loss(self, planes: Any, policy: Any, chance: Any, left: Any) -> Any:
        logits, value = _answers(self._weights, planes)
        wanted = torch.from_numpy(policy.astype(np.float32)).flatten(1)
        is_left = torch.from_numpy(left.astype(bool)).flatten(1)
        on_left = wanted * is_left
        on_left = on_left / (on_left.sum(1, keepdim=True) + 1e-9)
        among = logits.masked_fill(~is_left, FULL)
        lost = -(wanted * torch.log_softmax(logits, 1)).sum(1)
        lost = lost - (on_left * torch.log_softmax(among, 1)).sum(1)
        known = torch.from_numpy(chance.astype(np.float32))
        lost = lost + nn.binary_cross_entropy_with_logits(value, known, reduction="none")
        return SHARE * lost.mean()

    def agreement(self, some: Arrays) -> float:
        """Return the part of positions where the move it likes best of those left is the same."""
        planes, policy, _, left = some
        with torch.no_grad():
            logits, _ = _answers(self._means, planes)
        is_left = left.astype(bool).reshape(len(left), -1)
        own = np.where(is_left, logits.numpy(), FULL).argmax(1)
        wanted = np.where(is_left, policy.reshape(len(left), -1), -1).argmax(1)
        return float((own == wanted).mean())

    def net(self, record: dict[str, Any]) -> Net:
        """Return the net as it is now."""
        return to_net(self._means, self._settings.blocks, self._settings.channels, record)


def _answers(weights: Tensors, planes: NDArray[Any]) -> tuple[Any, Any]:
    """Return logits of the moves, n x cells, and of the mover's win."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        policy, value, _ = answers(weights, torch.from_numpy(rimmed(planes)))
    empty = torch.from_numpy(~planes.any(axis=1))
    return policy.masked_fill(~empty, FULL).flatten(1), value
