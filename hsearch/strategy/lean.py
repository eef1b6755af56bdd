"""Connections without needless regions, and the depth of a connection in moves."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from hsearch.connect.connection import Connection, Fill, Rule, fill_in_rule, where_premises_hold
from hsearch.hex.board import Color, Point, to_number
from hsearch.hex.position import Position, captains
from hsearch.strategy.check import CheckError, OwnPoints, check, fills_follow

_SIMPLE = {Rule.ADJACENT, Rule.AND, Rule.OR}


def lean(position: Position, color: Color, connection: Connection) -> Connection:
    """Return a connection without the filled regions that it does not need.

    Its carrier does not grow. Regions are left out one by one, the last first, and
    the rest is derived again. A region stays if later groups are named by its
    cells, so the result need not be minimal.
    """
    if connection.rule is not Rule.FILL_IN:
        return connection
    needs = _Needs()
    place = len(connection.fills)
    while place:
        place -= 1
        if connection.fills[place].color is not color or connection.fills[place].join is None:
            continue
        conclusion = fill_in_rule(connection.premises[0], _without(connection.fills, place), color)
        if conclusion is not None and _holds(position, color, conclusion, needs.of):
            connection = conclusion
    return connection


def _without(fills: tuple[Fill, ...], place: int) -> tuple[Fill, ...]:
    after = (replace(fill, since=fill.since - (fill.since > place)) for fill in fills[place + 1 :])
    return (*fills[:place], *after)


@dataclass(frozen=True, slots=True)
class _Need:
    """What a derivation needs of a position, apart from empty cells.

    points     the points that it names
    touching   the pairs of them that must touch
    is_simple  whether it needs no more, as it uses only AND and OR
    """

    points: frozenset[Point]
    touching: frozenset[tuple[Point, Point]]
    is_simple: bool


class _Needs:
    """Needs of derivations, computed once for each. Holds state."""

    def __init__(self) -> None:
        self._known: dict[int, _Need] = {}

    def of(self, connection: Connection) -> _Need:
        """Return what the derivation of a connection needs."""
        if id(connection) not in self._known:
            steps = list(_steps(connection))
            self._known[id(connection)] = _Need(
                frozenset(end for step in steps for end in step.ends),
                frozenset(step.ends for step in steps if step.rule is Rule.ADJACENT),
                all(step.rule in _SIMPLE for step in steps),
            )
        return self._known[id(connection)]


def _steps(connection: Connection) -> Iterator[Connection]:
    seen: set[int] = set()
    waiting = [connection]
    while waiting:
        step = waiting.pop()
        if id(step) not in seen:
            seen.add(id(step))
            yield step
            waiting.extend(step.premises)


def _holds(
    position: Position, color: Color, connection: Connection, need_of: Callable[[Connection], _Need]
) -> bool:
    """Return whether a connection that held with one more region holds without it.

    The steps of its premises held, so only their needs are checked in the new positions.
    """
    needs = [need_of(premise) for premise in connection.premises]
    try:
        if not all(need.is_simple for need in needs):
            check(position, color, connection)
            return True
        places = [
            _place(board, color) for board in where_premises_hold(position, color, connection)
        ]
        return all(
            need.points <= place.points and need.touching <= place.touching
            for need, place in zip(needs, places, strict=True)
        ) and fills_follow(position, color, connection)
    except (CheckError, KeyError):
        return False


@lru_cache(maxsize=100)
def _place(position: Position, color: Color) -> OwnPoints:
    return OwnPoints.of(position, color)


# The depth of a connection: how many moves it takes until stones join its ends.
#
# Both players play perfectly, inside the carrier: the owner to join soon, the
# opponent to delay that (Anshelevich 2002). Touching points have depth 0, a bridge 2.

MOST_CELLS = 10  # of a carrier; every line of play in it is searched


def depth(position: Position, color: Color, connection: Connection) -> int | None:
    """Return the moves until a connection is solid; None if its carrier has over MOST_CELLS cells.

    The opponent moves first; in a semi, the owner. Raise ValueError if the opponent
    can cut it, so that it is not a connection.
    """
    if connection.carrier.count() > MOST_CELLS:
        return None
    play = _Play(position, color, connection)
    carrier = to_number(connection.carrier)
    moves = play.attacked(carrier, 0) if connection.is_full else play.owned(carrier, 0)
    if math.isinf(moves):
        raise ValueError("no connection: the opponent can cut it")
    return int(moves)


class _Play:
    """All lines of play inside a carrier; the cells left, and the owner's, are sets of bits."""

    def __init__(self, position: Position, color: Color, connection: Connection) -> None:
        captain_of = captains(position, color)
        self.board = position.board
        self.cells = list(connection.carrier.search(1))
        self.x, self.y = (
            {end, *(point for point, captain in captain_of.items() if captain == end)}
            for end in connection.ends
        )
        stones = position.stones(color).search(1)
        self.stones: set[Point] = {*stones, *self.board.edges(color), *self.x, *self.y}
        self.joins = cache(self._joins)
        self.attacked = cache(self._attacked)
        self.owned = cache(self._owned)

    def _attacked(self, left: int, own: int) -> float:
        """Return the moves until the ends are joined, the opponent to move."""
        if self.joins(own):
            return 0
        if not self.joins(own | left):
            return math.inf
        return max((1 + self.owned(left & ~bit, own) for bit in self._bits(left)), default=math.inf)

    def _owned(self, left: int, own: int) -> float:
        """Return the moves until the ends are joined, the owner to move."""
        after = (self.attacked(left & ~bit, own | bit) for bit in self._bits(left))
        return 1 + min(after, default=math.inf)

    def _bits(self, left: int) -> list[int]:
        return [1 << cell for cell in self.cells if left >> cell & 1]

    def _joins(self, own: int) -> bool:
        allowed = self.stones | {cell for cell in self.cells if own >> cell & 1}
        reached, new = set(self.x), list(self.x)
        while new:
            touched = {point for point in self.board.neighbors(new.pop()) if point in allowed}
            new += touched - reached
            reached |= touched
        return not reached.isdisjoint(self.y)
