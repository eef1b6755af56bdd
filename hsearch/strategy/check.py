"""Check a derivation by the plain rules alone, without the kernels of H-search.

A known template is not derived, so it is played out; the premise of a must-play
step is checked in the position after the key, and those of a fill-in step on the
boards that its regions leave, whose condition is looked at anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bitarray.util import subset

from hsearch.board import Color, Point
from hsearch.closure.plain import touching_points
from hsearch.connection import (
    Connection,
    Fill,
    Rule,
    conclude,
    fill_in_rule,
    filled,
    where_premises_hold,
)
from hsearch.deduction import exhaustive
from hsearch.inferior import enclosed, members
from hsearch.position import Position, captains


class CheckError(ValueError):
    """A step of a derivation that does not hold."""


@dataclass(frozen=True, slots=True)
class Address:
    """A position in which steps are checked: its points, and those of them that touch."""

    position: Position
    points: frozenset[Point]
    touching: frozenset[tuple[Point, Point]]

    @classmethod
    def of(cls, position: Position, color: Color) -> "Address":
        """Look at a position as a player does."""
        points = frozenset(captains(position, color).values())
        return cls(position, points, frozenset(touching_points(position, color)))


def check(position: Position, color: Color, *connections: Connection) -> int:
    """Re-derive connections from their premises, down to points that touch.

    Return the number of different steps. Raise CheckError naming the first
    step that does not hold, premises before what rests on them.
    """
    return _derive(color, [(connection, position) for connection in connections])


def check_fills(position: Position, color: Color, fills: Sequence[Fill]) -> int:
    """Check that some regions may be filled one after the other, without a gain for their owner.

    Those of the opponent need no reason: they may be given what they like. Return
    the number of different steps in the derivations of what joins the groups
    around the others. Raise CheckError when a region is not enclosed, or naming
    the first step that does not hold.
    """
    boards = filled(position, fills)
    for place, fill in enumerate(fills):
        if fill.color is color and not _is_enclosed(boards, place, fill):
            names = " ".join(position.board.names(fill.cells)) or "no cells"
            raise CheckError(f"not enclosed by groups that are joined inside: {names}")
    joins = [(f.join, boards[f.since]) for f in fills if f.color is color and f.join is not None]
    return _derive(color, joins)


def _derive(color: Color, asked: list[tuple[Connection, Position]]) -> int:
    """Derive connections again, each in its position; return the number of different steps."""
    places = {position: Address.of(position, color) for position in {place for _, place in asked}}
    checked: set[tuple[int, int]] = set()
    waiting = [(connection, places[position]) for connection, position in asked]
    while waiting:
        step, here = waiting[-1]
        unchecked = []
        for premise, where in zip(
            step.premises, where_premises_hold(here.position, color, step), strict=False
        ):
            if where is here.position:
                there = here
            elif where in places:
                there = places[where]
            else:
                there = places[where] = Address.of(where, color)
            if (id(premise), id(there)) not in checked:
                unchecked.append((premise, there))
        if unchecked:
            waiting.extend(unchecked)
            continue
        waiting.pop()
        if (id(step), id(here)) in checked:
            continue
        checked.add((id(step), id(here)))
        if not (_stands(here, step) and _follows(here, color, step)):
            raise CheckError(f"does not follow: {describe(here.position, step)}")
    return len(checked)


def _stands(here: Address, step: Connection) -> bool:
    """Return whether a step is about points of a position, and its carrier is empty there."""
    return {step.x, step.y} <= here.points and subset(step.carrier, here.position.empty)


def describe(position: Position, connection: Connection) -> str:
    """Return one line that says what a connection promises and by which rule."""
    board = position.board
    kind = "full" if connection.is_full else f"semi with key {board.name(connection.key or 0)}"
    ends = " to ".join(map(board.name, connection.ends))
    carrier = " ".join(board.names(connection.carrier)) or "no cells"
    return f"{ends}, {kind}, carrier {carrier}, by the rule {connection.rule.value!r}"


def _follows(here: Address, color: Color, step: Connection) -> bool:
    """Return whether the rule of a step makes it of its premises."""
    position = here.position
    match step.rule:
        case Rule.ADJACENT:
            is_bare = step.is_full and not step.carrier.any()
            return is_bare and step.ends in here.touching
        case Rule.TEMPLATE:
            has_ends = not any(position.board.contains(step.carrier, end) for end in step.ends)
            return step.is_full and has_ends and exhaustive.holds(position, color, step)
        case Rule.FILL_IN:
            return fills_follow(position, color, step)
        case _:
            return conclude(step, step.premises, position, color) == step


def fills_follow(position: Position, color: Color, step: Connection) -> bool:
    """Return whether regions may be filled one after the other, and the step says what follows.

    What is given to the opponent needs no reason.
    """
    boards = filled(position, step.fills)
    joins = []
    for place, fill in enumerate(step.fills):
        if fill.color is color:
            if not _is_enclosed(boards, place, fill):
                return False
            joins += [] if fill.join is None else [fill.join]
    premises = (*step.premises[:1], *joins)
    if len(premises) != len(step.premises) or step.ends != position.board.edges(color):
        return False
    if any(one is not other for one, other in zip(premises, step.premises, strict=True)):
        return False
    return fill_in_rule(step.premises[0], step.fills, color) == step


def _is_enclosed(boards: list[Position], place: int, fill: Fill) -> bool:
    """Return whether groups enclose a region in its turn; the full that joins two is not checked.

    `boards` are those before the first region is filled, and after each.
    """
    if not 0 <= fill.since <= place:
        return False
    around = members(boards[fill.since], fill.color, fill.groups)
    region = enclosed(boards[place], fill.color, around)
    if fill.join is None:
        return len(fill.groups) == 1 and subset(fill.cells, region)
    is_join = fill.join.is_full and fill.join.ends == fill.groups
    return is_join and subset(fill.cells, region) and subset(fill.join.carrier, fill.cells)
