"""Settings, reports and state of a training, and its order of samples; without torch."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hsearch.formats import npz, strict
from hsearch.hex.face import expect_range
from player.evaluate.net import Net, check_shape, layout
from player.study.samples import Samples, concatenate


class FitError(ValueError):
    """A folder that belongs to another training, or is damaged."""


@dataclass(frozen=True, slots=True)
class FitSettings:
    """Settings of a training.

    blocks    residual blocks of the net
    channels  numbers for each cell in a layer of the net
    epochs    how often each sample is seen
    batch     samples a step
    rate      highest learning rate; it grows linearly, then falls along a cosine
    warm_up   fraction of all steps in which it grows
    decay     weight decay of AdamW
    value     weight of the value in the loss; that of the policy is 1
    owners    weight of the owners in the loss
    chance    weight, from 0 to 1, of the search's chance in the label of the value; the
              rest is who won
    seed      of the first weights, the order and the half-turns
    halves    whether to compute in half precision (bfloat16)

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
            expect_range(name, getattr(self, name), 1)
        if not 0 < self.rate < 1:
            raise ValueError(f"rate out of range: {self.rate:g} (more than 0, less than 1)")
        if not 0 <= self.warm_up < 1:
            raise ValueError(f"warm_up out of range: {self.warm_up:g} (0 to less than 1)")
        expect_range("chance", self.chance, 0, 1)
        for name in ("decay", "value", "owners"):
            if not 0 <= getattr(self, name) < 1000:
                raise ValueError(f"{name} out of range: {getattr(self, name):g} (0 to 1000)")

    def rate_after(self, step: int, total: int) -> float:
        """Return the learning rate of the step after `step` of `total` steps."""
        growing = max(1, round(self.warm_up * total))
        if step < growing:
            return self.rate * (step + 1) / growing
        return self.rate * 0.5 * (1 + math.cos(math.pi * (step - growing) / (total - growing)))


@dataclass(frozen=True, slots=True)
class Score:
    """Scores of a net on samples.

    positions  how many there are
    first      fraction where its best move is the search's
    five       fraction where the search's best move is among its first five
    winner     fraction where it predicts the winner
    policy     cross entropy of the moves, in nats
    value      cross entropy of the winner, in nats
    owners     cross entropy of a cell of the carrier, in nats, where one is proved
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
    learned  mean loss on the training samples, during the epoch
    apart    scores on the held-out games; None if there are none
    """

    number: int
    learned: float
    apart: Score | None


@dataclass(frozen=True, slots=True)
class FittedNet:
    """A net, its epochs, and how many of them an earlier run had finished."""

    net: Net
    epochs: tuple[Epoch, ...]
    epochs_before: int


@dataclass(frozen=True, slots=True)
class Steps:
    """Progress of a training: batches done, all batches, and the finished epochs."""

    done: int
    total: int
    epochs: tuple[Epoch, ...]


# Samples in batches: split by game, in a seeded order, some turned by half.

APART = 10  # every tenth game is held out


class SampleSplit(NamedTuple):
    """Samples to learn from, and samples of held-out games; one entry a board size."""

    to_learn: list[Samples]
    apart: list[Samples]


class SampleBatch(NamedTuple):
    """Rows of samples of one board size, and which of them are turned by half."""

    samples: Samples
    rows: NDArray[np.int64]
    turned: NDArray[np.bool_]

    def take(self) -> Samples:
        """Return these samples, some of them turned."""
        samples = self.samples.take(self.rows)
        indices = np.flatnonzero(self.turned)
        for array in (samples.planes, samples.policy, samples.owners):
            array[indices] = array[indices][..., ::-1, ::-1]
        return samples


