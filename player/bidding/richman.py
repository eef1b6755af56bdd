"""Bidding with chips of any size: Richman's thresholds, for any game.

R is the share of all chips above which Black wins: 0 where Black has won, 1
where White has, and else half the sum of the least R that Black can move to
and the greatest that White can. Both players' best bid is half the difference.
R is also White's chance to win when a coin tells who moves (Lazarus, Loeb,
Propp, Stromquist and Ullman 1999).

For Hex `player.fillings` gives the same numbers without any recursion.
"""

from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import Protocol, TypeVar

from hsearch.board import Color

State = TypeVar("State", bound=Hashable)


class StoppingGame(Protocol[State]):
    """A game that ends, in which either player may move in any state."""

    def winner(self, state: State) -> Color | None:
        """Return who has won; None while nobody has, and moves are left."""

    def moves(self, state: State, color: Color) -> Iterable[State]:
        """Return the states that a player can move to."""


def thresholds(game: StoppingGame[State], start: State) -> dict[State, Fraction]:
    """Return R of every state that can be reached, exactly."""
    found: dict[State, Fraction] = {}

    def solve(state: State) -> Fraction:
        if state not in found:
            winner = game.winner(state)
            if winner is None:
                least = min(map(solve, game.moves(state, Color.BLACK)))
                most = max(map(solve, game.moves(state, Color.WHITE)))
                found[state] = (least + most) / 2
            else:
                found[state] = Fraction(winner)
        return found[state]

    solve(start)
    return found
