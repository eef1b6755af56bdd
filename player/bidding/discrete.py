"""Bidding games of Hex with whole chips, solved exactly."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from bitarray.util import subset
from numpy.typing import NDArray

from hsearch.hex import Cell, CellSet, Color, Position
from player.bidding.chips import Holding
from player.evaluate import plain_fillings

# Bidding with whole chips and a tie-break chip, solved exactly (Develin and Payne 2010).
#
# The higher bid wins the move and is paid to the other player. On equal bids the
# holder of the tie-break chip either takes the move, pays and hands the chip over, or
# keeps it, and the other player moves and pays.
#
# Here a holding is a code: 2 n for n chips, 2 n + 1 for n*; a larger code is better.
# The least code with which Black wins is f: 0 if Black has won, larger than any holding
# if White has. A state of the game is a number in base 3, with a digit for each cell
# that was empty at the start: 0 empty, 1 black, 2 white.

# 12 cells are 531,441 states, half a second and 20 MB.
MAX_EMPTY = 12


def refuse_large(position: Position) -> None:
    """Raise ValueError if a position has more than MAX_EMPTY empty cells."""
    if (empty := position.empty.count()) > MAX_EMPTY:
        raise ValueError(f"too many empty cells to solve: {empty} (at most {MAX_EMPTY})")


@dataclass(frozen=True)
class Thresholds:
    """The least holdings that win, in a position and in all that follow from it.

    start  the position; the turn does not matter
    total  the chips of both players together, without the tie-break chip

    Raise ValueError when more than MAX_EMPTY cells are empty, or `total` is out of range.
    """

    start: Position
    total: int

    def __post_init__(self) -> None:
        refuse_large(self.start)
        Holding(self.total)

    def holds(self, position: Position) -> bool:
        """Return whether a position follows from the start by any moves of either player."""
        start = self.start
        return start.board == position.board and all(
            subset(start.stones(color), position.stones(color)) for color in Color
        )

    def threshold(self, position: Position, color: Color) -> Holding | None:
        """Return the least holding with which a player wins; None if all chips are not enough."""
        code = self._code(position, color)
        if code > 2 * self.total + 1:
            return None
        return Holding(code >> 1, bool(code & 1))

    def wins(self, position: Position, color: Color, holding: Holding) -> bool:
        """Return whether a player wins with a holding."""
        return _encode(holding) >= self._code(position, color)

    def moves(self, position: Position, color: Color) -> list[Cell]:
        """Return the best moves for a player who wins the bid: those after which it needs least."""
        codes = self._codes(position, color, color)
        return [cell for cell, code in codes.items() if code == min(codes.values())]

    def bids(self, position: Position, color: Color, holding: Holding) -> list[int]:
        """Return all bids that win against every bid and move of the opponent."""
        bid_won, bid_lost = self._after(position, color)
        return [
            bid
            for bid in range(holding.chips + 1)
            if _is_safe(_encode(holding), bid, self.total, bid_won, bid_lost)
        ]

    def is_tie_taken(self, position: Position, color: Color, holding: Holding, bid: int) -> bool:
        """Return whether the holder of the tie-break chip should hand it over for the move."""
        bid_won, _ = self._after(position, color)
        return _encode(holding) - 2 * bid - 1 >= bid_won

    def _after(self, position: Position, color: Color) -> tuple[int, int]:
        """Return the code that a player needs after its best move, and after the opponent's."""
        own = self._codes(position, color, color)
        theirs = self._codes(position, color.opponent, color)
        return min(own.values()), max(theirs.values())

    def _codes(self, position: Position, mover: Color, color: Color) -> dict[Cell, int]:
        """Return the code that a player needs after each move of `mover`."""
        state, values = self._state(position), self._values
        return {
            cell: self._need(state + (1 + mover) * values[cell], color)
            for cell in position.empty.search(1)
        }

    def _code(self, position: Position, color: Color) -> int:
        return self._need(self._state(position), color)

    def _state(self, position: Position) -> int:
        values = self._values
        black, white = (
            sum([values[cell] for cell in (position.stones(color) & self._cells).search(1)])
            for color in Color
        )
        return black + 2 * white

    def _need(self, state: int, color: Color) -> int:
        least = int(self._least[state])
        # White wins exactly if Black does not.
        return least if color is Color.BLACK else 2 * (self.total + 1) - least

    @cached_property
    def _cells(self) -> CellSet:
        return self.start.empty

    @cached_property
    def _values(self) -> dict[Cell, int]:
        """The power of 3 for each cell that was empty at the start."""
        return {cell: 3**digit for digit, cell in enumerate(self._cells.search(1))}

    @cached_property
    def _least(self) -> NDArray[np.int32]:
        """The number f of each state, computed from the full boards backward."""
        cells = self.start.empty.count()
        powers = 3 ** np.arange(cells)
        state = np.arange(3**cells)
        digits = state // powers[:, None] % 3
        least = np.empty(3**cells, np.int32)
        full, wins = _full_boards(self.start, powers)
        loss = 2 * (self.total + 1)
        least[full] = np.where(wins, 0, loss)
        counts = (digits == 0).sum(axis=0)
        for empty in range(1, cells + 1):
            level = state[counts == empty]
            best = np.full(level.size, loss, np.int32)
            worst = np.zeros(level.size, np.int32)
            for cell, power in enumerate(powers):
                here = digits[cell, level] == 0
                best[here] = np.minimum(best[here], least[level[here] + power])
                worst[here] = np.maximum(worst[here], least[level[here] + 2 * power])
            least[level] = _combine(best, worst)
        return least


def _encode(holding: Holding) -> int:
    return 2 * holding.chips + holding.tie_break


def _combine(best: NDArray[np.int32], worst: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return f from the least f after a move of Black and the greatest after one of White."""
    chips = (best >> 1) + (worst >> 1)
    stars, odd = best & 1, chips & 1
    extra = np.where(stars == odd, 2 * odd, 1)
    result: NDArray[np.int32] = (2 * (chips >> 1) + extra).astype(np.int32)
    return result


def _is_safe(code: int, bid: int, total: int, bid_won: int, bid_lost: int) -> bool:
    """Return whether a bid wins against every bid of the opponent, with best play after it."""
    opponent = total - (code >> 1)
    wins_higher = bid == 0 or code - 2 * bid >= bid_won
    wins_lower = opponent <= bid or code + 2 * (bid + 1) >= bid_lost
    return (
        wins_higher and wins_lower and (opponent < bid or _ties_well(code, bid, bid_won, bid_lost))
    )


def _ties_well(code: int, bid: int, bid_won: int, bid_lost: int) -> bool:
    """Return whether a player wins on equal bids, with or without the tie-break chip."""
    if code & 1:
        return code - 2 * bid - 1 >= bid_won or code + 2 * bid >= bid_lost
    return code - 2 * bid >= bid_won and code + 2 * bid + 1 >= bid_lost


def _full_boards(
    position: Position, powers: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the states without empty cells, and whether Black has won each of them."""
    cells = len(powers)
    number = np.arange(max(64, 2**cells))
    black = number >> np.arange(cells)[:, None] & 1
    words = np.packbits(black.astype(bool), axis=1, bitorder="little").view(np.uint64)
    if not cells:
        words = np.zeros((0, 1), np.uint64)
    winners = plain_fillings.winners_by_reduction(plain_fillings.fill(position, words))
    wins = np.unpackbits(np.ascontiguousarray(winners).view(np.uint8), bitorder="little")
    states = ((2 - black[:, : 2**cells]) * powers[:, None]).sum(axis=0)
    return states, wins[: 2**cells].astype(bool)
