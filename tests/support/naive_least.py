"""Bidding games of any kind, solved by recursion: slow twins of what solves Hex with arrays.

With divisible chips these are the thresholds of `player.evaluate.exact`, with whole chips the
smallest winning holdings of `player.bidding.discrete`, with its numbers: 2 n means n chips,
2 n + 1 means n*, and 2 (total + 1), more than exists, means a lost game.
"""

from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import Protocol, TypeVar

from hsearch.hex.board import Color

# Bidding with divisible chips: Richman's thresholds, for any game.
#
# R is the share of all chips above which Black wins: 0 if Black has won, 1 if White
# has, and otherwise the mean of the least R that Black can move to and the greatest
# that White can. Both players' best bid is half the difference. R is also White's
# chance to win when a coin decides who moves (Lazarus, Loeb, Propp, Stromquist and
# Ullman 1999).

State = TypeVar("State", bound=Hashable)


class StoppingGame(Protocol[State]):
    """A game that ends, in which either player may move in any state."""

    def winner(self, state: State) -> Color | None:
        """Return the winner; None if the game is not over, and both players can move."""

    def moves(self, state: State, color: Color) -> Iterable[State]:
        """Return the states that a player can move to."""


def thresholds(game: StoppingGame[State], start: State) -> dict[State, Fraction]:
    """Return the exact R of every reachable state."""
    thresholds: dict[State, Fraction] = {}

    def solve(state: State) -> Fraction:
        if state not in thresholds:
            winner = game.winner(state)
            if winner is None:
                least = min(map(solve, game.moves(state, Color.BLACK)))
                most = max(map(solve, game.moves(state, Color.WHITE)))
                thresholds[state] = (least + most) / 2
            else:
                thresholds[state] = Fraction(winner)
        return thresholds[state]

    solve(start)
    return thresholds


def least_holdings(game: StoppingGame[State], start: State, total: int) -> dict[State, int]:
    """Return Black's smallest winning holding for every reachable state."""
    lost = 2 * (total + 1)
    found: dict[State, int] = {}

    def solve(state: State) -> int:
        if state not in found:
            winner = game.winner(state)
            if winner is None:
                best = min(map(solve, game.moves(state, Color.BLACK)))
                worst = max(map(solve, game.moves(state, Color.WHITE)))
                found[state] = joined(best, worst)
            else:
                found[state] = lost * winner
        return found[state]

    solve(start)
    return found


def joined(best: int, worst: int) -> int:
    """Return the smallest holding from those after Black's best move and after White's.

    In chips it is half the sum, rounded down. The rounding loss and the tie-break chip of `best`
    decide the remainder: nothing, the tie-break chip, or a chip.
    """
    half, odd = divmod(best // 2 + worst // 2, 2)
    if best % 2 == odd:
        return 2 * (half + odd)
    return 2 * half + 1
