"""Must-play deduction: fulls that AND and OR miss, and the derivations of templates."""

from collections import OrderedDict
from dataclasses import replace
from functools import reduce
from operator import and_

from hsearch.connect.closure import closure
from hsearch.connect.connection import (
    Connection,
    Rule,
    conclude,
    few_of,
    mustplay_rule,
    or_rule,
    where_premises_hold,
)
from hsearch.connect.limits import Depth, Limits
from hsearch.connect.store import Store
from hsearch.hex import Cell, Color, Point, Position
from hsearch.hex.position import subgame
from hsearch.kernels import stop

# Must-play deduction: a full between points whose semis all share cells
# (Rasmussen, Maire 2004).
#
# Semis that all share a cell make no full: the opponent intrudes there. So put an
# opponent stone on such a cell, try own replies, and look for a full again, by
# H-search and by the same deduction one level down. A reply that leaves a full
# gives a new semi, which avoids the cell; when all semis share no cell, OR applies.
#
# The premise of such a semi holds in the position after its key, and is replayed there.
#
# An opponent's stone and H-search alone derive nothing new: each semi that avoids the stone
# was in the list before. So replies are tried, those best connected to both ends first,
# and the first that leaves a full is taken, although another might need fewer cells.
#
# One reply in depth derives 15 of the 16 shipped templates that the two rules missed, and
# two derive all. Between the edges of boards it finds little: nothing on the London games,
# where a side may take seconds, and 15 instead of 13 of 62 wins on top of windows and
# regions, in four times the time. So analyses have depth 0 by default. Figures:
# `positions/results/beyond.md` and `proofs.md`. Keeping the connections of all positions
# took 2,500 MB on 11x11; with the limit below, 4 in 100 searches are repeated.

MOST_BYTES = 32_000_000  # of connections: about 14 positions of 11x11
_FAR = 3


