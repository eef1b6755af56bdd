"""Beliefs of a player: guesses of the opponent's hidden stones, each with a weight.

A guess fits the whole history of the player: it has a stone wherever they
collided, in time, none where they have placed one, and it has not won. Guesses
are drawn turn by turn, as if the opponent attempted any cell that is empty to
them with the same chance; a weight corrects what looking ahead to the history
has changed of these chances. With every collision and every noise the player
draws all guesses anew.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from hsearch.board import Cell, Color
from hsearch.cells import cells_in
from player.dark.information import History, View, view
from player.dark.rules import Base, DarkRules, Mask, Noise, winning_cells

# The opponent's stones, and the weight of the guess.
Guess: TypeAlias = tuple[Mask, float]


class NothingPossibleError(ValueError):
    """A history that no game of its rules has."""


@dataclass(frozen=True, slots=True)
class OpponentTurn:
    """A turn of the opponent, as far as the player knows of it.

    mine    how many stones the player had
    places  whether the opponent placed a stone; None where that cannot be told
    """

    mine: int
    places: bool | None


def guesses(
    rules: DarkRules, color: Color, history: History, number: int, generator: np.random.Generator
) -> list[Guess]:
    """Return this many guesses for a player who is to move, the same one perhaps twice.

    Raise NothingPossibleError when there is none.
    """
    past = _Past(rules, color, history)
    return [past.guess(generator) for _ in range(number)]


def turns(
    rules: DarkRules, color: Color, history: History
) -> tuple[list[OpponentTurn], dict[Cell, int]]:
    """Return the opponent's turns, and by found cell how many they had to place a stone there.

    The player is to move after the history.
    """
    found: list[OpponentTurn] = []
    due: dict[Cell, int] = {}
    mine, heard, is_his = 0, 0, color is Color.WHITE
    for symbol in history:
        if symbol < 0:
            heard += 1
            continue
        if is_his:
            found.append(OpponentTurn(mine, _places(rules, heard)))
        collided, heard = bool(symbol & 1), 0
        is_his = not collided or rules.base is Base.ABRUPT
        if collided:
            due[symbol >> 1] = len(found)
        else:
            mine += 1
    if is_his:
        found.append(OpponentTurn(mine, _places(rules, heard)))
    return found, due


def _places(rules: DarkRules, heard: int) -> bool | None:
    if rules.base is Base.CLASSIC:
        return True
    return None if rules.noise is Noise.SILENT else not heard


class _Past:
    """The opponent's turns, and what each guess must keep to."""

    def __init__(self, rules: DarkRules, color: Color, history: History) -> None:
        self._rules, self._opponent = rules, color.opponent
        self._seen: View = view(history)
        self._turns, self._due = turns(rules, color, history)
        self._cells = rules.full & ~self._seen.own

    def guess(self, generator: np.random.Generator) -> Guess:
        """Draw a guess; a dead end is left by the way it was entered."""
        found = self._fill(0, 0, 0, 1.0, generator)
        if found is None:
            raise NothingPossibleError("no stones of the opponent fit this history")
        return found

    def _fill(
        self, turn: int, stones: Mask, collisions: int, weight: float, rng: np.random.Generator
    ) -> Guess | None:
        """Return a guess that goes on from the stones placed before a turn."""
        if turn == len(self._turns):
            return stones, weight
        now = self._turns[turn]
        unfound = now.mine - collisions if now.places is not True else 0
        options = self._options(turn, stones) if now.places is not False else []
        if unfound and not self._has_time(turn + 1, stones):
            unfound = 0
        tickets = unfound + len(options)
        # Where each turn places a stone, all guesses leave the same number of cells.
        free = self._rules.board.size - stones.bit_count() - collisions
        more = weight * (tickets / free)
        # The first choice is by chance, and so are those after a dead end.
        order = rng.permutation(tickets)
        tried_collision = False
        for ticket in order.tolist():
            if ticket < unfound:
                if tried_collision:
                    continue
                tried_collision = True
                found = self._fill(turn + 1, stones, collisions + 1, more, rng)
            else:
                bit = 1 << options[ticket - unfound]
                found = self._fill(turn + 1, stones | bit, collisions, more, rng)
            if found is not None:
                return found
        return None

    def _options(self, turn: int, stones: Mask) -> list[Cell]:
        """Return where a stone may have been placed so that all that was found is there in time."""
        certain = stones | self._seen.known
        urgent = self._urgent(turn, stones)
        cells = self._cells & ~stones if urgent is None else urgent
        return list(cells_in(cells & ~winning_cells(self._rules.board, self._opponent, certain)))

    def _urgent(self, turn: int, stones: Mask) -> Mask | None:
        """Return the cells of which one must be placed now; None if any may be."""
        for due in sorted(set(self._due.values())):
            missing = self._missing(due, stones)
            late = missing.bit_count() - self._room(turn, due)
            if missing and late >= 0:
                return 0 if late else missing
        return None

    def _has_time(self, turn: int, stones: Mask) -> bool:
        """Return whether turns from here on can place all that was found in time."""
        return all(
            self._missing(due, stones).bit_count() <= self._room(turn, due)
            for due in set(self._due.values())
        )

    def _missing(self, due: int, stones: Mask) -> Mask:
        return sum(1 << cell for cell, last in self._due.items() if last <= due) & ~stones

    def _room(self, turn: int, due: int) -> int:
        """Return how many stones turns may place from here until a turn."""
        return sum(each.places is not False for each in self._turns[turn:due])
