"""One player's connections in one position, as values read from the kernels' arrays."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, reduce
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsearch.connect.connection import Connection, Rule
from hsearch.hex import Board, Cell, CellSet, Color, Point
from hsearch.hex.board import cell_set, from_words, word_count
from hsearch.kernels import lists, packing
from hsearch.kernels.packing import CARRIER, COMMON, COUNT, FACTS, FULL, SEMI, Layout

# The layout of the kernels' arrays, and the connections read from them.
#
# `hsearch.kernels.packing` describes the memory and the log.

Array = NDArray[np.int64]

RULES = {
    packing.ADJACENT: Rule.ADJACENT,
    packing.AND: Rule.AND,
    packing.OR: Rule.OR,
    packing.TEMPLATE: Rule.TEMPLATE,
}


def unpack(facts: int) -> tuple[Point, Point, Cell | None, int, int]:
    """Return the ends, key, rule and number of premises of a node, in the kernels' numbers."""
    key = (facts >> 24 & 0xFFF) - 1
    ends = facts & 0xFFF, facts >> 12 & 0xFFF
    return *ends, None if key < 0 else key, facts >> 36 & 0x3F, facts >> 42


@cache
def layout(cells: int) -> Layout:
    """Return the layout of memory for boards of this many cells."""
    points = cells + 2
    width = word_count(points)
    rows = points * width
    regions = (points, points, rows, rows, 4 * (cells + 1), width)
    starts = np.cumsum([packing.COUNTS, *regions, points * (points - 1)]).tolist()
    return Layout((0,) * width, cells, *starts)


def rows_for(layout: Layout) -> Array:
    """Return an array for the OR rule to work in."""
    return np.zeros((4 * layout.cells + 200, len(layout.words) + 1), np.int64)


def entries_at(memory: Array, layout: Layout, start: int) -> Array:
    """Return the entries of the list at `start`: rows of a tag and a carrier."""
    stride = 1 + len(layout.words)
    first = start + COMMON + len(layout.words)
    count = int(memory[start + COUNT]) if start else 0
    return memory[first : first + count * stride].reshape(-1, stride)


def entries(memory: Array, layout: Layout, x: Point, y: Point, which: int) -> Array:
    """Return the entries of the list of two points in the kernels' numbers, x < y."""
    start = int(memory[layout.heads + y * (y - 1) + 2 * x + which])
    return entries_at(memory, layout, start)


VALUE_BYTES = 350  # of a connection that was read, in the mean; measured on games of 11x11

has_chain = packing.has_chain.py_func  # the kernel takes 5 µs to call, its Python less than 1


