"""Solve the two sides of a chain separately.

A chain of one player's stones, linked by bridges that share no cell, may cut the
board, so that every path between that player's edges crosses the chain. Then the
player has to join the chain to both edges, in two games that share no cell, and the
opponent has to win one of them::

    north   the cells on this side are one game
    B B:B B         B:B are joined by a bridge
    south   the cells on this side are the other

In the game of one side, the other side is filled with the player's stones. The cells of
the bridges belong to neither game: the player wins if they win both games although the
opponent has all of these cells; the opponent wins if they win one game although the
player has them all; any other case is left to the search.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from hsearch.hex import Board, Cell, Color, cells_in
from hsearch.hex.board import borders, flood, neighbor_sets
from player.solve.table import Node

# Henderson, Arneson and Hayward (Solving 8x8 Hex, 2009) name decomposition as a part of their
# solver; their conditions were not available here. The condition above suffices, but is not
# necessary: if the winner depends on who has a bridge, `judge` returns None, and the search
# examines the whole position.
#
# A chain that cuts the board is rare. The map of 6x6 takes as many nodes without this, and so
# did positions of the London games. But `positions/puzzles/cut.txt` takes 605 nodes instead of
# 46 (`positions/results/solving.md`, `proofs.md`). So cheap tests come first: two neighboring
# lines without a stone end the test, and so do stones that lead across by no steps; the sides
# are flooded only for chains that reach both of the opponent's edges. The steps took the time
# on 11x11 from 56 to 7 microseconds a position of London 1 after 22 moves.

LEAST = 3  # fewest empty cells of a side worth a separate game


@dataclass(frozen=True, slots=True)
class Cut:
    """A chain that cuts the board; sets of cells are numbers, one bit a cell.

    owner    whose chain it is
    sides    the cells on each side, stones and empty cells
    carrier  the empty cells of its bridges and of its ends at the opponent's edges
    """

    owner: Color
    sides: tuple[int, int]
    carrier: int

    def game(
        self, stones: tuple[int, int], which: int, carrier_to: Color, everything: int
    ) -> tuple[int, int]:
        """Return the stones of one side's game, `carrier_to` having the chain's carrier."""
        beyond = everything & ~self.sides[which] & ~self.carrier
        sides = [own & ~beyond for own in stones]
        sides[self.owner] |= beyond
        sides[carrier_to] |= self.carrier
        return sides[0], sides[1]


@dataclass(frozen=True, slots=True)
class RegionVerdict:
    """Winner of the position, the cells that the proof needs, and the winner's first move."""

    winner: Color
    carrier: int
    first: Cell | None


# Solves the game of a side, given who is to move and who has the chain's carrier.
Solve = Callable[[int, Color, Color], Node]


def cut(board: Board, stones: tuple[int, int]) -> Cut | None:
    """Return a chain that cuts the board with something to decide on both sides, or None."""
    empty = (1 << board.size) - 1 & ~(stones[0] | stones[1])
    for owner in Color:
        if not _may_reach_across(board, owner, stones[owner], empty):
            continue
        for chain, carrier in chains(board, stones, owner, borders(board, owner)):
            needs = carrier | _gaps(board, owner, chain, empty)
            sides = _sides(board, owner, chain | needs)
            if sides is not None and all((side & empty).bit_count() >= LEAST for side in sides):
                return Cut(owner, sides, needs)
    return None


def judge(cut: Cut, turn: Color, solve: Solve) -> RegionVerdict | None:
    """Return who wins a position that a chain cuts; None if its carrier may matter."""
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


def _may_reach_across(board: Board, owner: Color, stones: int, empty: int) -> bool:
    """Return whether stones that touch or have a bridge lead across all lines.

    Stones at the owner's edges are left out: a chain with one of them does not cut the board.
    """
    lines, around, bridges = _lines(board, owner), neighbor_sets(board), _bridges(board)
    first, last = borders(board, owner)
    stones &= ~(first | last)
    if not all(stones & (one | other) for one, other in pairwise(lines)):
        return False
    reached, waiting = 0, stones & (lines[0] | lines[1 % len(lines)])
    while waiting:
        reached |= waiting
        near = 0
        for cell in cells_in(waiting):
            near |= around[cell]
            for end, carrier in bridges[cell]:
                if end & stones and not carrier & ~empty:
                    near |= end
        waiting = near & stones & ~reached
    return reached & (lines[-1] | lines[-2 % len(lines)]) != 0


def _gaps(board: Board, owner: Color, chain: int, empty: int) -> int:
    """Return the empty cells between the ends of a chain and the opponent's edges.

    Nobody gains by going around an end on the second line: a stone there is
    next to the opponent's edge already.
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
    """Return the cells on each edge's side of a wall; None if it does not separate them."""
    lines = _lines(board, owner)
    if not (wall & lines[0] and wall & lines[-1]):
        return None  # a wall has to join the other two edges, and most chains do not
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

    No two bridges share a cell, so all of them can be kept.
    """
    empty = (1 << board.size) - 1 & ~(stones[0] | stones[1])
    chains = [
        (group, 0)
        for group in _groups(board, stones[owner])
        if not group & (borders[0] | borders[1])
    ]
    carrier_cells = 0
    place = 0
    while place < len(chains):
        chain, needs = chains[place]
        link = _bridge(board, chain, empty & ~carrier_cells, chains[place + 1 :])
        if link is None:
            yield chain, needs
            place += 1
            continue
        which, carrier = link
        group, more = chains.pop(place + 1 + which)
        chains[place] = chain | group, needs | more | carrier
        carrier_cells |= carrier


def _groups(board: Board, stones: int) -> Iterator[int]:
    while stones:
        group = flood(board, stones & -stones, stones)
        yield group
        stones &= ~group


def _bridge(
    board: Board, chain: int, free: int, others: list[tuple[int, int]]
) -> tuple[int, int] | None:
    """Return the index of a group that a bridge joins to a chain, and the bridge's cells."""
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
