"""The question if two points are connected: the best connection, or what they lack."""

from dataclasses import dataclass, replace

from hsearch.analysis import Analysis
from hsearch.board import Color, Point
from hsearch.cells import CellSet
from hsearch.closure import closure
from hsearch.connection import Connection
from hsearch.decomposition import Knowledge, local_connections
from hsearch.deduction.mustplay import Depth, deduced
from hsearch.position import Position, subgame
from hsearch.store import Store
from hsearch.strategy import BUDGET, Explanation, Missing, explain, missing
from player.hsearch_options import HSearchOptions

_DEPTH = Depth(1, 200)


@dataclass(frozen=True, slots=True)
class Question:
    """Whether two points are connected.

    position    the position that the question is about
    turn        who is to move; None if nothing tells
    store       all connections of the owner
    ends        the points, as they were asked for
    connection  the smallest full that joins them, else the smallest semi; None
                if there is neither
    within      the only empty cells that may be used; None if all may
    """

    position: Position
    turn: Color | None
    store: Store
    ends: tuple[Point, Point]
    connection: Connection | None
    within: CellSet | None = None

    @property
    def color(self) -> Color:
        """The owner."""
        return self.store.color

    @property
    def subgame(self) -> Position:
        """The position in which the cells that may not be used are the opponent's."""
        return opened(self.position, self.color, self.within, self.ends)

    @property
    def names(self) -> tuple[str, str]:
        """The names of the ends."""
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
        return self.connection.is_full or self.turn is self.color

    def why(self) -> Explanation | None:
        """Explain the connection; None if there is none."""
        if self.connection is None:
            return None
        why = explain(self.subgame, self.color, self.connection)
        return replace(why, position=self.position)

    def lack(self, budget: int = BUDGET) -> Missing | None:
        """Find what the ends lack, by this many positions of play; None if they are joined."""
        if self.is_settled:
            return None
        return missing(self.subgame, self.store, *self.ends, budget, known=self.connection)


def owner_of(position: Position, ends: tuple[Point, Point], color: Color | None) -> Color | None:
    """Return whose connection two points may have: a color, else the owner of one of them.

    None if both are empty cells and no color is given. Raise ValueError when
    one is the opponent's.
    """
    board = position.board
    owners = [owner for end in ends if (owner := _owner(position, end)) is not None]
    if color is None and not owners:
        return None
    color = owners[0] if color is None else color
    for point in ends:
        if _owner(position, point) is color.opponent:
            what = "edge" if board.is_edge(point) else "stone"
            message = f"{board.name(point)!r} is {color.opponent.word}'s {what}"
            raise ValueError(f"{message}, no end for {color.word}")
    return color


def ask(
    position: Position,
    turn: Color | None,
    color: Color,
    ends: tuple[Point, Point],
    options: HSearchOptions,
    *,
    within: CellSet | None = None,
) -> Question:
    """Find the best connection that a player has of two points, `within` some cells or anywhere.

    What the two rules do not find is looked for by deduction, and then by all
    that is known beyond them.
    """
    whole, position = position, opened(position, color, within, ends)
    store = closure(position, color, options.limits)
    full = next(iter(store.fulls(*ends)), None)
    if full is None:
        full = deduced(position, store, ends, options.limits, options.depth)
    if full is None:
        full = beyond(position, store, ends, options)
    found = full or next(iter(store.semis(*ends)), None)
    return Question(whole, turn, store, ends, found, within)


def opened(
    position: Position, color: Color, within: CellSet | None, ends: tuple[Point, ...] = ()
) -> Position:
    """Return a player's sub-game within some cells; the position itself if there are none."""
    return position if within is None else subgame(position, color, within, *ends)


def beyond(
    position: Position, store: Store, ends: tuple[Point, Point], options: HSearchOptions
) -> Connection | None:
    """Return what all knowledge finds between two points that H-search does not join.

    Between edges that is a semi if there is no full; None if nothing is found.
    """
    if store.captain(ends[0]) == store.captain(ends[1]):
        return None
    if set(ends) == set(position.board.edges(store.color)):
        every = Analysis(position, options.limits, options.depth, Knowledge.ALL)
        return every.edge_connection(store.color)
    fulls = local_connections(options.limits)(position, store.color).fulls(*ends)
    if fulls:
        return fulls[0]
    return deduced(position, store, ends, options.limits, _DEPTH)


def _owner(position: Position, point: Point) -> Color | None:
    if position.board.is_edge(point):
        return next(color for color in Color if point in position.board.edges(color))
    return position.color_at(point)
