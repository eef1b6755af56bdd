"""Settings and reports of a training: values that know no torch."""

import math
from dataclasses import dataclass

from player.net.weights import Net, check_shape


class FitError(ValueError):
    """A folder that another training is kept in, or one that is damaged."""


@dataclass(frozen=True, slots=True)
class FitSettings:
    """Settings of a training.

    blocks    shape of the net: residual blocks, and numbers that it keeps of each cell
    channels
    epochs    how often each sample is seen
    batch     samples a step
    rate      the highest learning rate; it grows up to there, and falls as a cosine does
    warm_up   the part of all steps in which it grows
    decay     how fast weights fade: of AdamW
    value     what the value counts against the policy
    owners    what the owners count
    chance    how much of a value's label is the chance that the search gave the position, from 0
              to 1; the rest is who won
    seed      of the first weights, the order and the half-turns
    halves    whether sums are in half precision (bfloat16)

    Raise ValueError when a number is out of range.
    """

    blocks: int = 4
    channels: int = 32
    epochs: int = 8
    batch: int = 256
    rate: float = 2e-3
    warm_up: float = 0.05
    decay: float = 1e-2
    value: float = 1.0
    owners: float = 0.2
    chance: float = 0.0
    seed: int = 0
    halves: bool = True

    def __post_init__(self) -> None:
        check_shape(self.blocks, self.channels)
        for name in ("epochs", "batch"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} out of range: {getattr(self, name)} (1 or more)")
        if not 0 < self.rate < 1:
            raise ValueError(f"rate out of range: {self.rate:g} (more than 0, less than 1)")
        if not 0 <= self.warm_up < 1:
            raise ValueError(f"warm_up out of range: {self.warm_up:g} (0 to less than 1)")
        if not 0 <= self.chance <= 1:
            raise ValueError(f"chance out of range: {self.chance:g} (0 to 1)")
        for name in ("decay", "value", "owners"):
            if not 0 <= getattr(self, name) < 1000:
                raise ValueError(f"{name} out of range: {getattr(self, name):g} (0 to 1000)")

    def rate_after(self, done: int, total: int) -> float:
        """Return the learning rate of the step after this many, of so many in all."""
        growing = max(1, round(self.warm_up * total))
        if done < growing:
            return self.rate * (done + 1) / growing
        return self.rate * 0.5 * (1 + math.cos(math.pi * (done - growing) / (total - growing)))


@dataclass(frozen=True, slots=True)
class Score:
    """Scores of a net on samples.

    positions  how many there were
    first      the part of them where the move it likes best is the search's
    five       where the search's is among its first five
    winner     where the winner is the one it thinks
    policy     cross entropies, in nats: of the moves,
    value      of the winner,
    owners     and of a cell of the carrier, where one was proved
    """

    positions: int
    first: float
    five: float
    winner: float
    policy: float
    value: float
    owners: float


@dataclass(frozen=True, slots=True)
class Epoch:
    """Result of an epoch.

    number   from 1
    learned  the mean loss of what was learned from, as it went
    apart    how well the net knows the games kept apart; None if there are none
    """

    number: int
    learned: float
    apart: Score | None


@dataclass(frozen=True, slots=True)
class FittedNet:
    """A net, the epochs it took, and how many of them were there before."""

    net: Net
    epochs: tuple[Epoch, ...]
    resumed: int


@dataclass(frozen=True, slots=True)
class Steps:
    """Progress of a training: batches done, of all, and the epochs that are over."""

    done: int
    total: int
    epochs: tuple[Epoch, ...]
