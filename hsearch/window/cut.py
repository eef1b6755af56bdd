"""Which cells between two ends make the window: those on short ways from one to the other.

A way counts the empty cells that it enters. It may lead through the owner's
stones, which cost nothing, and through no stone of the opponent.
"""

from dataclasses import dataclass

from hsearch.kernels.window import MOST_POINTS
from hsearch.window.shape import Placed, normal
from hsearch.window.view import EdgeView


@dataclass(frozen=True, slots=True)
class Size:
    """Size of windows.

    above   how many rows above the lowest stone of a group belong to them
    detour  how many cells longer than the shortest way the ways are
    points  most points

    Raise ValueError when a number is out of range.
    """

    above: int = 1
    detour: int = 5
    points: int = MOST_POINTS

    def __post_init__(self) -> None:
        if self.above < 0 or self.detour < 0:
            raise ValueError(f"out of range: {min(self.above, self.detour)} (0 or more)")
        if not 2 <= self.points <= MOST_POINTS:
            raise ValueError(f"points out of range: {self.points} (2 to {MOST_POINTS})")


def cut_out(view: EdgeView, groups: list[int], group: int, size: Size) -> Placed | None:
    """Return the window between a group and the edge; None if there is no way, or none so small.

    The `groups` are all of the view. The row at the other edge is left out: who
    plays there may touch that edge.
    """
    zone = view.rows_to(min(view.lowest_row(group) + size.above, view.rows - 1))
    edge, *others = groups
    other = view.own & ~group & ~edge
    empty = view.empty & zone
    ways = _levels(view, group, empty, other), _levels(view, edge, empty, other)
    region = _region(view, *ways, other, size)
    if not region:
        return None
    near = view.around(region)
    joined = []
    for some in others:
        stones = some & near
        if some != group and stones and view.flood(stones & -stones, stones) != stones:
            joined.append(stones)
    return normal(view, region, near & group, near & edge, near & other, *joined)


def _region(view: EdgeView, one: list[int], two: list[int], other: int, size: Size) -> int:
    """Return the cells on the shortest ways, and on longer ones while the window is small enough.

    A cell that is the third from one end and the second from the other is on a
    way of four cells.
    """
    region, longest = 0, len(one) + len(two)
    for length in range(1, longest):
        if length > longest:
            break
        more = region
        for far in range(max(0, length - len(two)), min(length, len(one))):
            more |= one[far] & two[length - 1 - far]
        if more and not region:
            longest = length + size.detour
        if (more | view.around(more) & other).bit_count() > size.points:
            break
        region = more
    return region


def _levels(view: EdgeView, start: int, empty: int, other: int) -> list[int]:
    """Return the cells that a way from somewhere enters first, second and so on."""
    levels, seen, new = [], start, start
    while new:
        near = view.around(new)
        near |= view.around(view.flood(near & other & ~seen, other))
        new = near & empty & ~seen
        seen |= new | near & other
        levels.append(new)
    return levels
