"""One player's connections in one position, as values."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np

from hsearch.board import Board, Color, Point
from hsearch.cells import CellSet
from hsearch.connection import Connection
from hsearch.kernels import lists, packing
from hsearch.kernels.packing import CARRIER, COUNT, FULL, SEMI
from hsearch.store.packed import Array, Reading, entries, entries_at, has_chain


@dataclass(frozen=True, slots=True)
class ConnectionCounts:
    """Result and work of a closure, in numbers.

    full, semi      connections kept
    nodes           connections accepted, also those replaced by better ones
    and_tries       pairs of fulls the AND rule was tried on
    and_successes   conclusions of it that were accepted
    or_tries        semis the OR rule added to a choice
    or_successes    conclusions of it that were accepted
    greedy_unions   fulls that only the greedy union found
    longest_queue   the most connections that ever waited
    limits_bound    the limits that cut something off, of "M", "K", "shrinking", "steps", "win"
    """

    full: int
    semi: int
    nodes: int
    and_tries: int
    and_successes: int
    or_tries: int
    or_successes: int
    greedy_unions: int
    longest_queue: int
    limits_bound: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether these are all minimal connections that the rules can derive."""
        return not self.limits_bound


@dataclass(frozen=True, slots=True)
class Given:
    """A full connection that was found by other means and is put among those of H-search.

    x, y     the points it joins, x < y
    carrier  the empty cells it needs
    derive   returns it with all that it follows from; called when somebody asks
    """

    x: Point
    y: Point
    carrier: CellSet
    derive: Callable[[], Connection] = field(compare=False, repr=False)


