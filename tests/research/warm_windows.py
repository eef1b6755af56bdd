"""Fill a file of window answers from games, so players wait less.

    python tests/research/warm_windows.py positions/windows.db positions/games/*.sgf

searches the windows of both sides after each move, and those that follow from the answers. Answers
already in the file are kept.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from hsearch import formats
from hsearch.connect.closure import closure, extend
from hsearch.connect.limits import Limits
from hsearch.connect.window import strengthen
from hsearch.connect.window_answers import CacheFile, SearchedWindows
from hsearch.hex.board import Color
from hsearch.hex.position import Position

_LIMITS = Limits()
_ROUNDS = 2


def warm(known: SearchedWindows, positions: Iterable[Position]) -> int:
    """Search the windows of both sides in positions. Return the number of fulls found."""
    found = 0
    for position in positions:
        for color in Color:
            store = closure(position, color, _LIMITS)
            for _ in range(_ROUNDS):
                fulls = strengthen(position, store, known)
                found += len(fulls)
                if not fulls:
                    break
                store = extend(position, store, fulls, _LIMITS)
    return found


def positions_of(text: str) -> Iterator[Position]:
    """Yield the positions of a game, from first to last."""
    game = formats.read(text)
    for moves in range(len(game.moves) + 1):
        yield game.position(moves, turn=Color.BLACK)


def main(arguments: list[str]) -> None:
    """Fill the first file from the games in the others."""
    target, *games = map(Path, arguments)
    file = CacheFile(target)
    known = SearchedWindows(file)
    for number, game in enumerate(games, 1):
        found = warm(known, positions_of(game.read_text(encoding="utf-8")))
        known.flush()
        done = f"{number} of {len(games)}: {game.name}, {found} fulls"
        sys.stderr.write(f"{done}; {known.searches} windows searched, {len(file)} in {target}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
