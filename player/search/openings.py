"""Openings: who wins after each, which first move is fair, and when to swap."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from hsearch.connect import Limits
from hsearch.formats.files import find_shipped
from hsearch.hex import MAX_SIDE, Board, Cell, Color, Position, Special
from player.evaluate.chance import per_cent
from player.evaluate.ordering import weak_links
from player.search.line import SearchPosition
from player.search.opening_estimates import LOOK, MapEffort, MapWay, quick_effort, thorough_effort
from player.search.settings import Key
from player.solve.solver import Solver


def mover_wins(line: SearchPosition, table: dict[Key, bool]) -> bool:
    """Return whether the player to move wins, whatever the opponent does.

    Search depth first, inside the must-play region, weakest links first. `table`
    keeps results from one call to the next. Boards up to 5x5 take seconds;
    larger ones may take forever.
    """
    key = line.key
    if key in table:
        return table[key]
    assessment = line.probe()
    if assessment.winner is not None:
        table[key] = assessment.winner is line.turn
        return table[key]
    wins = False
    for move in assessment.moves:
        line.play(move)
        wins = not mover_wins(line, table)
        line.undo()
        if wins:
            break
    table[key] = wins
    return wins


# Openings beyond 7x7 that the solver has settled.
#
#     hsearch solve --openings 8 --memory 7000 --resume eight.table
#     echo e5 | hsearch solve - --size 9 --memory 7000 --resume nine.table --proof e5.proof
#
# The first took some two hours with the extra `fast`, the second half an hour;
# `positions/results/solving.md` has the figures.

_WON = {8: "h1 g2 h2 b3 c3 d3 e3 f3 g3 b4 c4 d4 e4 f4 g4 h4", 9: "e5"}
_LOST = {8: "a1 b1 c1 d1 e1 f1 g1 a2 b2 c2 d2 e2 f2 a3 h3 a4"}


def opening_results(board: Board) -> dict[Cell, bool]:
    """Return whether Black wins, for the proved openings of a square board larger than 7x7.

    Of two cells that half a turn exchanges, only the first is there.
    """
    side = board.columns
    wins = {board.cell(name): True for name in _WON.get(side, "").split()}
    return wins | {board.cell(name): False for name in _LOST.get(side, "").split()}


# The map of a board's openings: who wins after each first move of Black.
#
# The text has a line for each row of cells; `W` and `L` are proved wins and losses of
# Black, `w` and `l` are estimated. Below are the estimates: a smaller one is better for
# Black, and one below `even` counts as a win::
#
#     # Openings of 4x4, exact. Made by: hsearch openings 4 --save FOLDER
#     size 4 even +0.000
#     L L L W
#     L L W L
#     L W L L
#     W L L L
#     +inf +inf +inf -0.066
#     ...
#
# `size 11 even +0.000 net 200` begins a map whose estimates are those of the net, by
# 200 simulations of a tree: White's chance less a half. Without `net` they are E. On
# large boards one stone hardly changes E, and E is not even at 0. There `even` is chosen
# so that the same share of the openings wins as on 5x5. Boards up to 5x5 are searched
# completely, those up to 7x7 are solved; `_WON` and `_LOST` above have what the solver
# has proved of larger ones.

SEARCHED_SIDE = 5  # the longest side that is searched completely
SOLVED_SIDE = 7  # the longest side that the solver settles in minutes
COUNT = "[1-9][0-9]{0,8}"
EFFORT = rf" depth [1-9]| simulations {COUNT}| net (?:0|{COUNT})"
NUMBER = r"[+-][0-9]{1,9}[.][0-9]{1,9}"
WINNING = 15 / 25  # the share of openings that win on 5x5


class ChartError(ValueError):
    """A text that is not a map of openings."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The openings of a square board.

    board      the board
    verdicts   for each cell `W` or `L`, or `w` or `l` if only estimated
    estimates  for each cell its `MapEffort.estimate`, rounded to thousandths: White's advantage
    even       the estimate that counts as even
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
        """Return whether the winner after opening there is proved."""
        return self.verdicts[cell].isupper()

    def wins(self, cell: Cell) -> bool:
        """Return whether Black wins, or is estimated to win, after opening there."""
        return self.verdicts[cell] in "Ww"

    def black_chance(self, cell: Cell) -> float:
        """Return Black's estimated chance after opening there, from 0 to 1."""
        position = Position.of(self.board).play(cell)
        return self.effort.black_chance(self.estimates[cell], self.even, position)

    @property
    def most_even(self) -> Cell:
        """The opening whose estimate is closest to even."""
        return min(self.board.cells, key=lambda cell: abs(self.estimates[cell] - self.even))


