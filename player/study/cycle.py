"""Settings, reports and state of a run that alternates between self-play and learning."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hsearch.formats import npz, strict
from hsearch.hex.face import expect_range
from player.evaluate.net import Net
from player.study.fitting import FitError, FitSettings, check_arrays, history
from player.study.side_by_side import SIDES, PlaySettings

# Takes the current step, and the fraction of it that is done.
OnStep = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class CycleSettings:
    """Settings of a run.

    seats        games played at once, by rows of the board
    generations  of the whole run
    positions    least number of searched positions in a generation
    window       newest generations to learn from
    reuse        how often each position is learned from, on average
    average      decay of the running mean of the weights; this mean plays, and is the net
    play         settings of the games
    fit          shape, batch, rate and labels; its epochs are not used

    Raise ValueError when a number is out of range.
    """

    seats: Mapping[int, int]
    generations: int = 10
    positions: int = 20_000
    window: int = 6
    reuse: float = 5.0
    average: float = 0.998
    play: PlaySettings = field(default_factory=PlaySettings)
    fit: FitSettings = field(default_factory=FitSettings)

    def __post_init__(self) -> None:
        for name in ("generations", "positions", "window"):
            expect_range(name, getattr(self, name), 1)
        if not self.seats or min(self.seats.values()) < 1:
            raise ValueError("no board to play on, or no game at once")
        for side in self.seats:  # games on other boards could not be read again
            expect_range("side of the board", side, SIDES.start, SIDES[-1])
        if not 0 < self.reuse <= 100:
            raise ValueError(f"reuse out of range: {self.reuse:g} (more than 0, 100 at most)")


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Accuracy of a net on positions before it learned from them.

    first   fraction where its best move is the search's
    winner  fraction where it predicts the winner
    policy  cross entropy of the moves, in nats
    value   cross entropy of the winner, in nats
    """

    first: float
    winner: float
    policy: float
    value: float


@dataclass(frozen=True, slots=True)
class Generation:
    """Result of a generation.

    number      from 1
    games       that ended in it
    positions   searched in these games
    playing     seconds
    learning    seconds
    by_learner  whether the learning net played, not the net to start from
    before      accuracy of the learning net on these positions before it learned from them
    start       accuracy of the net to start from; None if the learning net played
    loss        mean loss of the learning net
    """

    number: int
    games: int
    positions: int
    playing: float
    learning: float
    by_learner: bool
    before: Accuracy
    start: Accuracy | None
    loss: float


def record_of(
    settings: CycleSettings, start: Net | None, generations: Sequence[Generation]
) -> dict[str, Any]:
    """Return how the net of a run, and those that it started from, were made, in JSON's types."""
    seats = {str(side): count for side, count in settings.seats.items()}
    return {
        "made by": "hsearch learn cycle",
        "settings": asdict(settings) | {"seats": seats},
        "start": None if start is None else start.key,
        "earlier": [] if start is None else history(start.record),
        "generations": list(map(asdict, generations)),
    }


# The state of a run, from which it is resumed.

SCHEMA = "hsearch/cycle/1"
MEMORY = ("exp_avg", "exp_avg_sq")  # as AdamW calls them
PER_WEIGHT = ("weights", "mean", *MEMORY)  # arrays of a state


@dataclass(frozen=True, slots=True, eq=False)
class CycleState:
    """The state of a run between generations.

    generations  so far
    arrays       `steps`, the number taken, and four for each weight, such as `mean.stem`
    """

    generations: tuple[Generation, ...]
    arrays: npz.Arrays


def write_state(path: Path, record: dict[str, Any], arrays: npz.Arrays) -> None:
    """Write a state. Raise OSError, naming the file, when it cannot be written."""
    npz.save(path, SCHEMA, {"run": record}, arrays)


def read_state(path: Path, settings: CycleSettings, start: Net | None) -> CycleState | None:
    """Return the state of a run with these settings; None if there is no such file.

    Raise FitError, naming the file, when it is damaged or belongs to another run.
    """
    if not path.exists():
        return None
    about, arrays = npz.load(path, SCHEMA, "state of a run", FitError)
    try:
        run = strict.read(strict.write(about["run"]), _Run)
        _check_arrays(arrays, settings)
    except (KeyError, ValueError) as error:
        raise FitError(f"{path}: not a state of a run, kept as it is: {error}") from None
    own = strict.read(strict.write(record_of(settings, start, ())), dict[str, Any])
    if run.settings.get("fit") != own["settings"]["fit"]:
        raise FitError(f"{path}: of another run: shape, rate, labels or seed differ")
    if run.start != own["start"]:
        raise FitError(f"{path}: of another run: it started from another net")
    return CycleState(tuple(run.generations), arrays)


@dataclass(frozen=True, slots=True)
class _Run:
    settings: dict[str, Any]
    start: str | None
    generations: list[Generation]


def _check_arrays(arrays: npz.Arrays, settings: CycleSettings) -> None:
    """Raise ValueError or KeyError unless the arrays are the state of a net of this shape."""
    if arrays["steps"].shape != (1,) or arrays["steps"].dtype != np.int64:
        raise ValueError("steps: not one number")
    check_arrays(arrays, settings.fit, PER_WEIGHT)
