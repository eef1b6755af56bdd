"""Even openings of two stones, to let players without chance play different games.

Lists for 8x8 to 11x11 are shipped in `positions/openings`; `hsearch openings --balanced`
makes them.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from hsearch.board import Board
from hsearch.formats import moves
from hsearch.formats.shipped import shipped
from hsearch.position import winner
from player.openings.estimate import estimate

TRIED = 6  # openings looked at for each that is kept


@cache
def balanced(columns: int, rows: int) -> tuple[str, ...]:
    """Return the shipped openings of two stones, as `a2 c4`, by the hundred, most even first.

    Raise ValueError when there are none for boards of that size.
    """
    path = shipped(f"openings/balanced-{columns}x{rows}.list")
    if path is None:
        raise ValueError(
            f"no balanced openings for {columns}x{rows} came with hsearch (`hsearch openings "
            f"{columns} --balanced 20 --save .` makes some for `--openings FILE`)"
        )
    return read_balanced(path, Board(columns, rows))


def read_balanced(path: Path, board: Board) -> tuple[str, ...]:
    """Return the openings of a list in a file, as `hsearch openings --balanced` writes it.

    Raise ValueError, naming the line, when one is no opening of the board, and
    OSError when the file cannot be read.
    """
    found: dict[str, int] = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        opening = line.decode(errors="replace").split("  ")[0]
        if not opening.strip() or opening.startswith("#"):
            continue
        try:
            game = moves.read(opening, board)
        except ValueError as error:
            raise ValueError(f"{path}:{number}: no opening: {error}") from None
        cells = [move.name(board) for move in game.moves if move.cell is not None]
        wrong = {
            "is not cells alone, as `a2 c4`": cells != opening.split(),
            "is there twice": opening in found,
            "is a game that is over": winner(game.position()) is not None,
        }
        for what in filter(wrong.get, wrong):
            raise ValueError(f"{path}:{number}: {opening[:40]!r} {what}")
        found[opening] = number
    if not found:
        raise ValueError(f"{path}:1: no openings, such as `a2 c4`, a line each")
    return tuple(found)


def find_balanced(
    board: Board,
    even: float,
    count: int,
    generator: np.random.Generator,
    *,
    on_progress: Callable[[], object] = lambda: None,
) -> list[tuple[str, float]]:
    """Return openings of two stones near even, most even first, each with how far it is.

    Of openings drawn by chance those are kept whose estimate is nearest to the
    estimate of an even single stone of White's; `even` is that of Black's, as
    `Chart` has it. `on_progress` is called `TRIED` times an opening.
    """
    found: dict[str, float] = {}
    while len(found) < TRIED * count:
        first, second = generator.choice(board.size, 2, replace=False).tolist()
        opening = f"{board.name(first)} {board.name(second)}"
        if opening in found:
            continue
        # White's single stone is even in the mirror.
        found[opening] = abs(estimate(moves.read(opening, board).position()) + even)
        on_progress()
    return sorted(found.items(), key=lambda item: item[1])[:count]


def write_balanced(side: int, found: list[tuple[str, float]], command: str) -> str:
    """Return the text of a list of openings."""
    head = f"# Even openings of two stones on {side}x{side}, estimated. Made by: {command}"
    return "\n".join([head, *(f"{opening}  {far:.4f}" for opening, far in found), ""])
