"""Random fillings for commands: the options, and drawing until enough is known."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import click
import numpy as np

from hsearch.hex import Position
from player.console.options import gather, number_option, seed_option, time_option
from player.console.screen import interruptible, working
from player.evaluate.exact import ENOUGH, exact, is_reachable
from player.evaluate.fillings import BATCH, LEAST_BALANCED, FillingMethod, Odds, Sampler

MOST_FILLINGS = 10**12


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """Conditions that end the drawing, as soon as one of them holds.

    fillings  this many were drawn
    seconds   this much time has passed
    error     the best cell is clearly ahead of the second, or its standard error is at most this
    """

    fillings: int | None = None
    seconds: float | None = None
    error: float | None = None

    def share(self, odds: Odds | None, seconds: float) -> float:
        """Return how far the drawing has come: 1 or more when it is enough."""
        if odds is None:  # draw at least once, however short the time
            return 0.0
        shares = [0.0]
        if self.fillings is not None and odds.fillings is not None:
            shares.append(odds.fillings / self.fillings)
        if self.error is not None:
            shares.append(_certainty(odds, self.error))
        if self.seconds is not None:
            shares.append(seconds / self.seconds)
        return max(shares)

    def remarks(self, odds: Odds) -> Iterator[str]:
        """Yield a sentence for each limit that was not kept."""
        if self.fillings is not None and (odds.fillings or 0) > self.fillings:
            least = f", balanced ones at least {BATCH * LEAST_BALANCED:,}" if odds.balanced else ""
            yield (
                f"{self.fillings:,} fillings rounded up to {odds.fillings:,}: "
                f"they are drawn {BATCH:,} at a time{least}"
            )
        if self.error is not None and odds.errors is not None and _certainty(odds, self.error) < 1:
            yield (
                f"--until-error {self.error:g} was not reached: the best cell is not clear yet, "
                f"its standard error {odds.errors[odds.rank()[0]]:.2g}"
            )


@dataclass(frozen=True, slots=True)
class SamplingRequest:
    """Request of a command for samples of fillings.

    method     what to draw and count
    enough     when to stop; None for the default, ENOUGH fillings
    seed       of the random fillings
    is_drawn   whether to draw fillings even if all can be counted
    estimator  the value of --estimator, if it was given
    """

    method: FillingMethod
    enough: StoppingRule | None
    seed: int
    is_drawn: bool
    estimator: str | None = None

    def without_time(self) -> "SamplingRequest":
        """Return the request without its time limit, which is used for the games of --turns."""
        rest = None if self.enough is None else replace(self.enough, seconds=None)
        enough = None if rest == StoppingRule() else rest
        return replace(self, enough=enough, is_drawn=bool(enough or self.estimator))


def takes_fillings(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of random fillings; the command gets one `SamplingRequest` as `request`."""

    def request(
        *,
        fillings: int | None,
        seconds: float | None,
        error: float | None,
        seed: int,
        estimator: str | None,
        balanced: bool,
    ) -> SamplingRequest:
        if balanced and estimator == FillingMethod.LOSING.value:
            raise click.UsageError("--balanced and --estimator losing exclude each other")
        limits = StoppingRule(fillings, seconds, error)
        enough = None if limits == StoppingRule() else limits
        is_drawn = bool(enough or estimator)
        method = (
            FillingMethod.BALANCED
            if balanced
            else FillingMethod(estimator or FillingMethod.CRITICAL.value)
        )
        return SamplingRequest(method, enough, seed, is_drawn, estimator)

    return gather(
        "request",
        request,
        number_option(
            "--fillings",
            most=MOST_FILLINGS,
            help=f"Draw N random fillings, rounded up to a multiple of {BATCH:,}, balanced ones at"
            f" least {BATCH * LEAST_BALANCED:,}, instead of counting all.",
        ),
        time_option(
            most=1e6,
            min_open=True,
            help="Draw fillings for this many seconds; with --turns, play games for so long"
            " instead.",
        ),
        click.option(
            "--until-error",
            "error",
            type=click.FloatRange(0, 1, min_open=True),
            metavar="E",
            help="Draw until the best cell is clear, or its standard error is at most E. The first"
            " limit reached of --fillings, --time and --until-error ends it.",
        ),
        seed_option("the fillings", most=2**64 - 1),
        click.option(
            "--estimator",
            type=click.Choice([FillingMethod.CRITICAL.value, FillingMethod.LOSING.value]),
            help="Draw fillings and count critical cells, or those of the losing color.",
        ),
        click.option(
            "--balanced",
            is_flag=True,
            help="Fillings by ordinary turns, with as many stones of each; they give no bids.",
        ),
    )(function)


def _certainty(odds: Odds, error: float) -> float:
    """Return how close the best cell is to being clear, or to the wanted error; 1 if it is."""
    ranking = odds.rank()
    if odds.errors is None or len(ranking) < 2 or odds.is_apart(*ranking[:2]):
        return 1.0
    best = odds.errors[ranking[0]]
    return 1.0 if best <= error else (error / best) ** 2


# Random fillings until there are enough, with a progress bar on the terminal.

FIRST_STEP = 1 << 18
STEP_SECONDS = 0.25


@dataclass(slots=True)
class DrawnFillings:
    """Fillings drawn so far; changes while more are drawn.

    odds            estimated from the fillings; None before there are any
    is_interrupted  whether Ctrl-C ended the drawing
    """

    odds: Odds | None = None
    is_interrupted: bool = False


def find_odds(position: Position, request: SamplingRequest) -> DrawnFillings:
    """Count all fillings of a position, or draw random ones if that is impossible or not wanted."""
    balanced = request.method is FillingMethod.BALANCED
    if not request.is_drawn and is_reachable(position, balanced=balanced):
        odds = interruptible(lambda: exact(position, balanced=balanced), "counting all fillings")
        return DrawnFillings(odds)
    rng = np.random.default_rng(request.seed)
    sampler = Sampler(position, rng, method=request.method)
    return draw(sampler, request.enough or StoppingRule(ENOUGH))


def draw(sampler: Sampler, enough: StoppingRule) -> DrawnFillings:
    """Draw fillings until there are enough, or until Ctrl-C."""
    result, start, step = DrawnFillings(), time.monotonic(), FIRST_STEP
    try:
        with working("drawing", 1.0) as work:
            while (share := enough.share(result.odds, time.monotonic() - start)) < 1:
                work.update(share)
                if result.odds is not None:
                    work.say(f"{result.odds.fillings:,} fillings")
                if enough.fillings is not None:
                    step = min(step, enough.fillings - sampler.fillings)
                began = time.monotonic()
                sampler.draw(step)
                result.odds = sampler.odds()
                step = _next_step(step, time.monotonic() - began)
    except KeyboardInterrupt:
        result.is_interrupted = True
    return result


def _next_step(step: int, seconds: float) -> int:
    """Return how many fillings take about STEP_SECONDS, at least as many as in the first step."""
    factor = STEP_SECONDS / max(seconds, STEP_SECONDS / 2)
    return max(FIRST_STEP, int(step * factor))
