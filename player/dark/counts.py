"""Exact numbers of games and nodes, without a tree."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb, factorial, perm

from hsearch.hex import Board, Cell, Color, cells_in
from player.dark.rules import Base, DarkPosition, DarkRules, Mask, Pair, Symbol, heard_symbol

# The number of histories, without playing one.
#
# Whether a game is over depends on the stones alone, and the number of possible
# collisions depends on numbers alone: of the stones of each color, and of those
# that the other player has found. So the number of histories that lead to given
# numbers of stones is the number of pairs of sets of that many cells that connect
# nobody's edges, times the orders of the stones, times the ways to collide
# meanwhile. The pairs follow from the number of sets that connect two edges,
# which a sweep over the board counts without listing them.

LONGEST = 8  # cells a side of a board whose histories are counted within seconds


@dataclass(frozen=True, slots=True)
class Histories:
    """The number of histories of a game.

    nodes       all histories, the empty one included
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
    unfinished, wins = 0, [0, 0]
    for (black, white, turn), ways in _ways(rules).items():
        orders = factorial(black) * factorial(white) * ways
        unfinished += orders * pairs.open(black, white)
        wins[turn] += orders * pairs.last_cells(black, white, turn)
    return Histories(
        unfinished + sum(wins), sum(wins), 0 if rules.until_full else wins[Color.BLACK]
    )


def at_least(board: Board) -> int:
    """Return a lower bound on the number of histories of a game on this board.

    Nobody connects before Black has placed as many stones as there are rows, or
    White as many as there are columns; all orders of so many stones are histories
    without collisions.
    """
    return perm(board.size, min(2 * board.rows - 1, 2 * board.columns))


@dataclass(frozen=True)
class _Pairs:
    """The number of pairs of a set of black stones and one of white, by their sizes."""

    rules: DarkRules

    @cached_property
    def _connecting(self) -> tuple[list[int], list[int]]:
        board = self.rules.board
        return connecting(board.columns, board.rows), connecting(board.rows, board.columns)

    def open(self, black: int, white: int) -> int:
        """Return the number of pairs with which the game is not over."""
        size = self.rules.board.size
        if black + white > size or (self.rules.until_full and black + white == size):
            return 0
        pairs = comb(size, black) * comb(size - black, white)
        if self.rules.until_full:
            return pairs
        # Both players cannot connect, so these pairs are disjoint.
        for_black = self._connecting[0][black] * comb(size - black, white)
        for_white = self._connecting[1][white] * comb(size - white, black)
        return pairs - for_black - for_white

    def last_cells(self, black: int, white: int, turn: Color) -> int:
        """Return how many further stones end the game, over all such pairs."""
        stones = self.open(black, white) * (self.rules.board.size - black - white)
        if turn is Color.BLACK:
            return stones - self.open(black + 1, white) * (black + 1)
        return stones - self.open(black, white + 1) * (white + 1)


def _ways(rules: DarkRules) -> dict[tuple[int, int, Color], int]:
    """Return the ways to reach each number of stones, by the player to move.

    The order of each color's stones is fixed: the ways differ in whose stone
    comes when, and in who hits which hidden stone when.
    """
    pairs, again = _Pairs(rules), rules.base is Base.CLASSIC
    total: defaultdict[tuple[int, int, Color], int] = defaultdict(int)
    # By stones of Black and White, stones that Black and White have found, and turn.
    now = {(0, 0, 0, 0, Color.BLACK): 1}
    while now:
        later: defaultdict[tuple[int, int, int, int, Color], int] = defaultdict(int)
        for (black, white, by_black, by_white, turn), ways in now.items():
            total[black, white, turn] += ways
            other = turn.opponent
            after = turn if again else other
            if turn is Color.BLACK:
                after_stone, hidden = (black + 1, white), white - by_black
                hits = by_black + 1, by_white
            else:
                after_stone, hidden = (black, white + 1), black - by_white
                hits = by_black, by_white + 1
            if pairs.open(*after_stone):
                later[*after_stone, by_black, by_white, other] += ways
            if hidden:
                later[black, white, *hits, after] += ways * hidden
        now = later
    return total


def connecting(columns: int, rows: int) -> list[int]:
    """Return how many sets of cells join the top edge to the bottom edge, by their size.

    A sweep adds the cells one by one, row by row. Its state is which of the last
    cells, one in each column, are in the set, and which of those are joined: 0 is
    a cell outside of the set, 1 a cell that is joined to the top, and other cells
    have the number of their group.
    """
    slot = columns * rows + 1  # bits; a whole number holds the counts by size as its digits
    sets = {(1,) * columns: 1}  # the top edge itself, above the first row
    for _ in range(rows):
        for column in range(columns):
            further: defaultdict[tuple[int, ...], int] = defaultdict(int)
            for last, number in sets.items():
                further[*last[:column], 0, *last[column + 1 :]] += number
                further[_with_cell(last, column)] += number << slot
            sets = {last: n for last, n in _renumber(further).items() if 1 in last}
    number = sum(sets.values())
    return [number >> slot * size & (1 << slot) - 1 for size in range(columns * rows + 1)]


def _with_cell(last: tuple[int, ...], column: int) -> tuple[int, ...]:
    """Add a cell: it joins the groups to its left, above it, and above to the right."""
    near = set(last[max(0, column - 1) : column + 2]) - {0}
    group = min(near, default=max(last) + 2)
    result = [group if each in near else each for each in last]
    result[column] = group
    return tuple(result)


def _renumber(sets: dict[tuple[int, ...], int]) -> dict[tuple[int, ...], int]:
    """Return the counts with groups numbered in order of appearance, which merges equal states."""
    result: defaultdict[tuple[int, ...], int] = defaultdict(int)
    for last, number in sets.items():
        names = {0: 0, 1: 1}
        result[tuple(names.setdefault(each, len(names)) for each in last)] += number
    return result


