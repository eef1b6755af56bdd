"""Check a derivation by the plain rules alone, without the kernels of H-search.

A known template has no derivation, so a kernel plays it out; if it is large, H-search finds a
derivation first, which is checked. The premise of a must-play step is checked in the position
after the key. The premises of a fill-in step are checked in the filled positions, after a check
that each region may be filled.

A derivation may come from anywhere, so no part of it is trusted: each value must
have exactly the type that the rules expect (a subclass could define its own
`__eq__`), premises must not form a cycle, and the work is bounded.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from bitarray.util import subset

from hsearch.connect import (
    Connection,
    Fill,
    Limits,
    Rule,
    exhaustive,
    fill_regions,
    inferior,
    plain,
)
from hsearch.connect.closure import closure
from hsearch.connect.connection import conclude, fill_in_rule, where_premises_hold
from hsearch.hex import Board, CellSet, Color, Point, Position, captains
from hsearch.hex.face import expect
from hsearch.hex.game import position_of
from hsearch.hex.position import subgame

MOST_WORK = 10_000_000  # premises followed; the whole store of a position has about 100,000
# Positions that a template may take: the hardest one shipped takes 2.5 million, a second at most.
MOST_POSITIONS = 50_000_000
_MOST_PLAYED = 35  # cells; a ladder of 44 takes more positions, and H-search derives it at once
_MOST_TRIES = 10_000_000  # of the rules, where H-search derives a template
# The first derives long ladders; where own stones inside them touch an edge, the others may.
_WAYS = (
    Limits(shrinking=True, steps=_MOST_TRIES),
    Limits(shrinking=True, edge_pivot=True, steps=_MOST_TRIES),
    Limits(M=100, semis=100, steps=_MOST_TRIES),
)
_PLACES_KEPT = 64  # the walk is depth first, so the next step is usually in one of the latest


class CheckError(ValueError):
    """A step of a derivation that does not hold."""


@dataclass(frozen=True, slots=True)
class OwnPoints:
    """The points of a player in a position, and those of them that touch."""

    position: Position
    empty: CellSet
    points: frozenset[Point]
    touching: frozenset[tuple[Point, Point]]

    @classmethod
    def of(cls, position: Position, color: Color) -> "OwnPoints":
        """Return a player's points."""
        points = frozenset(captains(position, color).values())
        touching = frozenset(plain.touching_points(position, color))
        return cls(position, position.empty, points, touching)


def check(
    position: Position, color: Color | str, *connections: Connection, most: int = MOST_WORK
) -> int:
    """Re-derive connections from their premises, down to points that touch.

    Return the number of different steps. Raise CheckError naming the first step that does not
    hold, premises before conclusions, or when the derivations have more than `most` premises.
    Steps and premises are counted separately for each position.

    >>> import hsearch
    >>> position = hsearch.Position.of(3, black="b2")
    >>> store = hsearch.closure(position, "black")
    >>> hsearch.check(position, "black", *store.edge_fulls)
    15
    """
    position = position_of(position)
    for connection in connections:
        expect("connections", connection, Connection, "connections, as Analysis(game).stores have")
    claims = [(connection, position) for connection in connections]
    return _derive(Color.of(color), claims, most)


def check_fills(
    position: Position, color: Color, fills: Sequence[Fill], *, most: int = MOST_WORK
) -> int:
    """Check that regions may be filled one after the other, without a gain for the player.

    The opponent's regions are not checked: filling them cannot help the player.
    Return the number of different steps in the derivations of the fulls that join the
    groups around the others. Raise CheckError when a region is not enclosed, or as
    `check` does.
    """
    for fill in fills:
        if not _is_fill(fill, position.board.size):
            raise CheckError(f"not a region of the {position.board} board: {_brief(fill)}")
    boards = fill_regions(position, fills)
    for place, fill in enumerate(fills):
        if fill.color is color and not _is_enclosed(boards, place, fill):
            names = position.board.text(fill.cells) or "no cells"
            raise CheckError(f"not enclosed by groups that are joined inside: {names}")
    joins = [(f.join, boards[f.since]) for f in fills if f.color is color and f.join is not None]
    return _derive(color, joins, most)


def _derive(color: Color, claims: list[tuple[Connection, Position]], most: int) -> int:
    """Derive connections again, each in its position; return the number of different steps.

    The walk is depth first, premises before conclusions, with an explicit stack. A step is
    *open* from when its premises are put on the stack until it is checked itself, so a premise
    that is already open rests on itself.
    """
    points_at = lru_cache(_PLACES_KEPT)(lambda number: OwnPoints.of(places[number], color))
    places: list[Position] = []
    numbers: dict[Position, int] = {}

    def number_of(position: Position) -> int:
        number = numbers.setdefault(position, len(places))
        if number == len(places):
            places.append(position)
        return number

    is_open: dict[tuple[int, int], bool] = {}  # of a step in a position; False once it is checked
    waiting = [(connection, number_of(position)) for connection, position in claims]
    work = 0
    while waiting:
        step, number = waiting[-1]
        key, position = (id(step), number), places[number]  # steps by identity, positions by value
        state = is_open.get(key)
        if state is None:
            _refuse_forged(step, position.board)
            where = where_premises_hold(position, color, step)
            # A fill-in step may have more premises than positions; its rule then rejects it.
            premises = [
                (premise, number if place is position else number_of(place))
                for premise, place in zip(step.premises, where, strict=False)
            ]
            work += 1 + len(premises)
            if work > most:
                raise CheckError(f"more than {most:,} premises to follow")
            is_open[key] = True
            states = [is_open.get((id(premise), place)) for premise, place in premises]
            if True in states:
                raise CheckError(f"rests on itself: {describe(position, step)}")
            waiting += [
                premise for premise, status in zip(premises, states, strict=True) if status is None
            ]
            continue
        waiting.pop()
        if state and not _holds(points_at(number), color, step):
            raise CheckError(f"does not follow: {describe(position, step)}")
        is_open[key] = False
    return len(is_open)


