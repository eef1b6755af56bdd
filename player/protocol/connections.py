"""Commands about connections.

Any stone of a group may stand for it, and an edge is named by its word. The
connections are found when they are first asked for.
"""

from collections.abc import Callable, Iterable
from functools import reduce
from operator import and_, or_

from hsearch.board import Color, Point
from hsearch.cells import CellSet
from hsearch.connection import Connection
from player.gtp import CommandError
from player.protocol.arguments import Arguments
from player.protocol.replies import points, record
from player.protocol.session import Session

Kind = Callable[[Session, Color, Point, Point], list[Connection]]
Kinds = tuple[Kind, ...]


def _semis(session: Session, color: Color, x: Point, y: Point) -> list[Connection]:
    return session.analysis.stores[color].semis(x, y)


FULL: Kinds = (Session.fulls,)
SEMI: Kinds = (_semis,)
BOTH: Kinds = (Session.fulls, _semis)


def between(session: Session, arguments: Arguments, kinds: Kinds = BOTH) -> str:
    """Return the connections of two points."""
    return _records(session, arguments.color(0), [_ends(session, arguments)], kinds)


def edges(session: Session, arguments: Arguments, kinds: Kinds = BOTH) -> str:
    """Return the connections of a player's edges."""
    color = arguments.color(0)
    return _records(session, color, [session.board.edges(color)], kinds)


def cell_edges(session: Session, arguments: Arguments) -> str:
    """Return the connections of a point and each of a player's edges."""
    color, point = arguments.color(0), _own(session, arguments, 1)
    pairs = [(point, edge) for edge in session.board.edges(color)]
    return _records(session, color, pairs, BOTH)


def carrier_edges(session: Session, arguments: Arguments) -> str:
    """Return the carrier of the best connection of a player's edges."""
    color = arguments.color(0)
    return _best_carriers(session, color, [session.board.edges(color)])


def carrier_cell_edges(session: Session, arguments: Arguments) -> str:
    """Return the carriers of the best connections of a point and each of a player's edges."""
    color, point = arguments.color(0), _own(session, arguments, 1)
    return _best_carriers(session, color, [(point, edge) for edge in session.board.edges(color)])


def connected(session: Session, arguments: Arguments) -> str:
    """Return the points connected to a point: of type 0 fully, of type 1 semi."""
    color, point = arguments.color(1), _own(session, arguments, 0, of=1)
    kind = arguments.count(2, most=1)
    return _connected(session, color, point, BOTH[kind])


def connected_in(session: Session, arguments: Arguments, kinds: Kinds) -> str:
    """Return the points connected to a point in one way."""
    return _connected(session, arguments.color(0), _own(session, arguments, 1), *kinds)


def common(session: Session, arguments: Arguments, kinds: Kinds = BOTH) -> str:
    """Return the cells that all connections of two points need."""
    return _joined(session, arguments, kinds, and_)


def union(session: Session, arguments: Arguments, kinds: Kinds = BOTH) -> str:
    """Return the cells that any connection of two points needs."""
    return _joined(session, arguments, kinds, or_)


def _ends(session: Session, arguments: Arguments) -> tuple[Point, Point]:
    ends, color = (_own(session, arguments, 1), _own(session, arguments, 2)), arguments.color(0)
    store = session.analysis.stores[color]
    if store.captain(ends[0]) == store.captain(ends[1]):
        names = " and ".join(map(session.board.name, ends))
        raise CommandError(f"{names} are not two of {color.word}'s to connect")
    return ends


def _own(session: Session, arguments: Arguments, place: int, of: int = 0) -> Point:
    """Return a point that the player may connect whom the argument `of` names."""
    color, point = arguments.color(of), arguments.point(place)
    if session.analysis.stores[color].captain(point) is None:
        name = session.board.name(point)
        raise CommandError(f"argument {place + 1}: {name} is not {color.word}'s to connect")
    return point


def _records(
    session: Session, color: Color, pairs: Iterable[tuple[Point, Point]], kinds: Kinds
) -> str:
    lines = [
        record(session.board, color, (x, y), connection)
        for x, y in pairs
        for kind in kinds
        for connection in kind(session, color, x, y)
    ]
    return "\n".join(["", *lines])


def _best_carriers(session: Session, color: Color, pairs: Iterable[tuple[Point, Point]]) -> str:
    carriers = (
        found.carrier
        for x, y in pairs
        for found in [*session.fulls(color, x, y)[:1], *_semis(session, color, x, y)[:1]][:1]
    )
    cells = reduce(or_, carriers, session.board.only())
    return points(session.board, cells.search(1))


def _connected(session: Session, color: Color, point: Point, kind: Kind) -> str:
    store, board = session.analysis.stores[color], session.board
    others = {store.captain(other) for other in (*board.edges(color), *board.cells)} - {None}
    reached = [
        other for other in others if other is not None and kind(session, color, point, other)
    ]
    return points(board, sorted(reached))


def _joined(
    session: Session,
    arguments: Arguments,
    kinds: Kinds,
    join: Callable[[CellSet, CellSet], CellSet],
) -> str:
    color, ends = arguments.color(0), _ends(session, arguments)
    carriers = [found.carrier for kind in kinds for found in kind(session, color, *ends)]
    cells = reduce(join, carriers) if carriers else session.board.only()
    return points(session.board, cells.search(1))
