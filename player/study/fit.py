"""Fit a net to samples: epochs that follow from the seed, each kept, so that a kill loses one.

No torch is needed before `fit` is called; it is in the extra `learn`.
"""

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.formats import npz, strict
from player.net.net import Net, layout
from player.study.fitting import Epoch, FitError, FitSettings, FittedNet, Steps, parts_of
from player.study.samples import Samples

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


def save(path: Path, state: TrainingState, settings: FitSettings, origin: dict[str, Any]) -> None:
    """Write a state. Raise OSError, naming the file, when the disk does not take it."""
    arrays = {
        f"{kind}.{name}": array for kind in KINDS for name, array in getattr(state, kind).items()
    }
    epochs = [asdict(epoch) for epoch in state.epochs]
    about = {"settings": asdict(settings), "origin": origin, "epochs": epochs}
    npz.save(path, SCHEMA, about, arrays)


def load(path: Path, settings: FitSettings, origin: dict[str, Any]) -> TrainingState | None:
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


# The fit.

NEEDED = "learning needs the extra learn: pip install 'hsearch[learn]'"


def fit(  # noqa: PLR0913 - each is of another kind
    samples: Sequence[Samples],
    settings: FitSettings,
    folder: Path,
    *,
    start: Net | None = None,
    threads: int = 1,
    device: str = "cpu",
    on_progress: Callable[[Steps], None] = lambda _steps: None,
) -> FittedNet:
    """Return the net that samples and settings make, and keep each epoch in a folder.

    start    a net of the same shape to go on from; None to begin with chance
    threads  of the processor; sums may differ by it in their last bits
    device   where torch computes, such as `cuda`

    What is in the folder is gone on from, and the outcome is the same. Every tenth
    game is kept apart, to see how well the net knows what it has not learned from.

    Raise FitError, naming the file, when another training is kept there or the file is
    damaged; ValueError when there is nothing to learn from, `start` is of another shape, or
    the device has too little memory;
    ModuleNotFoundError without torch; OSError when the disk does not take an epoch.
    """
    if not is_installed():
        raise ModuleNotFoundError(NEEDED)
    if start is not None and (start.blocks, start.channels) != (settings.blocks, settings.channels):
        shape = f"{start.blocks}x{start.channels}"
        raise ValueError(f"the net is {shape}, not {settings.blocks}x{settings.channels}")
    from player.study.training import Training, within_memory  # noqa: PLC0415 - it needs torch

    parts = parts_of(samples)
    with within_memory("use a smaller --batch"):
        return Training(parts, settings, folder, start, device).run(threads, on_progress)


def is_installed() -> bool:
    """Return whether there is torch."""
    return importlib.util.find_spec("torch") is not None
