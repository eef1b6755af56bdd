"""Even openings of two stones, to let players without chance play different games.

Lists for 8x8, 9x9 and 11x11 are shipped in `positions/openings`; `hsearch openings
--balanced` makes them.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from hsearch.board import Board
from hsearch.formats import moves
from hsearch.formats.shipped import shipped
from player.openings.estimate import estimate

TRIED = 6  # openings looked at for each that is kept


@cache
def balanced(columns: int, rows: int) -> tuple[str, ...]:
    """Return the shipped openings of two stones, as `a2 c4`: twice a hundred, most even first.

    Raise ValueError when there are none for boards of that size.
    """
    path = shipped(f"openings/balanced-{columns}x{rows}.list")
    if path is None:
        raise ValueError(
            f"no balanced openings for {columns}x{rows} (`hsearch openings --balanced`)"
        )
    lines = path.read_text(encoding="ascii").splitlines()
    found = tuple(line.split("  ")[0] for line in lines if line and not line.startswith("#"))
    for opening in found:
        moves.read(opening, Board(columns, rows))
    return found


def find_balanced(
    board: Board,
    even: float,
    count: int,
    generator: np.random.Generator,
    *,
    told: Callable[[], object] = lambda: None,
) -> list[tuple[str, float]]:
    """Return openings of two stones near even, most even first, each with how far it is.

    Of openings drawn by chance those are kept whose estimate is nearest to the
    estimate of an even single stone of White's; `even` is that of Black's, as
    `Chart` has it. `told` is called `TRIED` times an opening.
    """
    found: dict[str, float] = {}
    while len(found) < TRIED * count:
        first, second = generator.choice(board.size, 2, replace=False).tolist()
        opening = f"{board.name(first)} {board.name(second)}"
        if opening in found:
            continue
        # White's single stone is even in the mirror.
        found[opening] = abs(estimate(moves.read(opening, board).position()) + even)
        told()
    return sorted(found.items(), key=lambda item: item[1])[:count]


def write_balanced(side: int, found: list[tuple[str, float]], command: str) -> str:
    """Return the text of a list of openings."""
    head = f"# Even openings of two stones on {side}x{side}, estimated. Made by: {command}"
    return "\n".join([head, *(f"{opening}  {far:.4f}" for opening, far in found), ""])