def usual_effort(side: int) -> MapEffort:
    """Return how the shipped map of a board was estimated; for larger boards, a quick way."""
    if side <= SOLVED_SIDE:
        return LOOK
    return thorough_effort() if side <= LARGEST else quick_effort()


def compute_chart(
    board: Board,
    effort: MapEffort,
    *,
    on_progress: Callable[[Cell], None] = lambda _cell: None,
) -> Chart:
    """Return the map of a square board; `on_progress` is called with each cell that is done.

    Half a turn of the board does not change the game, so only half of the cells are
    computed. Raise ValueError when the board is not square.
    """
    if board.columns != board.rows:
        raise ValueError(f"no openings of {board}: swap needs a square board")
    wins = opening_results(board)
    estimates = [0.0] * board.size
    table: dict[Key, bool] = {}
    solver = Solver(board) if SEARCHED_SIDE < board.columns <= SOLVED_SIDE else None
    for cell in range((board.size + 1) // 2):
        position = Position.of(board).play(cell)
        value = round(effort.estimate(position), 3)
        if board.columns <= SEARCHED_SIDE:
            wins[cell] = not mover_wins(SearchPosition(position, Limits(), weak_links), table)
        elif solver is not None:
            wins[cell] = solver.outcome(position) is Color.BLACK
        elif math.isinf(value):
            wins[cell] = value < 0
        for place in (cell, board.rotate(cell)):
            estimates[place] = value
        on_progress(cell)
    return judge(board, wins, estimates, effort)


def judge(board: Board, wins: dict[Cell, bool], estimates: list[float], effort: MapEffort) -> Chart:
    """Return the map with these estimates and proofs.

    `wins` has cells of the first half only; each also holds for the cell that half a turn
    exchanges with it.
    """
    even, verdicts = 0.0, [""] * board.size
    if not effort.is_by_net and len(wins) < (board.size + 1) // 2:
        ascending = sorted(estimates)
        place = round(WINNING * board.size)
        even = round((ascending[place - 1] + ascending[place]) / 2, 3)
    for cell in range((board.size + 1) // 2):
        is_win = wins.get(cell)
        verdict = "w" if estimates[cell] < even else "l"
        if is_win is not None:
            verdict = "W" if is_win else "L"
        verdicts[cell] = verdicts[board.rotate(cell)] = verdict
    return Chart(board, tuple(verdicts), tuple(estimates), even, effort)


def settle(chart: Chart, wins: dict[Cell, bool]) -> Chart:
    """Return a map with more proved openings: whether Black wins, by cell.

    Each also holds for the cell that half a turn exchanges with it.
    """
    verdicts = list(chart.verdicts)
    for cell, is_won in wins.items():
        for place in (cell, chart.board.rotate(cell)):
            verdicts[place] = "W" if is_won else "L"
    return replace(chart, verdicts=tuple(verdicts))


def write(chart: Chart) -> str:
    """Return a map as text."""
    n = chart.board.columns
    kind = "exact" if chart.is_exact else "lower case is estimated"
    option = "" if chart.effort == usual_effort(n) else chart.effort.option
    command = f"hsearch openings {n}{option} --save FOLDER"
    lines = [
        f"# Openings of {n}x{n}, {kind}. Made by: {command}",
        f"size {n} even {chart.even:+.3f}{chart.effort}",
    ]
    lines += [" ".join(chart.verdicts[n * row : n * row + n]) for row in range(n)]
    lines += [
        " ".join(f"{value:+.3f}" for value in chart.estimates[n * row : n * row + n])
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
    way, count = (match[3] or f"{MapWay.CIRCUITS} 0").split()
    effort = MapEffort(MapWay(way), int(count))
    return Chart(Board(n, n), tuple(verdicts), tuple(estimates), float(match[2]), effort)


def view_as_black(position: Position) -> Position:
    """Return a position with one stone so that it is Black's: itself, or its mirror."""
    return position if position.turn is Color.WHITE else position.transposed()


# Openings: which first move is fair, and when to swap.
#
# Maps for 2x2 to 14x14 are shipped in `positions/openings`; `hsearch openings`
# makes them. On larger boards the first move is that of the largest map, and an estimate
# of the single stone decides the swap.

LARGEST = 14


@cache
def load_chart(side: int) -> Chart | None:
    """Return the shipped map of a square board; None if there is none."""
    path = find_shipped(f"openings/{side}x{side}.map")
    return None if path is None else read(path.read_text(encoding="ascii"))


def chart_of(board: Board) -> Chart | None:
    """Return the shipped map of a board; None if there is none, or it is not square."""
    return load_chart(board.columns) if board.columns == board.rows else None


def opening_as_black(position: Position) -> Cell | None:
    """Return the opening stone of a position as if Black had placed it; None without one."""
    cell = position.opening_stone
    return cell if cell is None or position.black[cell] else position.board.transpose(cell)


def chart_winner(position: Position) -> Color | None:
    """Return the winner before or after the first move, if the shipped map proves it."""
    if winning_opening(position) is not None:
        return position.turn
    cell, chart = opening_as_black(position), chart_of(position.board)
    if cell is None or chart is None or not chart.is_proved(cell):
        return None
    return position.turn.opponent if chart.wins(cell) else position.turn


def winning_opening(position: Position) -> Cell | None:
    """Return a first move that the shipped map proves to win, the best by its estimates.

    None if there is none, or if the board is not empty.
    """
    board, chart = position.board, chart_of(position.board)
    if chart is None or (position.black | position.white).any():
        return None
    wins = [cell for cell in board.cells if chart.is_proved(cell) and chart.wins(cell)]
    if not wins:
        return None
    best = min(wins, key=lambda cell: chart.estimates[cell])
    return best if position.turn is Color.BLACK else board.transpose(best)


def first_move(position: Position, *, swap: bool) -> tuple[Cell, str]:
    """Return the first move of a game on an empty board, and why.

    Without swap that is the center, unless the map of openings proves that it loses and another
    cell wins. With swap it is the most even opening.
    """
    board = position.board
    chart = load_chart(min(board.columns, LARGEST)) if board.columns == board.rows else None
    if not swap or chart is None:
        cell = board.at((board.columns - 1) // 2, (board.rows - 1) // 2)
        wins = winning_opening(position)
        # Where a cell is proved to win, the map is of this board.
        if wins is not None and chart is not None and chart.verdicts[cell] == "L":
            name = board.name(wins)
            return wins, f"Opens with {name}, which the map of openings proves to win."
        return cell, f"Opens in the center, {board.name(cell)}."
    column, row = chart.board.column_and_row(chart.most_even)
    wide = board.columns - chart.board.columns
    # On a larger board the cell stays at the same distance from its corner.
    column += wide if 2 * column >= chart.board.columns else 0
    row += wide if 2 * row >= chart.board.rows else 0
    # The maps are for Black; for White they hold on the mirror.
    cell = board.at(column, row) if position.turn is Color.BLACK else board.at(row, column)
    reason = f"Opens with {board.name(cell)}, which the map of openings estimates most even"
    if wide == 0 and chart.is_proved(chart.most_even):
        outcome = "win" if chart.wins(chart.most_even) else "lose"
        reason += f", though it is proved to {outcome} for the player who opens"
    return cell, f"{reason}."


def opening(position: Position, *, swap: bool) -> tuple[Cell | Special, str] | None:
    """Return a first move, or a swap, and why; None if neither is due, or a swap does not pay.

    `swap` is whether the second player may swap.
    """
    board, stones = position.board, (position.black | position.white).count()
    swap = swap and board.columns == board.rows
    if stones == 0:
        return first_move(position, swap=swap)
    if swap and position.opening_stone is not None:
        is_wanted, reason = wants_swap(position)
        if is_wanted:
            return Special.SWAP_PIECES, reason
    return None


def wants_swap(position: Position) -> tuple[bool, str]:
    """Return whether to swap, the opponent having placed the only stone, and why."""
    black_view = view_as_black(position)
    cell = next(iter(black_view.black.search(1)))
    name = position.board.name(next(iter((position.black | position.white).search(1))))
    chart = chart_of(position.board)
    if chart is None:
        effort = quick_effort()
        value = effort.estimate(black_view)
        chance, wins, words = effort.black_chance(value, 0.0, black_view), value < 0, effort.words
    else:
        chance, wins = chart.black_chance(cell), chart.wins(cell)
        words = f"the map of openings, by {chart.effort.words}"
        if chart.is_proved(cell):
            outcome = "win" if wins else "lose"
            return wins, f"{name} is proved to {outcome} for the player who opened."
    better = "the player who opened" if wins else "the other player"
    reason = f"{name} is estimated to be good for {better}"
    return wins, f"{reason}: the opener's chance is {per_cent(chance)} % ({words})."
