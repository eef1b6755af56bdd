"""`connections`: all connections of a pair of points, a page of them at a time."""

from dataclasses import dataclass
from typing import Any

from hsearch.board import Color
from player.board.desk import Desk
from player.board.job import BoardJob
from player.board.records import Stones
from player.report.connections import connection_object, line, order

PAGE = 50


@dataclass(frozen=True, slots=True)
class Question:
    """Two points of a position, and which page, from 0."""

    position: Stones
    between: tuple[str, str]
    page: int = 0


def answer(desk: Desk, _job: BoardJob, asked: Question) -> dict[str, Any]:
    """Return fulls, then semis, each sort by size."""
    analysis = desk.analyses.of(asked.position.position())
    board = analysis.position.board
    ends = board.point(asked.between[0]), board.point(asked.between[1])
    found = [
        (color, connection)
        for color in Color
        if None not in map(analysis.stores[color].captain, ends)
        for connection in (
            *analysis.stores[color].fulls(*ends),
            *analysis.stores[color].semis(*ends),
        )
    ]
    found.sort(key=lambda pair: order(pair[1], board))
    start = max(0, asked.page) * PAGE
    return {
        "total": len(found),
        "page": asked.page,
        "rows": [
            connection_object(color, connection, board) | {"said": line(color, connection, board)}
            for color, connection in found[start : start + PAGE]
        ],
    }
