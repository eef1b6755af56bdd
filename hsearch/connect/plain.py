"""The closure in short plain Python, without limits.

It defines what the kernels must find. Its queue is first come, first served;
the result does not depend on the order. White's game is not transposed, as it
is for the kernels. Boards beyond 4x4 are too large.
"""

from collections import defaultdict, deque
from collections.abc import Iterator
from functools import reduce
from operator import and_

from bitarray.util import subset

from hsearch.connect.connection import Connection, adjacent, and_rule, or_rule
from hsearch.hex import Color, Point, Position, captains

ByEnds = dict[tuple[Point, Point], list[Connection]]


def plain_closure(position: Position, color: Color, *, edge_pivot: bool = False) -> set[Connection]:
    """Return all minimal connections of a player that the AND and OR rules derive."""
    fulls: ByEnds = defaultdict(list)
    semis: ByEnds = defaultdict(list)
    waiting = deque(adjacent_connections(position, color))
    while waiting:
        new = waiting.popleft()
        if any(subset(old.carrier, new.carrier) for old in fulls[new.ends]):
            continue
        if new.is_full:
            _drop_supersets(fulls[new.ends], new)
            _drop_supersets(semis[new.ends], new)
            waiting.extend(_apply_and(new, fulls, position, edge_pivot=edge_pivot))
            fulls[new.ends].append(new)
        elif not any(subset(old.carrier, new.carrier) for old in semis[new.ends]):
            _drop_supersets(semis[new.ends], new)
            waiting.extend(_apply_or((new,), semis[new.ends]))
            semis[new.ends].append(new)
    return {
        connection for by_ends in (fulls, semis) for pair in by_ends.values() for connection in pair
    }


def adjacent_connections(position: Position, color: Color) -> Iterator[Connection]:
    """Yield the connections of touching points, at least one of them an empty cell."""
    for x, y in touching_points(position, color):
        yield adjacent(x, y, position.board)


def touching_points(position: Position, color: Color) -> Iterator[tuple[Point, Point]]:
    """Yield the points that touch, the smaller first, at least one of them an empty cell."""
    board, captain_of = position.board, captains(position, color)
    for cell in position.empty.search(1):
        for point in board.neighbors(cell):
            if point in captain_of:
                other = captain_of[point]
                yield (cell, other) if cell < other else (other, cell)


def _apply_and(
    new: Connection, fulls: ByEnds, position: Position, *, edge_pivot: bool
) -> Iterator[Connection]:
    for via in new.ends:
        if position.board.is_edge(via) and not edge_pivot:
            continue
        empty = via < position.board.size and bool(position.empty[via])
        for ends, carriers in list(fulls.items()):
            for old in carriers if via in ends else ():
                conclusion = and_rule(new, old, via, position.board, empty=empty)
                if conclusion:
                    yield conclusion


def _apply_or(choice: tuple[Connection, ...], others: list[Connection]) -> Iterator[Connection]:
    """Yield OR's conclusions from the chosen semis and others that each shrink the intersection."""
    common = reduce(and_, (semi.carrier for semi in choice))
    for place, semi in enumerate(others):
        if subset(common, semi.carrier):
            continue
        conclusion = or_rule(*choice, semi)
        if conclusion:
            yield conclusion
        else:
            yield from _apply_or((*choice, semi), others[place + 1 :])


def _drop_supersets(connections: list[Connection], new: Connection) -> None:
    connections[:] = [old for old in connections if not subset(new.carrier, old.carrier)]
