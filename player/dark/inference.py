"""Beliefs about an opponent who is taken to play by some model, not by chance.

A *world* is what may be hidden: the opponent's stones, and which of the player's
they have found. The model says what the opponent attempts by their view alone,
so that the chances of all worlds follow from turn to turn, without any
sampling. Only the likeliest worlds are kept; where none of them fits what
happened, the belief begins anew from guesses of `player.dark.belief`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from hsearch.board import Cell, Color
from hsearch.cells import cells_in
from player.dark.belief import Guess, guesses
from player.dark.information import History, View, heard_symbol, seen_position, view
from player.dark.rules import Base, DarkRules, Mask
from player.fillings import exact

World: TypeAlias = tuple[Mask, Mask]
Worlds: TypeAlias = dict[World, float]
# What a player who sees this attempts, and with which chances.
Model: TypeAlias = Callable[[DarkRules, Color, View], Mapping[Cell, float]]

MOST = 2_000  # worlds that are kept
CARELESS = 0.2  # share of attempts that the model leaves to chance
SHARPNESS = 8  # power of how often a cell decides, to which the others are in proportion
AGAIN = 200  # guesses to begin anew from


def careless(rules: DarkRules, _color: Color, seen: View) -> Mapping[Cell, float]:
    """Attempt any cell with the same chance."""
    cells = list(cells_in(rules.full & ~seen.own & ~seen.known))
    return dict.fromkeys(cells, 1 / len(cells))


@lru_cache(maxsize=1 << 17)
def sensible(rules: DarkRules, color: Color, seen: View) -> Mapping[Cell, float]:
    """Attempt mostly the cells that decide most often in fillings of the own board."""
    deciding = exact(seen_position(rules.board, color, seen)).critical
    weights = {cell: share**SHARPNESS for cell, share in deciding.items()}
    total, each = sum(weights.values()), CARELESS / len(weights)
    if total <= 0:
        return dict.fromkeys(weights, 1 / len(weights))
    return {c: each + (1 - CARELESS) * weight / total for c, weight in weights.items()}


class Inference:
    """Beliefs of one player in the course of games; remembers the games it was asked about."""

    def __init__(
        self, rules: DarkRules, color: Color, model: Model = sensible, *, most: int = MOST
    ) -> None:
        """Take what the opponent is believed to do, and how many worlds to keep."""
        self._rules, self._color, self._model, self._most = rules, color, model, most
        self.is_exact = True  # so far: all worlds were kept
        self._known: dict[History, Worlds] = {}

    def guesses(self, history: History, number: int, generator: np.random.Generator) -> list[Guess]:
        """Return the likeliest hidden stones of a player who is to move, with their chances."""
        stones: defaultdict[Mask, float] = defaultdict(float)
        for (hidden, _), chance in self.worlds(history, generator).items():
            stones[hidden] += chance
        return sorted(stones.items(), key=lambda item: (-item[1], item[0]))[:number]

    def worlds(self, history: History, generator: np.random.Generator) -> Worlds:
        """Return the chances of the worlds in a history after which the player is to move.

        Raise NothingPossibleError when no game has the history.
        """
        if history not in self._known:
            if not history:
                self._known.clear()  # another game begins
            self._known[history] = self._followed(history, generator)
        return self._known[history]

    def _followed(self, history: History, generator: np.random.Generator) -> Worlds:
        last = max((i for i, symbol in enumerate(history) if symbol >= 0), default=-1)
        heard = history[last + 1 :]
        if last < 0:
            found: Worlds = {(0, 0): 1.0}
            if self._color is Color.WHITE:
                found = self._after_turn(found, 0, heard)
        else:
            before = self.worlds(history[:last], generator)
            found = self._after_attempt(before, history[: last + 1], heard)
        self.is_exact &= 0 < len(found) <= self._most
        if not found:
            again = guesses(self._rules, self._color, history, AGAIN, generator)
            found = defaultdict(float)
            for stones, weight in again:
                found[stones, 0] += weight
        kept = sorted(found.items(), key=lambda item: (-item[1], item[0]))[: self._most]
        total = sum(chance for _, chance in kept)
        return {world: chance / total for world, chance in kept}

    def _after_attempt(self, before: Worlds, history: History, heard: History) -> Worlds:
        """Return the worlds after the last attempt of a history, and what was heard then."""
        cell, collided = history[-1] >> 1, bool(history[-1] & 1)
        fits = {w: chance for w, chance in before.items() if bool(w[0] >> cell & 1) is collided}
        if collided and self._rules.base is Base.CLASSIC:
            return fits
        return self._after_turn(fits, view(history).own, heard)

    def _after_turn(self, before: Worlds, mine: Mask, heard: History) -> Worlds:
        """Return the worlds after a turn of the opponent in which just this was heard."""
        found: defaultdict[World, float] = defaultdict(float)
        # With how much of it was heard; worlds that further collisions lead to count together.
        now: dict[tuple[World, int], float] = {(world, 0): part for world, part in before.items()}
        while now:
            later: defaultdict[tuple[World, int], float] = defaultdict(float)
            for (world, told), chance in now.items():
                self._attempts(world, told, chance, mine, heard, (found, later))
            now = later
        return found

    def _attempts(
        self,
        world: World,
        told: int,
        chance: float,
        mine: Mask,
        heard: History,
        out: tuple[Worlds, dict[tuple[World, int], float]],
    ) -> None:
        """Add what the opponent's next attempt leads to: worlds in which the turn is over, others.

        told  how much of `heard` was heard before
        """
        rules, opponent = self._rules, self._color.opponent
        stones, hit = world
        found, later = out
        for cell, share in self._model(rules, opponent, View(stones, hit)).items():
            bit = 1 << cell
            if not mine & bit:
                if told == len(heard) and not rules.connects(opponent, stones | bit):
                    found[stones | bit, hit] += chance * share
                continue
            sound = heard_symbol(rules.noise, cell, placed=False)
            if sound is not None and heard[told : told + 1] != (sound,):
                continue
            after = (stones, hit | bit), told + (sound is not None)
            if rules.base is Base.CLASSIC:
                later[after] += chance * share
            elif after[1] == len(heard):
                found[after[0]] += chance * share
