"""Long runs: iterate, report, save, and stop at a stated exploitability.

Iterations are those of the whole run, so that one that was interrupted ends
where it would have; seconds are those since it was resumed. The bounds are
measured at fixed iterations, each a tenth after the last, so that a run that
was resumed stops where the whole run would have.

The state of a run is in one file, its checkpoint, which is written whole or not at
all. A file that is cut, changed, or of another run is refused with the reason, and left
as it is.
"""

import math
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from threading import Event, current_thread, main_thread
from types import FrameType
from typing import Any, Protocol

from hsearch.formats import npz
from player.dark.regret import Arrays

SCHEMA = "hsearch/dark-checkpoint/1"
SAVE_EVERY = 30.0
FOREVER = 1e12  # seconds
MOST_GROWTH = math.log(1e6)  # of the time, that an estimate tells


class SteppedSolver(Protocol):
    """Something that comes nearer to equilibrium by steps."""

    batch: int  # iterations between two looks at the clock

    @property
    def iteration(self) -> int:
        """The iterations that were made so far."""

    def advance(self, iterations: int) -> None:
        """Make some iterations."""

    def bounds(self) -> tuple[float, float] | None:
        """Return bounds on the value to Black; None when they cannot be had."""

    def arrays(self) -> Arrays:
        """Return all that `restore` needs."""

    def restore(self, arrays: Arrays) -> None:
        """Go on exactly from there."""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Progress of a run.

    bounds   on the value to Black; None where they cannot be measured
    seconds  since the start, those of resumed runs included
    """

    iteration: int
    bounds: tuple[float, float] | None
    seconds: float

    @property
    def exploitability(self) -> float | None:
        """Half the distance of the bounds."""
        return None if self.bounds is None else max(0.0, self.bounds[1] - self.bounds[0]) / 2


@dataclass(frozen=True, slots=True)
class Stop:
    """When a run ends: at an iteration, at an exploitability, or after seconds.

    seconds  since the run began or was taken up again
    """

    iterations: int | None = None
    exploitability: float = 0.0
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Raise ValueError when a run would make no iteration."""
        if self.iterations is not None and self.iterations < 1:
            raise ValueError(f"a run needs at least one iteration, not {self.iterations}")


class End(StrEnum):
    """Condition that ends a run."""

    EXPLOITABILITY = "exploitability"
    ITERATIONS = "iterations"
    SECONDS = "seconds"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a run.

    ended    by what
    curve    the progress at each measurement
    unsaved  why the file does not have the end of the run; None if it does, or there is none
    """

    progress: RunProgress
    ended: End
    curve: list[RunProgress] = field(default_factory=list)
    unsaved: str | None = None


def run(
    solver: SteppedSolver,
    stop: Stop,
    *,
    file: Path | None = None,
    about: dict[str, Any] | None = None,
    report: Callable[[RunProgress, float | None], None] = lambda _, __: None,
    interrupt: Event | None = None,
) -> Result:
    """Iterate until `stop` says so or until Ctrl-C, and save to `file`.

    about      what the run is of; a file of another run is refused
    report     is called with the progress and a guess of the seconds left
    interrupt  set in place of Ctrl-C by whoever runs this in another thread

    Raise CheckpointError when `file` exists and cannot be resumed. Whatever is raised
    meanwhile, what there is is saved before. A file that cannot be written ends no run, for it
    would take the result along: meanwhile that is a warning, at the end it is in the result.
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

    with _interruptible(interrupt) as interrupted:
        ended: End | None = None
        try:
            while ended is None:
                _iterate(solver, stop, clock, interrupted, save_meanwhile)
                curve.append(RunProgress(solver.iteration, solver.bounds(), clock.seconds))
                report(curve[-1], time_left(curve, stop, before))
                ended = End.INTERRUPTED if interrupted.is_set() else _ended(curve[-1], stop, clock)
        except Exception:
            save_meanwhile()
            raise
        return Result(curve[-1], ended, curve, save())


