"""Links to trmph.com: size and moves behind the `#`, as `trmph.com/hex/board#11,a2b3c4`.

A second move on the cell of the first is a swap of sides. The words of a move
list, such as `swap-pieces`, are read as well.
"""

import re

from hsearch.formats import moves
from hsearch.formats.error import FormatError, error_at
from hsearch.hex import Board, Game

_LINK = re.compile(r"trmph\.com/hex/board/?#([0-9]{1,2}),(?P<moves>[\w,:.-]*+)", re.IGNORECASE)
_TAKEN_OVER = re.compile(
    r"(?P<first>[a-z][0-9]{1,2})(?P<again>,?(?P=first)(?![0-9]))", re.IGNORECASE
)


def places(text: str) -> list[int]:
    """Return the offset of each link in a text."""
    return [link.start() for link in _LINK.finditer(text)]


def read(text: str, start: int = 0) -> Game:
    """Return the game of the first link in a text at or after an offset.

    Raise FormatError if there is none, or for a token that is not a legal move.
    """
    link = _LINK.search(text, start)
    if link is None:
        raise FormatError("a trmph link needs its moves: copy all of it, as board#11,a2b3")
    try:
        board = Board(int(link[1]), int(link[1]))
    except ValueError as error:
        raise error_at(text, link.start(1), str(error), link[1]) from None
    words, shift = link["moves"].rstrip(".:"), 0
    match = _TAKEN_OVER.match(words)
    if match is not None:
        prefix = f"{match['first']} swap-sides "
        words, shift = prefix + words[match.end() :], len(prefix) - match.end()
    try:
        return moves.read(words, board, hint=False)
    except FormatError as error:
        at = max((error.offset or 0) - shift, 0)
        message = f"trmph link: {error.message}"
        raise error_at(text, link.start("moves") + at, message, error.token) from None
