"""Long runs: iterate, report, save, and stop at a given exploitability.

A limit of iterations counts the whole run, so an interrupted run ends where it
would have; a limit of seconds counts from the start or the last resumption. The
bounds are measured at fixed iterations, each a tenth after the previous one, so
a resumed run stops where an uninterrupted one would have.

The state of a run is in one file, its checkpoint, which is written completely or
not at all. A file that is cut, changed, or of another run is refused with the
reason, and stays as it is.
"""

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from threading import Event
from typing import Any, Protocol

from hsearch.formats import npz
from player.work.clock import Pace

SCHEMA = "hsearch/dark-checkpoint/1"
SAVE_EVERY = 30.0  # seconds
FOREVER = 1e12  # seconds
MOST_GROWTH = math.log(1e6)  # an estimate is at most a million times the time so far


class SteppedSolver(Protocol):
    """A solver that approaches an equilibrium by iterations."""

    batch: int  # iterations between two checks of the clock

    @property
    def iteration(self) -> int:
        """The number of iterations so far."""

    def advance(self, iterations: int) -> None:
        """Make some iterations."""

    def bounds(self) -> tuple[float, float] | None:
        """Return bounds on the value to Black; None if they cannot be measured."""

    def arrays(self) -> npz.Arrays:
        """Return all that `restore` needs."""

    def restore(self, arrays: npz.Arrays) -> None:
        """Continue exactly from there."""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """The progress of a run.

    iteration  iterations made so far
    bounds     bounds on the value to Black; None if they cannot be measured
    seconds    the time of the run, before it was resumed included
    """

    iteration: int
    bounds: tuple[float, float] | None
    seconds: float

    @property
    def exploitability(self) -> float | None:
        """Half the distance of the bounds."""
        return exploitability(self.bounds)


def exploitability(bounds: tuple[float, float] | None) -> float | None:
    """Return half the distance of bounds on a value; None if they are unknown."""
    return None if bounds is None else max(0.0, bounds[1] - bounds[0]) / 2


@dataclass(frozen=True, slots=True)
class Stop:
    """The limits of a run; the first one that is reached ends it.

    iterations      iterations in all, those before it was resumed included; None: no limit
    exploitability  half the distance of the bounds at which to end
    seconds         the time since the run began or was resumed
    """

    iterations: int | None = None
    exploitability: float = 0.0
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Raise ValueError when a run would make no iteration."""
        if self.iterations is not None and self.iterations < 1:
            raise ValueError(f"a run needs at least one iteration, not {self.iterations}")


class End(StrEnum):
    """The condition that ended a run."""

    EXPLOITABILITY = "exploitability"
    ITERATIONS = "iterations"
    SECONDS = "seconds"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a run.

    progress    the progress at the end
    end         the condition that ended it
    curve       the progress at each measurement
    save_error  why the end of the run was not saved; None if it was, or there is no file
    """

    progress: RunProgress
    end: End
    curve: list[RunProgress] = field(default_factory=list)
    save_error: str | None = None


def run(
    solver: SteppedSolver,
    stop: Stop,
    *,
    file: Path | None = None,
    about: dict[str, Any] | None = None,
    report: Callable[[RunProgress, float | None], None] = lambda _, __: None,
    interrupt: Event | None = None,
) -> Result:
    """Iterate until a limit of `stop`, or until `interrupt` is set, and save to `file`.

    about      the description of the run; a file with another description is refused
    report     is called with the progress and an estimate of the seconds left
    interrupt  an event that another thread sets to end the run after the current step

    Raise CheckpointError when `file` exists and cannot be resumed. An error in the solver is
    raised after the state is saved. A file that cannot be written does not end the run, which
    would lose the result: during the run it is a warning, at the end it is in the result.
    """
    about = about or {}
    before = _resume(solver, file, about) if file is not None and file.exists() else 0.0
    clock = _Clock(before, stop)
    curve: list[RunProgress] = []

    def save() -> str | None:
        try:
            if file is not None:
                save_checkpoint(file, about | {"seconds": clock.seconds}, solver.arrays())
        except OSError as error:
            return f"{file}: cannot be written: {error.strerror or error}"
        return None

    def save_meanwhile() -> None:
        if (trouble := save()) is not None:
            warnings.warn(
                f"{trouble}: what was done since the last save is not saved", stacklevel=2
            )

    interruption = interrupt or Event()
    end: End | None = None
    try:
        while end is None:
            _iterate(solver, stop, clock, interruption, save_meanwhile)
            curve.append(RunProgress(solver.iteration, solver.bounds(), clock.seconds))
            report(curve[-1], time_left(curve, stop, before))
            end = End.INTERRUPTED if interruption.is_set() else _find_end(curve[-1], stop, clock)
    except Exception:
        save_meanwhile()
        raise
    return Result(curve[-1], end, curve, save())