class ClosureReading:
    """Connections read as values from the arrays of a finished closure. Holds those it has read."""

    def __init__(
        self,
        board: Board,
        memory: Array,
        log: Array,
        ends: Mapping[Point, Point] | Sequence[Point],
        cells: Sequence[Point] | None,
        size: int,
    ) -> None:
        """Take the arrays of a closure on `size` cells, and how its points map to `board`.

        `ends` maps the captains, `cells` the cells; None if their numbers are the same.
        """
        self.board = board
        self.memory = memory
        self.log = log
        self.layout = layout(size)
        self._words = log.data  # of which Python reads a number in a quarter of the time
        self._ends = ends
        self._cell_names = cells
        self._values: dict[int, Connection] = {}
        self._has_fewer = False  # whether a given full was read that needs fewer cells than given

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays and, about, of the connections that were read."""
        return self.memory.nbytes + self.log.nbytes + VALUE_BYTES * len(self._values)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is copied and pickled: all but the view of the log, which cannot be."""
        return {name: value for name, value in self.__dict__.items() if name != "_words"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy, with a view of its own log."""
        self.__dict__.update(state)
        self._words = self.log.data

    def between(self, x: Point, y: Point, which: int) -> list[Connection]:
        """Return the fulls or semis of two points in the kernels' numbers, small ones first."""
        return list(map(self._value, self._nodes(entries(self.memory, self.layout, x, y, which))))

    def _nodes(self, pairs: Array) -> list[int]:
        """Return the nodes of entries, which are in the tags."""
        nodes: list[int] = (pairs[:, 0] >> 20).tolist()
        return nodes

    def _value(self, node: int) -> Connection:
        """Return a node as a value, with its derivation."""
        if node not in self._values:
            x, y, key, rule, premises = unpack(self._words[node + FACTS])
            start = node + CARRIER + len(self.layout.words)
            x, y = sorted((self._ends[x], self._ends[y]))
            key = None if key is None else self._board_point(key)
            carrier = self._cells(self._words[node + CARRIER : start])
            parts = tuple(map(self._value, self._words[start : start + premises].tolist()))
            derivation = self._derive(x, y, carrier) if rule == packing.TEMPLATE else None
            if derivation is not None:
                self._has_fewer |= derivation.carrier != carrier
            elif self._has_fewer and parts:
                carrier = reduce(or_, (part.carrier for part in parts))
                carrier = carrier if key is None else carrier | self.board.only(key)
            self._values[node] = derivation or Connection(x, y, carrier, key, RULES[rule], parts)
        return self._values[node]

    def _derive(self, _x: Point, _y: Point, _carrier: CellSet) -> Connection | None:
        """Return the derivation of a full that the closure was given; None if it was not given."""
        return None

    def _cells(self, words: memoryview) -> CellSet:
        return self.board_cells(from_words(words, self.layout.cells))

    def board_cells(self, cells: CellSet) -> CellSet:
        """Return cells of the kernels' board as cells of `board`."""
        if self._cell_names is None:
            return cells
        return cell_set(map(self._cell_names.__getitem__, cells.search(1)), self.board.size)

    def _board_point(self, point: Point) -> Point:
        return point if self._cell_names is None else self._cell_names[point]


# The store.


@dataclass(frozen=True, slots=True)
class ConnectionCounts:
    """Result and work of a closure, in numbers.

    full, semi    connections kept
    nodes         connections accepted, including those replaced later by better ones
    and_tries     pairs of fulls the AND rule was tried on
    or_tries      semis the OR rule added to a choice
    limits_bound  the limits that had an effect, of "M", "K", "shrinking", "steps", "time", "win"
    """

    full: int
    semi: int
    nodes: int
    and_tries: int
    or_tries: int
    limits_bound: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether these are all minimal connections that the rules can derive."""
        return not self.limits_bound


@dataclass(frozen=True, slots=True)
class Given:
    """A full connection that was found by other means and is added to those of H-search.

    x, y     the points it joins, x < y
    carrier  the empty cells it needs
    derive   returns it, or one that needs fewer of these cells, with its derivation; called
             when the connection is read. What follows from it then needs fewer, too
    """

    x: Point
    y: Point
    carrier: CellSet
    derive: Callable[[], Connection] = field(compare=False, repr=False)


class Store(ClosureReading):
    """The connections of one player in one position, read only.

    >>> import hsearch
    >>> store = hsearch.closure(hsearch.Position.of(3), "black")
    >>> store.has_full("b1", "south"), len(store.semis("b1", "south"))
    (False, 3)
    """

    def __init__(
        self, board: Board, color: Color, memory: Array, log: Array, given: Iterable[Given] = ()
    ) -> None:
        """Take over the arrays of a finished closure, and the fulls that were given to it.

        White's arrays belong to the transposed position. `hsearch.kernels.packing`
        describes `memory` and `log`.
        """
        self.given = tuple(given)
        self.color = color
        names = None if color is Color.BLACK else _mirror(board)
        self._captains: dict[Point, Point] = {}
        super().__init__(board, memory, log, self._captains, names, board.size)
        self._name_captains()

    def __repr__(self) -> str:
        counts = self.counts
        number = f"{counts.full} full and {counts.semi} semi connections"
        return f"<Store of {self.color.word} on {self.board}: {number}>"

    @cached_property
    def counts(self) -> ConnectionCounts:
        """Result and work of the closure, in numbers."""
        memory = self.memory
        names = ("M", "K", "shrinking", "steps")
        flags = (packing.LIMIT_M, packing.LIMIT_K, packing.LIMIT_SHRINKING, packing.LIMIT_STEPS)
        bound = [name for name, flag in zip(names, flags, strict=True) if memory[flag]]
        if memory[packing.LIMIT_STEPS] == packing.BY_FLAG:
            bound[bound.index("steps")] = "time"
        if memory[packing.QUEUED] and not memory[packing.LIMIT_STEPS]:
            bound.append("win")
        fulls, semis = (int(memory[starts[starts > 0] + COUNT].sum()) for starts in self._heads)
        return ConnectionCounts(
            full=fulls,
            semi=semis,
            nodes=int(memory[packing.NODES]),
            and_tries=int(memory[packing.AND_TRIES]),
            or_tries=int(memory[packing.OR_TRIES]),
            limits_bound=tuple(bound),
        )

    def captain(self, point: Point | str) -> Point | None:
        """Return the point that names the group of a point; None for an opponent stone."""
        point = self.board.point(point)
        own = self.board.edges(self.color)
        if self.board.is_edge(point) and point not in own:
            return None
        captain = int(self.memory[self.layout.captain + self.kernel_point(point)])
        return None if captain < 0 else self._captains[captain]

    def fulls(self, x: Point | str, y: Point | str) -> list[Connection]:
        """Return the full connections of two points, smallest carrier first.

        A point is given by number or by name, such as `b2` or `north`; a stone stands for its
        group. Raise ValueError if the board has no such point.
        """
        return list(map(self._value, self._list(x, y, FULL)))

    def semis(self, x: Point | str, y: Point | str) -> list[Connection]:
        """Return the semi connections of two points, as `fulls` does."""
        return list(map(self._value, self._list(x, y, SEMI)))

    @property
    def edge_fulls(self) -> list[Connection]:
        """The full connections between the player's edges, smallest carrier first."""
        return self.fulls(*self.board.edges(self.color))

    @property
    def edge_semis(self) -> list[Connection]:
        """The semi connections between the player's edges, smallest carrier first."""
        return self.semis(*self.board.edges(self.color))

    @property
    def has_chain(self) -> bool:
        """Whether the player's stones already join the edges."""
        return bool(has_chain(self.memory, self.layout))

    def __iter__(self) -> Iterator[Connection]:
        """Iterate over all connections kept: fulls, then semis, pair by pair."""
        for which in (FULL, SEMI):
            for start in self._heads[which].tolist():
                if start:
                    yield from map(self._value, self._at(start))

    def records(self) -> Iterator[dict[str, str | int | None]]:
        """Yield all connections as rows of a table: `color`, then what `Connection.record` returns.

        `pandas.DataFrame(store.records())` is a table of them; `csv.DictWriter` takes them, too.
        """
        for connection in self:
            yield {"color": self.color.word, **connection.record(self.board)}

    def full_links(self) -> tuple[Array, Array, Array]:
        """Return the pairs of points that are joined by a full with a carrier.

        Three arrays: one end, the other end, and how many cells all fulls of
        the pair share.
        """
        pairs = (self.layout.lists - self.layout.heads) // 2
        a, b, common = np.empty((3, pairs), np.int64)
        count = lists.full_links(self.memory, self.log, self.layout, a, b, common)
        names = np.array([self._captains.get(point, -1) for point in range(self.board.size + 2)])
        return names[a[:count]], names[b[:count]], common[:count]

    @property
    def _heads(self) -> tuple[Array, Array]:
        """The starts of all lists of fulls, and of semis; 0 where there is none."""
        heads = self.memory[self.layout.heads : self.layout.lists]
        return heads[FULL::2], heads[SEMI::2]

    def _at(self, start: int) -> list[int]:
        """Return the nodes of the list at `start`."""
        return self._nodes(entries_at(self.memory, self.layout, start))

    def has_full(self, x: Point | str, y: Point | str) -> bool:
        """Return whether two points have a full connection."""
        return bool(self._list(x, y, FULL))

    def has_semi(self, x: Point | str, y: Point | str) -> bool:
        """Return whether a semi connection of two points was kept."""
        return bool(self._list(x, y, SEMI))

    def _list(self, x: Point | str, y: Point | str, which: int) -> list[int]:
        """Return the nodes of the list of two points."""
        x, y = map(self.board.point, (x, y))
        ends = self.captain(x), self.captain(y)
        if None in ends or ends[0] == ends[1]:
            return []
        kernel_ends = (self.memory[self.layout.captain + self.kernel_point(end)] for end in (x, y))
        x, y = sorted(map(int, kernel_ends))
        return self._nodes(entries(self.memory, self.layout, x, y, which))

    def _derive(self, x: Point, y: Point, carrier: CellSet) -> Connection | None:
        """Return the derivation of the full that was given with these ends and this carrier."""
        same = (it for it in self.given if (it.x, it.y) == (x, y) and it.carrier == carrier)
        match = next(same, None)
        return None if match is None else match.derive()

    def _name_captains(self) -> None:
        """Map the kernels' captains to those of the board.

        The smallest cell of a group need not be the smallest on the transposed board.
        """
        names = self._captains
        captains = self.memory[self.layout.captain : self.layout.captain + self.board.size + 2]
        for point, captain in enumerate(captains.tolist()):
            if captain >= 0:
                point_of_group = captain if captain >= self.board.size else point
                name = self._board_point(point_of_group)
                names[captain] = min(names.get(captain, name), name)

    def board_captain(self, captain: Point) -> Point:
        """Return the board's captain of a group, given the kernels' captain."""
        return self._captains[captain]

    def kernel_point(self, point: Point) -> Point:
        """Return the kernels' number of a point: White's board is transposed."""
        return point if self.color is Color.BLACK else self.board.transpose(point)


@cache
def _mirror(board: Board) -> tuple[Point, ...]:
    """Return the board's point for each point of the transposed board."""
    return tuple(map(board.transposed.transpose, range(board.size + 4)))


# The arrays that the kernels work in, one set for each thread.


class Workspace:
    """Arrays for the kernels to work in, reused from one closure to the next.

    doublings  how often they were doubled; a new workspace can start at the same size
    """

    def __init__(self, cells: int, doublings: int = 0) -> None:
        """Allocate arrays for boards of this many cells."""
        self.layout = layout(cells)
        self.memory = np.zeros(self.layout.lists + 600 * (cells + 2), np.int64)
        self.log = np.zeros(500 * (cells + 2), np.int64)
        self.rows = rows_for(self.layout)
        self.doublings = 0
        for _ in range(doublings):
            self.grow()

    def grow(self) -> None:
        """Double the arrays; their content is lost."""
        self.doublings += 1
        self.memory = np.zeros(2 * self.memory.size, np.int64)
        self.log = np.zeros(2 * self.log.size, np.int64)
        self.rows = np.zeros((2 * len(self.rows), self.rows.shape[1]), np.int64)

    def attempts(self, layout: Layout) -> Iterator[tuple[Array, Array, Layout, Array]]:
        """Yield the arrays as kernels take them; again, doubled, until all connections fit."""
        while True:
            yield self.memory, self.log, layout, self.rows
            if not self.memory[packing.OVERFLOW]:
                return
            self.grow()

    def make_room(self, store: Store) -> None:
        """Double the arrays until those of a store fit."""
        while store.memory.size > self.memory.size or store.log.size > self.log.size:
            self.grow()

    def load(self, store: Store) -> None:
        """Copy the arrays of a store, for which there is room, to continue its closure."""
        self.memory[: store.memory.size] = store.memory
        self.log[: store.log.size] = store.log

    def store(self, board: Board, color: Color, fulls: Iterable[Given] = ()) -> Store:
        """Return a store with a copy of the arrays."""
        memory = self.memory[: self.memory[packing.MEMORY_USED]].copy()
        log = self.log[: self.memory[packing.LOG_USED]].copy()
        return Store(board, color, memory, log, fulls)


_of_thread = threading.local()


def workspace(cells: int) -> Workspace:
    """Return this thread's workspace for boards of this many cells."""
    spaces: dict[int, Workspace] = _of_thread.__dict__.setdefault("spaces", {})
    if cells not in spaces:
        spaces[cells] = Workspace(cells)
    return spaces[cells]
