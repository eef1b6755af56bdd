"""Estimates of openings, as E after the first move: by the circuits or by simulations."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from hsearch.formats import moves
from hsearch.formats.shipped import shipped
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, winner
from player.evaluate.chance import shipped_model
from player.evaluate.ordering import ORDERINGS
from player.search.alphabeta import search
from player.search.line import SearchPosition
from player.search.settings import SearchSettings, is_loss, is_win
from player.search.tree import CALIBRATED, TreeSearch, TreeSettings

REPLIES = 12
WIDTHS = (8, 6, 5, 4, 4, 3)  # of a deep search, the last for all plies after it
_SETTINGS = SearchSettings()
_SEED = 1


@dataclass(frozen=True, slots=True)
class MapEffort:
    """Ways to estimate an opening: by a look at the replies, or by one of two searches.

    depth        of alpha-beta
    simulations  of the tree
    """

    depth: int | None = None
    simulations: int | None = None

    def __str__(self) -> str:
        """Return the search and its number, as ` depth 7`; nothing for a look."""
        parts = (("depth", self.depth), ("simulations", self.simulations))
        return "".join(f" {name} {number}" for name, number in parts if number is not None)

    def estimate(self, position: Position) -> float:
        """Return E of a position with a single stone, as if nobody were to move.

        Infinite when it is decided. Negative is good for Black.
        """
        if self.depth is not None:
            return searched(position, self.depth)
        if self.simulations is not None:
            return simulated(position, self.simulations)
        return estimate(position)


LOOK = MapEffort()


def black_chance(value: float, even: float) -> float:
    """Return Black's chance after an opening of this estimate, where another is thought even.

    It is that of `player.chance` without the tempo, as nobody is to move.
    """
    model = replace(shipped_model(), tempo=0.0, tempo_phase=0.0)
    return model.chance(even - value, 0.0)


def estimate(position: Position) -> float:
    """Return E of a position with a single stone, as if nobody were to move.

    The player to move stands better than E after the stone tells, and worse
    than E after their best reply; the mean of the two is returned. Infinite when
    one of them is decided. Negative is good for Black.
    """
    line = SearchPosition(position, _SETTINGS.limits, ORDERINGS[_SETTINGS.ordering])
    view = line.probe()
    if view.winner is not None:
        return view.evaluation
    after = []
    for reply in view.moves[:REPLIES]:
        line.play(reply)
        after.append(line.probe().evaluation)
        line.undo()
    best = min(after) if position.turn.word == "black" else max(after)
    return best if math.isinf(best) else (view.evaluation + best) / 2


def searched(position: Position, depth: int) -> float:
    """Return E of a position with a single stone by alpha-beta, as if nobody were to move.

    That is the mean of the searches to this depth and to one less: after an odd
    number of moves E flatters whoever made the last. Infinite when the search
    proves who wins. Negative is good for Black.
    """
    scores: list[float] = []
    settings = replace(_SETTINGS, depth=depth, widths=WIDTHS)
    last = search(position, settings, progress=lambda found: scores.append(found.score))
    two = scores[-2:] or [last.score]  # where there is one move only, no depth is told
    mean = sum(two) / len(two)
    value = -mean if position.turn is Color.BLACK else mean
    is_decided = is_win(two[-1]) or is_loss(two[-1])
    return math.copysign(math.inf, value) if is_decided else value


def simulated(position: Position, simulations: int) -> float:
    """Return the E that stands for the chance which that many simulations find.

    Games are played out from the leaves alone, and H-search looks at the root only: looks
    at other nodes brought nothing here (`positions/results/openings.md`). Infinite when
    that proves who wins. Negative is good for Black.
    """
    settings = TreeSettings(simulations=simulations, look_at=None)
    found = TreeSearch(position, settings).run(np.random.default_rng(_SEED))
    if found.winner is not None:
        return -math.inf if found.winner is Color.BLACK else math.inf
    chance = None if found.best is None else found.best.chance
    if chance is None or not 0 < chance < 1:
        return estimate(position)
    value = math.log(chance / (1 - chance)) / CALIBRATED
    return -value if position.turn is Color.BLACK else value


# Even openings of two stones, to let players without chance play different games.
#
# Lists for 8x8 to 11x11 are shipped in `positions/openings`; `hsearch openings --balanced`
# makes them.

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
