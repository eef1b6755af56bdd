"""The least holdings that win, for any game of whole chips: the slow twin of `Thresholds`.

The rules and the numbers of `player.bidding.discrete`, which does the same for Hex with
arrays: 2 n stands for n chips and 2 n + 1 for n*, and 2 (total + 1), more than
there is, for a game that is lost.
"""

from hsearch.hex.board import Color
from player.bidding.discrete import State, StoppingGame


def least_holdings(game: StoppingGame[State], start: State, total: int) -> dict[State, int]:
    """Return the least holding with which Black wins, for every state that can be reached."""
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
    """Return the least holding from the least after Black's best move and after White's.

    Of chips it is half the sum, rounded down. What the rounding loses and the
    tie-break chip of `best` make the rest: nothing, the tie-break chip, or a chip.
    """
    half, odd = divmod(best // 2 + worst // 2, 2)
    if best % 2 == odd:
        return 2 * (half + odd)
    return 2 * half + 1
