"""Number of histories, without playing one.

Whether a game is over depends on the stones alone, and what can be attempted
without placing a stone depends on their numbers alone: how many there are of
each color, and how many of them the other player has found. So the histories
that lead to given numbers of stones are the pairs of sets of that many cells
that connect nobody's edges, times the orders in which the stones can come,
times the ways to collide on the way. The pairs follow from the number of sets
that connect two edges, which a sweep over the board counts without listing
them. All numbers are exact.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from math import comb, factorial, perm

from hsearch.board import Board, Color
from player.dark.rules import Base, DarkRules

LONGEST = 8  # sides of a board whose histories are counted within seconds


@dataclass(frozen=True, slots=True)
class Histories:
    """The number of histories of a game.

    nodes       with the empty one
    terminals   complete ones
    black_wins  those that Black wins; 0 when played until the board is full
    """

    nodes: int
    terminals: int
    black_wins: int


def is_countable(board: Board) -> bool:
    """Return whether the histories on a board can be counted within seconds."""
    return max(board.columns, board.rows) <= LONGEST


def count_histories(rules: DarkRules) -> Histories:
    """Count the histories of a game, on any board that is countable."""
    pairs = _Pairs(rules)
    going, won = 0, [0, 0]
    for (black, white, turn), ways in _ways(rules).items():
        orders = factorial(black) * factorial(white) * ways
        going += orders * pairs.open(black, white)
        won[turn] += orders * pairs.last_cells(black, white, turn)
    return Histories(going + sum(won), sum(won), 0 if rules.until_full else won[Color.BLACK])


def at_least(board: Board) -> int:
    """Return a number of histories that a game on this board surely exceeds.

    Nobody has connected before Black has placed as many stones as there are
    rows, or White as many as there are columns; all orders to do so are
    histories, even if nobody ever meets a hidden stone.
    """
    return perm(board.size, min(2 * board.rows - 1, 2 * board.columns))


@dataclass(frozen=True)
class _Pairs:
    """The pairs of a set of black stones and one of white stones, by their numbers."""

    rules: DarkRules

    @cached_property
    def _connecting(self) -> tuple[list[int], list[int]]:
        board = self.rules.board
        return connecting(board.columns, board.rows), connecting(board.rows, board.columns)

    def open(self, black: int, white: int) -> int:
        """Return how many pairs there are with which the game goes on."""
        size = self.rules.board.size
        if black + white > size or (self.rules.until_full and black + white == size):
            return 0
        pairs = comb(size, black) * comb(size - black, white)
        if self.rules.until_full:
            return pairs
        # Never do both connect: these are different pairs.
        for_black = self._connecting[0][black] * comb(size - black, white)
        for_white = self._connecting[1][white] * comb(size - white, black)
        return pairs - for_black - for_white

    def last_cells(self, black: int, white: int, turn: Color) -> int:
        """Return how often a further stone ends the game, over all such pairs."""
        stones = self.open(black, white) * (self.rules.board.size - black - white)
        if turn is Color.BLACK:
            return stones - self.open(black + 1, white) * (black + 1)
        return stones - self.open(black, white + 1) * (white + 1)


def _ways(rules: DarkRules) -> dict[tuple[int, int, Color], int]:
    """Return how often each number of stones comes to be, by the player to move.

    The order of the stones of each color is taken as given: what is counted is
    whose stone comes when, and who meets which hidden stone when.
    """
    pairs, again = _Pairs(rules), rules.base is Base.CLASSIC
    total: defaultdict[tuple[int, int, Color], int] = defaultdict(int)
    # By stones of Black and White, those that Black and White have found, and the turn.
    now = {(0, 0, 0, 0, Color.BLACK): 1}
    while now:
        later: defaultdict[tuple[int, int, int, int, Color], int] = defaultdict(int)
        for (black, white, by_black, by_white, turn), ways in now.items():
            total[black, white, turn] += ways
            other = turn.opponent
            after = turn if again else other
            if turn is Color.BLACK:
                placed, hidden = (black + 1, white), white - by_black
                found = by_black + 1, by_white
            else:
                placed, hidden = (black, white + 1), black - by_white
                found = by_black, by_white + 1
            if pairs.open(*placed):
                later[*placed, by_black, by_white, other] += ways
            if hidden:
                later[black, white, *found, after] += ways * hidden
        now = later
    return total


def connecting(columns: int, rows: int) -> list[int]:
    """Return how many sets of cells join the top edge to the bottom edge, by their size.

    A sweep adds one cell after the other, row by row. What matters of the cells
    so far is which of the last ones, one in each column, are in the set and
    which of those are joined: 0 is a cell that is not in the set, 1 one that is
    joined to the top, and other cells have the number of their group.
    """
    slot = columns * rows + 1  # bits; sets by size are the digits of one whole number
    sets = {(1,) * columns: 1}  # the top edge itself, above the first row
    for _ in range(rows):
        for column in range(columns):
            further: defaultdict[tuple[int, ...], int] = defaultdict(int)
            for last, number in sets.items():
                further[*last[:column], 0, *last[column + 1 :]] += number
                further[_with_cell(last, column)] += number << slot
            sets = {last: n for last, n in _renumbered(further).items() if 1 in last}
    number = sum(sets.values())
    return [number >> slot * size & (1 << slot) - 1 for size in range(columns * rows + 1)]


def _with_cell(last: tuple[int, ...], column: int) -> tuple[int, ...]:
    """Add a cell: it joins the groups to its left, above it, and above to the right."""
    near = set(last[max(0, column - 1) : column + 2]) - {0}
    group = min(near, default=max(last) + 2)
    joined = [group if each in near else each for each in last]
    joined[column] = group
    return tuple(joined)


def _renumbered(sets: dict[tuple[int, ...], int]) -> dict[tuple[int, ...], int]:
    """Return the same with the groups numbered as they come, so that what is alike is equal."""
    result: defaultdict[tuple[int, ...], int] = defaultdict(int)
    for last, number in sets.items():
        names = {0: 0, 1: 1}
        result[tuple(names.setdefault(each, len(names)) for each in last)] += number
    return result
