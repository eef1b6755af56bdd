"""JSON on stdout: one object a line, the same bytes for the same input.

Cells are lower-case names, row by row; colors are `"black"` and `"white"`;
JSON has no infinite numbers, so they are the strings `"inf"` and `"-inf"`.
"""

import json
import math
from typing import Any

import click

from hsearch.board import Color
from hsearch.position import Position


def print_object(thing: dict[str, Any]) -> None:
    """Print an object as one line, its fields in the order they were given."""
    click.echo(json.dumps(thing, ensure_ascii=False, allow_nan=False))


def position_object(position: Position) -> dict[str, Any]:
    """Return a position: its size, its stones and who is to move."""
    board = position.board
    return {
        "columns": board.columns,
        "rows": board.rows,
        "black": board.names(position.black),
        "white": board.names(position.white),
        "turn": position.turn.word,
    }


def number(value: float, digits: int = 6) -> float | str:
    """Return a number, rounded, or the word of an infinite one."""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return round(float(value), digits) + 0.0  # never -0.0


def word(color: Color | None) -> str | None:
    """Return the word of a color; None stays None, JSON's null."""
    return None if color is None else color.word
