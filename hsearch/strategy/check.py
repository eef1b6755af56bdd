"""Check a derivation by the plain rules alone, without the kernels of H-search.

A known template is not derived, so it is played out; the premise of a must-play
step is checked in the position after the key.
"""

from functools import cache

from bitarray.util import subset

from hsearch.board import Color, Point
from hsearch.closure.plain import adjacent_connections
from hsearch.connection import Connection, Rule, and_rule, mustplay_rule, or_rule
from hsearch.deduction import exhaustive
from hsearch.position import Position, captains


class CheckError(ValueError):
    """A step of a derivation that does not hold."""


def check(position: Position, color: Color, *connections: Connection) -> int:
    """Re-derive connections from their premises, down to points that touch.

    Return the number of different steps. Raise CheckError naming the first
    step that does not hold, premises before what rests on them.
    """

    @cache
    def base(here: Position) -> tuple[set[Point], set[Connection]]:
        return set(captains(here, color).values()), set(adjacent_connections(here, color))

    checked: set[tuple[int, Position]] = set()
    waiting = [(connection, position) for connection in connections]
    while waiting:
        step, here = waiting[-1]
        there = _position_of_premises(here, color, step)
        unchecked = [(p, there) for p in step.premises if (id(p), there) not in checked]
        if unchecked:
            waiting.extend(unchecked)
            continue
        waiting.pop()
        if (id(step), here) in checked:
            continue
        checked.add((id(step), here))
        points, touching = base(here)
        stands_on_points = {step.x, step.y} <= points and subset(step.carrier, here.empty)
        if not stands_on_points or not _follows(here, color, step, touching):
            raise CheckError(f"does not follow: {describe(here, step)}")
    return len(checked)


def describe(position: Position, connection: Connection) -> str:
    """Return one line that says what a connection promises and by which rule."""
    board = position.board
    kind = "full" if connection.is_full else f"semi with key {board.name(connection.key or 0)}"
    ends = " to ".join(map(board.name, connection.ends))
    carrier = " ".join(board.names(connection.carrier)) or "no cells"
    return f"{ends}, {kind}, carrier {carrier}, by the rule {connection.rule.value!r}"


def _position_of_premises(position: Position, color: Color, step: Connection) -> Position:
    """Return where the premises of a step hold."""
    if step.rule is not Rule.MUSTPLAY or step.key is None or not position.is_legal(step.key):
        return position
    return position.put(step.key, color)


def _follows(position: Position, color: Color, step: Connection, touching: set[Connection]) -> bool:
    """Return whether the rule of a step makes it of its premises."""
    match step.rule:
        case Rule.ADJACENT:
            return step in touching
        case Rule.TEMPLATE:
            has_ends = not any(position.board.holds(step.carrier, end) for end in step.ends)
            return step.is_full and has_ends and exhaustive.holds(position, color, step)
        case Rule.MUSTPLAY:
            if len(step.premises) != 1 or step.key is None or not position.is_legal(step.key):
                return False
            (full,) = step.premises
            return mustplay_rule(full, step.x, step.y, step.key, position, color) == step
        case Rule.OR:
            return or_rule(*step.premises) == step
        case Rule.AND:
            return _and(position, step) == step


def _and(position: Position, step: Connection) -> Connection | None:
    """Return what the AND rule makes of the premises of a step."""
    if len(step.premises) != 2:
        return None
    first, second = step.premises
    shared = set(first.ends) & set(second.ends)
    if len(shared) != 1:
        return None
    (via,) = shared
    empty = via < position.board.size and bool(position.empty[via])
    return and_rule(first, second, via, position.board, empty=empty)