class _Clock:
    """The clock of a run."""

    def __init__(self, before: float, stop: Stop) -> None:
        self._before, self._limit = before, stop.seconds
        self.saving = Pace(SAVE_EVERY)

    @property
    def seconds(self) -> float:
        """The seconds of the run, those before it was resumed included."""
        return self._before + self.saving.seconds

    def is_late(self) -> bool:
        """Return whether the run has used its time since it began or was resumed."""
        return self._limit is not None and self.saving.seconds > self._limit


def _resume(solver: SteppedSolver, file: Path, about: dict[str, Any]) -> float:
    """Resume a saved run; return its seconds so far."""
    state, arrays = load_checkpoint(file, about)
    seconds = state.get("seconds")
    if not isinstance(seconds, float) or not 0 <= seconds < FOREVER:
        raise CheckpointError(f"{file}: seconds: no time, but {str(seconds)[:40]}; kept")
    try:
        solver.restore(arrays)
    except (KeyError, ValueError, IndexError, OverflowError) as error:
        raise CheckpointError(f"{file}: cannot be resumed, kept: {error}") from None
    return seconds


def _iterate(
    solver: SteppedSolver,
    stop: Stop,
    clock: _Clock,
    interruption: Event,
    save: Callable[[], None],
) -> None:
    """Iterate until the next measurement is due, or the run must end."""
    goal = next_measurement(solver.iteration)
    if stop.iterations is not None:
        goal = min(goal, stop.iterations)
    while solver.iteration < goal and not interruption.is_set() and not clock.is_late():
        solver.advance(min(goal - solver.iteration, solver.batch))
        if clock.saving.is_due():
            save()


def time_left(curve: list[RunProgress], stop: Stop, before: float = 0.0) -> float | None:
    """Return an estimate of the seconds until a run ends; None if there is no basis for one.

    Exploitability is assumed to fall as a power of time, as in the last half of the curve.
    `before` is the time of the run when it was resumed.
    """
    last = curve[-1]
    estimates = []
    if stop.seconds is not None:
        estimates.append(before + stop.seconds - last.seconds)
    if stop.iterations is not None and last.iteration > 0:
        estimates.append(last.seconds * (stop.iterations / last.iteration - 1))
    earlier = curve[len(curve) // 2]
    now, then = last.exploitability, earlier.exploitability
    if stop.exploitability > 0 and now and then and 0 < earlier.seconds < last.seconds:
        power = math.log(then / now) / math.log(last.seconds / earlier.seconds)
        if power > 0.01:
            growth = (math.log(now) - math.log(stop.exploitability)) / power
            estimates.append(last.seconds * math.expm1(min(growth, MOST_GROWTH)))
    return max(0.0, min(estimates)) if estimates else None


def next_measurement(iteration: int) -> int:
    """Return the first iteration after this one at which bounds are measured."""
    due = 0
    while due <= iteration:
        due += max(1, due // 10)
    return due


def _find_end(progress: RunProgress, stop: Stop, clock: _Clock) -> End | None:
    """Return the condition that ends a run here; None if it continues."""
    gap = progress.exploitability
    if gap is not None and gap <= stop.exploitability:
        return End.EXPLOITABILITY
    if stop.iterations is not None and progress.iteration >= stop.iterations:
        return End.ITERATIONS
    return End.SECONDS if clock.is_late() else None


# Checkpoints.


class CheckpointError(ValueError):
    """A checkpoint that cannot be used."""


def save_checkpoint(path: Path, about: dict[str, Any], arrays: npz.Arrays) -> None:
    """Write a checkpoint: the description of the run, in JSON's types, and its arrays.

    Raise OSError, naming the file, when it cannot be written.
    """
    npz.save(path, SCHEMA, about, arrays)


def load_checkpoint(path: Path, about: dict[str, Any]) -> tuple[dict[str, Any], npz.Arrays]:
    """Return the description and the arrays of a checkpoint.

    Raise CheckpointError when the file is damaged, or its description differs
    from `about`.
    """
    state, arrays = npz.load(path, SCHEMA, "checkpoint", CheckpointError)
    for key, value in about.items():
        if state.get(key) != value:
            raise CheckpointError(f"{path}: {key} is {state.get(key)!r}, not {value!r}; kept")
    return state, arrays
