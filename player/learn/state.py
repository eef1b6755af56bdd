"""State of a training after an epoch, to go on from: weights, those of AdamW, scores."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.files import arrays as files
from hsearch.files import strict
from player.learn.fitting import Epoch, FitError, FitSettings
from player.net.weights import layout

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
    files.save(path, SCHEMA, about, arrays)


def load(path: Path, settings: FitSettings, origin: dict[str, Any]) -> TrainingState | None:
    """Return the state that is kept there; None if there is none.

    Raise FitError, naming the file, when it is damaged or of another training.
    """
    if not path.exists():
        return None
    try:
        about, arrays = files.load(path, SCHEMA, "state of a training")
    except files.ArraysError as error:
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


def _checked(about: dict[str, Any], arrays: files.Arrays, settings: FitSettings) -> TrainingState:
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
