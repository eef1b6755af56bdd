"""Solve the two sides of a chain one by one.

A chain of a player's stones, held together by bridges that share no cell, may
cut the board so that no way is left from one of the player's edges to the
other but over the chain. Then the player has to join the chain to
one edge and to the other, in two games that share no cell, and the opponent has
to win one of them::

    north   what lies on this side is one game
    B B:B B         B:B are joined by a bridge
    south   what lies on that side is the other

In the game of a side the other side is filled with the player's stones. The
cells of the bridges belong to neither: if the player wins both games with
all of them the opponent's, they win; if the opponent wins one with all of them
the player's, the opponent wins; anything else is left to the search.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from hsearch.hex.board import Board, Cell, Color, borders, cells_in, flood, neighbor_sets
from player.solve.table import Node

LEAST = 3  # empty cells that make a side worth a game of its own


@dataclass(frozen=True, slots=True)
class Cut:
    """A chain that cuts the board; sets of cells are numbers, one bit a cell.

    owner    whose chain it is
    sides    the cells on each side, stones and empty cells
    carrier  the empty cells of the chain
    """

    owner: Color
    sides: tuple[int, int]
    carrier: int

    def game(
        self, stones: tuple[int, int], which: int, carrier_to: Color, everything: int
    ) -> tuple[int, int]:
        """Return the stones of the game of a side, one color having the chain's carrier."""
        beyond = everything & ~self.sides[which] & ~self.carrier
        filled = [own & ~beyond for own in stones]
        filled[self.owner] |= beyond
        filled[carrier_to] |= self.carrier
        return filled[0], filled[1]


@dataclass(frozen=True, slots=True)
class RegionVerdict:
    """Winner of both sides together, the cells the proof needs, and the winner's first move."""

    winner: Color
    carrier: int
    first: Cell | None


# Who wins the game of a side, with a player to move and one who has the chain's carrier.
Solve = Callable[[int, Color, Color], Node]


def cut(board: Board, stones: tuple[int, int]) -> Cut | None:
    """Return a chain that cuts the board with something to decide on both sides, or None."""
    empty = (1 << board.size) - 1 & ~(stones[0] | stones[1])
    for owner in Color:
        if not _may_reach_across(board, owner, stones[owner]):
            continue
        for chain, carrier in chains(board, stones, owner, borders(board, owner)):
            needs = carrier | _gaps(board, owner, chain, empty)
            sides = _sides(board, owner, chain | needs)
            if sides is not None and all((side & empty).bit_count() >= LEAST for side in sides):
                return Cut(owner, sides, needs)
    return None


def judge(cut: Cut, turn: Color, solve: Solve) -> RegionVerdict | None:
    """Return who wins a position that a chain cuts; None if the carrier of the chain matters."""
    owner, opponent = cut.owner, cut.owner.opponent
    threats: dict[int, Node] = {}
    for which in (0, 1):
        node = solve(which, opponent, owner)
        if node.winner != opponent:
            continue
        if turn is opponent:
            return RegionVerdict(opponent, node.carrier, node.first)
        threats[which] = node
    if len(threats) > 1:
        return RegionVerdict(opponent, threats[0].carrier | threats[1].carrier, None)
    for which in threats:
        node = solve(which, owner, owner)
        if node.winner == opponent:
            return RegionVerdict(opponent, node.carrier, None)
    needs, first = cut.carrier, None
    for which in (0, 1):
        node = solve(which, owner if which in threats else opponent, opponent)
        if node.winner == opponent:
            return None
        needs |= node.carrier
        first = node.first if which in threats else first
    return RegionVerdict(owner, needs, first)


def _may_reach_across(board: Board, owner: Color, stones: int) -> bool:
    """Return whether the stones come near both sides, and no two lines between have none."""
    lines = _lines(board, owner)
    return all(stones & (one | other) for one, other in pairwise(lines))


def _gaps(board: Board, owner: Color, chain: int, empty: int) -> int:
    """Return the empty cells between the ends of a chain and the opponent's edges.

    Where a chain ends in the second line nobody gains by going around: who is
    there has reached the opponent's edge already.
    """
    lines, around = _lines(board, owner), neighbor_sets(board)
    gaps = 0
    for border, second in ((lines[0], lines[1:2]), (lines[-1], lines[-2:-1])):
        ends = chain & second[0] if second and not chain & border else 0
        for cell in cells_in(ends):
            gap = around[cell] & border
            if gap & empty == gap:
                gaps |= gap
                break
    return gaps


def _sides(board: Board, owner: Color, wall: int) -> tuple[int, int] | None:
    """Return what can be reached from each of the owner's edges; None if it is the same."""
    lines = _lines(board, owner)
    if not (wall & lines[0] and wall & lines[-1]):
        return None  # what parts these edges joins the others, and most chains are short
    first, second = (flood(board, border, ~wall) for border in borders(board, owner))
    return None if first & second else (first, second)


@cache
def _lines(board: Board, owner: Color) -> tuple[int, ...]:
    """Return the lines of cells from one of the opponent's edges to the other."""
    lines = [0] * (board.columns, board.rows)[owner]
    for cell in board.cells:
        lines[board.column_and_row(cell)[owner]] |= 1 << cell
    return tuple(lines)


def chains(
    board: Board, stones: tuple[int, int], owner: Color, borders: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield the stones of each chain that touches no own edge, and the cells of its bridges.

    No cell is of two bridges, so that each of them can be kept.
    """
    empty = (1 << board.size) - 1 & ~(stones[0] | stones[1])
    chains = [
        (group, 0)
        for group in _groups(board, stones[owner])
        if not group & (borders[0] | borders[1])
    ]
    used = 0
    place = 0
    while place < len(chains):
        chain, needs = chains[place]
        link = _bridge(board, chain, empty & ~used, chains[place + 1 :])
        if link is None:
            yield chain, needs
            place += 1
            continue
        which, carrier = link
        group, more = chains.pop(place + 1 + which)
        chains[place] = chain | group, needs | more | carrier
        used |= carrier


def _groups(board: Board, stones: int) -> Iterator[int]:
    while stones:
        group = flood(board, stones & -stones, stones)
        yield group
        stones &= ~group


def _bridge(
    board: Board, chain: int, free: int, others: list[tuple[int, int]]
) -> tuple[int, int] | None:
    """Return which of the other groups a bridge joins to a chain, and its two cells."""
    bridges = _bridges(board)
    for cell in cells_in(chain):
        for end, carrier in bridges[cell]:
            if carrier & free == carrier:
                for which, (group, _) in enumerate(others):
                    if group & end:
                        return which, carrier
    return None


@cache
def _bridges(board: Board) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return for each cell the far ends of its bridges, each with the two cells between."""
    around = neighbor_sets(board)
    return tuple(
        tuple(
            (1 << other, around[cell] & around[other])
            for other in board.cells
            if other != cell
            and not around[cell] >> other & 1
            and (around[cell] & around[other]).bit_count() == 2
        )
        for cell in board.cells
    )
