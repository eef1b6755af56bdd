"""A net learns: from samples, or from the games that it plays, generation after generation.

No torch is needed before `fit` or `cycle` is called; it is in the extra `learn`. Whatever is
finished is kept, so that a kill loses one epoch or one generation.
"""

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

from player.net.net import Net
from player.study.cycle import CycleSettings, Generation, OnProgress
from player.study.fitting import FitSettings, FittedNet, Steps, parts_of
from player.study.samples import Samples

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


# Games and learning in turn.


def cycle(  # noqa: PLR0913 - each is of another kind
    folder: Path,
    settings: CycleSettings,
    *,
    start: Net | None = None,
    device: str = "cpu",
    threads: int = 1,
    seconds: float | None = None,
    on_progress: OnProgress = lambda _what, _part: None,
) -> list[Generation]:
    """Play and learn until the last generation, and return all of them.

    folder       gets the net, the games and the state of each generation; a run that is
                 there is resumed after its last generation
    start        a net to start from: of the same shape it goes on learning, of another one
                 it plays until the learning net knows the games better
    device       where torch computes, such as `cuda`
    threads      that go on with the games
    seconds      of the whole run; the learning rate falls to its end, which may come before the
                 last generation
    on_progress  is called with what is being done, and the part of it that is done

    Raise FitError, naming the file, when another run is kept there or the file is damaged;
    GamesError likewise for games; ValueError when there is no such device, or when it has too
    little memory; ModuleNotFoundError without torch; OSError when the disk does not take a file.
    """
    if not is_installed():
        raise ModuleNotFoundError(NEEDED)
    from player.study.cycle_training import Cycle  # noqa: PLC0415 - it needs torch

    run = Cycle(folder, settings, start=start, device=device, threads=threads, seconds=seconds)
    return run.run(on_progress)
