"""Answers as JSON objects: what all of them are made of.

Cells are lower-case names, row by row; colors are `"black"` and `"white"`;
JSON has no infinite numbers, so they are the strings `"inf"` and `"-inf"`.
"""

import math
from collections.abc import Mapping
from typing import Any

from hsearch.board import Color
from hsearch.position import Position


def position_object(position: Position, *, turn_is_known: bool = True) -> dict[str, Any]:
    """Return a position: its size, its stones and who is to move, null if nobody knows."""
    board = position.board
    return {
        "columns": board.columns,
        "rows": board.rows,
        "black": board.names(position.black),
        "white": board.names(position.white),
        "turn": position.turn.word if turn_is_known else None,
    }


def for_either(answers: Mapping[Color, dict[str, Any]]) -> dict[str, Any]:
    """Return the answers for each player to move as one: null what depends on it, and both.

    With one answer, it is all there is to say.
    """
    first, *others = answers.values()
    if not others:
        return first
    # A proof of nobody's win proves nothing.
    common = {name: v if all(o[name] == v for o in others) else None for name, v in first.items()}
    if common["winner"] is None:
        common["proof"] = None
    return common | {"by_turn": {color.word: answer for color, answer in answers.items()}}


def number(value: float, digits: int | None = 6) -> float | str:
    """Return a number, rounded unless `digits` is None, or the word of an infinite one."""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return (float(value) if digits is None else round(float(value), digits)) + 0.0  # never -0.0


def word(color: Color | None) -> str | None:
    """Return the word of a color; None stays None, JSON's null."""
    return None if color is None else color.word
