"""Best responses to the policy of a book, by search over beliefs in a kernel."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from hsearch.board import Color
from player.dark.fallback import Orders
from player.dark.kernels.belief_search import DECISION, respond
from player.dark.rules import Base, DarkRules, Noise
from player.dark.tree import Floats, Integers

ROOM = 1 << 14  # worlds at first; as many as it takes later
LONGER = 16  # a response may have as many times more attempts

# A book as `player.dark.kernels.book` takes it.
Arrays: TypeAlias = tuple[Integers, Integers, Floats, Orders]


@dataclass(frozen=True, slots=True)
class BeliefResponse:
    """A best response: the weight it wins, and its policy in preorder, see `Book.add`."""

    chance: float
    rows: Integers


class BeliefSearch:
    """The search in one game."""

    def __init__(self, rules: DarkRules) -> None:
        """Write down the rules for the kernels."""
        self.game = game(rules)
        self.room = ROOM

    def respond(
        self, book: Arrays, color: Color, tries: Orders, slack: float = 0.0
    ) -> BeliefResponse:
        """Return a best response of `color` to the opponent's book.

        tries  breaks ties
        slack  what attempts may win less than the best, and be there nevertheless
        """
        while True:
            room = self.room
            worlds = np.zeros((room, 3), np.int64), np.zeros((room, 2), np.uint64), np.zeros(room)
            codes, out = np.zeros(room, np.int64), np.zeros((LONGER * room, 3), np.int64)
            decisions = np.zeros(2 * tries.shape[1] + 2, DECISION)
            chance, length = respond(
                self.game, book, int(color), worlds, codes, tries, slack, decisions, out
            )
            if length >= 0:
                return BeliefResponse(chance, out[:length].copy())
            self.room *= 2


def game(rules: DarkRules) -> tuple[Any, ...]:
    """Return the rules as the kernels of beliefs take them."""
    masks = range(1 << rules.board.size)
    connected = [[rules.connects(color, mask) for mask in masks] for color in Color]
    numbers = [rules.board.size, rules.base is Base.ABRUPT, list(Noise).index(rules.noise)]
    return np.array(connected), np.array(numbers, np.int64)
