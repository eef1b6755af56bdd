"""Random fillings until enough is known, with a bar on the terminal."""

import time
from dataclasses import dataclass

import numpy as np

from hsearch.position import Position
from player.cli.sampling import SamplingRequest, StoppingRule
from player.console.interruptible import interruptible
from player.console.progress import working
from player.fillings import ENOUGH, Method, Odds, Sampler, exact, is_reachable

FIRST_STEP = 1 << 18
STEP_SECONDS = 0.25


@dataclass(slots=True)
class DrawnFillings:
    """Fillings drawn so far; changes while more are drawn.

    odds            what the fillings say; None before there are any
    is_interrupted  whether Ctrl-C ended it
    """

    odds: Odds | None = None
    is_interrupted: bool = False


def find_odds(position: Position, wanted: SamplingRequest) -> DrawnFillings:
    """Return the odds of a position, as far as Ctrl-C lets them be found."""
    balanced = wanted.method is Method.BALANCED
    if not wanted.is_drawn and is_reachable(position, balanced=balanced):
        found = interruptible(lambda: exact(position, balanced=balanced), "counting all fillings")
        return DrawnFillings(found)
    rng = np.random.default_rng(wanted.seed)
    sampler = Sampler(position, rng, method=wanted.method)
    return draw(sampler, wanted.enough or StoppingRule(ENOUGH))


def draw(sampler: Sampler, enough: StoppingRule) -> DrawnFillings:
    """Draw fillings until there are enough, or until Ctrl-C."""
    drawn, start, step = DrawnFillings(), time.monotonic(), FIRST_STEP
    try:
        with working("drawing", 1.0) as work:
            while (share := enough.share(drawn.odds, time.monotonic() - start)) < 1:
                work.done(share)
                if drawn.odds is not None:
                    work.say(f"{drawn.odds.fillings:,} fillings")
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
