"""Fit a net to samples: epochs that follow from the seed, each kept, so that a kill loses one.

No torch is needed before `fit` is called; it is in the extra `learn`.
"""

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

from player.learn.batches import parts_of
from player.learn.fitting import FitSettings, FittedNet, Steps
from player.learn.samples import Samples
from player.net.weights import Net

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
    damaged; ValueError when there is nothing to learn from, or `start` is of another shape;
    ModuleNotFoundError without torch; OSError when the disk does not take an epoch.
    """
    if not is_installed():
        raise ModuleNotFoundError(NEEDED)
    if start is not None and (start.blocks, start.channels) != (settings.blocks, settings.channels):
        shape = f"{start.blocks}x{start.channels}"
        raise ValueError(f"the net is {shape}, not {settings.blocks}x{settings.channels}")
    from player.learn.run import Training  # noqa: PLC0415 - it needs torch

    parts = parts_of(samples)
    training = Training(parts, settings, folder, start, device)
    return training.run(threads, on_progress)


def is_installed() -> bool:
    """Return whether there is torch."""
    return importlib.util.find_spec("torch") is not None
