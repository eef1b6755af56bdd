"""The same closure in short plain Python, without limits.

It defines what the kernels must find. It takes its connections first come,
first served, which the result does not depend on, and it works on White's
game directly, where the kernels work on the mirror. Boards beyond 4x4 are
too large for it.
"""

from collections import defaultdict, deque
from collections.abc import Iterator
from functools import reduce
from operator import and_

from bitarray.util import subset

from hsearch.board import Color, Point
from hsearch.cells import CellSet
from hsearch.connection import Connection, adjacent, and_rule, or_rule
from hsearch.inferior.captured import captures
from hsearch.position import Position, captains

Kept = dict[tuple[Point, Point], list[Connection]]


def plain_closure(
    position: Position, color: Color, *, edge_pivot: bool = False, captured: bool = False
) -> set[Connection]:
    """Return all minimal connections of a player that the AND and OR rules derive."""
    captures = _Captures(position, color) if captured else _Captures()
    fulls: Kept = defaultdict(list)
    semis: Kept = defaultdict(list)
    waiting = deque(adjacent_connections(position, color))
    while waiting:
        new = waiting.popleft()
        if any(subset(old.carrier, new.carrier) for old in fulls[new.ends]):
            continue
        if new.is_full:
            _drop_supersets(fulls[new.ends], new)
            _drop_supersets(semis[new.ends], new)
            waiting.extend(_joined_by_and(new, fulls, position, captures, edge_pivot=edge_pivot))
            fulls[new.ends].append(new)
        elif not any(subset(old.carrier, new.carrier) for old in semis[new.ends]):
            _drop_supersets(semis[new.ends], new)
            waiting.extend(_joined_by_or((new,), semis[new.ends], captures(*new.ends)))
            semis[new.ends].append(new)
    return {connection for kept in (fulls, semis) for pair in kept.values() for connection in pair}


def adjacent_connections(position: Position, color: Color) -> Iterator[Connection]:
    """Yield the connections of touching points, at least one of them an empty cell."""
    for x, y in touching_points(position, color):
        yield adjacent(x, y, position.board)


def touching_points(position: Position, color: Color) -> Iterator[tuple[Point, Point]]:
    """Yield the points that touch, the smaller first, at least one of them an empty cell."""
    board, named = position.board, captains(position, color)
    for cell in position.empty.search(1):
        for point in board.neighbors(cell):
            if point in named:
                other = named[point]
                yield (cell, other) if cell < other else (other, cell)


def _joined_by_and(
    new: Connection, fulls: Kept, position: Position, captures: "_Captures", *, edge_pivot: bool
) -> Iterator[Connection]:
    for via in new.ends:
        if position.board.is_edge(via) and not edge_pivot:
            continue
        empty = via < position.board.size and bool(position.empty[via])
        for ends, kept in list(fulls.items()):
            for old in kept if via in ends else ():
                pairs = captures(new.other_end(via), old.other_end(via), via)
                conclusion = and_rule(new, old, via, position.board, empty=empty, captured=pairs)
                if conclusion:
                    yield conclusion


def _joined_by_or(
    chosen: tuple[Connection, ...], others: list[Connection], pairs: list[CellSet]
) -> Iterator[Connection]:
    """Yield what OR makes of the chosen semis and any others that each leave less in common."""
    common = reduce(and_, (semi.carrier for semi in chosen))
    for place, semi in enumerate(others):
        if subset(common, semi.carrier):
            continue
        conclusion = or_rule(*chosen, semi, captured=pairs)
        if conclusion:
            yield conclusion
        if conclusion is None or conclusion.captured:
            yield from _joined_by_or((*chosen, semi), others[place + 1 :], pairs)


class _Captures:
    """The pairs of cells that points capture; none without a position."""

    def __init__(self, position: Position | None = None, color: Color = Color.BLACK) -> None:
        self._of = {} if position is None else captures(position, color)
        self._order = {top: place for place, top in enumerate(self._of)}

    def __call__(self, *points: Point) -> list[CellSet]:
        """Return the pairs of some points, in the order in which the kernels take them."""
        tops = sorted(self._order.keys() & set(points), key=self._order.__getitem__)
        return [pair for top in tops for pair in self._of[top]]


def _drop_supersets(kept: list[Connection], new: Connection) -> None:
    kept[:] = [old for old in kept if not subset(new.carrier, old.carrier)]
