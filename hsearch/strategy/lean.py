"""Leave out of a connection the filled regions that it does not need."""

from dataclasses import replace

from hsearch.board import Color
from hsearch.connection import Connection, Fill, Rule, fill_in_rule
from hsearch.position import Position
from hsearch.strategy.check import CheckError, check


def lean(position: Position, color: Color, connection: Connection) -> Connection:
    """Return a connection that needs no more cells, without regions that it stands without.

    Regions are left out one by one, the last first, and the rest is derived
    again. What names its groups by a region that is gone keeps it, so this is
    not the least there is.
    """
    if connection.rule is not Rule.FILL_IN:
        return connection
    place = len(connection.fills)
    while place:
        place -= 1
        if connection.fills[place].color is not color or connection.fills[place].join is None:
            continue
        found = fill_in_rule(connection.premises[0], _without(connection.fills, place), color)
        if found is not None and _holds(position, color, found):
            connection = found
    return connection


def _without(fills: tuple[Fill, ...], place: int) -> tuple[Fill, ...]:
    after = (replace(fill, since=fill.since - (fill.since > place)) for fill in fills[place + 1 :])
    return (*fills[:place], *after)


def _holds(position: Position, color: Color, connection: Connection) -> bool:
    try:
        check(position, color, connection)
    except (CheckError, KeyError):
        return False
    return True