class Deduction:
    """Must-play deduction for one player.

    Holds state: the number of searches, the results, and the connections of the positions
    used last, up to `most_bytes`. If a position's connections were dropped, it is searched
    again at no charge to the budget, so that results do not depend on the memory.
    """

    def __init__(
        self,
        color: Color,
        depth: Depth,
        limits: Limits,
        *,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """Prepare; nothing is searched yet."""
        self.color = color
        self.depth = depth
        self.limits = limits
        self.searches = 0
        self._most_bytes = most_bytes
        self._bytes = 0
        self._stores: OrderedDict[Position, Store] = OrderedDict()  # least recently used first
        self._positions: set[Position] = set()
        self._results: dict[tuple[Position, Point, Point, int], Connection | None] = {}

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up, so that a full may have been missed."""
        return self.searches >= self.depth.searches

    def full(self, position: Position, x: Point, y: Point) -> Connection | None:
        """Return a full of two points, H-search's smallest if it has any; None if none is found.

        Raise Stopped when `hsearch.kernels.stop` ends the work, or its time is up.
        """
        return self._full(replace(position, turn=self.color), x, y, self.depth.replies)

    def _full(self, position: Position, x: Point, y: Point, replies: int) -> Connection | None:
        question = position, x, y, replies
        if question not in self._results:
            self._results[question] = self._search(*question)
        return self._results[question]

    def _search(self, position: Position, x: Point, y: Point, replies: int) -> Connection | None:
        store = self._store(position)
        if store is None:
            return None
        fulls, semis = store.fulls(x, y), store.semis(x, y)
        if fulls or not semis or not replies:
            return fulls[0] if fulls else None
        common = reduce(and_, (semi.carrier for semi in semis))
        while common.any():
            intrusion = next(common.search(1))
            semi = self._semi(position.put(intrusion, self.color.opponent), x, y, replies)
            if semi is None:
                return None
            semis.append(semi)
            common = common & semi.carrier
        return or_rule(*few_of(sorted(semis, key=lambda semi: semi.carrier.count())))

    def _semi(self, position: Position, x: Point, y: Point, replies: int) -> Connection | None:
        """Return a semi that starts with a reply after which a full is found."""
        store = self._store(position)
        if store is None:
            return None
        for cell in _replies(position, store, x, y):
            after = position.put(cell, self.color)
            store_after = self._store(after)
            if store_after is None:
                return None
            ends = store_after.captain(x), store_after.captain(y)
            if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
                continue
            full = self._full(after, ends[0], ends[1], replies - 1)
            semi = full and mustplay_rule(full, x, y, cell, position, self.color)
            if semi:
                return semi
        return None

    def _store(self, position: Position) -> Store | None:
        """Return the connections of a position; None if the budget does not allow it."""
        store = self._stores.get(position)
        if store is not None:
            self._stores.move_to_end(position)
            return store
        if position not in self._positions:
            if self.is_spent:
                return None
            self.searches += 1
            self._positions.add(position)
        stop.check(late=True)
        store = self._stores[position] = closure(position, self.color, self.limits)
        self._bytes += _size(store)
        while self._bytes > self._most_bytes and len(self._stores) > 1:
            _, oldest = self._stores.popitem(last=False)
            self._bytes -= _size(oldest)
        return store


def _size(store: Store) -> int:
    return store.memory.nbytes + store.log.nbytes


def deduce(
    position: Position, store: Store, ends: tuple[Point, Point], limits: Limits, depth: Depth
) -> Connection | None:
    """Return a full of two points that a finished closure does not join; None if none is found."""
    x, y = (store.captain(end) for end in ends)
    if not depth.replies or x is None or y is None or x == y:
        return None
    return Deduction(store.color, depth, limits).full(position, x, y)


def _replies(position: Position, store: Store, x: Point, y: Point) -> list[Cell]:
    """Return the cells worth trying, those best connected to both points first.

    A full to a point counts as distance 1, a semi as 2; a cell that has neither
    to one of the points is left out.
    """

    def far(cell: Cell, end: Point) -> int:
        if cell == end or store.has_full(cell, end):
            return 1
        return 2 if store.has_semi(cell, end) else _FAR

    distances = {
        cell: (far(cell, x), far(cell, y))
        for cell in position.empty.search(1)
        if cell not in {x, y}
    }
    near = [cell for cell, both in distances.items() if _FAR not in both]
    return sorted(near, key=lambda cell: sum(distances[cell]))


# Known templates replaced by their derivations, for replies and explanations.
#
# A template has no premises, so it does not show how to answer an intrusion.
# Must-play deduction inside its carrier does, for all templates that come with
# the program.

_DEPTH = Depth(2)


def expand(position: Position, color: Color, connection: Connection) -> Connection:
    """Return a connection that is as strong or stronger, derived without templates.

    Its carrier may be smaller: own stones in a template can make cells unnecessary.
    A template that cannot be derived within `_DEPTH` stays as it is.
    """
    steps: dict[tuple[int, Position], Connection] = {}

    def rebuild(step: Connection, here: Position) -> Connection:
        """Return a step on expanded premises; a step without templates stays the same."""
        key = id(step), here  # a step may hold in several positions, and be stronger in some
        if key not in steps:
            places = where_premises_hold(here, color, step)
            premises = tuple(map(rebuild, step.premises, places))
            if step.rule is Rule.TEMPLATE:
                steps[key] = derivation(here, color, step) or step
            elif all(new is old for new, old in zip(premises, step.premises, strict=True)):
                steps[key] = step
            else:
                conclusion = conclude(step, premises, here, color)
                assert conclusion is not None  # noqa: S101 - the premises are as strong or stronger
                steps[key] = conclusion
        return steps[key]

    return rebuild(connection, position)


def derivation(position: Position, color: Color, template: Connection) -> Connection | None:
    """Derive a full inside a template's carrier by the rules; return None if that fails."""
    alone = subgame(position, color, template.carrier, *template.ends)
    # H-search finds long ladders, but not under M. Where own stones have replaced cells of the
    # template, their connection to the edge may be needed: hence the edge as a pivot. Such stones
    # in a long ladder make many fulls of which no few shrink the intersection: hence a large M.
    ways = (
        (Depth(0), Limits(shrinking=True)),
        (_DEPTH, Limits(templates=False)),
        (_DEPTH, Limits(templates=False, edge_pivot=True)),
        (Depth(0), Limits(M=100, semis=100)),
    )
    fulls = (Deduction(color, *way).full(alone, *template.ends) for way in ways)
    return next((full for full in fulls if full is not None), None)
