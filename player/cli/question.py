"""What `hsearch explain` is asked: two ends, their owner, and the best connection they have."""

from dataclasses import dataclass

import click

from hsearch.board import Board, Cell, Color, Point
from hsearch.closure import closure
from hsearch.connection import Connection
from hsearch.deduction.mustplay import Depth, deduced
from hsearch.position import Position
from hsearch.store import Store
from player.cli.endings import InputError
from player.cli.interruptible import interruptible
from player.cli.reading import Source
from player.hsearch_options import HSearchOptions

SEARCHING = "searching for connections"
_DEPTH = Depth(1, 200)


@dataclass(frozen=True, slots=True)
class Question:
    """Whether two points are connected.

    source      the position
    store       all connections of the owner
    ends        the points, as they were asked for
    connection  the smallest full that joins them, else the smallest semi; None
                if there is neither
    """

    source: Source
    store: Store
    ends: tuple[Point, Point]
    connection: Connection | None

    @property
    def position(self) -> Position:
        """The position that the question is about."""
        return self.source.position

    @property
    def color(self) -> Color:
        """The owner."""
        return self.store.color

    @property
    def names(self) -> tuple[str, str]:
        """The ends, as they were asked for."""
        x, y = map(self.position.board.name, self.ends)
        return x, y

    @property
    def is_chain(self) -> bool:
        """Whether the owner's stones join the ends already."""
        return self.store.captain(self.ends[0]) == self.store.captain(self.ends[1])

    @property
    def is_settled(self) -> bool:
        """Whether the ends are joined, given who is to move."""
        if self.connection is None:
            return self.is_chain
        return self.connection.is_full or self.source.turn is self.color


def ask(
    source: Source, color: Color | None, names: tuple[str, str], options: HSearchOptions
) -> Question:
    """Find the best connection of two named points.

    The owner is the player whom one of them belongs to, unless `color` says.
    Raise InputError when the points are one, or one is the opponent's.
    """
    position = source.position
    board = position.board
    x, y = two_points(source, names)
    owners = [owner for point in (x, y) if (owner := _owner(position, point)) is not None]
    if color is None and not owners:
        raise click.UsageError("both ends are empty cells: say whose, with --color")
    color = owners[0] if color is None else color
    for point in (x, y):
        if _owner(position, point) is color.opponent:
            what = "edge" if board.is_edge(point) else "stone"
            message = f"{board.name(point)!r} is {color.opponent.word}'s {what}"
            raise InputError(f"{source.file}: {message}, no end for {color.word}")
    store = interruptible(lambda: closure(position, color, options.limits), SEARCHING)
    full = next(iter(store.fulls(x, y)), None)
    if full is None:
        full = interruptible(
            lambda: deduced(position, store, (x, y), options.limits, options.depth), SEARCHING
        )
    if full is None:
        full = interruptible(lambda: _beyond(position, store, (x, y), options), SEARCHING)
    return Question(source, store, (x, y), full or next(iter(store.semis(x, y)), None))


def _beyond(
    position: Position, store: Store, ends: tuple[Point, Point], options: HSearchOptions
) -> Connection | None:
    """Return what all knowledge finds between two points that H-search does not join.

    Between edges that is a semi if there is no full; None if nothing is found.
    """
    from hsearch.analysis import Analysis  # noqa: PLC0415 - what is joined needs none of it
    from hsearch.decomposition import Knowledge, local_connections  # noqa: PLC0415

    if store.captain(ends[0]) == store.captain(ends[1]):
        return None
    if set(ends) == set(position.board.edges(store.color)):
        every = Analysis(position, options.limits, options.depth, Knowledge.ALL)
        return every.edge_connection(store.color)
    fulls = local_connections(options.limits)(position, store.color).fulls(*ends)
    if fulls:
        return fulls[0]
    return deduced(position, store, ends, options.limits, _DEPTH)


def two_points(source: Source, names: tuple[str, str]) -> tuple[Point, Point]:
    """Return two named points; raise InputError when they are one."""
    board = source.position.board
    try:
        x, y = map(board.point, names)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--between'") from error
    if x == y:
        raise InputError(f"{source.file}: {board.name(x)!r} twice: a connection has two ends")
    return x, y


def already_joined(x: str, y: str) -> str:
    """Return the sentence about two points that are of one group."""
    return f"Stones join {x} and {y} already."


def intrusions(question: Question, names: tuple[str, ...]) -> list[Cell]:
    """Return the cells of an opponent's moves.

    Raise InputError when one is in no carrier, or comes twice.
    """
    return [intrusion(question, name, names[:number]) for number, name in enumerate(names)]


def intrusion(question: Question, name: str, before: tuple[str, ...] = ()) -> Cell:
    """Return the cell of an opponent's move; raise InputError unless it is in the carrier."""
    source, board = question.source, question.position.board
    try:
        cell = board.cell(name)
    except ValueError as error:
        raise InputError(f"{source.file}: {error}") from None
    connection = question.connection
    if connection is None:
        raise InputError(f"{source.file}: {name!r} is in no carrier: there is no connection")
    if not connection.carrier[cell]:
        raise InputError(
            f"{source.file}: {name!r} is not in the carrier: {_cells(board, connection)}"
        )
    if name in before:
        raise InputError(f"{source.file}: {name!r} twice")
    return cell


def _cells(board: Board, connection: Connection) -> str:
    return " ".join(board.names(connection.carrier)) or "it is empty"


def _owner(position: Position, point: Point) -> Color | None:
    if position.board.is_edge(point):
        return next(color for color in Color if point in position.board.edges(color))
    return position.color_at(point)
