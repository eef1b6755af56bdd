"""Random fillings until enough is known, with a bar on the terminal."""

import functools
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from hsearch.position import Position
from player.cli.interruptible import interruptible
from player.fillings import ENOUGH, Method, Odds, Sampler, exact, is_reachable

Bar = Callable[[float, Odds | None], None]

FIRST_STEP = 1 << 18
STEP_SECONDS = 0.25
MOST_FILLINGS = 10**12


class Positive(click.FloatRange):
    """A number above 0 and up to another; `nan` is none, though no comparison tells."""

    def __init__(self, most: float) -> None:
        super().__init__(0, most, min_open=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number of a text; fail with click's usage error."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


@dataclass(frozen=True, slots=True)
class Enough:
    """When to stop drawing: as soon as one of these holds.

    fillings  so many are drawn
    seconds   so much time has passed
    error     the best cell is told from the second, or its standard error is below this
    """

    fillings: int | None = None
    seconds: float | None = None
    error: float | None = None

    def share(self, odds: Odds | None, seconds: float) -> float:
        """Return how far the drawing has come: 1 or more when it is enough."""
        shares = [0.0]
        if odds is not None and odds.fillings is not None and self.fillings is not None:
            shares.append(odds.fillings / self.fillings)
        if odds is not None and self.error is not None:
            shares.append(_certainty(odds, self.error))
        if self.seconds is not None:
            shares.append(seconds / self.seconds)
        return max(shares)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a command was asked to find out about the fillings.

    method  what to draw and count
    enough  when to stop; None to count all fillings, or to draw ENOUGH where that cannot be
    seed    of the random fillings
    """

    method: Method
    enough: Enough | None
    seed: int


def takes_fillings(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of random fillings; the command gets one `Wanted` as `wanted`."""

    @functools.wraps(function)
    def wanting(
        *,
        fillings: int | None,
        seconds: float | None,
        error: float | None,
        seed: int,
        estimator: str | None,
        balanced: bool,
        **rest: Any,
    ) -> Any:
        if balanced and estimator == Method.LOSING.value:
            raise click.UsageError("--balanced and --estimator losing exclude each other")
        enough: Enough | None = Enough(fillings, seconds, error)
        if enough == Enough():
            enough = Enough(ENOUGH) if balanced or estimator else None
        method = Method.BALANCED if balanced else Method(estimator or Method.CRITICAL.value)
        return function(wanted=Wanted(method, enough, seed), **rest)

    options: list[Callable[..., Any]] = [
        click.option(
            "--fillings",
            type=click.IntRange(1, MOST_FILLINGS),
            metavar="N",
            help="Draw so many random fillings instead of counting all.",
        ),
        click.option(
            "--time",
            "seconds",
            type=Positive(1e6),
            metavar="S",
            help="Draw fillings for so many seconds.",
        ),
        click.option(
            "--until-error",
            "error",
            type=Positive(1),
            metavar="E",
            help="Draw until the best cell is clear, or its standard error is below E.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(0, 2**64 - 1),
            default=0,
            metavar="S",
            help="Seed of the random fillings.",
        ),
        click.option(
            "--estimator",
            type=click.Choice([Method.CRITICAL.value, Method.LOSING.value]),
            help="Draw fillings and count critical cells, or those of the losing color.",
        ),
        click.option(
            "--balanced", is_flag=True, help="Draw fillings by ordinary turns; they tell no bids."
        ),
    ]
    wrapped: Callable[..., Any] = wanting
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


@dataclass(slots=True)
class Drawn:
    """What was drawn; changes while it is drawn.

    odds            what the fillings say; None before there are any
    is_interrupted  whether Ctrl-C ended it
    """

    odds: Odds | None = None
    is_interrupted: bool = False


def find_odds(position: Position, wanted: Wanted) -> Drawn:
    """Return the odds of a position, as far as Ctrl-C lets them be found."""
    if wanted.enough is None and is_reachable(position):
        return Drawn(interruptible(lambda: exact(position)))
    rng = np.random.default_rng(wanted.seed)
    sampler = Sampler(position, rng, method=wanted.method)
    return draw(sampler, wanted.enough or Enough(ENOUGH))


def draw(sampler: Sampler, enough: Enough) -> Drawn:
    """Draw fillings until there are enough, or until Ctrl-C."""
    drawn, start, step = Drawn(), time.monotonic(), FIRST_STEP
    try:
        with _bar() as bar:
            while (share := enough.share(drawn.odds, time.monotonic() - start)) < 1:
                bar(share, drawn.odds)
                if enough.fillings is not None:
                    step = min(step, enough.fillings - sampler.fillings)
                began = time.monotonic()
                sampler.draw(step)
                drawn.odds = sampler.odds()
                step = _next_step(step, time.monotonic() - began)
    except KeyboardInterrupt:
        drawn.is_interrupted = True
    return drawn


def _next_step(step: int, seconds: float) -> int:
    """Return as many fillings as take about STEP_SECONDS; the first step may have compiled."""
    factor = STEP_SECONDS / max(seconds, STEP_SECONDS / 2)
    return max(FIRST_STEP, int(step * factor))


def _certainty(odds: Odds, error: float) -> float:
    """Return how near the best cell is to being told from the second, or known well enough."""
    ranked = odds.ranked()
    if odds.errors is None or len(ranked) < 2 or odds.is_apart(*ranked[:2]):
        return 1.0
    best = odds.errors[ranked[0]]
    return 1.0 if best <= error else (error / best) ** 2


@contextmanager
def _bar() -> Iterator[Bar]:
    """Yield what shows how far the drawing has come: nothing, unless stderr is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _share, _odds: None
        return
    from rich.console import Console  # noqa: PLC0415 - slow to import, and only for a terminal
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn  # noqa: PLC0415

    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=1.0)

        def show(share: float, odds: Odds | None) -> None:
            text = "" if odds is None else f"{odds.fillings:,} fillings"
            progress.update(task, completed=share, description=text)

        yield show
