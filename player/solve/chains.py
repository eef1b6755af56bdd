"""Chains: stones that hang together, across bridges too. Sets of cells are numbers."""

from collections.abc import Iterator
from functools import cache

from hsearch.board import Board, Color
from hsearch.cells import cells_in


def chains(
    board: Board, stones: tuple[int, int], owner: Color, borders: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield the stones of each chain that touches no own edge, and the cells of its bridges.

    No cell is of two bridges, so that each of them can be kept.
    """
    empty = (1 << board.size) - 1 & ~(stones[0] | stones[1])
    found = [
        (group, 0)
        for group in _groups(board, stones[owner])
        if not group & (borders[0] | borders[1])
    ]
    used = 0
    place = 0
    while place < len(found):
        chain, needs = found[place]
        link = _bridge(board, chain, empty & ~used, found[place + 1 :])
        if link is None:
            yield chain, needs
            place += 1
            continue
        which, carrier = link
        group, more = found.pop(place + 1 + which)
        found[place] = chain | group, needs | more | carrier
        used |= carrier


def flood(board: Board, start: int, wall: int) -> int:
    """Return what can be reached from some cells without entering a wall."""
    everything, not_first, not_last = _columns(board)
    free, row = everything & ~wall, board.columns
    before, reached = 0, start & free
    while before != reached:
        before = reached
        rightward, leftward = reached & not_last, reached & not_first
        near = rightward << 1 | leftward >> 1 | reached << row | reached >> row
        near |= leftward << row - 1 | rightward >> row - 1
        reached |= near & free
    return reached


def reached_from_edge(board: Board, owner: Color, cells: int) -> int:
    """Return those of some cells that hang together with the first edge of a player."""
    edge = sum(1 << cell for cell in board.neighbors(board.edges(owner)[0]))
    return flood(board, edge & cells, ~cells)


@cache
def _columns(board: Board) -> tuple[int, int, int]:
    """Return all cells, and those with another one to their left, and to their right."""
    everything = (1 << board.size) - 1
    first = sum(1 << board.at(0, row) for row in range(board.rows))
    last = sum(1 << board.at(board.columns - 1, row) for row in range(board.rows))
    return everything, everything & ~first, everything & ~last


@cache
def neighbors(board: Board) -> tuple[int, ...]:
    """Return the cells that touch each cell."""
    return tuple(
        sum(1 << other for other in board.neighbors(cell) if not board.is_edge(other))
        for cell in board.cells
    )


def _groups(board: Board, stones: int) -> Iterator[int]:
    wall = ~stones
    while stones:
        group = flood(board, stones & -stones, wall)
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
    around = neighbors(board)
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
