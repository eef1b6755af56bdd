"""The closure of a position by the kernels: from scratch, or updated move by move."""

import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hsearch.connect.library import placements
from hsearch.connect.limits import DEFAULT_LIMITS, NO_LIMIT, Limits
from hsearch.connect.store import Array, Given, Store, rows_for, workspace
from hsearch.hex import Cell, Color, Position
from hsearch.hex.board import ByColor, to_words
from hsearch.hex.face import expect, guide
from hsearch.hex.frame import Frame
from hsearch.hex.game import position_of
from hsearch.kernels import closure as kernel
from hsearch.kernels import packing, stop, update


@guide
def closure(position: Position, color: Color | str, limits: Limits = DEFAULT_LIMITS) -> Store:
    """Return all connections of a player, from scratch.

    White's are found as Black's on the transposed position, so that mirror
    positions get mirror connections under any limits. Raise Stopped if the work is
    canceled, and ValueError for an unknown color. If the time of `hsearch.kernels.stop`
    runs out, the store holds those found so far, and its `counts` list `time` as a limit.

    >>> import hsearch
    >>> hsearch.closure(hsearch.Position.of(3, black="b2"), "black")
    <Store of black on 3x3: 59 full and 58 semi connections>
    """
    position, color = position_of(position), Color.of(color)
    expect("limits", limits, Limits, "hsearch.Limits(M=30, K=8)")
    frame = Frame.of(position, color)
    space = workspace(position.board.size)
    layout = heeding(with_limits(limits, space.layout))
    for arrays in space.attempts(layout):
        kernel.closure(*arrays, frame.columns, frame.stones)
        stop.check()
        if limits.templates and not space.memory[packing.OVERFLOW]:
            kernel.preload(*arrays, frame.stones, placements(frame.columns, frame.rows))
    return space.store(position.board, color)


def closures(
    places: Mapping[Color, Position],
    limits: Limits = DEFAULT_LIMITS,
    *,
    seconds: float | None = None,
) -> ByColor[Store]:
    """Return each player's connections in that player's position, within `seconds` for all.

    The remaining players share the remaining time equally. The `counts` of a store list
    `time` as a limit if it was cut short.
    """
    stores = ByColor[Store]()
    if seconds is not None:
        with stop.within(0):  # compile first: that takes none of the seconds
            closure(next(iter(places.values())), Color.BLACK, limits)
    end = None if seconds is None else time.monotonic() + seconds
    for color, position in places.items():
        share = None if end is None else (end - time.monotonic()) / (len(places) - len(stores))
        with stop.within(share):
            stores[color] = closure(position, color, limits)
    return stores


def closure_of_both(
    position: Position, limits: Limits = DEFAULT_LIMITS, *, seconds: float | None = None
) -> ByColor[Store]:
    """Return the connections of both players in one position, as `closures` does."""
    return closures(dict.fromkeys(Color, position), limits, seconds=seconds)


def extend(position: Position, store: Store, fulls: Iterable[Given], limits: Limits) -> Store:
    """Return a position's connections with given fulls added, and all that follows from them.

    The limits are those of the store. Fulls that it was given earlier stay.
    """
    board, color = position.board, store.color
    fulls = tuple(fulls)
    space = workspace(board.size)
    width = len(space.layout.words)
    rows = np.zeros((len(fulls), 2 + 2 * width), np.int64)
    for row, connection in zip(rows, fulls, strict=True):
        row[0], row[1] = map(store.kernel_point, (connection.x, connection.y))
        cells = board.only(*map(store.kernel_point, connection.carrier.search(1)))
        row[2 + width :] = to_words(cells, width).view(np.int64)
    stones, layout = Frame.of(position, color).stones, heeding(with_limits(limits, space.layout))
    space.make_room(store)
    for arrays in space.attempts(layout):
        space.load(store)
        kernel.preload(*arrays, stones, rows)
        stop.check()
    return space.store(board, color, (*store.given, *fulls))


def with_limits(limits: Limits, layout: packing.Layout) -> packing.Layout:
    """Return a layout whose options are the limits, as the kernels take them."""
    endless = limits.shrinking
    options = packing.Options(
        fulls=NO_LIMIT if endless else limits.M or NO_LIMIT,
        semis=NO_LIMIT if endless else limits.most_semis or NO_LIMIT,
        k=limits.K or NO_LIMIT,
        edge_pivot=int(limits.edge_pivot),
        greedy_union=int(limits.greedy_union and not limits.shrinking),
        stop_at_win=int(limits.stop_at_win),
        steps=limits.steps or sys.maxsize,
        shrinking=int(limits.shrinking),
        flag=0,
    )
    return layout._replace(options=options)


