"""The arrays of a tree, with room that grows, and the position at its root."""

from collections.abc import Iterator

import numpy as np

from hsearch.board import Cell, Color
from hsearch.position import Position
from hsearch.position.frame import Frame
from player.kernels import tree as kernel
from player.kernels.playout import AROUND, place_of, set_up
from player.patterns import PatternWeights
from player.patterns.weights import none_on


def empty_tree(room: int) -> kernel.SearchTree:
    """Return a tree of nothing but a root, with room for this many nodes."""
    tree = kernel.SearchTree(
        used=np.zeros(2, np.int64),
        parent=np.zeros(room, np.int32),
        first=np.zeros(room, np.int32),
        children=np.zeros(room, np.int16),
        cell=np.zeros(room, np.int16),
        state=np.zeros(room, np.int8),
        seen=np.zeros(room, np.int8),
        visits=np.zeros(room, np.int32),
        wins=np.zeros(room, np.float64),
        rave_visits=np.zeros(room, np.int32),
        rave_wins=np.zeros(room, np.float64),
        prior=np.zeros(room, np.float64),
        estimates=np.full(room, -1.0),
        current=np.zeros(room, np.float32),
    )
    tree.used[0] = 1
    return tree


def larger(tree: kernel.SearchTree) -> kernel.SearchTree:
    """Return the same tree with twice the room."""
    room = tree.parent.size
    grown = empty_tree(2 * room)
    grown.used[:] = tree.used
    for name in tree._fields[1:]:
        getattr(grown, name)[:room] = getattr(tree, name)
    return grown


def below(tree: kernel.SearchTree, node: int) -> kernel.SearchTree:
    """Return what grows from a node, as a tree of its own."""
    grown = empty_tree(tree.parent.size)
    kernel.transplant(tree, node, grown)
    return grown


def children_of(tree: kernel.SearchTree, node: int) -> slice:
    """Return where the children of a node stand."""
    first = int(tree.first[node])
    return slice(first, first + int(tree.children[node]))


def child_at(tree: kernel.SearchTree, node: int, cell: Cell) -> int | None:
    """Return the child of a node that a cell leads to; None if there is none."""
    children = children_of(tree, node)
    found = np.flatnonzero(tree.cell[children] == cell)
    return children.start + int(found[0]) if found.size else None


def ranked(tree: kernel.SearchTree, node: int) -> list[int]:
    """Return the children of a node: those that win, the open ones by visits, those that lose.

    Of equals the one with the larger prior comes first, then the first on the board.
    """
    children = children_of(tree, node)
    state = tree.state[children]
    order = np.where(state == kernel.LOST, 0, np.where(state == kernel.OPEN, 1, 2))
    keys = -tree.prior[children], -tree.visits[children], order
    return [children.start + int(number) for number in np.lexsort(keys)]


def line_of(tree: kernel.SearchTree) -> Iterator[Cell]:
    """Yield the best moves from the root on, as far as they were tried, up to a proof."""
    node = 0
    while tree.children[node]:
        node = ranked(tree, node)[0]
        if tree.visits[node] or tree.state[node] != kernel.OPEN:
            yield int(tree.cell[node])
        if not tree.visits[node] or tree.state[node] != kernel.OPEN:
            return


def root_position(
    position: Position, last: Cell | None = None, patterns: PatternWeights | None = None
) -> kernel.RootPosition:
    """Return a position as the kernel takes it for the root, after a last move if it is known."""
    board = position.board
    room = (board.columns + 2) * (board.rows + 2)
    stones, steps = np.zeros(room, np.int8), np.zeros(AROUND, np.int64)
    empties, spots = np.zeros(board.size, np.int64), np.zeros(room, np.int64)
    cells = Frame.of(position, Color.BLACK).stones
    left = set_up(board.columns, board.rows, cells, stones, steps, empties, spots)
    row, column = np.divmod(np.arange(board.size), board.columns)
    return kernel.RootPosition(
        columns=board.columns,
        rows=board.rows,
        turn=int(position.turn),
        left=left,
        stones=stones,
        places=(row + 1) * (board.columns + 2) + column + 1,
        steps=steps,
        empties=empties,
        spots=spots,
        path=np.zeros(board.size + 2, np.int64),
        last=-1 if last is None else place_of(last, board.columns),
        patterns=none_on(board) if patterns is None else patterns.on(board),
    )