def _refuse_forged(step: Connection, board: Board) -> None:
    """Raise CheckError unless a step and all its fields have exactly the expected types."""
    size = board.size
    is_genuine = (
        type(step) is Connection
        and _is_point(step.x, size)
        and _is_point(step.y, size)
        and _is_cell_set(step.carrier, size)
        and (step.key is None or (type(step.key) is int and 0 <= step.key < size))
        and type(step.rule) is Rule
        and type(step.premises) is tuple
        and type(step.fills) is tuple
        and all(_is_fill(fill, size) for fill in step.fills)
        and all(type(premise) is Connection for premise in step.premises)
    )
    if not is_genuine:
        raise CheckError(f"not a connection of the {board} board: {_brief(step)}")


def _is_fill(fill: Fill, size: int) -> bool:
    return (
        type(fill) is Fill
        and type(fill.color) is Color
        and type(fill.groups) is tuple
        and all(_is_point(group, size) for group in fill.groups)
        and _is_cell_set(fill.cells, size)
        and (fill.join is None or type(fill.join) is Connection)
        and type(fill.since) is int
        and fill.since >= 0
    )


def _is_point(point: Point, size: int) -> bool:
    return type(point) is int and 0 <= point < size + 4


def _is_cell_set(cells: object, size: int) -> bool:
    return type(cells) is CellSet and len(cells) == size


def _brief(thing: object) -> str:
    return f"a value of type {type(thing).__name__}, or one of its fields"


def describe(position: Position, connection: Connection) -> str:
    """Return one line with a connection's ends, kind, carrier and rule."""
    board = position.board
    kind = "full" if connection.is_full else f"semi with key {board.name(connection.key or 0)}"
    ends = " to ".join(map(board.name, connection.ends))
    carrier = board.text(connection.carrier) or "no cells"
    return f"{ends}, {kind}, carrier {carrier}, by the rule {connection.rule.value!r}"


def _holds(here: OwnPoints, color: Color, step: Connection) -> bool:
    """Return whether a step fits this position and follows from its premises by its rule."""
    position = here.position
    if not ({step.x, step.y} <= here.points and subset(step.carrier, here.empty)):
        return False
    if step.fills and step.rule is not Rule.FILL_IN:
        return False
    match step.rule:
        case Rule.ADJACENT:
            is_bare = step.is_full and not step.carrier.any() and not step.premises
            return is_bare and step.ends in here.touching
        case Rule.TEMPLATE:
            return not step.premises and _survives_play(position, color, step)
        case Rule.FILL_IN:
            return fills_follow(position, color, step)
        case _:
            return conclude(step, step.premises, position, color) == step


def _survives_play(position: Position, color: Color, step: Connection) -> bool:
    """Return whether a full holds against every line of play in its carrier.

    A derivation of a large one suffices. Raise CheckError when there is none, and
    `MOST_POSITIONS` are too few for an answer.
    """
    if not step.is_full or any(position.board.contains(step.carrier, end) for end in step.ends):
        return False
    if step.carrier.count() > _MOST_PLAYED and _is_derived(position, color, step):
        return True
    joined = None
    with suppress(ValueError):  # more cells and groups than can be played out
        game = exhaustive.JoinGame(position, color, step.ends, step.carrier)
        joined = game.play(budget=MOST_POSITIONS).joined
    if joined is None:
        steps = describe(position, step)
        raise CheckError(f"not played out within {MOST_POSITIONS:,} positions: {steps}")
    return joined


def _is_derived(position: Position, color: Color, step: Connection) -> bool:
    """Return whether H-search joins the ends inside the carrier; its derivation is checked."""
    alone = subgame(position, color, step.carrier, *step.ends)
    stores = (closure(alone, color, limits) for limits in _WAYS)
    full = next((full for store in stores for full in store.fulls(*step.ends)), None)
    if full is None:
        return False
    check(alone, color, full)
    return full.ends == step.ends and subset(full.carrier, step.carrier)


def fills_follow(position: Position, color: Color, step: Connection) -> bool:
    """Return whether the regions of a step may be filled in order, and the step then follows.

    The opponent's regions are not checked: filling them cannot help the player.
    """
    boards = fill_regions(position, step.fills)
    joins = []
    for place, fill in enumerate(step.fills):
        if fill.color is color:
            if not _is_enclosed(boards, place, fill):
                return False
            joins += [] if fill.join is None else [fill.join]
    premises = (*step.premises[:1], *joins)
    if (
        not step.premises
        or len(premises) != len(step.premises)
        or step.ends != position.board.edges(color)
    ):
        return False
    if any(one is not other for one, other in zip(premises, step.premises, strict=True)):
        return False
    return fill_in_rule(step.premises[0], step.fills, color) == step


def _is_enclosed(boards: list[Position], place: int, fill: Fill) -> bool:
    """Return whether groups enclose a region in its turn; the full that joins two is not derived.

    `boards` are the positions before the first region is filled, and after each.
    """
    if not 0 <= fill.since <= place:
        return False
    around = inferior.members(boards[fill.since], fill.color, fill.groups)
    region = inferior.largest_region(boards[place], fill.color, around)
    if fill.join is None:
        return len(fill.groups) == 1 and subset(fill.cells, region)
    is_join = fill.join.is_full and fill.join.ends == fill.groups
    return is_join and subset(fill.cells, region) and subset(fill.join.carrier, fill.cells)
