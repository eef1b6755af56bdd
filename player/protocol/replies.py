"""Replies in the syntax that HexGui reads."""

from collections.abc import Iterable

from hsearch.board import Board, Cell, Color, Point
from hsearch.connection import Connection

OUTSIDE = "x"  # HexGui paints such a cell gray


def points(board: Board, found: Iterable[Point]) -> str:
    """Return a list of points."""
    return " ".join(map(board.name, found))


def pairs(board: Board, texts: Iterable[tuple[Cell, str]]) -> str:
    """Return cells, each with a text of a few characters and no blank."""
    return " ".join(f"{board.name(cell)} {text}" for cell, text in texts)


def record(board: Board, color: Color, ends: tuple[Point, Point], connection: Connection) -> str:
    """Return a line that shows a connection.

    The ends are named as they were asked for: HexGui marks these cells, and
    cannot mark an edge.
    """
    x, y = map(board.name, ends)
    carrier = "".join(f"{name} " for name in board.names(connection.carrier))
    kind = "full" if connection.key is None else "semi"
    line = f"{color.word} {x} {y} {kind} {connection.rule.value} [ {carrier}] [ ]"
    return line if connection.key is None else f"{line} {board.name(connection.key)}"
