"""Two points that no full connection joins: what is missing, and what complete play shows."""

import enum
import heapq
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from hsearch.connect import Connection, exhaustive
from hsearch.connect.store import Store
from hsearch.hex import Cell, CellSet, Color, Point, Position, captains

BUDGET = 100_000


class PlayVerdict(enum.StrEnum):
    """Verdict of playing out all lines."""

    HOLDS = "holds"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class PlayOutcome:
    """Result of playing out all lines between two points in some cells, the opponent to move.

    verdict    whether the owner joins the points, as far as the budget reached
    intrusion  the opponent's move that breaks them; None unless refuted, or if
               the owner fails even moving first
    carrier    the cells the owner needs; empty unless the points hold, or if only the solver
               proved that they do
    positions  how many positions it took to decide; 0 if there are too many cells
    """

    verdict: PlayVerdict
    intrusion: Cell | None
    carrier: CellSet
    positions: int

    @property
    def fails_moving_first(self) -> bool:
        """Whether it is proved that the owner fails even with the first move."""
        return self.verdict is PlayVerdict.REFUTED and self.intrusion is None


def play_out(
    position: Position,
    color: Color,
    ends: tuple[Point, Point],
    cells: CellSet,
    budget: int = BUDGET,
    *,
    likely: CellSet | None = None,
) -> PlayOutcome:
    """Decide whether the owner joins two points inside some empty cells, moving second.

    Empty ends count as the owner's stones. Give up after `budget` positions. Name a
    `likely` intrusion that breaks the points if there is one, else any.
    """
    board = position.board
    try:
        game = exhaustive.JoinGame(position, color, ends, cells)
    except ValueError:
        return PlayOutcome(PlayVerdict.UNKNOWN, None, board.only(), 0)

    def joins(*without: Cell, owner_first: bool = False) -> bool | None:
        free, remaining = cells & ~board.only(*without), budget - game.nodes
        return game.play(free, opponent_first=not owner_first, budget=remaining).joined

    result = game.play(budget=budget)
    positions, nothing = game.nodes, board.only()
    if result.joined:
        spare = [*(cells & ~result.cells).search(1)]
        for cell in result.cells.search(1):
            if joins(*spare, cell):
                spare.append(cell)
        return PlayOutcome(PlayVerdict.HOLDS, None, cells & ~board.only(*spare), positions)
    if result.joined is False:
        if joins(owner_first=True) is False:
            return PlayOutcome(PlayVerdict.REFUTED, None, nothing, positions)
        for cell in (*(likely or nothing).search(1), *result.cells.search(1)):
            if joins(cell, owner_first=True) is False:
                return PlayOutcome(PlayVerdict.REFUTED, cell, nothing, positions)
    return PlayOutcome(PlayVerdict.UNKNOWN, None, nothing, positions)


# Two points that no full connection joins: how close they are, and what breaks them.


@dataclass(frozen=True, slots=True)
class Missing:
    """What is missing between two points without a full connection.

    semis    their semi connections, smallest first
    common   the cells that all semis need: an intrusion there leaves none of them
    region   the cells of all semis together
    outcome  what playing out all lines in the region shows; None without a semi
    beyond   the same in all empty cells, if the region is too small or there is none; else None
    way      without a semi, connections that lead from one point to the other
             with as few moves of the owner as possible; empty if there are none.
             Their carriers may overlap, so they only show where moves are missing
    is_cut   whether the points stay apart even with the owner's stones on all empty cells
    """

    semis: tuple[Connection, ...]
    common: CellSet
    region: CellSet
    outcome: PlayOutcome | None
    beyond: PlayOutcome | None
    way: tuple[Connection, ...]
    is_cut: bool = False

    @property
    def is_open(self) -> bool:
        """Whether complete play did not decide if the opponent, moving first, breaks them."""
        outcome = self.beyond or self.outcome
        return outcome is None or outcome.verdict is PlayVerdict.UNKNOWN


def missing(
    position: Position,
    store: Store,
    x: Point,
    y: Point,
    budget: int = BUDGET,
    *,
    fallback: Connection | None = None,
) -> Missing:
    """Return what is missing between two points that no full connection of the store joins.

    `fallback` is a semi that was found by other means; it is used if the store has none.
    """
    nothing, board = position.board.only(), position.board
    if _is_cut(position, store.color, x, y):
        refutation = PlayOutcome(PlayVerdict.REFUTED, None, nothing, 1)
        return Missing((), nothing, nothing, None, refutation, (), is_cut=True)
    free = position.empty & ~board.only(*(end for end in (x, y) if not board.is_edge(end)))
    semis = tuple(store.semis(x, y)) or ((fallback,) if fallback is not None else ())
    if not semis:
        result = play_out(position, store.color, (x, y), free, budget)
        return Missing((), nothing, nothing, None, result, tuple(_way(position, store, x, y)))
    carriers = [semi.carrier for semi in semis]
    region, common, ends = reduce(or_, carriers), reduce(and_, carriers), semis[0].ends
    likely = common & board.only(*(semi.key for semi in semis if semi.key is not None))
    outcome = play_out(position, store.color, ends, region, budget, likely=likely)
    beyond = None
    if outcome.verdict is PlayVerdict.REFUTED:
        beyond = play_out(position, store.color, ends, free, budget, likely=likely)
    return Missing(semis, common, region, outcome, beyond, ())


def _is_cut(position: Position, color: Color, x: Point, y: Point) -> bool:
    """Return whether two points stay apart even with the owner's stones on all empty cells."""
    board, theirs = position.board, position.stones(color.opponent)
    full = Position(board, *((~theirs, theirs) if color is Color.BLACK else (theirs, ~theirs)))
    captain_of = captains(full, color)
    return captain_of[x] != captain_of[y]


def _way(position: Position, store: Store, x: Point, y: Point) -> list[Connection]:
    """Return a way of connections with the fewest moves and, among those, the fewest cells.

    A semi costs a move, and so does an empty cell on the way.
    """
    start, goal = store.captain(x), store.captain(y)
    links: dict[Point, list[Connection]] = {}
    for connection in store:
        for end in connection.ends:
            links.setdefault(end, []).append(connection)
    # The serial number settles ties, so that connections are never compared.
    waiting: list[tuple[int, int, int, Point | None, list[Connection]]] = [(0, 0, 0, start, [])]
    visited: set[Point | None] = set()
    serial = 0
    while waiting:
        moves, cells, _, point, way = heapq.heappop(waiting)
        if point == goal:
            return way
        if point is None or point in visited:
            continue
        visited.add(point)
        for link in links.get(point, ()):
            other = link.other_end(point)
            serial += 1
            stops = other != goal and position.board.contains(position.empty, other)
            more = moves + stops + (not link.is_full)
            fewest = cells + link.carrier.count()
            heapq.heappush(waiting, (more, fewest, serial, other, [*way, link]))
    return []