class _Clock:
    """The time of a run."""

    def __init__(self, before: float, stop: Stop) -> None:
        self._before, self._limit = before, stop.seconds
        self._start = self._saved = time.monotonic()

    @property
    def seconds(self) -> float:
        """The seconds since the start of the run, those before it was taken up included."""
        return self._before + time.monotonic() - self._start

    def is_late(self) -> bool:
        """Return whether the run has had its time since it was taken up."""
        return self._limit is not None and time.monotonic() - self._start > self._limit

    def is_time_to_save(self) -> bool:
        """Return whether the last time this was true is long ago."""
        if time.monotonic() - self._saved < SAVE_EVERY:
            return False
        self._saved = time.monotonic()
        return True


def _resume(solver: SteppedSolver, file: Path, about: dict[str, Any]) -> float:
    """Take up a saved run; return the seconds it has had."""
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
    interrupted: Event,
    save: Callable[[], None],
) -> None:
    """Iterate until the next measurement is due, or the run is to end."""
    goal = next_measurement(solver.iteration)
    if stop.iterations is not None:
        goal = min(goal, stop.iterations)
    while solver.iteration < goal and not interrupted.is_set() and not clock.is_late():
        solver.advance(min(goal - solver.iteration, solver.batch))
        if clock.is_time_to_save():
            save()


def time_left(curve: list[RunProgress], stop: Stop, before: float = 0.0) -> float | None:
    """Return a guess of the seconds until a run ends; None where there is no telling.

    Exploitability is taken to fall with a power of the time, as it did lately.
    `before` are the seconds that the run had when it was taken up.
    """
    last = curve[-1]
    guesses = []
    if stop.seconds is not None:
        guesses.append(before + stop.seconds - last.seconds)
    if stop.iterations is not None and last.iteration > 0:
        guesses.append(last.seconds * (stop.iterations / last.iteration - 1))
    earlier = curve[len(curve) // 2]
    now, then = last.exploitability, earlier.exploitability
    if stop.exploitability > 0 and now and then and 0 < earlier.seconds < last.seconds:
        power = math.log(then / now) / math.log(last.seconds / earlier.seconds)
        if power > 0.01:
            growth = (math.log(now) - math.log(stop.exploitability)) / power
            guesses.append(last.seconds * math.expm1(min(growth, MOST_GROWTH)))
    return max(0.0, min(guesses)) if guesses else None


def next_measurement(iteration: int) -> int:
    """Return the first iteration after this one at which bounds are measured."""
    due = 0
    while due <= iteration:
        due += max(1, due // 10)
    return due


def _ended(progress: RunProgress, stop: Stop, clock: _Clock) -> End | None:
    """Return what ends a run here; None if it goes on."""
    known = progress.exploitability
    if known is not None and known <= stop.exploitability:
        return End.EXPLOITABILITY
    if stop.iterations is not None and progress.iteration >= stop.iterations:
        return End.ITERATIONS
    return End.SECONDS if clock.is_late() else None


@contextmanager
def _interruptible(given: Event | None) -> Iterator[Event]:
    """Let the first Ctrl-C end the run after the step under way; a second ends it at once."""
    caught = Event() if given is None else given

    def catch(_number: int, _: FrameType | None) -> None:
        caught.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if given is not None or current_thread() is not main_thread():  # which alone hears signals
        yield caught
        return
    old = signal.signal(signal.SIGINT, catch)
    try:
        yield caught
    finally:
        signal.signal(signal.SIGINT, old)


# Checkpoints.


class CheckpointError(ValueError):
    """A checkpoint that cannot be used."""


def save_checkpoint(path: Path, about: dict[str, Any], arrays: Arrays) -> None:
    """Write a checkpoint: what run it is of, in JSON's types, and its arrays.

    Raise OSError, naming the file itself, when it cannot be written.
    """
    npz.save(path, SCHEMA, about, arrays)


def load_checkpoint(path: Path, about: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return the description and the arrays of a checkpoint.

    Raise CheckpointError when the file is damaged, or differs from `about` in
    one of its keys.
    """
    try:
        state, arrays = npz.load(path, SCHEMA, "checkpoint")
    except npz.ArraysError as error:
        raise CheckpointError(str(error)) from None
    for key, value in about.items():
        if state.get(key) != value:
            raise CheckpointError(f"{path}: {key} is {state.get(key)!r}, not {value!r}; kept")
    return state, arrays
