"""Settings and reports of a training, and which samples it sees when; none of it needs torch."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.formats import npz, strict
from player.net.net import Net, check_shape, layout
from player.study.samples import Samples, joined


class FitError(ValueError):
    """A folder that another training is kept in, or one that is damaged."""


@dataclass(frozen=True, slots=True)
class FitSettings:
    """Settings of a training.

    blocks    shape of the net: residual blocks, and numbers that it keeps of each cell
    channels
    epochs    how often each sample is seen
    batch     samples a step
    rate      the highest learning rate; it grows up to there, and falls as a cosine does
    warm_up   the part of all steps in which it grows
    decay     how fast weights fade: of AdamW
    value     what the value counts against the policy
    owners    what the owners count
    chance    how much of a value's label is the chance that the search gave the position, from 0
              to 1; the rest is who won
    seed      of the first weights, the order and the half-turns
    halves    whether sums are in half precision (bfloat16)

    Raise ValueError when a number is out of range.
    """

    blocks: int = 4
    channels: int = 32
    epochs: int = 8
    batch: int = 256
    rate: float = 2e-3
    warm_up: float = 0.05
    decay: float = 1e-2
    value: float = 1.0
    owners: float = 0.2
    chance: float = 0.0
    seed: int = 0
    halves: bool = True

    def __post_init__(self) -> None:
        check_shape(self.blocks, self.channels)
        for name in ("epochs", "batch"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} out of range: {getattr(self, name)} (1 or more)")
        if not 0 < self.rate < 1:
            raise ValueError(f"rate out of range: {self.rate:g} (more than 0, less than 1)")
        if not 0 <= self.warm_up < 1:
            raise ValueError(f"warm_up out of range: {self.warm_up:g} (0 to less than 1)")
        if not 0 <= self.chance <= 1:
            raise ValueError(f"chance out of range: {self.chance:g} (0 to 1)")
        for name in ("decay", "value", "owners"):
            if not 0 <= getattr(self, name) < 1000:
                raise ValueError(f"{name} out of range: {getattr(self, name):g} (0 to 1000)")

    def rate_after(self, done: int, total: int) -> float:
        """Return the learning rate of the step after this many, of so many in all."""
        growing = max(1, round(self.warm_up * total))
        if done < growing:
            return self.rate * (done + 1) / growing
        return self.rate * 0.5 * (1 + math.cos(math.pi * (done - growing) / (total - growing)))


@dataclass(frozen=True, slots=True)
class Score:
    """Scores of a net on samples.

    positions  how many there were
    first      the part of them where the move it likes best is the search's
    five       where the search's is among its first five
    winner     where the winner is the one it thinks
    policy     cross entropies, in nats: of the moves,
    value      of the winner,
    owners     and of a cell of the carrier, where one was proved
    """

    positions: int
    first: float
    five: float
    winner: float
    policy: float
    value: float
    owners: float


@dataclass(frozen=True, slots=True)
class Epoch:
    """Result of an epoch.

    number   from 1
    learned  the mean loss of what was learned from, as it went
    apart    how well the net knows the games kept apart; None if there are none
    """

    number: int
    learned: float
    apart: Score | None


@dataclass(frozen=True, slots=True)
class FittedNet:
    """A net, the epochs it took, and how many of them were there before."""

    net: Net
    epochs: tuple[Epoch, ...]
    resumed: int


@dataclass(frozen=True, slots=True)
class Steps:
    """Progress of a training: batches done, of all, and the epochs that are over."""

    done: int
    total: int
    epochs: tuple[Epoch, ...]


# Samples in batches: kept apart by game, in a seeded order, turned or not.

APART = 10  # every tenth game is kept apart


class SampleSplit(NamedTuple):
    """Samples, one entry a board size: to learn from, and of games that are kept apart."""

    to_learn: list[Samples]
    apart: list[Samples]


class SampleBatch(NamedTuple):
    """Samples of one board size, and which of them are turned by half."""

    samples: Samples
    rows: NDArray[np.int64]
    turned: NDArray[np.bool_]

    def taken(self) -> Samples:
        """Return the samples, turned where they are to be."""
        taken = self.samples.take(self.rows)
        turned = np.flatnonzero(self.turned)
        for array in (taken.planes, taken.policy, taken.owners):
            array[turned] = array[turned][..., ::-1, ::-1]
        return taken


def parts_of(samples: Sequence[Samples]) -> SampleSplit:
    """Return samples by board size, in the order of sizes, every tenth game apart.

    Raise ValueError when nothing is left to learn from.
    """
    sizes = sorted({(each.rows, each.columns) for each in samples if len(each)})
    by_size = [
        joined([each for each in samples if (each.rows, each.columns) == size and len(each)])
        for size in sizes
    ]
    is_apart = [each.games % APART == 0 for each in by_size]
    to_learn = [each.take(~apart) for each, apart in zip(by_size, is_apart, strict=True)]
    if not any(map(len, to_learn)):
        raise ValueError(f"no games to learn from: every {APART}th is kept apart")
    return SampleSplit(
        [each for each in to_learn if len(each)],
        [each.take(apart) for each, apart in zip(by_size, is_apart, strict=True) if apart.any()],
    )


def batch_count(samples: Sequence[Samples], size: int) -> int:
    """Return how many batches of at most `size` there are in an epoch."""
    return sum(-(-len(each) // size) for each in samples)


def batches(samples: Sequence[Samples], size: int, seed: int, epoch: int) -> Iterator[SampleBatch]:
    """Yield each sample once, of one board size at a time; seed and epoch make the order."""
    generator = np.random.default_rng([seed, epoch])
    parts = []
    for each in samples:
        order = generator.permutation(len(each))
        for start in range(0, len(each), size):
            rows = order[start : start + size]
            parts.append(SampleBatch(each, rows, generator.random(len(rows)) < 0.5))
    for number in generator.permutation(len(parts)):
        yield parts[number]


def in_order(samples: Sequence[Samples], size: int) -> Iterator[SampleBatch]:
    """Yield each sample once as it is, in order."""
    for each in samples:
        for start in range(0, len(each), size):
            rows = np.arange(start, min(start + size, len(each)))
            yield SampleBatch(each, rows, np.zeros(len(rows), np.bool_))


def history(record: dict[str, Any]) -> list[Any]:
    """Return the records of the nets that one started from, the first one first, and its own."""
    own = {name: value for name, value in record.items() if name != "earlier"}
    before = record.get("earlier", [])  # of a foreign file it may be anything
    return [*(before if isinstance(before, list) else [before]), own]


# The state of a training, from which it is resumed.

SCHEMA = "hsearch/fit/1"
KINDS = ("weights", "means", "squares")

Values = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True, eq=False)
class TrainingState:
    """A training after some epochs.

    epochs   what they came to
    weights  by name
    means    of the gradients of each, as AdamW keeps them
    squares  and of their squares
    """

    epochs: tuple[Epoch, ...]
    weights: Values
    means: Values
    squares: Values


def shapes_of(settings: FitSettings) -> dict[str, tuple[int, ...]]:
    """Return the shape of each weight that learns, by name."""
    scales = {f"{block}_scale": (1,) for block in range(settings.blocks)}
    return layout(settings.blocks, settings.channels) | scales


def write_state(
    path: Path, state: TrainingState, settings: FitSettings, origin: dict[str, Any]
) -> None:
    """Write a state. Raise OSError, naming the file, when the disk does not take it."""
    arrays = {
        f"{kind}.{name}": array for kind in KINDS for name, array in getattr(state, kind).items()
    }
    epochs = [asdict(epoch) for epoch in state.epochs]
    about = {"settings": asdict(settings), "origin": origin, "epochs": epochs}
    npz.save(path, SCHEMA, about, arrays)


def read_state(path: Path, settings: FitSettings, origin: dict[str, Any]) -> TrainingState | None:
    """Return the state that is kept there; None if there is none.

    Raise FitError, naming the file, when it is damaged or of another training.
    """
    if not path.exists():
        return None
    try:
        about, arrays = npz.load(path, SCHEMA, "state of a training")
    except npz.ArraysError as error:
        raise FitError(str(error)) from None
    expected = {"settings": asdict(settings), "origin": origin}
    for part, values in expected.items():
        found = about.get(part)
        for key, value in values.items():
            other = found.get(key) if isinstance(found, dict) else None
            if other != value or type(other) is not type(value):
                raise FitError(f"{path}: of another training: {key} is {other!r}, not {value!r}")
    try:
        return _checked(about, arrays, settings)
    except ValueError as error:
        raise FitError(f"{path}: no state of a training, kept as it is: {error}") from None


def _checked(about: dict[str, Any], arrays: npz.Arrays, settings: FitSettings) -> TrainingState:
    epochs = strict.read(strict.write(about.get("epochs")), list[Epoch])
    numbers = [epoch.number for epoch in epochs]
    if numbers != list(range(1, len(numbers) + 1)) or not 0 < len(numbers) <= settings.epochs:
        raise ValueError(f"epochs: {numbers}, of {settings.epochs}")
    shapes = shapes_of(settings)
    kinds = [{name: arrays.get(f"{kind}.{name}") for name in shapes} for kind in KINDS]
    for kind, values in zip(KINDS, kinds, strict=True):
        for name, shape in shapes.items():
            array = values[name]
            if array is None or array.shape != shape or array.dtype != np.float32:
                raise ValueError(f"{kind} of {name} are missing or of another shape")
            if not np.isfinite(array).all():
                raise ValueError(f"{kind} of {name}: no finite numbers")
    return TrainingState(tuple(epochs), *kinds)  # type: ignore[arg-type] # none is None
