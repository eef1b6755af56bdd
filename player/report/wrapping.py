"""Sentences on lines of a width, for a terminal, a file or a window."""

from collections.abc import Iterable
from textwrap import wrap

WINDOW = 72  # characters in a line of HexGui's window for texts


def rows(sentence: str, width: int) -> list[str]:
    """Return a sentence as lines; those after the first are indented by three more blanks."""
    indent = " " * (len(sentence) - len(sentence.lstrip()) + 3)
    return wrap(sentence, width, subsequent_indent=indent, break_long_words=False)


def wrapped(sentences: Iterable[str], width: int = WINDOW) -> str:
    """Return sentences as one text, each on lines of its own."""
    return "\n".join(row for sentence in sentences for row in rows(sentence, width))
