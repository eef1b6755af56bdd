"""Commands about connections, the must-play region, and inferior cells.

A handler raises CommandError when it cannot answer; the message is the reply of failure.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import and_, or_

from hsearch.connect import Connection
from hsearch.connect.inferior import InferiorCells
from hsearch.hex import Board, Cell, CellSet, Color, Point
from player.answers import connection as report
from player.answers.objects import wrap_text
from player.answers.position import COUNTS, PositionAnswer
from player.gtp.arguments import Arguments, at_other_turns, mover, pairs
from player.gtp.serving import CommandError
from player.gtp.session import Session


def position(session: Session, arguments: Arguments) -> str:
    """Return who won by the record, who is proved to win or stands better, and the reasons."""
    analysis = session.analysis_of(mover(session, arguments))
    if session.is_ordinary and session.outcome is not None:
        analysis = analysis.with_end(session.outcome)
    answer = PositionAnswer.of(analysis)
    return wrap_text([*at_other_turns(session), *answer.sentences(but=(COUNTS,))])


def connection(session: Session, arguments: Arguments) -> str:
    """Return why two points are connected, or what they lack, given who is to move by turns."""
    color, ends = arguments.color(0), (arguments.point(1), arguments.point(2))
    try:
        report.owner_of(session.position, ends, color)
    except ValueError as error:
        raise CommandError(str(error)) from None
    analysis = session.analysis
    store = analysis.stores[color]
    options = analysis.options
    turn = session.state_in_play.position.turn if session.is_ordinary else None
    question = report.ask(session.position, turn, color, ends, options, store=store)
    sentences = report.statements(question, question.why(), question.lack())
    return wrap_text([*at_other_turns(session), *sentences])


# Connections.
#
# Any stone may name its group, and a word names an edge. The first query computes
# the connections. A command about one pair knows what `hsearch-explain-vc` knows, and takes
# as long; one about a player's edges knows what `hsearch-explain` knows. One about several pairs
# has the connections of AND and OR alone, because HexGui cannot stop it.

FULL, SEMI = "full", "semi"
OUTSIDE = "x"  # HexGui paints such a cell gray


def between(session: Session, arguments: Arguments, kind: str | None = None) -> str:
    """Return the connections of two points, as HexGui's records: of one kind, or both."""
    color, ends = arguments.color(0), _ends(session, arguments)
    return _vc_lines(session, color, {ends: _between(session, color, ends, kind)})


def edges(session: Session, arguments: Arguments, kind: str) -> str:
    """Return the connections of a player's edges of one kind."""
    color = arguments.color(0)
    ends = session.board.edges(color)
    return _vc_lines(session, color, {ends: _of_edges(session, color, kind)})


def cell_edges(session: Session, arguments: Arguments) -> str:
    """Return the connections of a point and each of a player's edges."""
    return _vc_lines(session, arguments.color(0), _to_edges(session, arguments))


def carrier_edges(session: Session, arguments: Arguments) -> str:
    """Return the carrier of the best connection of a player's edges."""
    color = arguments.color(0)
    best = _of_edges(session, color, FULL) or _of_edges(session, color, SEMI)
    return _unite(session, best[:1])


def carrier_cell_edges(session: Session, arguments: Arguments) -> str:
    """Return the carriers of the best connections of a point and each of a player's edges."""
    by_edge = _to_edges(session, arguments).values()
    return _unite(session, [best for connections in by_edge for best in connections[:1]])


def list_connected(session: Session, arguments: Arguments) -> str:
    """Return the points connected to a point: by fulls (type 0) or semis (type 1)."""
    color, point = arguments.color(1), _own(session, arguments, 0, of=1)
    kind = (FULL, SEMI)[arguments.count(2, most=1)]
    return _list_connected(session, color, point, kind)


def list_connected_by(session: Session, arguments: Arguments, kind: str) -> str:
    """Return the points connected to a point by one kind of connection."""
    return _list_connected(session, arguments.color(0), _own(session, arguments, 1), kind)


def common(session: Session, arguments: Arguments, kind: str | None = None) -> str:
    """Return the cells that all connections of two points need."""
    return _combine_carriers(session, arguments, kind, and_)


def union(session: Session, arguments: Arguments, kind: str | None = None) -> str:
    """Return the cells that any connection of two points needs."""
    return _combine_carriers(session, arguments, kind, or_)


def _ends(session: Session, arguments: Arguments) -> tuple[Point, Point]:
    ends, color = (_own(session, arguments, 1), _own(session, arguments, 2)), arguments.color(0)
    if report.are_joined_by_stones(session.analysis.stores[color], ends):
        names = session.board.pair(ends)
        raise CommandError(f"{names} are not two of {color.word}'s to connect")
    return ends


def _own(session: Session, arguments: Arguments, place: int, of: int = 0) -> Point:
    """Return a point that may be an end for the player named by argument `of`."""
    color, point = arguments.color(of), arguments.point(place)
    if session.analysis.stores[color].captain(point) is None:
        name = session.board.name(point)
        raise CommandError(f"argument {place + 1}: {name} is not {color.word}'s to connect")
    return point


