"""A row of the benchmark: how it is measured, and the positions that rows are made of.

The signature is a plain count, such as the number of connections found. It
depends on the rules and on nothing else, so work that should only be faster
must leave it alone. A commit that changes it says so.

A rival gets the same number of passes, after a first one in which it may compile
or load. Both are compared by processor time, which depends little on what else the
machine is doing.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import numpy as np

from hsearch import formats
from hsearch.formats import read_shipped, suite
from hsearch.hex import Color, Game, Position

T = TypeVar("T")
Tally = dict[str, int]
PositionSide = tuple[Position, Color]
Rivals = dict[str, Callable[[Any], object]]


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One line of the benchmark.

    name     what is measured, from the general to the special, separated by slashes
    items    returns the items to work on: positions, commands
    work     does the work for one item, and returns counts of the results
    rivals   other ways to do the same work, measured in the same run
    passes   timed passes over all items, after a first one
    units    things that one run does, for a rate
    absent   a message if a rival is not installed
    threads  whether threads share the work; rivals are then compared by wall time
    ready    prepares one run on an item, and is not timed
    memory   returns the megabytes in use after all runs, or at most in any
    close    ends what `items` started
    lacks    a message if something that the row needs is not installed: it is then not measured
    """

    name: str
    items: Callable[[], Iterable[Any]]
    work: Callable[[Any], Tally]
    rivals: Rivals = field(default_factory=dict)
    passes: int = 5
    units: int | None = None
    absent: str = ""
    threads: bool = False
    ready: Callable[[Any], object] = lambda _item: None
    memory: Callable[[], float] | None = None
    close: Callable[[], object] = lambda: None
    lacks: str = ""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Result and time of a row; the fields of `bench --json`.

    signature      the sum of all counts over all items
    counts         the counts, each summed over all items
    runs           timed runs, after the first pass
    first          seconds of the first pass, in which kernels may compile
    median, p99    of the seconds of one run; p95 likewise
    best           median seconds of one run in the fastest pass
    unit           of the times
    per_second     things done in a second, for rows with `units`
    ratio          the median time of a run of each rival, divided by ours
    megabytes      in use after all runs, or at most, for rows with `memory`
    """

    name: str
    signature: int
    counts: Tally
    runs: int
    first: float
    median: float
    p99: float
    best: float
    unit: str = "seconds"
    per_second: float | None = None
    ratio: dict[str, float] = field(default_factory=dict)
    p95: float = 0.0
    megabytes: float | None = None


def measure(row: BenchRow) -> Measurement:
    """Run a row once to warm up, then for its timed passes.

    Raise RuntimeError if two passes have different counts: the work then depends on
    hidden state.
    """
    try:
        return _measure(row)
    finally:
        row.close()


def _measure(row: BenchRow) -> Measurement:
    items = list(row.items())
    counts, warm_up = _pass(row, items)
    seconds, ours = [], []
    for _ in range(row.passes):
        again, times = _pass(row, items)
        if again != counts:
            raise RuntimeError(f"{row.name}: counts differ between passes: {counts}, {again}")
        seconds.append([time.wall for time in times])
        ours.append([_compared_time(time, row) for time in times])
    median = float(np.median(seconds))
    return Measurement(
        name=row.name,
        signature=sum(counts.values()),
        counts=counts,
        runs=row.passes * len(items),
        first=sum(time.wall for time in warm_up),
        median=median,
        p99=float(np.quantile(seconds, 0.99)),
        best=float(np.median(seconds, axis=1).min()),
        per_second=None if row.units is None else row.units / median,
        ratio={
            name: _median(rival, items, row) / float(np.median(ours))
            for name, rival in row.rivals.items()
        },
        p95=float(np.quantile(seconds, 0.95)),
        megabytes=None if row.memory is None else row.memory(),
    )


class _Time(NamedTuple):
    """The seconds of a run: wall time and processor time."""

    wall: float
    processor: float


def _compared_time(time: _Time, row: BenchRow) -> float:
    """Return the time by which a row and its rivals are compared."""
    return time.wall if row.threads else time.processor


def _time_work(work: Callable[[Any], T], item: Any) -> tuple[T, _Time]:
    wall, processor = time.perf_counter(), time.process_time()
    result = work(item)
    seconds = time.process_time() - processor
    return result, _Time(time.perf_counter() - wall, seconds)


def _pass(row: BenchRow, items: Sequence[Any]) -> tuple[Tally, list[_Time]]:
    """Do the work for each item. Return the summed counts, and the time of each item."""
    total: Tally = {}
    times = []
    for item in items:
        row.ready(item)
        counts, cost = _time_work(row.work, item)
        times.append(cost)
        for name, number in counts.items():
            total[name] = total.get(name, 0) + number
    return total, times


def _median(rival: Callable[[Any], object], items: Sequence[Any], row: BenchRow) -> float:
    """Return the median time of a run of a rival, after a pass that is not timed."""
    for item in items:
        rival(item)
    runs = (_time_work(rival, item) for _ in range(row.passes) for item in items)
    return float(np.median([_compared_time(cost, row) for _, cost in runs]))


# The positions that rows use: `bench.txt`, and the games of London 2000.

LONDON = ("queenbee-hexy", "hexy-queenbee")  # how the names of their positions start


def sides(positions: Iterable[Position]) -> list[PositionSide]:
    """Return both players of each position."""
    return [(position, color) for position in positions for color in Color]


def suite_sides(start: str | tuple[str, ...]) -> list[PositionSide]:
    """Return both players of the positions of `bench.txt` whose names begin with `start`."""
    return sides(suite_positions(start))


def suite_positions(start: str | tuple[str, ...]) -> list[Position]:
    """Return the positions of `bench.txt` whose names begin with `start`."""
    entries = suite.read(read_shipped("bench.txt"))
    return [entry.game.position() for entry in entries if entry.id.startswith(start)]


def london_suite() -> list[Position]:
    """Return the positions of `bench.txt` that are from the London games."""
    return suite_positions(LONDON)


def london_games() -> list[Game]:
    """Return both London games."""
    names = (f"games/london-2000-{name}.sgf" for name in LONDON)
    return [formats.read(read_shipped(name)) for name in names]


def london_positions() -> list[Position]:
    """Return every position of the London games."""
    games = london_games()
    return [game.position(moves) for game in games for moves in range(len(game.moves) + 1)]
