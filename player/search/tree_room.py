"""The arrays of a tree, which can grow, and examinations of the positions at its nodes."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence

import numpy as np

from hsearch.connect import Limits
from hsearch.hex import Cell, Color, Position
from hsearch.hex.frame import Frame
from player.evaluate.ordering import weak_links
from player.evaluate.patterns import PatternWeights, none_on
from player.kernels import tree as kernel
from player.kernels.patterns import AROUND, place_of, set_up
from player.search.line import Assessment, Bookmark, SearchPosition


def empty_tree(room: int) -> kernel.SearchTree:
    """Return a tree with a root alone, and room for this many nodes."""
    tree = kernel.SearchTree(
        counts=np.zeros(2, np.int64),
        parent=np.zeros(room, np.int32),
        first=np.zeros(room, np.int32),
        children=np.zeros(room, np.int16),
        cell=np.zeros(room, np.int16),
        state=np.zeros(room, np.int8),
        stage=np.zeros(room, np.int8),
        visits=np.zeros(room, np.int32),
        wins=np.zeros(room, np.float64),
        rave_visits=np.zeros(room, np.int32),
        rave_wins=np.zeros(room, np.float64),
        prior=np.zeros(room, np.float64),
        estimates=np.full(room, -1.0),
        current=np.zeros(room, np.float32),
    )
    tree.counts[0] = 1
    return tree


def larger(tree: kernel.SearchTree) -> kernel.SearchTree:
    """Return a copy of a tree with twice the room."""
    room = tree.parent.size
    copy = empty_tree(2 * room)
    copy.counts[:] = tree.counts
    for name in tree._fields[1:]:
        getattr(copy, name)[:room] = getattr(tree, name)
    return copy


def below(tree: kernel.SearchTree, node: int) -> kernel.SearchTree:
    """Return a copy of the subtree from a node on."""
    copy = empty_tree(tree.parent.size)
    kernel.transplant(tree, node, copy)
    return copy


def children_of(tree: kernel.SearchTree, node: int) -> slice:
    """Return the slice of the arrays with the children of a node."""
    first = int(tree.first[node])
    return slice(first, first + int(tree.children[node]))


def child_at(tree: kernel.SearchTree, node: int, cell: Cell) -> int | None:
    """Return the child of a node after a move on a cell; None if there is none."""
    children = children_of(tree, node)
    places = np.flatnonzero(tree.cell[children] == cell)
    return children.start + int(places[0]) if places.size else None


def rank_children(tree: kernel.SearchTree, node: int) -> list[int]:
    """Return the children of a node: those that win, the open ones by visits, those that lose.

    Of equals the one with the larger prior comes first, then the first on the board.
    """
    children = children_of(tree, node)
    state = tree.state[children]
    order = np.where(state == kernel.LOST, 0, np.where(state == kernel.OPEN, 1, 2))
    keys = -tree.prior[children], -tree.visits[children], order
    return [children.start + int(number) for number in np.lexsort(keys)]


def line_of(tree: kernel.SearchTree, node: int = 0) -> Iterator[Cell]:
    """Yield the best moves from a node on, as far as they were tried, up to a proof."""
    while tree.children[node]:
        node = rank_children(tree, node)[0]
        if tree.visits[node] or tree.state[node] != kernel.OPEN:
            yield int(tree.cell[node])
        if not tree.visits[node] or tree.state[node] != kernel.OPEN:
            return


def root_position(
    position: Position, last: Cell | None = None, patterns: PatternWeights | None = None
) -> kernel.RootPosition:
    """Return the kernel's record of a root position, with the last move if it is known."""
    board = position.board
    room = (board.columns + 2) * (board.rows + 2)
    stones, steps = np.zeros(room, np.int8), np.zeros(AROUND, np.int64)
    empties, spots = np.zeros(board.size, np.int64), np.zeros(room, np.int64)
    cells = Frame.of(position, Color.BLACK).stones
    remaining = set_up(board.columns, board.rows, cells, stones, steps, empties, spots)
    row, column = np.divmod(np.arange(board.size), board.columns)
    return kernel.RootPosition(
        columns=board.columns,
        rows=board.rows,
        turn=int(position.turn),
        remaining=remaining,
        stones=stones,
        places=(row + 1) * (board.columns + 2) + column + 1,
        steps=steps,
        empties=empties,
        spots=spots,
        path=np.zeros(board.size + 2, np.int64),
        last=-1 if last is None else place_of(last, board.columns),
        patterns=none_on(board) if patterns is None else patterns.on(board),
    )


# Examinations all over a tree, each from the nearest position examined before.
#
# A depth-first search takes one stone back and puts another; here the next node may be
# anywhere. So the connections are marked where they may be needed again, and an
# examination usually costs one more stone, too.

ROOM = 100  # most marks, of two megabytes each on 11x11, of thirteen on 19x19
MOST_BYTES = 400_000_000  # of all marks, so that there are fewer on boards larger than 13x13


class Looker:
    """Examines positions below a root, and keeps marks of them. Holds state."""

    def __init__(self, position: Position, limits: Limits) -> None:
        """Start at the root."""
        self._line = SearchPosition(position, limits, weak_links)
        self._root = self._line.mark()
        self._marks: OrderedDict[tuple[Cell, ...], Bookmark] = OrderedDict()
        self._bytes = 0  # of all of them

    def advance(self, moves: Sequence[Cell]) -> None:
        """Play moves at the root; keep the marks below the new one."""
        path = tuple(moves)
        self._stand_after(path)
        self._root = self._line.mark()
        marks = [(key, mark) for key, mark in self._marks.items() if key[: len(path)] == path]
        self._marks = OrderedDict(
            (key[len(path) :], mark) for key, mark in marks if len(key) > len(path)
        )
        self._bytes = sum(mark.bytes for mark in self._marks.values())

    def look(self, moves: Sequence[Cell]) -> Assessment:
        """Return the assessment after some moves from the root."""
        path = tuple(moves)
        self._stand_after(path)
        assessment = self._line.probe()
        if assessment.winner is None and path:
            self._keep(path)
        return assessment

    def best_tries(self) -> tuple[Cell, ...]:
        """Return moves worth trying at a decided root, best first."""
        self._stand_after(())
        return self._line.best_tries()

    def _stand_after(self, path: tuple[Cell, ...]) -> None:
        """Go to the position after some moves, from the nearest mark on the path."""
        line = self._line
        start = next((n for n in range(len(path), 0, -1) if path[:n] in self._marks), 0)
        if start:
            self._marks.move_to_end(path[:start])
        line.restore(self._marks[path[:start]] if start else self._root)
        for number in range(start, len(path)):
            if 0 < number == len(path) - 1 and path[:number] not in self._marks:
                self._keep(path[:number])
            line.play(path[number])

    def _keep(self, path: tuple[Cell, ...]) -> None:
        """Mark the current position; if there are too many marks, drop the least recently used."""
        mark, old = self._line.mark(), self._marks.get(path)
        self._bytes += mark.bytes - (0 if old is None else old.bytes)
        self._marks[path] = mark
        while len(self._marks) > ROOM or self._bytes > MOST_BYTES:
            self._bytes -= self._marks.popitem(last=False)[1].bytes
