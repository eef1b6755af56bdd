"""Links to trmph.com: size and moves behind the `#`, as `trmph.com/hex/board#11,a2b3c4`.

A second move on the cell of the first takes it over, which is a swap of sides.
The words of a move list, such as `swap-pieces`, are read, too.
"""

import re

from hsearch.formats import moves
from hsearch.formats.error import FormatError, error_at
from hsearch.hex.board import Board
from hsearch.hex.game import Game

_LINK = re.compile(r"trmph\.com/hex/board/?#([0-9]{1,2}),(?P<moves>[\w,:.-]*+)", re.IGNORECASE)
_TAKEN_OVER = re.compile(
    r"(?P<first>[a-z][0-9]{1,2})(?P<again>,?(?P=first)(?![0-9]))", re.IGNORECASE
)


def places(text: str) -> list[int]:
    """Return where each link of a text begins."""
    return [link.start() for link in _LINK.finditer(text)]


def read(text: str, start: int = 0) -> Game:
    """Return the game of the first link of a text, or of the first from a place on.

    Raise FormatError where there is none, or a move is none or illegal.
    """
    link = _LINK.search(text, start)
    if link is None:
        raise FormatError("a trmph link needs its moves: copy all of it, as board#11,a2b3")
    try:
        board = Board(int(link[1]), int(link[1]))
    except ValueError as error:
        raise error_at(text, link.start(1), str(error), link[1]) from None
    played, shift = link["moves"].rstrip(".:"), 0
    taken = _TAKEN_OVER.match(played)
    if taken is not None:
        swapped = f"{taken['first']} swap-sides "
        played, shift = swapped + played[taken.end() :], len(swapped) - taken.end()
    try:
        return moves.read(played, board, hint=False)
    except FormatError as error:
        at = max((error.offset or 0) - shift, 0)
        message = f"trmph link: {error.message}"
        raise error_at(text, link.start("moves") + at, message, error.token) from None