class Store(Reading):
    """The connections of one player in one position, read only."""

    def __init__(
        self, board: Board, color: Color, memory: Array, log: Array, given: Iterable[Given] = ()
    ) -> None:
        """Take over the arrays of a finished closure, and what was given to it.

        For White they are those of the transposed position. See
        `hsearch.kernels.packing` for what `memory` and `log` hold.
        """
        self.given = tuple(given)
        self.color = color
        names = None if color is Color.BLACK else _mirror(board)
        self._captains: dict[Point, Point] = {}
        super().__init__(board, memory, log, self._captains, names, board.size)
        self._name_captains()

    @cached_property
    def counts(self) -> ConnectionCounts:
        """Result and work of the closure, in numbers."""
        memory = self.memory
        names = ("M", "K", "shrinking", "steps")
        flags = (packing.LIMIT_M, packing.LIMIT_K, packing.LIMIT_SHRINKING, packing.LIMIT_STEPS)
        bound = [name for name, flag in zip(names, flags, strict=True) if memory[flag]]
        if memory[packing.QUEUED] and not memory[packing.LIMIT_STEPS]:
            bound.append("win")
        fulls, semis = (int(memory[starts[starts > 0] + COUNT].sum()) for starts in self._heads)
        return ConnectionCounts(
            full=fulls,
            semi=semis,
            nodes=int(memory[packing.NODES]),
            and_tries=int(memory[packing.AND_TRIES]),
            and_successes=int(memory[packing.AND_SUCCESSES]),
            or_tries=int(memory[packing.OR_TRIES]),
            or_successes=int(memory[packing.OR_SUCCESSES]),
            greedy_unions=int(memory[packing.GREEDY_UNIONS]),
            longest_queue=int(memory[packing.LONGEST_QUEUE]),
            limits_bound=tuple(bound),
        )

    def captain(self, point: Point) -> Point | None:
        """Return the point that names the group of a point; None for an opponent stone."""
        own = self.board.edges(self.color)
        if self.board.is_edge(point) and point not in own:
            return None
        captain = int(self.memory[self.layout.captain + self._framed(point)])
        return None if captain < 0 else self._captains[captain]

    def fulls(self, x: Point | str, y: Point | str) -> list[Connection]:
        """Return the full connections of two points, smallest carrier first.

        A point is given by number or by name, such as `b2` or `north`; a stone stands for its
        group. Raise ValueError when it is none of the board.
        """
        return list(map(self._value, self._list(self._point(x), self._point(y), FULL)))

    def semis(self, x: Point | str, y: Point | str) -> list[Connection]:
        """Return the semi connections of two points, as `fulls` does."""
        return list(map(self._value, self._list(self._point(x), self._point(y), SEMI)))

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
        """Whether the player's stones join the edges already."""
        return has_chain(self.memory, self.layout)

    def __iter__(self) -> Iterator[Connection]:
        """Iterate over all connections kept: fulls, then semis, pair by pair."""
        for which in (FULL, SEMI):
            for start in self._heads[which].tolist():
                if start:
                    yield from map(self._value, self._at(start))

    def lists(self) -> Iterator[tuple[list[CellSet], list[CellSet]]]:
        """Iterate over the pairs of points: the carriers kept of their fulls and semis, in order.

        After an update a derivation may need less than the carrier that is kept
        here, so that the values have smaller ones.
        """
        width = len(self.layout.words)
        for starts in zip(*(heads.tolist() for heads in self._heads), strict=True):
            if starts == (0, 0):
                continue
            fulls, semis = (
                [self._cells(self.log[node + CARRIER : node + CARRIER + width]) for node in nodes]
                for nodes in map(self._at, starts)
            )
            if fulls or semis:
                yield fulls, semis

    def full_links(self) -> tuple[Array, Array, Array]:
        """Return the pairs of points that a full joins which needs cells.

        Three arrays: one end, the other end, and how many cells all fulls of
        the pair have in common.
        """
        pairs = (self.layout.lists - self.layout.heads) // 2
        a, b, common = np.empty((3, pairs), np.int64)
        found = lists.full_links(self.memory, self.log, self.layout, a, b, common)
        named = np.array([self._captains.get(point, -1) for point in range(self.board.size + 2)])
        return named[a[:found]], named[b[:found]], common[:found]

    @property
    def _heads(self) -> tuple[Array, Array]:
        """The starts of all lists of fulls, and of semis; 0 where there is none."""
        heads = self.memory[self.layout.heads : self.layout.lists]
        return heads[FULL::2], heads[SEMI::2]

    def _at(self, start: int) -> list[int]:
        """Return the nodes of the list that starts there."""
        return self._nodes(entries_at(self.memory, self.layout, start))

    def has_full(self, x: Point, y: Point) -> bool:
        """Return whether two points have a full connection."""
        return bool(self._list(x, y, FULL))

    def has_semi(self, x: Point, y: Point) -> bool:
        """Return whether two points have a semi connection that is kept."""
        return bool(self._list(x, y, SEMI))

    def _point(self, point: Point | str) -> Point:
        if isinstance(point, str):
            return self.board.point(point)
        if not 0 <= point < self.board.size + 4:
            raise ValueError(
                f"no point {point} on the {self.board} board: 0 to {self.board.size + 3}"
            )
        return point

    def _list(self, x: Point, y: Point, which: int) -> list[int]:
        """Return the nodes kept for two points."""
        ends = self.captain(x), self.captain(y)
        if None in ends or ends[0] == ends[1]:
            return []
        kernel_ends = (self.memory[self.layout.captain + self._framed(end)] for end in (x, y))
        x, y = sorted(map(int, kernel_ends))
        return self._nodes(entries(self.memory, self.layout, x, y, which))

    def _derived(self, x: Point, y: Point, carrier: CellSet) -> Connection | None:
        """Return the connection that was given with these ends and this carrier."""
        same = (it for it in self.given if (it.x, it.y) == (x, y) and it.carrier == carrier)
        found = next(same, None)
        return None if found is None else found.derive()

    def _name_captains(self) -> None:
        """Name the points that the kernels call by their own captains.

        The smallest cell of a group need not be the smallest on the mirror.
        """
        named = self._captains
        captains = self.memory[self.layout.captain : self.layout.captain + self.board.size + 2]
        for point, captain in enumerate(captains.tolist()):
            if captain >= 0:
                point_of_group = captain if captain >= self.board.size else point
                name = self._unframed(point_of_group)
                named[captain] = min(named.get(captain, name), name)

    def named(self, captain: Point) -> Point:
        """Return how the board names a group that the kernels call by `captain`."""
        return self._captains[captain]

    def _framed(self, point: Point) -> Point:
        """Return where a point lies on the board that the kernels saw."""
        return point if self.color is Color.BLACK else self.board.transpose(point)


@cache
def _mirror(board: Board) -> tuple[Point, ...]:
    """Return where each point of the transposed board lies on a board."""
    return tuple(map(board.transposed.transpose, range(board.size + 4)))
