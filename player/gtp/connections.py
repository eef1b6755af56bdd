"""Commands about connections, the must-play region, and inferior cells.

A handler raises CommandError when it cannot answer; the message is the reply of failure.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import reduce
from operator import and_, or_

from hsearch.connect.connection import Connection
from hsearch.hex.board import Cell, CellSet, Color, Point
from hsearch.hex.position import Position
from player.answers.objects import wrapped
from player.gtp.arguments import (
    OUTSIDE,
    Arguments,
    at_other_turns,
    mover,
    pairs,
    points,
    record,
)
from player.gtp.serving import CommandError
from player.gtp.session import Session


def position(session: Session, arguments: Arguments) -> str:
    """Return who is proved to win or stands better, where to play, and the reasons."""
    from player.answers.analysis import (  # noqa: PLC0415 - loads numba
        before_swap,
        estimate,
        mustplay,
        proof_of,
        technical,
        unless_swapped,
        verdict,
        weakest,
    )

    analysis = session.analysis_of(mover(session, arguments))
    unless = unless_swapped(analysis)
    lines = [*before_swap(analysis), unless + verdict(analysis, is_shown=False)]
    proof = proof_of(analysis)
    if proof is not None:
        lines.append(f"It needs {' '.join(session.board.names(proof.carrier))}.")
    if analysis.winner is None:
        lines.append(unless + estimate(analysis))
    if session.won_by is None:
        lines += [unless + mustplay(analysis, is_shown=False), weakest(analysis)]
    lines.append(technical(analysis, is_proved=analysis.standing is not None))
    return wrapped([*at_other_turns(session), *lines])


def connection(session: Session, arguments: Arguments) -> str:
    """Return why two points are connected, or what they lack."""
    from player.answers.connection import (  # noqa: PLC0415 - for a quick start
        ask,
        statements,
    )
    from player.answers.limits import HSearchOptions  # noqa: PLC0415

    color, x, y = arguments.color(0), _own(session, arguments, 1), _own(session, arguments, 2)
    if x == y:
        name = session.board.name(x)
        raise CommandError(f"{name} and {name} are not two of {color.word}'s to connect")
    analysis = session.analysis
    store = analysis.stores[color]
    options = HSearchOptions.used_by(analysis)
    question = ask(session.position, None, color, (x, y), options, store=store)
    said = statements(question, question.why(), question.lack())
    return wrapped([*at_other_turns(session), *said])


# Connections.
#
# Any stone may name its group, and a word names an edge. The first query computes
# the connections.

Kind = Callable[[Session, Color, Point, Point], list[Connection]]
Kinds = tuple[Kind, ...]


def _semis(session: Session, color: Color, x: Point, y: Point) -> list[Connection]:
    return session.analysis.stores[color].semis(x, y)


FULL: Kinds = (Session.fulls,)
SEMI: Kinds = (_semis,)
BOTH: Kinds = (Session.fulls, _semis)


def between(session: Session, arguments: Arguments, kinds: Kinds = BOTH) -> str:
    """Return the connections of two points, as HexGui's records: fulls, semis or both."""
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
    """Return the points connected to a point: by fulls (type 0) or semis (type 1)."""
    color, point = arguments.color(1), _own(session, arguments, 0, of=1)
    kind = arguments.count(2, most=1)
    return _connected(session, color, point, BOTH[kind])


def connected_in(session: Session, arguments: Arguments, kinds: Kinds) -> str:
    """Return the points connected to a point by one kind of connection."""
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
    """Return a point that may be an end for the player named by argument `of`."""
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
        connection.carrier
        for x, y in pairs
        for connection in [*session.fulls(color, x, y)[:1], *_semis(session, color, x, y)[:1]][:1]
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
    carriers = [connection.carrier for kind in kinds for connection in kind(session, color, *ends)]
    cells = reduce(join, carriers) if carriers else session.board.only()
    return points(session.board, cells.search(1))


# Commands about the must-play region.


def outside(session: Session, arguments: Arguments) -> str:
    """Return the empty cells outside the must-play region of a player."""
    region = session.analysis_of(arguments.color(0)).mustplay
    beyond = session.position.empty & ~region.cells
    return pairs(session.board, ((cell, OUTSIDE) for cell in beyond.search(1)))


def cells(session: Session, arguments: Arguments) -> str:
    """Return the must-play region of a player."""
    region = session.analysis_of(arguments.color(0)).mustplay
    return points(session.board, region.cells.search(1))


# Commands about inferior cells, in the codes that HexGui paints.

# Both versions of HexGui paint a stone of the color; for a dead cell either color would do.
CAPTURED = {Color.BLACK: "fbb", Color.WHITE: "fww"}
DEAD = "fdw"


def fill_in(session: Session, arguments: Arguments) -> str:
    """Return the dead cells and those that a player has captured."""
    fills, _ = _filled(_position(session, arguments))
    return pairs(session.board, sorted(fills.items()))


def inferior(session: Session, arguments: Arguments) -> str:
    """Return the cells of `fill_in`, and the inferior moves, each with a better move or reply."""
    from hsearch.connect.inferior import dominated, reversible, vulnerable  # noqa: PLC0415 - loads numba

    position, board = _position(session, arguments), session.board
    fills, filled = _filled(position)
    undone = reversible(filled)
    better = dominated(position, undone)
    kinds = (("iv", vulnerable(filled)), ("ir", undone), ("id", better))
    for code, cells in kinds:
        for cell, by in cells.items():
            fills.setdefault(cell, f"{code}[{board.name(by)}]")
    return pairs(board, sorted(fills.items()))


def _filled(position: Position) -> tuple[dict[Cell, str], Position]:
    from hsearch.connect.inferior import fill_in as fill  # noqa: PLC0415 - loads numba

    result = fill(position)
    codes = dict.fromkeys(result.dead.search(1), DEAD)
    for color, code in CAPTURED.items():
        codes |= dict.fromkeys(result.captured(color).search(1), code)
    return codes, result.position


def _position(session: Session, arguments: Arguments) -> Position:
    return replace(session.position, turn=arguments.color(0))
