"""The map of a board's openings: who wins after each first move of Black.

As text, a line for each row of cells; `W` and `L` are proved to win and to lose
for Black, `w` and `l` are estimated. Below stand the estimates, as E: less is
better for Black, and what is less than `even` is taken for a win::

    # Openings of 4x4, exact. Made by: hsearch openings 4 --save positions/openings
    size 4 even +0.000
    L L L W
    L L W L
    L W L L
    W L L L
    +inf +inf +inf -0.066
    ...

On large boards the one stone hardly moves E, and E is not even at 0. There the
even level is such that as large a share of the openings wins as on 5x5. Boards
to 5x5 are searched to the end, those to 7x7 are left to the solver; what it has
settled beyond is in `player.openings.proved`.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from hsearch.board import MAX_SIDE, Board, Cell, Color
from hsearch.closure import Limits
from hsearch.position import Position
from player.openings.estimate import LOOK, MapEffort, estimate
from player.openings.exact import mover_wins
from player.openings.proved import proved
from player.ordering import weak_links
from player.search.line import Key, SearchPosition
from player.solve import Solver

SEARCHED_SIDE = 5  # the longest side that is searched to the end
SOLVED_SIDE = 7  # the longest side that the solver settles in minutes
EFFORT = r" depth (?P<depth>[1-9])| simulations (?P<simulations>[1-9][0-9]{0,8})"
NUMBER = r"[+-][0-9]{1,9}[.][0-9]{1,9}"
WINNING = 15 / 25  # the share of openings that win on 5x5


class ChartError(ValueError):
    """A text that is no map of openings."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The openings of a square board.

    board      the board
    verdicts   for each cell `W` or `L`, or `w` or `l` if only estimated
    estimates  for each cell E after it, as if nobody were to move, in thousandths
    even       the E that is thought even
    effort     how they were estimated
    """

    board: Board
    verdicts: tuple[str, ...]
    estimates: tuple[float, ...]
    even: float = 0.0
    effort: MapEffort = LOOK

    @property
    def is_exact(self) -> bool:
        """Whether all verdicts are proved."""
        return all(map(self.is_proved, self.board.cells))

    def is_proved(self, cell: Cell) -> bool:
        """Return whether who wins after opening there is proved."""
        return self.verdicts[cell].isupper()

    def wins(self, cell: Cell) -> bool:
        """Return whether Black wins, or is thought to, after opening there."""
        return self.verdicts[cell] in "Ww"

    @property
    def most_even(self) -> Cell:
        """The opening after which the players stand most alike, as far as estimates tell."""
        return min(self.board.cells, key=lambda cell: abs(self.estimates[cell] - self.even))


def chart(
    board: Board,
    effort: MapEffort = LOOK,
    *,
    on_progress: Callable[[Cell], None] = lambda _cell: None,
) -> Chart:
    """Work out the openings of a square board; `on_progress` hears of each cell that is done.

    Half a turn of the board leaves the game as it is, so half the cells are
    worked out, by a look at the replies unless another `effort` is made. Raise
    ValueError when the board is not square.
    """
    if board.columns != board.rows:
        raise ValueError(f"no openings of {board.columns}x{board.rows}: swap needs a square board")
    wins = proved(board)
    estimates = [0.0] * board.size
    known: dict[Key, bool] = {}
    solver = Solver(board) if SEARCHED_SIDE < board.columns <= SOLVED_SIDE else None
    for cell in range((board.size + 1) // 2):
        position = Position.of(board).play(cell)
        value = round(effort.estimate(position), 3)
        if board.columns <= SEARCHED_SIDE:
            wins[cell] = not mover_wins(_line(position), known)
        elif solver is not None:
            wins[cell] = solver.outcome(position) is Color.BLACK
        elif math.isinf(value):
            wins[cell] = value < 0
        for place in (cell, board.rotate(cell)):
            estimates[place] = value
        on_progress(cell)
    return replace(judged(board, wins, estimates), effort=effort)


def judged(board: Board, wins: dict[Cell, bool], estimates: list[float]) -> Chart:
    """Return the map that the proved cells of the first half and all estimates make."""
    even, verdicts = 0.0, [""] * board.size
    if len(wins) < (board.size + 1) // 2:
        ranked = sorted(estimates)
        place = round(WINNING * board.size)
        even = round((ranked[place - 1] + ranked[place]) / 2, 3)
    for cell in range((board.size + 1) // 2):
        proved = wins.get(cell)
        verdict = "w" if estimates[cell] < even else "l"
        if proved is not None:
            verdict = "W" if proved else "L"
        verdicts[cell] = verdicts[board.rotate(cell)] = verdict
    return Chart(board, tuple(verdicts), tuple(estimates), even)


def settled(made: Chart, wins: dict[Cell, bool]) -> Chart:
    """Return a map in which it is proved whether Black wins after opening in some cells.

    Half a turn of the board takes such a cell to another one.
    """
    verdicts = list(made.verdicts)
    for cell, is_won in wins.items():
        for place in (cell, made.board.rotate(cell)):
            verdicts[place] = "W" if is_won else "L"
    return replace(made, verdicts=tuple(verdicts))


def write(made: Chart) -> str:
    """Return a map as text."""
    n = made.board.columns
    kind = "exact" if made.is_exact else "lower case is estimated"
    option = str(made.effort).replace(" ", " --", 1)
    command = f"hsearch openings {n}{option} --save positions/openings"
    lines = [
        f"# Openings of {n}x{n}, {kind}. Made by: {command}",
        f"size {n} even {made.even:+.3f}{made.effort}",
    ]
    lines += [" ".join(made.verdicts[n * row : n * row + n]) for row in range(n)]
    lines += [
        " ".join(f"{value:+.3f}" for value in made.estimates[n * row : n * row + n])
        for row in range(n)
    ]
    return "\n".join(lines) + "\n"


def read(text: str) -> Chart:
    """Return the map that a text holds. Raise ChartError, naming the line, if it holds none."""
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]
    number, head = lines[0] if lines else (1, "")
    match = re.fullmatch(rf"size ([1-9][0-9]?) even ({NUMBER})({EFFORT})?", head)
    if match is None or int(match[1]) > MAX_SIDE:
        raise ChartError(f"line {number}: no size and even level in {head[:40]!r}")
    n = int(match[1])
    if len(lines) != 1 + 2 * n:
        raise ChartError(f"line {lines[-1][0]}: {len(lines) - 1} rows, not {2 * n}")
    verdicts: list[str] = []
    estimates: list[float] = []
    for number, line in lines[1:]:
        words = line.split()
        kind = "[WLwl]" if len(verdicts) < n * n else f"{NUMBER}|[+-]inf"
        wrong = [word for word in words if not re.fullmatch(kind, word)]
        if len(words) != n or wrong:
            what = "verdicts" if len(verdicts) < n * n else "estimates"
            raise ChartError(f"line {number}: not {n} {what}: {' '.join(wrong or words)[:40]!r}")
        if len(verdicts) < n * n:
            verdicts += words
        else:
            estimates += map(float, words)
    made = {name: int(number) for name, number in match.groupdict().items() if number}
    return Chart(Board(n, n), tuple(verdicts), tuple(estimates), float(match[2]), MapEffort(**made))


def even_at_a_look(known: Chart) -> float:
    """Return the even level of a look at the replies, which is not that of deep searches."""
    if known.effort == LOOK:
        return known.even
    board, estimates = known.board, [0.0] * known.board.size
    for cell in range((board.size + 1) // 2):
        for place in (cell, board.rotate(cell)):
            estimates[place] = round(estimate(Position.of(board).play(cell)), 3)
    return judged(board, {}, estimates).even


def _line(position: Position) -> SearchPosition:
    return SearchPosition(position, Limits(), weak_links)


def seen_by_black(position: Position) -> Position:
    """Return a position with one stone so that it is Black's: itself, or its mirror."""
    return position if position.turn is Color.WHITE else position.transposed()
