"""Leave out of a connection the filled regions that it does not need."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from hsearch.board import Color, Point
from hsearch.connection import Connection, Fill, Rule, fill_in_rule, where_premises_hold
from hsearch.position import Position
from hsearch.strategy.check import Address, CheckError, check, fills_follow

_SIMPLE = {Rule.ADJACENT, Rule.AND, Rule.OR}


def lean(position: Position, color: Color, connection: Connection) -> Connection:
    """Return a connection that needs no more cells, without regions that it stands without.

    Regions are left out one by one, the last first, and the rest is derived
    again. What names its groups by a region that is gone keeps it, so this is
    not the least there is.
    """
    if connection.rule is not Rule.FILL_IN:
        return connection
    needs = _Needs()
    place = len(connection.fills)
    while place:
        place -= 1
        if connection.fills[place].color is not color or connection.fills[place].join is None:
            continue
        found = fill_in_rule(connection.premises[0], _without(connection.fills, place), color)
        if found is not None and _holds(position, color, found, needs.of):
            connection = found
    return connection


def _without(fills: tuple[Fill, ...], place: int) -> tuple[Fill, ...]:
    after = (replace(fill, since=fill.since - (fill.since > place)) for fill in fills[place + 1 :])
    return (*fills[:place], *after)


@dataclass(frozen=True, slots=True)
class _Need:
    """Needs of a derivation on a board, apart from the empty cells that its rules join.

    points     the points that it names
    touching   those of them that have to touch
    is_simple  whether this is all, since AND and OR look at nothing else
    """

    points: frozenset[Point]
    touching: frozenset[tuple[Point, Point]]
    is_simple: bool


class _Needs:
    """Needs of derivations, found once for each. Holds state."""

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
    """Return whether a connection that held with one region more holds without.

    The steps of its premises did, so only what the board has to offer them is asked.
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
def _place(position: Position, color: Color) -> Address:
    return Address.of(position, color)