def heeding(layout: packing.Layout) -> packing.Layout:
    """Return a layout with this thread's stop flag, which may change between kernel calls."""
    flag = stop.address()
    if flag == layout.options.flag:
        return layout
    return layout._replace(options=layout.options._replace(flag=flag))


# One player's connections, updated by the kernels in arrays of their own.


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A saved state of a side: its stones and arrays."""

    stones: NDArray[np.int8]
    memory: Array
    log: Array


class Side:
    """One player's connections, updated stone by stone in the player's frame. Holds state."""

    def __init__(self, position: Position, color: Color, limits: Limits) -> None:
        """Copy the arrays of a closure from scratch, with room to grow."""
        scratch = closure(position, color, limits)
        frame = Frame.of(position, color)
        self._columns, self._stones = frame.columns, frame.stones.copy()
        self._placements = placements(frame.columns, frame.rows) if limits.templates else None
        self._layout = with_limits(limits, scratch.layout)
        self._memory = _with_room(scratch.memory, 2)
        self._log = _with_room(scratch.log, 4)
        self._rows = rows_for(self._layout)
        self._before: list[tuple[Cell, Array, Array]] = []

    def advance(self, cell: Cell, *, own: bool) -> None:
        """Add a stone on a cell of the player's frame.

        An own stone may complete known templates; an opponent's never does. Raise Stopped,
        with the state unchanged, if `hsearch.kernels.stop` ends the update early.
        """
        self._layout = heeding(self._layout)
        self._stones[cell] = 1 if own else 2
        before, log = self._memory[: self._memory[packing.MEMORY_USED]].copy(), self._copy_log()
        while True:
            arrays = self._memory, self._log, self._layout, self._rows
            if own:
                update.own_stone(*arrays, cell, self._columns)
            else:
                update.opponent_stone(*arrays, cell)
            if own and self._placements is not None and not self._memory[packing.OVERFLOW]:
                kernel.preload(*arrays, self._stones, self._placements)
            try:
                stop.check(late=True)
            except stop.Stopped:
                self._stones[cell] = 0
                self._return_to(before, log)
                raise
            overflow = self._memory[packing.OVERFLOW]
            if not overflow:
                self._before.append((cell, before, log))
                return
            self._return_to(before, log)
            if overflow == packing.NO_MEMORY:
                self._memory = _with_room(before, 2 * self._memory.size // before.size + 1)
            elif overflow == packing.NO_LOG:
                self._log = _with_room(self._log, 2)
            else:
                self._rows = np.zeros((2 * len(self._rows), self._rows.shape[1]), np.int64)

    def undo(self) -> None:
        """Take back the last stone."""
        cell, before, log = self._before.pop()
        self._stones[cell] = 0
        self._return_to(before, log)

    def _copy_log(self) -> Array:
        """Return a copy of the log if connections wait in the queue, else an empty array.

        The queue's links are in the log, and an update changes them. An empty queue has none to
        restore.
        """
        length = self._memory[packing.LOG_USED] if self._memory[packing.QUEUED] else 0
        return self._log[:length].copy()

    def _return_to(self, memory: Array, log: Array) -> None:
        self._memory[: memory.size] = memory
        self._log[: log.size] = log

    def mark(self) -> Mark:
        """Return a copy of the current state, for `restore`."""
        memory = self._memory[: self._memory[packing.MEMORY_USED]].copy()
        log = self._log[: self._memory[packing.LOG_USED]].copy()
        return Mark(self._stones.copy(), memory, log)

    def restore(self, mark: Mark) -> None:
        """Return to the state of a mark. The stones played before it can no longer be undone."""
        self._before.clear()
        self._stones[:] = mark.stones
        for name, words in (("_memory", mark.memory), ("_log", mark.log)):
            if words.size > getattr(self, name).size:
                setattr(self, name, _with_room(words, 2))
            getattr(self, name)[: words.size] = words

    @property
    def arrays(self) -> tuple[Array, Array]:
        """The current memory and log: not copies, so only to be read."""
        return self._memory, self._log

    def tries(self) -> dict[str, int]:
        """Return how often each rule was tried for the last stone."""
        names = {"and_tries": packing.AND_TRIES, "or_tries": packing.OR_TRIES}
        return {name: int(self._memory[place]) for name, place in names.items()}


def _with_room(array: Array, times: int) -> Array:
    """Return a copy with room at the end."""
    larger = np.zeros(max(times * array.size, 4096), np.int64)
    larger[: array.size] = array
    return larger
