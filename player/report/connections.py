"""Connections in words, as JSON objects, and as marks on a board."""

from collections.abc import Iterable
from typing import Any

from hsearch.board import Board, Cell, Color, Point
from hsearch.cells import CellSet
from hsearch.connection import Connection
from hsearch.render import Marks
from hsearch.store import Store
from player.numbers import numbered


def connection_object(color: Color, connection: Connection, board: Board) -> dict[str, Any]:
    """Return a connection as a JSON object."""
    return {
        "color": color.word,
        "kind": kind(connection),
        "ends": [board.name(end) for end in _edges_first(connection, board)],
        "key": None if connection.key is None else board.name(connection.key),
        "carrier": board.names(connection.carrier),
        "rule": connection.rule.value,
    }


def connection_marks(connection: Connection, last: Cell | None = None) -> Marks:
    """Return the marks that show a connection: its carrier, its key and its ends."""
    return Marks(shaded=connection.carrier, key=connection.key, ends=connection.ends, last=last)


def line(color: Color, connection: Connection, board: Board) -> str:
    """Return a connection as one line."""
    ends = " ".join(board.name(end) for end in _edges_first(connection, board))
    start = "" if connection.key is None else f" from {board.name(connection.key)}"
    cells = " ".join(board.names(connection.carrier)) or "no cell"
    return f"{color.word} {kind(connection)}  {ends}{start}: {cells}  ({connection.rule.value})"


def total(found: list[tuple[Color, Connection]], stores: Iterable[Store]) -> str:
    """Return the number of connections, and which limits kept it down."""
    fulls = sum(connection.is_full for _, connection in found)
    bound = sorted({limit for store in stores for limit in store.counts.limits_bound})
    more = f" (limits reached: {', '.join(bound)})" if bound else ""
    return f"{fulls} full and {numbered(len(found) - fulls, 'semi connection')}{more}."


def only_within(cells: CellSet, board: Board) -> str:
    """Return the sentence about a sub-game: the empty cells that may be used."""
    names = " ".join(board.names(cells)) or "none"
    return f"Only these empty cells may be used: {names}. All others count as the opponent's."


def already_joined(x: str, y: str) -> str:
    """Return the sentence about two points of one group."""
    return f"Stones join {x} and {y} already."


def kind(connection: Connection) -> str:
    """Return `full` or `semi`."""
    return "full" if connection.is_full else "semi"


def order(connection: Connection, board: Board) -> tuple[Any, ...]:
    """Return the sort key of a list: kind, ends with edges first, size, cells."""
    ends = [(not board.is_edge(end), end) for end in _edges_first(connection, board)]
    cells = tuple(connection.carrier.search(1))
    return not connection.is_full, ends, len(cells), cells, connection.key


def _edges_first(connection: Connection, board: Board) -> tuple[Point, ...]:
    return tuple(sorted(connection.ends, key=lambda end: (not board.is_edge(end), end)))
