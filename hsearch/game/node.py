"""The tree of a record, as a flat row of nodes.

Each node knows its parent's number, and the nodes stand in the order of a walk
that finishes one variation before it starts the next::

    0 - 1 - 2 - 3         the main line: every node follows its parent
         \
          4 - 5           a variation after node 1

A game of a thousand moves is a tree a thousand deep, so nothing here recurses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hsearch.board import Cell, Color
from hsearch.game.move import Move

Property: TypeAlias = tuple[str, tuple[str, ...]]

ROOT = -1
HIDDEN = "XA"  # the private property that packs the attempts of a sealed record


@dataclass(frozen=True, slots=True)
class Node:
    """One step of a record: stones set up, then a move; either may be missing.

    parent      the number of the node before; -1 for the first
    move        the move
    black       cells that get a black stone by hand, whatever was there
    white       cells that get a white stone by hand
    cleared     cells that are emptied by hand
    turn        the player who is said to move next
    comment     what was written about it
    properties  everything else, as SGF writes it: names, and values still escaped
    """

    parent: int = ROOT
    move: Move | None = None
    black: tuple[Cell, ...] = ()
    white: tuple[Cell, ...] = ()
    cleared: tuple[Cell, ...] = ()
    turn: Color | None = None
    comment: str = ""
    properties: tuple[Property, ...] = ()

    @property
    def is_setup(self) -> bool:
        """Whether the node puts or removes stones by hand."""
        return bool(self.black or self.white or self.cleared)

    @property
    def sealed(self) -> str | None:
        """The packed attempts of a record of which this is the first node; None if there are none.

        They are hidden from sight, as in a game of Dark Hex under way.
        """
        return next((values[0] for name, values in self.properties if name == HIDDEN), None)


def main_line_length(nodes: Sequence[Node]) -> int:
    """Return how many nodes the main line has: it always comes first."""
    for index, node in enumerate(nodes):
        if node.parent != index - 1:
            return index
    return len(nodes)


def is_tree(nodes: Sequence[Node]) -> bool:
    """Return whether each node's parent is on the way to the node before it."""
    path: list[int] = []
    for index, node in enumerate(nodes):
        while path and path[-1] != node.parent:
            path.pop()
        if bool(path) != bool(index) or (not index and node.parent != ROOT):
            return False
        path.append(index)
    return bool(nodes)
