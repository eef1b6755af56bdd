"""Likelihood of what is hidden from a player: of each stone, and the risk of attempts.

On small boards all worlds are followed from turn to turn, and the chances are
exact under the model of the opponent. Where there are too many, guesses that
fit the history stand for them, drawn as `player.dark.belief` says.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hsearch.board import Cell, Color
from hsearch.cells import cells_in
from hsearch.position import Position
from player.dark.belief import Guess, guesses
from player.dark.inference import Inference, Model, careless
from player.dark.information import History, View, seen_position, view
from player.dark.rules import DarkRules, Mask
from player.fillings import Odds, exact, is_reachable

MOST_CELLS = 25  # of a board on which all worlds may be followed
MOST_WORLDS = 20_000
GUESSES = 400  # that stand for the worlds on larger boards
LOOKED_AT = 100  # boards that are filled by chance


@dataclass(frozen=True, slots=True)
class Risk:
    """Risk of an attempt.

    hit       the chance that a hidden stone lies there
    if_placed, if_hit  the chance to win in random fillings then; None where it cannot come
    """

    cell: Cell
    hit: float
    if_placed: float | None
    if_hit: float | None

    @property
    def value(self) -> float:
        """The chance to win after the attempt."""
        return (1 - self.hit) * (self.if_placed or 0.0) + self.hit * (self.if_hit or 0.0)


@dataclass(frozen=True)
class Likelihood:
    """The boards that a player who is to move may suppose, with chances that sum to 1.

    boards    the opponent's stones, those that were found included; the likeliest first
    is_exact  whether that is all, and not guesses
    """

    rules: DarkRules
    color: Color
    seen: View
    boards: tuple[Guess, ...]
    is_exact: bool

    def hidden(self) -> dict[Cell, float]:
        """Return the chance of a hidden stone on each cell that is not known."""
        chances = dict.fromkeys(self._unknown, 0.0)
        for stones, chance in self.boards:
            for cell in cells_in(stones & ~self.seen.known):
                chances[cell] += chance
        return chances

    @property
    def evenness(self) -> float:
        """Number of boards of the same chance that would tell as much."""
        return 1 / sum(chance**2 for _, chance in self.boards)

    def numbers(self) -> tuple[int, int]:
        """Return how many hidden stones there are at least, and at most."""
        counts = [(stones & ~self.seen.known).bit_count() for stones, _ in self.boards]
        return min(counts), max(counts)

    @cached_property
    def looked_at(self) -> list[tuple[Position, float]]:
        """Some of the boards, each as it would be seen, and its weight; all where they are few.

        Of many, those at equal steps of weight: no board is favored, the same ones come again.
        """
        chosen: list[Guess] = list(self.boards)
        if len(chosen) > LOOKED_AT:
            ends = np.cumsum([chance for _, chance in chosen])
            picks = np.searchsorted(ends, (np.arange(LOOKED_AT) + 0.5) / LOOKED_AT * ends[-1])
            numbers = np.bincount(picks, minlength=len(chosen)) / LOOKED_AT
            chosen = [(chosen[i][0], float(numbers[i])) for i in np.flatnonzero(numbers)]
        return [
            (seen_position(self.rules.board, self.color, View(self.seen.own, stones)), chance)
            for stones, chance in chosen
        ]

    @cached_property
    def _odds(self) -> list[tuple[Odds, float]]:
        return [(exact(position), weight) for position, weight in self.looked_at]

    def chance(self) -> float | None:
        """Return the chance to win in random fillings; None where the board is too large."""
        if not is_reachable(self.looked_at[0][0]):
            return None
        return sum(weight * odds.chance(self.color) for odds, weight in self._odds)

    def risks(self) -> list[Risk]:
        """Return the risk of each attempt, the best first; nothing where the board is too large."""
        if not is_reachable(self.looked_at[0][0]):
            return []
        found = []
        hidden = self.hidden()
        for cell in self._unknown:
            # Random fillings own a cell half the time, so the other half is what a stone gains.
            placed, hit = _Mean(), _Mean()
            for odds, weight in self._odds:
                now = odds.chance(self.color)
                if cell in odds.critical:
                    placed.add(now + odds.critical[cell] / 2, weight)
                else:
                    hit.add(now, weight)
            found.append(Risk(cell, hidden[cell], placed.value, hit.value))
        return sorted(found, key=lambda risk: (-risk.value, risk.cell))

    @property
    def _unknown(self) -> list[Cell]:
        return list(cells_in(self.rules.full & ~self.seen.own & ~self.seen.known))


class _Mean:
    """A mean with weights."""

    def __init__(self) -> None:
        self._sum = self._weight = 0.0

    def add(self, value: float, weight: float) -> None:
        self._sum += value * weight
        self._weight += weight

    @property
    def value(self) -> float | None:
        return self._sum / self._weight if self._weight else None


def likelihood(
    rules: DarkRules, color: Color, history: History, model: Model = careless
) -> Likelihood | None:
    """Return what a player who is to move may suppose if the opponent plays by a model.

    The same history gives the same answer. On large boards only the opponent
    who attempts any cell is followed, and None is returned for others.
    """
    generator = np.random.default_rng(0)
    chances: defaultdict[Mask, float] = defaultdict(float)
    is_exact = rules.board.size <= MOST_CELLS
    if is_exact:
        inference = Inference(rules, color, model, most=MOST_WORLDS)
        for (stones, _), chance in inference.worlds(history, generator).items():
            chances[stones] += chance
        is_exact = inference.is_exact
    if not is_exact:
        if model is not careless:
            return None
        chances.clear()
        for stones, weight in guesses(rules, color, history, GUESSES, generator):
            chances[stones] += weight
    total = sum(chances.values())
    boards = sorted(chances.items(), key=lambda item: (-item[1], item[0]))
    shares = tuple((stones, chance / total) for stones, chance in boards)
    return Likelihood(rules, color, view(history), shares, is_exact)
