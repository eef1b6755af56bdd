"""Groups of stones, with the player's edges counted as stones."""

from dataclasses import dataclass

from hsearch.board import Color, Point
from hsearch.cells import CellSet, cell_set
from hsearch.position.stones import Position


@dataclass(frozen=True, slots=True)
class Group:
    """A maximal set of adjacent stones of one color, own edges included.

    captain  the point that names the group: an edge if it touches one (the
             first of the two if both), else its smallest cell
    stones   its cells; empty for an edge that no stone touches
    edges    the own edges it touches
    """

    captain: Point
    stones: CellSet
    edges: tuple[Point, ...]


def groups(position: Position, color: Color) -> list[Group]:
    """Return a player's groups: those with an edge first, then by captain."""
    board = position.board
    own = {*board.edges(color), *position.stones(color).search(1)}
    found = []
    while own:
        members = _reach(position, max(own), own)
        own -= members
        edges = tuple(sorted(point for point in members if board.is_edge(point)))
        stones = cell_set(members.difference(edges), board.size)
        found.append(Group(min(edges or members), stones, edges))
    return sorted(found, key=lambda group: (not group.edges, group.captain))


def captains(position: Position, color: Color) -> dict[Point, Point]:
    """Return the captain of each point of a player: own stones and edges, and empty cells.

    An empty cell is a point of its own. Opponent stones are missing.
    """
    named = {cell: cell for cell in position.empty.search(1)}
    for group in groups(position, color):
        named |= dict.fromkeys((*group.stones.search(1), *group.edges), group.captain)
    return named


def _reach(position: Position, start: Point, own: set[Point]) -> set[Point]:
    members, waiting = {start}, [start]
    while waiting:
        new = own.intersection(position.board.neighbors(waiting.pop())) - members
        members |= new
        waiting.extend(new)
    return members
