"""The question if two points are connected: the best connection, or what they lack."""

from dataclasses import dataclass, replace

from hsearch.analysis import Analysis
from hsearch.board import Color, Point
from hsearch.cells import CellSet
from hsearch.closure import closure
from hsearch.connection import Connection
from hsearch.decomposition import Knowledge, local_connections
from hsearch.deduction.mustplay import deduced
from hsearch.position import Position, subgame
from hsearch.store import Store
from hsearch.strategy import (
    BUDGET,
    Explanation,
    Missing,
    PlayOutcome,
    PlayVerdict,
    explain,
    missing,
)
from player.hsearch_options import HSearchOptions
from player.solve.pair import SECONDS, PairAnswer, join


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
    solved      the answer of the solver, if it was asked
    """

    position: Position
    turn: Color | None
    store: Store
    ends: tuple[Point, Point]
    connection: Connection | None
    within: CellSet | None = None
    solved: PairAnswer | None = None

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
        """Find what the ends lack, by this many positions of play; None if they are joined.

        What play leaves open is as the solver says, if it was asked.
        """
        if self.is_settled:
            return None
        found = missing(self.subgame, self.store, *self.ends, budget, known=self.connection)
        if found.is_open and self.solved is not None and self.solved.joined is not None:
            return replace(found, beyond=self._outcome(self.solved))
        return found

    def _outcome(self, solved: PairAnswer) -> PlayOutcome:
        nothing = self.position.board.only()
        verdict = PlayVerdict.HOLDS if solved.joined else PlayVerdict.REFUTED
        if solved.joined or solved.first is False or solved.intrusion is not None:
            return PlayOutcome(verdict, solved.intrusion, nothing, solved.positions)
        return PlayOutcome(PlayVerdict.UNKNOWN, None, nothing, solved.positions)


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


def ask(  # noqa: PLR0913 - what a person may say of one question
    position: Position,
    turn: Color | None,
    color: Color,
    ends: tuple[Point, Point],
    options: HSearchOptions,
    *,
    within: CellSet | None = None,
    store: Store | None = None,
    seconds: float = SECONDS,
) -> Question:
    """Find the best connection that a player has of two points, `within` some cells or anywhere.

    What the two rules do not find is looked for by deduction, then by all that is known
    beyond them, and then for some `seconds` by the solver. `store` holds what the rules
    find, if that is at hand.
    """
    whole, position = position, opened(position, color, within, ends)
    store = store or closure(position, color, options.limits)
    full = next(iter(store.fulls(*ends)), None)
    if full is None:
        full = deduced(position, store, ends, options.limits, options.depth)
    answer = Sought(full) if full is not None else beyond(position, store, ends, options, seconds)
    found = answer.connection
    if found is None or not found.is_full:
        found = next(iter(store.semis(*ends)), found)
    return Question(whole, turn, store, ends, found, within, answer.solved)


def opened(
    position: Position, color: Color, within: CellSet | None, ends: tuple[Point, ...] = ()
) -> Position:
    """Return a player's sub-game within some cells; the position itself if there are none."""
    return position if within is None else subgame(position, color, within, *ends)


@dataclass(frozen=True, slots=True)
class Sought:
    """Connection that all knowledge has found, if any, and the solver's answer if it was asked."""

    connection: Connection | None = None
    solved: PairAnswer | None = None


def beyond(
    position: Position,
    store: Store,
    ends: tuple[Point, Point],
    options: HSearchOptions,
    seconds: float = SECONDS,
) -> Sought:
    """Return what all knowledge finds between two points that H-search does not join.

    That is a semi if there is no full. The solver is asked for some `seconds`; 0 is not at all.
    """
    if store.captain(ends[0]) == store.captain(ends[1]):
        return Sought()
    semi = None
    if set(ends) == set(position.board.edges(store.color)):
        every = Analysis(position, options.limits, options.depth, Knowledge.ALL)
        found = every.edge_connection(store.color)
        if found is not None and found.is_full:
            return Sought(found)
        semi = found
    else:
        fulls = local_connections(options.limits)(position, store.color).fulls(*ends)
        if fulls:
            return Sought(fulls[0])
    if not seconds:
        return Sought(semi)
    solved = join(position, store.color, ends, seconds=seconds)
    connection = solved.connection
    if semi is not None and (connection is None or not connection.is_full):
        connection = semi
    return Sought(connection, solved)


def _owner(position: Position, point: Point) -> Color | None:
    if position.board.is_edge(point):
        return next(color for color in Color if point in position.board.edges(color))
    return position.color_at(point)