def parts_of(samples: Sequence[Samples]) -> SampleSplit:
    """Return samples by board size, in order of size, with every tenth game held out.

    Raise ValueError when nothing is left to learn from.
    """
    sizes = sorted({(each.rows, each.columns) for each in samples if len(each)})
    by_size = [
        concatenate([each for each in samples if (each.rows, each.columns) == size and len(each)])
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
    """Return the number of batches of at most `size` samples in an epoch."""
    return sum(-(-len(each) // size) for each in samples)


def batches(samples: Sequence[Samples], size: int, seed: int, epoch: int) -> Iterator[SampleBatch]:
    """Yield each sample once, in batches of one board size; seed and epoch fix the order."""
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
    """Yield each sample once, in order and not turned."""
    for each in samples:
        for start in range(0, len(each), size):
            rows = np.arange(start, min(start + size, len(each)))
            yield SampleBatch(each, rows, np.zeros(len(rows), np.bool_))


def history(record: dict[str, Any]) -> list[Any]:
    """Return the records of the nets that a net descends from, oldest first, and its own."""
    own = {name: value for name, value in record.items() if name != "earlier"}
    before = record.get("earlier", [])  # in a foreign file it may be anything
    return [*(before if isinstance(before, list) else [before]), own]


# The state of a training, from which it is resumed.

SCHEMA = "hsearch/fit/1"
PER_WEIGHT = ("weights", "means", "squares")  # arrays of a state

ParameterValues = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True, eq=False)
class TrainingState:
    """The state of a training between epochs.

    epochs   their results
    weights  by name
    means    AdamW's running mean of each gradient
    squares  AdamW's running mean of each squared gradient
    """

    epochs: tuple[Epoch, ...]
    weights: ParameterValues
    means: ParameterValues
    squares: ParameterValues


def shapes_of(settings: FitSettings) -> dict[str, tuple[int, ...]]:
    """Return the shape of each weight to learn, by name."""
    scales = {f"{block}_scale": (1,) for block in range(settings.blocks)}
    return layout(settings.blocks, settings.channels) | scales


def write_state(
    path: Path, state: TrainingState, settings: FitSettings, origin: dict[str, Any]
) -> None:
    """Write a state. Raise OSError, naming the file, when it cannot be written."""
    arrays = {
        f"{kind}.{name}": array
        for kind in PER_WEIGHT
        for name, array in getattr(state, kind).items()
    }
    epochs = [asdict(epoch) for epoch in state.epochs]
    about = {"settings": asdict(settings), "origin": origin, "epochs": epochs}
    npz.save(path, SCHEMA, about, arrays)


def read_state(path: Path, settings: FitSettings, origin: dict[str, Any]) -> TrainingState | None:
    """Return the state in a file; None if there is none.

    Raise FitError, naming the file, when it is damaged or belongs to another training.
    """
    if not path.exists():
        return None
    about, arrays = npz.load(path, SCHEMA, "state of a training", FitError)
    ours = {"settings": asdict(settings), "origin": origin}
    for part, values in ours.items():
        theirs = about.get(part)
        for key, value in values.items():
            other = theirs.get(key) if isinstance(theirs, dict) else None
            if other != value or type(other) is not type(value):
                raise FitError(f"{path}: of another training: {key} is {other!r}, not {value!r}")
    try:
        return _check(about, arrays, settings)
    except ValueError as error:
        raise FitError(f"{path}: not a state of a training, kept as it is: {error}") from None


def _check(about: dict[str, Any], arrays: npz.Arrays, settings: FitSettings) -> TrainingState:
    epochs = strict.read(strict.write(about.get("epochs")), list[Epoch])
    numbers = [epoch.number for epoch in epochs]
    if numbers != list(range(1, len(numbers) + 1)) or not 0 < len(numbers) <= settings.epochs:
        raise ValueError(f"epochs: {numbers}, of {settings.epochs}")
    check_arrays(arrays, settings, PER_WEIGHT)
    kinds = (
        {name: arrays[f"{kind}.{name}"] for name in shapes_of(settings)} for kind in PER_WEIGHT
    )
    return TrainingState(tuple(epochs), *kinds)


def check_arrays(arrays: npz.Arrays, settings: FitSettings, kinds: Sequence[str]) -> None:
    """Raise ValueError unless there are finite numbers of each kind for each weight."""
    for kind in kinds:
        for name, shape in shapes_of(settings).items():
            array = arrays.get(f"{kind}.{name}")
            if array is None or array.shape != shape or array.dtype != np.float32:
                raise ValueError(f"{kind} of {name} are missing or of another shape")
            if not np.isfinite(array).all():
                raise ValueError(f"{kind} of {name}: not finite numbers")
