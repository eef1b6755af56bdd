"""Fit patterns to lessons, in torch: steps of Adam over batches, each of one board."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from hsearch.board import Board
from player.learn.lessons import Lessons, taken, turned
from player.learn.pattern_training import answers, first_weights, losses
from player.learn.training import Tensors
from player.patterns.weights import Parts

BATCH = 512
RATE, LAST_RATE, WARM_UP = 4e-3, 1e-5, 200
COOLING = 1.2  # exponent
WORTH = 3.0  # what who wins counts beside the moves


class Batch(NamedTuple):
    """Which lessons of a board are learned from at a step."""

    board: Board
    which: NDArray[np.int64]


def fit(
    lessons: Mapping[Board, Lessons],
    epochs: int,
    seed: int,
    threads: int,
    on_progress: Callable[[float], None],
) -> Parts:
    """Return weights that learned from lessons of Black; half of them are turned by half."""
    torch.set_num_threads(threads)
    generator = np.random.default_rng(seed)
    weights = _tensors(first_weights(seed))
    for each in weights.values():
        each.requires_grad_()
    optimizer = torch.optim.Adam(list(weights.values()), lr=RATE)
    step, steps = 0, epochs * len(_batches(lessons, generator))
    for _ in range(epochs):
        for board, which in _batches(lessons, generator):
            for group in optimizer.param_groups:
                group["lr"] = rate_at(step, steps)
            batch = taken(lessons[board], which)
            batch = turned(batch, generator.random(which.size) < 0.5)
            found = losses(answers(weights, batch, board), batch, board)
            optimizer.zero_grad(set_to_none=True)
            (WORTH * found.worth + found.draws).mean().backward()
            optimizer.step()
            step += 1
            on_progress(step / steps)
    return {name: each.detach().numpy() for name, each in weights.items()}


def score(parts: Parts, lessons: Mapping[Board, Lessons]) -> NDArray[np.float64]:
    """Return the sums of the losses over lessons of Black, in their order."""
    total, weights = np.zeros(4), _tensors(parts)
    with torch.no_grad():
        for board, all_of_it in lessons.items():
            for start in range(0, len(all_of_it.turns), BATCH):
                some = taken(all_of_it, np.arange(start, min(start + BATCH, len(all_of_it.turns))))
                found = losses(answers(weights, some, board), some, board)
                total += [each.double().sum().item() for each in found]
    return total


def rate_at(step: int, steps: int) -> float:
    """Return how far a step goes: further and further at first, then less and less."""
    warmth = min(1.0, (step + 1) / max(1, min(WARM_UP, steps // 10)))
    left: float = (1 - step / steps) ** COOLING
    return LAST_RATE + RATE * warmth * left


def _batches(lessons: Mapping[Board, Lessons], generator: np.random.Generator) -> list[Batch]:
    """Return batches that have each lesson once, in an order by chance."""
    found = []
    for board, each in lessons.items():
        order = generator.permutation(len(each.turns))
        found += [Batch(board, order[at : at + BATCH]) for at in range(0, order.size, BATCH)]
    return [found[number] for number in generator.permutation(len(found))]


def _tensors(parts: Parts) -> Tensors:
    tensors: dict[str, Any] = {name: torch.from_numpy(part.copy()) for name, part in parts.items()}
    return tensors
