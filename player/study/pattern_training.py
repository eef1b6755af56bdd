"""Patterns in torch: their computation, and their fit to lessons."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as nn
from numpy.typing import NDArray

from hsearch.hex import Board
from player.evaluate.patterns import LAYOUT, NEIGHBORS, OFFSETS, Parts, around, sides_of
from player.kernels.patterns import CODE, LINES
from player.study.lessons import WHOLE, Lessons, select, turn
from player.study.training import FULL, Tensors

# Patterns in torch: `tests/support/plain_patterns.py` for many positions at a time.
#
# The weights have the names and shapes of `LAYOUT`, and are floats until learning is over.

SMALL = 0.1  # standard deviation of the first numbers of a code


class PatternLosses(NamedTuple):
    """Losses by position: cross entropies of winner and moves, and whether each is right."""

    worth: Any
    draws: Any
    winner: Any
    first: Any


def first_weights(seed: int) -> Parts:
    """Return random first weights, scaled so that activations keep their size."""
    generator, weights = np.random.default_rng(seed), {}
    for name, shape in LAYOUT.items():
        size = (2 / shape[-2]) ** 0.5 if len(shape) > 1 else SMALL
        if name in {"codes", "spots"}:
            size = SMALL
        if name.endswith("bias") or name in {"replies", "heeds", "plain"}:
            size = 0.0
        weights[name] = generator.normal(0, size, shape).astype(np.float32)
    return weights


def answers(weights: Tensors, lessons: Lessons, board: Board) -> tuple[Any, Any]:
    """Return logits for lessons of Black: of the winner, n, and of moves, n x cells."""
    keys = _keys(torch.from_numpy(lessons.stones.astype(np.int32)), board)
    rows, columns = (
        torch.from_numpy(sides_of(count)).long() for count in (board.rows, board.columns)
    )
    spots = weights["spots"][rows[:, None] * LINES + columns]
    codes = (nn.embedding(keys, weights["codes"]) + spots).permute(0, 3, 1, 2).contiguous()
    sights = _neighborhood(codes, weights, 0)
    parts = [sights.mean(dim=(2, 3))]
    for kind, sides in enumerate((rows, columns)):
        means = sights.mean(dim=3 - kind).transpose(1, 2)
        lines = nn.relu(means @ weights["lines"][kind] + weights["line_bias"][kind, sides])
        parts += [lines.mean(dim=1), lines.amax(dim=1)]
    hidden = nn.relu(torch.cat(parts, dim=1) @ weights["hidden"] + weights["hidden_bias"])
    deeper = nn.relu(hidden @ weights["deeper"] + weights["deeper_bias"])
    worth = deeper @ weights["last"] + codes.sum(dim=(2, 3)) @ weights["plain"] + weights["bias"]
    mixes = nn.conv2d(sights, weights["mix"].T[:, :, None, None], weights["mix_bias"])
    sights = sights + _neighborhood(nn.relu(mixes), weights, 1)
    factors = (weights["draws"] + hidden @ weights["heeds"])[:, None]
    draws = torch.bmm(factors[..., :CODE], codes.flatten(2))
    draws = draws[:, 0] + torch.bmm(factors[..., CODE:], sights.flatten(2))[:, 0]
    lasts = torch.from_numpy(lessons.lasts + 1).long()
    replies = (keys % 4**6).flatten(1) * len(OFFSETS) + _places_of_last_stone(board)[lasts]
    return worth, draws + nn.embedding(replies, weights["replies"][:, None])[..., 0]


def losses(outputs: tuple[Any, Any], lessons: Lessons, board: Board) -> PatternLosses:
    """Return the losses of outputs against the net's answers."""
    worth, draws = outputs
    values, policy = (torch.from_numpy(each) for each in (lessons.values, _shares(lessons)))
    stones = lessons.stones.reshape(-1, board.rows + 2, board.columns + 2)[:, 1:-1, 1:-1]
    is_full = torch.from_numpy(stones.reshape(len(stones), -1) != 0)
    chances = nn.log_softmax(draws.masked_fill(is_full, FULL), dim=1).masked_fill(is_full, 0.0)
    best = policy.gather(1, draws.masked_fill(is_full, FULL).argmax(dim=1, keepdim=True))[:, 0]
    return PatternLosses(
        nn.binary_cross_entropy_with_logits(worth, values, reduction="none"),
        -(policy * chances).sum(dim=1),
        (worth > 0) == (values > 0.5),
        best == policy.amax(dim=1),
    )


