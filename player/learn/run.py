"""A training under way, in torch: steps of AdamW over batches, epoch by epoch. It holds state."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from hsearch.files.arrays import digest_of
from hsearch.files.held import held
from player.learn import state as states
from player.learn.batches import Batch, Parts, batch_count, batches
from player.learn.fitting import Epoch, FitError, FitSettings, FittedNet, Score, Steps
from player.learn.samples import KINDS
from player.learn.scoring import score_of
from player.learn.state import TrainingState, shapes_of
from player.learn.training import answers, first_weights, losses, targets_of, to_net
from player.net import Net, write_net

NET, STATE = "net.npz", "state.npz"
OnProgress = Callable[[Steps], None]


class Training:
    """A training that is kept in a folder."""

    def __init__(
        self, parts: Parts, settings: FitSettings, folder: Path, start: Net | None, device: str
    ) -> None:
        """Take up what the folder keeps, or begin.

        Raise FitError when it is of another training, ValueError when there is no such device.
        """
        if device.startswith("cuda") and not torch.cuda.is_available():
            raise ValueError(f"torch finds no device {device!r} here")
        self._parts, self._settings, self._folder, self._device = parts, settings, folder, device
        self._batches = batch_count(parts.to_learn, settings.batch)
        self._origin = {
            "samples": _digest(parts),
            "start": None if start is None else start.key,
        }
        self._earlier = [] if start is None else _story(start.record)
        kept = states.load(folder / STATE, settings, self._origin)
        weights = (
            first_weights(settings.blocks, settings.channels, settings.seed, start)
            if kept is None
            else kept.weights
        )
        self._epochs = () if kept is None else kept.epochs
        self._weights = {
            name: torch.tensor(weights[name], device=device, requires_grad=True)
            for name in shapes_of(settings)
        }
        self._optimizer = self._begun(kept)

    def run(self, threads: int, on_progress: OnProgress) -> FittedNet:
        """Go on to the last epoch, and return the net; every epoch is kept."""
        torch.set_num_threads(threads)
        resumed = len(self._epochs)
        total = self._settings.epochs * self._batches
        with held(self._folder, doing="fits into", error=FitError):
            for number in range(resumed + 1, self._settings.epochs + 1):
                learned = 0.0
                for count, batch in enumerate(self._order(number), 1):
                    learned += self._step(batch, (number - 1) * self._batches + count - 1)
                    done = (number - 1) * self._batches + count
                    on_progress(Steps(done, total, self._epochs))
                positions = sum(map(len, self._parts.to_learn))
                score = self._score() if self._parts.apart else None
                self._epochs = (*self._epochs, Epoch(number, learned / positions, score))
                self._keep()
                on_progress(Steps(number * self._batches, total, self._epochs))
            net = self._net()
            write_net(self._folder / NET, net)
        return FittedNet(net, self._epochs, resumed)

    def _order(self, epoch: int) -> Iterator[Batch]:
        return batches(self._parts.to_learn, self._settings.batch, self._settings.seed, epoch)

    def _begun(self, kept: TrainingState | None) -> Any:
        """Return the optimizer, as it was left. Biases and scales do not fade."""
        matrices = [each for each in self._weights.values() if each.ndim > 1]
        others = [each for each in self._weights.values() if each.ndim == 1]
        groups = [
            {"params": matrices, "weight_decay": self._settings.decay},
            {"params": others, "weight_decay": 0.0},
        ]
        optimizer = torch.optim.AdamW(groups, lr=self._settings.rate)
        if kept is not None:
            for name, tensor in self._weights.items():
                optimizer.state[tensor] = {
                    "step": torch.tensor(float(len(kept.epochs) * self._batches)),
                    "exp_avg": torch.tensor(kept.means[name], device=self._device),
                    "exp_avg_sq": torch.tensor(kept.squares[name], device=self._device),
                }
        return optimizer

    def _step(self, batch: Batch, done: int) -> float:
        """Learn from a batch, after this many; return the sum of its losses."""
        rate = self._settings.rate_after(done, self._settings.epochs * self._batches)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        targets = targets_of(batch, self._device)
        with self._precision():
            found = answers(self._weights, targets.planes)
        each = losses(found, targets.softened(self._settings.chance))
        loss = each.policy + self._settings.value * each.value + self._settings.owners * each.owners
        self._optimizer.zero_grad(set_to_none=True)
        loss.mean().backward()
        torch.nn.utils.clip_grad_norm_(list(self._weights.values()), 5.0)
        self._optimizer.step()
        return float(loss.sum().item())

    def _precision(self) -> Any:
        kind = self._device.partition(":")[0]
        return torch.autocast(kind, dtype=torch.bfloat16, enabled=self._settings.halves)

    def _score(self) -> Score:
        return score_of(self._weights, self._parts.apart, self._settings.batch, self._device)

    def _keep(self) -> None:
        """Write the state, then the net that it makes."""
        memory = {name: self._optimizer.state[each] for name, each in self._weights.items()}
        weights = {name: _array(each) for name, each in self._weights.items()}
        means = {name: _array(each["exp_avg"]) for name, each in memory.items()}
        squares = {name: _array(each["exp_avg_sq"]) for name, each in memory.items()}
        kept = TrainingState(self._epochs, weights, means, squares)
        states.save(self._folder / STATE, kept, self._settings, self._origin)
        write_net(self._folder / NET, self._net())

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


def _story(record: dict[str, Any]) -> list[Any]:
    """Return the records of the nets that one started from, the first one first, and its own."""
    own = {name: value for name, value in record.items() if name != "earlier"}
    before = record.get("earlier", [])  # of a foreign file it may be anything
    return [*(before if isinstance(before, list) else [before]), own]


def _array(tensor: Any) -> Any:
    return tensor.detach().float().cpu().numpy()


def _digest(parts: Parts) -> str:
    arrays = {
        f"{part} {each.rows}x{each.columns} {name}": getattr(each, name)
        for part, samples in parts._asdict().items()
        for each in samples
        for name in KINDS
    }
    return digest_of(arrays)
