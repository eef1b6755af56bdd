"""How well weights in torch know samples that they did not learn from."""

from collections.abc import Sequence

import numpy as np
import torch

from player.learn.batches import in_order
from player.learn.fitting import Score
from player.learn.samples import Samples
from player.learn.training import FULL, Tensors, answers, losses, targets_of


def score_of(weights: Tensors, samples: Sequence[Samples], batch: int, device: str) -> Score:
    """Return the scores of weights on samples, this many at a time, all in single precision."""
    sums, proved = np.zeros(6), 0.0
    with torch.no_grad():
        for part in in_order(samples, batch):
            targets = targets_of(part, device)
            found = answers(weights, targets.planes)
            each = losses(found, targets)
            logits = found[0].masked_fill(~targets.empty, FULL).flatten(1)
            policy = targets.policy.flatten(1)
            ranked = logits.topk(min(5, logits.shape[1]), dim=1).indices
            is_best = policy.gather(1, ranked) == policy.amax(1, keepdim=True)
            sums += [
                float(is_best[:, 0].sum()),
                float(is_best.any(1).sum()),
                float(((found[1] > 0) == (targets.value > 0.5)).sum()),
                *(float(loss.sum()) for loss in each),
            ]
            proved += float(targets.is_proved.sum())
    count = sum(map(len, samples))
    first, five, winner, policy, value = (float(each) / count for each in sums[:5])
    owners = float(sums[5]) / max(proved, 1.0)
    return Score(count, first, five, winner, policy, value, owners)
