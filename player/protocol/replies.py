"""Replies in the syntax that HexGui reads.

A text on a cell has at most three characters: of more, HexGui hides the first on
a board of 11x11, so that 41.6% shows as 1.6%.
"""

from collections.abc import Iterable

from hsearch.board import Board, Cell, Color, Point
from hsearch.connection import Connection

OUTSIDE = "x"  # HexGui paints such a cell gray


def points(board: Board, found: Iterable[Point]) -> str:
    """Return a list of points."""
    return " ".join(map(board.name, found))


def share(value: float) -> str:
    """Return a number from 0 on: `.04`, `1.0`, `12`."""
    if value < 0.995:
        return f"{value:.2f}"[1:]
    return f"{value:.1f}" if value < 9.95 else f"{min(value, 999):.0f}"


def percent(chance: float) -> str:
    """Return a chance in per cent, without the sign: `42`; 0 and 100 only if it is that."""
    from player.chance.words import per_cent  # noqa: PLC0415 - it loads numpy

    return str(per_cent(chance))


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
