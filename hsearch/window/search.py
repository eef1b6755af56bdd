"""The search in a window, executed by the kernel."""

from dataclasses import dataclass

import numpy as np

from hsearch.closure.limits import Limits
from hsearch.closure.search import limited_by
from hsearch.kernels import window as kernel
from hsearch.kernels.packing import OVERFLOW
from hsearch.store import Array, layout, workspace
from hsearch.window.shape import Window, bits_of, graph_of, places_of

# Of what a search answers: raise it when that changes, and make the shipped file anew.
VERSION = 1
LIMITS = Limits(shrinking=True, stop_at_win=True)
_CHILDREN = 20


@dataclass(frozen=True, slots=True)
class WindowAnswer:
    """Result of a search in a window.

    joined   whether the ends are joined; None if the budget did not suffice
    carrier  if they are, the places that takes, else none
    used     how much work it was: the number of closures, or more where there is little hope
    """

    joined: bool | None
    carrier: int
    used: int


class Room:
    """A window laid out for the kernel. Holds state: the arrays that it works in."""

    def __init__(self, window: Window) -> None:
        """Lay a window out."""
        self.window = window
        self._points = window.points
        self._layout = limited_by(LIMITS, layout(len(self._points)))
        self._graph = graph_of(window)
        self._space = workspace(kernel.MOST_POINTS)

    def solve(self, budget: int) -> tuple[WindowAnswer, Array]:
        """Return whether the ends are joined, the opponent moving first, and the search tree.

        The budget is how much work it may be, see `WindowAnswer`.
        """
        window, space = self.window, self._space
        tree = np.zeros((_CHILDREN * budget + kernel.MOST_POINTS + 1, kernel.FIELDS), np.int64)
        while True:
            used = kernel.solve(
                space.memory,
                space.log,
                self._layout,
                space.rows,
                tree,
                self._graph,
                bits_of(window, window.other),
                bits_of(window, window.empty),
                budget,
            )
            if used >= 0:
                break
            if space.memory[OVERFLOW]:
                space.grow()
            else:
                tree = np.zeros((2 * len(tree), kernel.FIELDS), np.int64)
        state = int(tree[0, kernel.STATE])
        joined = {kernel.JOINED: True, kernel.CUT: False}.get(state)
        carrier = places_of(window, int(tree[0, kernel.CARRIER])) if joined else 0
        return WindowAnswer(joined, carrier, int(used)), tree

    def closure(self, own: int, free: int) -> tuple[Array, Array]:
        """Return what H-search finds with these points the owner's and these empty.

        The arrays are those of `hsearch.kernels.packing`, and hold it until the next call.
        """
        space = self._space
        while True:
            arrays = space.memory, space.log, self._layout, space.rows
            kernel.closure(*arrays, self._graph, own, free)
            if not space.memory[OVERFLOW]:
                return space.memory, space.log
            space.grow()