def _shares(lessons: Lessons) -> Any:
    policy = lessons.policy.astype(np.float32) / WHOLE
    return policy / policy.sum(axis=1, keepdims=True)


def _keys(stones: Any, board: Board) -> Any:
    rim, keys = stones.view(-1, board.rows + 2, board.columns + 2), 0
    for down, right in ((0, 0), *NEIGHBORS):
        rows = slice(1 + down, 1 + down + board.rows)
        keys = 4 * keys + rim[:, rows, 1 + right : 1 + right + board.columns]
    return keys


def _neighborhood(numbers: Any, weights: Tensors, look: int) -> Any:
    """Return what each cell sees of the numbers around it."""
    taps = weights["taps"][look].T
    square = taps.new_zeros(CODE, 1, 3, 3)
    for number, (down, right) in enumerate(((0, 0), *NEIGHBORS)):
        square[:, 0, 1 + down, 1 + right] = taps[:, number]
    bias = weights["tap_bias"][look]
    return nn.relu(nn.conv2d(numbers, square, bias, padding=1, groups=CODE))


@cache
def _places_of_last_stone(board: Board) -> Any:
    """Return where each cell sees the last stone, by the stone's place + 1; 0 is for none."""
    near = around(board).near[0]
    where = np.zeros(((board.rows + 2) * (board.columns + 2) + 1, board.size), np.int64)
    for number in range(1, near.shape[1]):
        where[near[:, number] + 1, np.arange(board.size)] = number
    return torch.from_numpy(where)


# The fit: steps of Adam over batches, each of one board.

BATCH = 512
RATE, LAST_RATE, WARM_UP = 4e-3, 1e-5, 200
COOLING = 1.2  # exponent
WORTH = 3.0  # weight of the winner in the loss; that of the moves is 1


class LessonBatch(NamedTuple):
    """The lessons of one step: a board, and their numbers."""

    board: Board
    which: NDArray[np.int64]


def fit(
    lessons: Mapping[Board, Lessons],
    epochs: int,
    seed: int,
    threads: int,
    on_progress: Callable[[float], None],
) -> Parts:
    """Return weights fitted to lessons of Black, each turned by half with chance 1/2."""
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
            batch = select(lessons[board], which)
            batch = turn(batch, generator.random(which.size) < 0.5)
            loss = losses(answers(weights, batch, board), batch, board)
            optimizer.zero_grad(set_to_none=True)
            (WORTH * loss.worth + loss.draws).mean().backward()
            optimizer.step()
            step += 1
            on_progress(step / steps)
    return {name: each.detach().numpy() for name, each in weights.items()}


def score(parts: Parts, lessons: Mapping[Board, Lessons]) -> NDArray[np.float64]:
    """Return the sums over lessons of Black of each field of `PatternLosses`, in order."""
    total, weights = np.zeros(4), _tensors(parts)
    with torch.no_grad():
        for board, all_of_it in lessons.items():
            for start in range(0, len(all_of_it.turns), BATCH):
                some = select(all_of_it, np.arange(start, min(start + BATCH, len(all_of_it.turns))))
                loss = losses(answers(weights, some, board), some, board)
                total += [each.double().sum().item() for each in loss]
    return total


def rate_at(step: int, steps: int) -> float:
    """Return the learning rate of a step: it grows at first, then falls."""
    warmth = min(1.0, (step + 1) / max(1, min(WARM_UP, steps // 10)))
    rest: float = (1 - step / steps) ** COOLING
    return LAST_RATE + RATE * warmth * rest


def _batches(lessons: Mapping[Board, Lessons], generator: np.random.Generator) -> list[LessonBatch]:
    """Return batches with each lesson once, in random order."""
    batches = []
    for board, each in lessons.items():
        order = generator.permutation(len(each.turns))
        batches += [
            LessonBatch(board, order[at : at + BATCH]) for at in range(0, order.size, BATCH)
        ]
    return [batches[number] for number in generator.permutation(len(batches))]


def _tensors(parts: Parts) -> Tensors:
    tensors: dict[str, Any] = {name: torch.from_numpy(part.copy()) for name, part in parts.items()}
    return tensors
