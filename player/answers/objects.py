"""Parts of all answers: JSON objects, and sentences wrapped to a width.

Cells are lower-case names, row by row; colors are `"black"` and `"white"`.
JSON has no infinite numbers: they are the strings `"inf"` and `"-inf"`.
"""

import math
from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import Any

from hsearch.hex import Color, Position


def position_object(position: Position, *, turn_is_known: bool = True) -> dict[str, Any]:
    """Return a position: its size, its stones, and the player to move, null if unknown."""
    board = position.board
    return {
        "columns": board.columns,
        "rows": board.rows,
        "black": board.names(position.black),
        "white": board.names(position.white),
        "turn": position.turn.word if turn_is_known else None,
    }


def for_either(answers: Mapping[Color, dict[str, Any]]) -> dict[str, Any]:
    """Merge the answers for each player to move: null where they differ, both under `by_turn`.

    A single answer is returned as it is.
    """
    first, *others = answers.values()
    if not others:
        return first
    # Without a common winner there is no common proof, even if the kinds are equal.
    common = {name: v if all(o[name] == v for o in others) else None for name, v in first.items()}
    for winner, proof in (("winner", "proof"), ("proved_winner", "proved_by")):
        if common[winner] is None:
            common[proof] = None
    return common | {"by_turn": {color.word: answer for color, answer in answers.items()}}


def number(value: float, digits: int | None = 6) -> float | str:
    """Return a number, rounded unless `digits` is None; an infinite one as a string."""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return (float(value) if digits is None else round(float(value), digits)) + 0.0  # never -0.0


def word(color: Color | None) -> str | None:
    """Return the word of a color; None for None."""
    return None if color is None else color.word


# Sentences, for a terminal, a file or a window.

WINDOW = 72  # characters in a line of HexGui's text window


def rows(sentence: str, width: int) -> list[str]:
    """Return a sentence as lines; after the first, indented by three more spaces."""
    indent = " " * (len(sentence) - len(sentence.lstrip()) + 3)
    return wrap(sentence, width, subsequent_indent=indent, break_long_words=False)


def wrap_text(sentences: Iterable[str]) -> str:
    """Return sentences as one text for that window, each starting a new line."""
    return "\n".join(row for sentence in sentences for row in rows(sentence, WINDOW))
