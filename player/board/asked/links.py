"""`links`: the few connections worth a look: direct ones between groups and edges.

Of thousands of connections those are left that are full, join two groups, and
do not pass through a third: a chain of links needs no line of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from hsearch.analysis import Analysis
from hsearch.board import Board, Color
from hsearch.connection import Connection, Rule
from hsearch.position import groups
from hsearch.position.groups import Group
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import Stones
from player.report.connections import connection_object

MOST = 20


@dataclass(frozen=True, slots=True)
class Question:
    """A position."""

    position: Stones


def answer(desk: Desk, _job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return at most this many links, the smallest first, and the groups that they join."""
    analysis = desk.analyses.of(asked.position.position())
    board = analysis.position.board
    found = sorted(
        ((color, link) for color in Color for link in _links(analysis, color)),
        key=lambda pair: pair[1].carrier.count(),
    )
    return {
        "links": [connection_object(color, link, board) for color, link in found[:MOST]],
        "more": max(0, len(found) - MOST),
        "groups": {
            board.name(group.captain): _cells(board, group)
            for color in Color
            for group in groups(analysis.position, color)
        },
    }


def _links(analysis: Analysis, color: Color) -> Iterator[Connection]:
    """Yield the smallest full of each two groups, unless groups that touch it join them already."""
    store = analysis.stores[color]
    captains = [group.captain for group in groups(analysis.position, color)]
    for x, y in combinations(captains, 2):
        fulls = store.fulls(x, y)
        if fulls and fulls[0].rule is not Rule.AND and fulls[0].carrier.any():
            yield fulls[0]


def _cells(board: Board, group: Group) -> list[str]:
    """Return the cells of a group; of one without stones, those along its edge."""
    if group.stones.any():
        return board.names(group.stones)
    return [board.name(point) for point in board.neighbors(group.captain)]
