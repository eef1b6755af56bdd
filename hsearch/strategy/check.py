"""Check a derivation by the plain rules alone, without the kernels."""

from bitarray.util import subset

from hsearch.board import Color
from hsearch.closure.plain import adjacent_connections
from hsearch.connection import Connection, Rule, and_rule, or_rule
from hsearch.position import Position, captains


class CheckError(ValueError):
    """A step of a derivation that does not hold."""


def check(position: Position, color: Color, *connections: Connection) -> int:
    """Re-derive connections from their premises, down to points that touch.

    Return the number of different steps. Raise CheckError naming the first
    step that does not hold, premises before what rests on them.
    """
    points = set(captains(position, color).values())
    touching = set(adjacent_connections(position, color))
    checked: set[int] = set()
    waiting = list(connections)
    while waiting:
        step = waiting[-1]
        unchecked = [premise for premise in step.premises if id(premise) not in checked]
        if unchecked:
            waiting.extend(unchecked)
            continue
        if id(waiting.pop()) in checked:
            continue
        checked.add(id(step))
        stands_on_points = {step.x, step.y} <= points and subset(step.carrier, position.empty)
        derived = (
            step in touching if step.rule is Rule.ADJACENT else _derive(position, step) == step
        )
        if not (stands_on_points and derived):
            raise CheckError(f"does not follow: {describe(position, step)}")
    return len(checked)


def describe(position: Position, connection: Connection) -> str:
    """Return one line that says what a connection promises and by which rule."""
    board = position.board
    kind = "full" if connection.is_full else f"semi with key {board.name(connection.key or 0)}"
    ends = " to ".join(map(board.name, connection.ends))
    carrier = " ".join(board.names(connection.carrier)) or "no cells"
    return f"{ends}, {kind}, carrier {carrier}, by the rule {connection.rule.value!r}"


def _derive(position: Position, step: Connection) -> Connection | None:
    """Return what the rule of a step makes of its premises."""
    if step.rule is Rule.OR:
        return or_rule(*step.premises)
    if len(step.premises) != 2:
        return None
    first, second = step.premises
    shared = set(first.ends) & set(second.ends)
    if len(shared) != 1:
        return None
    (via,) = shared
    empty = via < position.board.size and bool(position.empty[via])
    return and_rule(first, second, via, position.board, empty=empty)
