"""Connections of a filled board, without the regions that they do not need."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from hsearch.connect import Connection, Fill, Rule
from hsearch.connect.connection import fill_in_rule, steps_of, where_premises_hold
from hsearch.hex import Color, Point, Position
from hsearch.strategy.check import CheckError, OwnPoints, check, fills_follow

_SIMPLE = {Rule.ADJACENT, Rule.AND, Rule.OR}


def drop_needless_regions(position: Position, color: Color, connection: Connection) -> Connection:
    """Return a connection without the filled regions that it does not need.

    Its carrier does not grow. Regions are left out one by one, the last first, and
    the rest is derived again. A region stays if later groups are named by its
    cells, so the result need not be minimal.
    """
    if connection.rule is not Rule.FILL_IN:
        return connection
    needs = {id(premise): _need(premise) for premise in connection.premises}
    place = len(connection.fills)
    while place:
        place -= 1
        if connection.fills[place].color is not color or connection.fills[place].join is None:
            continue
        conclusion = fill_in_rule(connection.premises[0], _without(connection.fills, place), color)
        if conclusion is None:
            continue
        if _holds(position, color, conclusion, [needs[id(each)] for each in conclusion.premises]):
            connection = conclusion
    return connection


def _without(fills: tuple[Fill, ...], place: int) -> tuple[Fill, ...]:
    after = (replace(fill, since=fill.since - (fill.since > place)) for fill in fills[place + 1 :])
    return (*fills[:place], *after)


@dataclass(frozen=True, slots=True)
class _Need:
    """What a derivation needs of a position, apart from empty cells.

    points     the points that it names
    pivots     those of them that must be stones or edges
    touching   the pairs of them that must touch
    is_simple  whether it needs no more, as it uses only AND and OR
    """

    points: frozenset[Point]
    pivots: frozenset[Point]
    touching: frozenset[tuple[Point, Point]]
    is_simple: bool


def _need(connection: Connection) -> _Need:
    """Return what the derivation of a connection needs."""
    steps = steps_of(connection)
    return _Need(
        frozenset(end for step in steps for end in step.ends),
        frozenset(_pivot(step) for step in steps if step.rule is Rule.AND and step.is_full),
        frozenset(step.ends for step in steps if step.rule is Rule.ADJACENT),
        all(step.rule in _SIMPLE for step in steps),
    )


def _pivot(step: Connection) -> Point:
    """Return the point through which AND joined two fulls."""
    first, second = step.premises
    return first.x if first.x in second.ends else first.y


def _holds(
    position: Position, color: Color, connection: Connection, needs: Sequence[_Need]
) -> bool:
    """Return whether a connection that held with one more region holds without it.

    The steps of its premises held, so only their `needs` are checked in the new positions.
    """
    try:
        if not all(need.is_simple for need in needs):
            check(position, color, connection)
            return True
        places = [
            _place(board, color) for board in where_premises_hold(position, color, connection)
        ]
        return all(
            need.points <= place.points
            and need.touching <= place.touching
            and not any(place.position.is_legal(pivot) for pivot in need.pivots)
            for need, place in zip(needs, places, strict=True)
        ) and fills_follow(position, color, connection)
    except (CheckError, KeyError):
        return False


_place = lru_cache(maxsize=100)(OwnPoints.of)