def _between(
    session: Session, color: Color, ends: tuple[Point, Point], kind: str | None = None
) -> list[Connection]:
    """Return the connections of a pair, with the best one that `hsearch-explain-vc` finds."""
    options, store = session.analysis.options, session.analysis.stores[color]
    return report.connections_between(session.position, color, ends, options, store, kind=kind)


def _to_edges(
    session: Session, arguments: Arguments
) -> dict[tuple[Point, Point], list[Connection]]:
    """Return the connections of a point and each of a player's edges, by their ends."""
    color, point = arguments.color(0), _own(session, arguments, 1)
    store = session.analysis.stores[color]
    pairs = [(point, edge) for edge in session.board.edges(color)]
    return {ends: [*store.fulls(*ends), *store.semis(*ends)] for ends in pairs}


def _of_edges(session: Session, color: Color, kind: str) -> Sequence[Connection]:
    """Return the connections of a player's edges that the analysis knows.

    It looks beyond the two rules only where these give the player to move no win, so it is
    asked about fulls with the opponent to move, and about semis with their owner to move.
    """
    if kind == FULL:
        return session.analysis_of(color.opponent).edge_fulls(color)
    return session.analysis_of(color).edge_semis(color)


def _vc_line(board: Board, color: Color, ends: tuple[Point, Point], connection: Connection) -> str:
    """Return a connection as HexGui reads it.

    The ends are named as the query gave them: HexGui marks these cells, and
    cannot mark an edge.
    """
    x, y = map(board.name, ends)
    carrier = "".join(f"{name} " for name in board.names(connection.carrier))
    line = f"{color.word} {x} {y} {connection.kind} {connection.rule.value} [ {carrier}] [ ]"
    return line if connection.key is None else f"{line} {board.name(connection.key)}"


def _vc_lines(
    session: Session,
    color: Color,
    by_ends: Mapping[tuple[Point, Point], Sequence[Connection]],
) -> str:
    lines = [
        _vc_line(session.board, color, ends, connection)
        for ends, connections in by_ends.items()
        for connection in connections
    ]
    return "\n".join(["", *lines])


def _list_connected(session: Session, color: Color, point: Point, kind: str) -> str:
    store, board = session.analysis.stores[color], session.board
    has = store.has_full if kind == FULL else store.has_semi
    captains = {store.captain(other) for other in (*board.edges(color), *board.cells)}
    others = (other for other in captains if other is not None and has(point, other))
    return board.text(sorted(others))


def _combine_carriers(
    session: Session,
    arguments: Arguments,
    kind: str | None,
    join: Callable[[CellSet, CellSet], CellSet],
) -> str:
    color, ends = arguments.color(0), _ends(session, arguments)
    carriers = [connection.carrier for connection in _between(session, color, ends, kind)]
    cells = reduce(join, carriers) if carriers else session.board.only()
    return session.board.text(cells)


def _unite(session: Session, connections: Sequence[Connection]) -> str:
    carriers = (connection.carrier for connection in connections)
    return session.board.text(reduce(or_, carriers, session.board.only()))


# Commands about the must-play region.


def outside(session: Session, arguments: Arguments) -> str:
    """Return the empty cells outside the must-play region of a player."""
    region = session.analysis_of(arguments.color(0)).mustplay
    beyond = session.position.empty & ~region.cells
    return pairs(session.board, ((cell, OUTSIDE) for cell in beyond.search(1)))


def cells(session: Session, arguments: Arguments) -> str:
    """Return the must-play region of a player."""
    region = session.analysis_of(arguments.color(0)).mustplay
    return session.board.text(region.cells)


# Commands about inferior cells, in the codes that HexGui paints.

# Both versions of HexGui paint a stone of the color; for a dead cell either color would do.
CAPTURED = {Color.BLACK: "fbb", Color.WHITE: "fww"}
DEAD = "fdw"


def fill_in(session: Session, arguments: Arguments) -> str:
    """Return the dead cells and those that a player has captured."""
    return pairs(session.board, sorted(_fill_in(_inferior(session, arguments)).items()))


def inferior(session: Session, arguments: Arguments) -> str:
    """Return the cells of `fill_in`, and the inferior moves, each with a better move or reply."""
    inferior, board = _inferior(session, arguments), session.board
    codes = _fill_in(inferior)
    kinds = {"iv": inferior.vulnerable, "ir": inferior.reversible, "id": inferior.dominated}
    for code, moves in kinds.items():
        codes |= {cell: f"{code}[{board.name(by)}]" for cell, by in moves.items()}
    return pairs(board, sorted(codes.items()))


def _fill_in(inferior: InferiorCells) -> dict[Cell, str]:
    codes = dict.fromkeys(inferior.filled.dead.search(1), DEAD)
    for color, code in CAPTURED.items():
        codes |= dict.fromkeys(inferior.filled.captured(color).search(1), code)
    return codes


def _inferior(session: Session, arguments: Arguments) -> InferiorCells:
    return InferiorCells(replace(session.position, turn=arguments.color(0)))
