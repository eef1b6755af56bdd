"""Check a derivation by the plain rules alone, without the kernels of H-search.

A known template is not derived, so it is played out; the premise of a must-play
step is checked in the position after the key. Opponent's stones that four of
the owner's enclose count as the owner's, since their color does not matter.
"""

from dataclasses import dataclass

from bitarray.util import subset

from hsearch.board import Color, Point
from hsearch.closure.plain import adjacent_connections
from hsearch.connection import Connection, Rule, and_rule, mustplay_rule, or_rule
from hsearch.deduction import exhaustive
from hsearch.inferior.captured import is_captured, without_dead
from hsearch.position import Position, captains


class CheckError(ValueError):
    """A step of a derivation that does not hold."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A position in which steps are checked: its points, and those of them that touch."""

    position: Position
    points: frozenset[Point]
    touching: frozenset[Connection]

    @classmethod
    def of(cls, position: Position, color: Color) -> "_Place":
        points = frozenset(captains(position, color).values())
        return cls(position, points, frozenset(adjacent_connections(position, color)))


def check(position: Position, color: Color, *connections: Connection) -> int:
    """Re-derive connections from their premises, down to points that touch.

    Return the number of different steps. Raise CheckError naming the first
    step that does not hold, premises before what rests on them.
    """
    position = without_dead(position, color)
    places = {position: _Place.of(position, color)}
    checked: set[tuple[int, int]] = set()
    waiting = [(connection, places[position]) for connection in connections]
    while waiting:
        step, here = waiting[-1]
        there = here
        if step.rule is Rule.MUSTPLAY:
            after = _after_key(here.position, color, step)
            if after not in places:
                places[after] = _Place.of(after, color)
            there = places[after]
        unchecked = [(p, there) for p in step.premises if (id(p), id(there)) not in checked]
        if unchecked:
            waiting.extend(unchecked)
            continue
        waiting.pop()
        if (id(step), id(here)) in checked:
            continue
        checked.add((id(step), id(here)))
        stands_on_points = {step.x, step.y} <= here.points
        if not (stands_on_points and subset(step.carrier, here.position.empty)):
            raise CheckError(f"does not follow: {describe(here.position, step)}")
        if not _follows(here, color, step):
            raise CheckError(f"does not follow: {describe(here.position, step)}")
    return len(checked)


def describe(position: Position, connection: Connection) -> str:
    """Return one line that says what a connection promises and by which rule."""
    board = position.board
    kind = "full" if connection.is_full else f"semi with key {board.name(connection.key or 0)}"
    ends = " to ".join(map(board.name, connection.ends))
    carrier = " ".join(board.names(connection.carrier)) or "no cells"
    return f"{ends}, {kind}, carrier {carrier}, by the rule {connection.rule.value!r}"


def _after_key(position: Position, color: Color, step: Connection) -> Position:
    """Return where the premise of a must-play step holds."""
    if step.key is None or not position.is_legal(step.key):
        return position
    return position.put(step.key, color)


def _follows(here: _Place, color: Color, step: Connection) -> bool:
    """Return whether the rule of a step makes it of its premises."""
    position = here.position
    match step.rule:
        case Rule.ADJACENT:
            return step in here.touching
        case Rule.TEMPLATE:
            has_ends = not any(position.board.holds(step.carrier, end) for end in step.ends)
            return step.is_full and has_ends and exhaustive.holds(position, color, step)
        case Rule.MUSTPLAY:
            if len(step.premises) != 1 or step.key is None or not position.is_legal(step.key):
                return False
            (full,) = step.premises
            return mustplay_rule(full, step.x, step.y, step.key, position, color) == step
        case Rule.OR | Rule.CAPTURED_OR:
            return _captures(here, color, step, *step.ends) and (
                or_rule(*step.premises, captured=step.captured) == step
            )
        case Rule.AND | Rule.CAPTURED_AND:
            return _and(here, color, step) == step


def _captures(here: _Place, color: Color, step: Connection, *points: Point) -> bool:
    """Return whether a step's pairs are captured once some points are the owner's."""
    position = here.position
    tops = position.board.only(*(point for point in points if point < position.board.size))
    return all(pair.any() and is_captured(position, color, pair, tops) for pair in step.captured)


def _and(here: _Place, color: Color, step: Connection) -> Connection | None:
    """Return what the AND rule makes of the premises of a step."""
    position = here.position
    if len(step.premises) != 2:
        return None
    first, second = step.premises
    shared = set(first.ends) & set(second.ends)
    if len(shared) != 1:
        return None
    (via,) = shared
    empty = via < position.board.size and bool(position.empty[via])
    if not _captures(here, color, step, *step.ends, *((via,) if empty else ())):
        return None
    return and_rule(first, second, via, position.board, empty=empty, captured=step.captured)