# The number of histories from any state of the referee on, by memoized recursion.


class TooManyError(ValueError):
    """A game with more histories than are to be counted."""


def count(
    rules: DarkRules, state: DarkPosition | None = None, *, most: int | None = None
) -> Histories:
    """Count the histories that start in a state, by default the empty board.

    Raise TooManyError as soon as the count exceeds `most` nodes.
    """

    @cache
    def below(state: DarkPosition) -> tuple[int, int, int]:
        total = [1, 0, 0]
        for cell in rules.legal(state):
            after, _ = rules.attempt(state, cell)
            if rules.is_over(after):
                won = not rules.until_full and rules.winner(after) is Color.BLACK
                _add(total, (1, 1, int(won)))
            else:
                _add(total, below(after))
            if most is not None and total[0] > most:
                raise TooManyError(f"more than {most:,} nodes")
        return total[0], total[1], total[2]

    return Histories(*below(state or DarkPosition()))


def _add(total: list[int], more: tuple[int, int, int]) -> None:
    for index, number in enumerate(more):
        total[index] += number


# The number of information sets, without the tree.
#
# What a player may still learn depends on the own stones, the stones found, and the *worlds*
# that the history allows: the other player's stones, and what they found. Many histories lead
# to the same three, so the sets below are counted once for all of them.


def count_information_sets(rules: DarkRules, color: Color) -> int:
    """Return how many histories a player can tell apart when to move."""

    @cache
    def decide(own: Mask, known: Mask, worlds: frozenset[Pair]) -> int:
        """Return the number of sets from this one on."""
        number = 1
        for cell in cells_in(rules.full & ~(own | known)):
            bit = 1 << cell
            collisions = frozenset(world for world in worlds if world[0] & bit)
            if collisions:
                follow = decide if rules.base is Base.CLASSIC else listen
                number += follow(own, known | bit, collisions)
            if len(collisions) < len(worlds) and not rules.connects(color, own | bit):
                number += listen(own | bit, known, worlds - collisions)
        return number

    def listen(own: Mask, known: Mask, worlds: frozenset[Pair]) -> int:
        """Return the number of sets after the other player's turn, over all that may be heard."""
        groups = _worlds_by_sounds(rules, color.opponent, own, worlds)
        return sum(decide(own, known, frozenset(group)) for group in groups)

    start = frozenset({(0, 0)})
    return decide(0, 0, start) if color is Color.BLACK else listen(0, 0, start)


def _worlds_by_sounds(
    rules: DarkRules, turn: Color, others: Mask, worlds: Iterable[Pair]
) -> Iterable[set[Pair]]:
    """Return the worlds after a turn that does not end the game, those that sound alike as one."""
    after: defaultdict[tuple[Symbol, ...], set[Pair]] = defaultdict(set)
    todo: set[tuple[Pair, tuple[Symbol, ...]]] = {(world, ()) for world in worlds}
    while todo:
        (stones, found), sounds = todo.pop()
        for cell in cells_in(rules.full & ~(stones | found)):
            bit = 1 << cell
            if not others & bit:
                if not rules.connects(turn, stones | bit):
                    after[sounds].add((stones | bit, found))
                continue
            heard = heard_symbol(rules.noise, cell, placed=False)
            more = sounds if heard is None else (*sounds, heard)
            if rules.base is Base.CLASSIC:
                todo.add(((stones, found | bit), more))
            else:
                after[more].add((stones, found | bit))
    return after.values()


# The cases behind a count of games: after Black's first stone, and White's.
#
# White's first stone may follow attempts that hit Black's. All those histories
# belong to the case, so the cases of a first cell add up to its games.


@dataclass(frozen=True, slots=True)
class OpeningStones:
    """The complete games with a given first stone of each player.

    first, reply  Black's first stone, and White's
    black, white  how many games either player wins
    """

    first: Cell
    reply: Cell
    black: int
    white: int

    @property
    def games(self) -> int:
        """Number of games."""
        return self.black + self.white


# The counts of Tapkan (2021, section 4.2) on 2x2 for cells 0 and 2; 1 and 3 follow by rotation.
# For the two cells of the virtual connection below a2 the paper has the sum; each gets one half.
PRINTED: Mapping[tuple[str, str], tuple[int, int]] = {
    ("a1", "b1"): (4, 14),
    ("a1", "a2"): (0, 28),
    ("a1", "b2"): (4, 14),
    ("a2", "a1"): (4, 21),
    ("a2", "b1"): (4, 21),
    ("a2", "b2"): (4, 0),
}


def cases(rules: DarkRules) -> list[OpeningStones]:
    """Return the cases of a classic game, by Black's first cell and then by White's.

    Games that Black wins with the first stone belong to no case.
    """
    placements: dict[tuple[Cell, Cell], list[int]] = {}

    def follow(first: Cell, state: DarkPosition) -> None:
        """Continue until White has placed a stone."""
        for cell in rules.legal(state):
            after, placed = rules.attempt(state, cell)
            if not placed:
                follow(first, after)
                continue
            if rules.is_over(after):
                games, black = 1, 0
            else:
                counts = count(rules, after)
                games, black = counts.terminals, counts.black_wins
            case = placements.setdefault((first, cell), [0, 0])
            case[0] += black
            case[1] += games - black

    for first in cells_in(rules.full):
        after, _ = rules.attempt(DarkPosition(), first)
        if not rules.is_over(after):
            follow(first, after)
    return [OpeningStones(*key, *numbers) for key, numbers in sorted(placements.items())]
