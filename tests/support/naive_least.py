"""The smallest winning holdings, for any game of whole chips: the slow twin of `Thresholds`.

The rules and numbers are those of `player.bidding.discrete`, which does the same for Hex with
arrays: 2 n means n chips, 2 n + 1 means n*, and 2 (total + 1), more than exists, means a lost
game.
"""

from hsearch.hex.board import Color
from player.bidding.discrete import State, StoppingGame


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
