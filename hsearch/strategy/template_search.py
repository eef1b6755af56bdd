"""Search for edge templates: windows, minimal carriers, its progress as text, and ladders."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from bitarray.util import count_and, subset

from hsearch.connect import Limits
from hsearch.connect.closure import closure
from hsearch.connect.exhaustive import JoinGame
from hsearch.connect.library import Family, Template
from hsearch.formats import strict
from hsearch.hex import Board, Cell, CellSet, Color, Point, Position, captains
from hsearch.hex.face import expect_range
from hsearch.kernels.exhaustive import MOST_POINTS
from hsearch.strategy.template import CarrierJudge

MOST_ROW = 6
MOST_CELLS = 120
MOST_STONES = 4
MOST_POSITIONS = 10_000_000  # of complete play without one stone: some seconds; most take thousands


@dataclass(frozen=True, slots=True)
class TemplateWindow:
    """A window to look for templates in.

    row      the row of the stones; the row at the edge is 1
    stones   how many stones lie there side by side
    columns  how wide the window is
    also     further stones: how many columns right of the first one, and their row

    Raise ValueError when a number is out of range, or the stones reach the edge.
    """

    row: int
    stones: int
    columns: int
    also: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        expect_range("row", self.row, 2, MOST_ROW)
        expect_range("stones", self.stones, 1, MOST_STONES)
        most = min(26, MOST_CELLS // self.row)
        if not self.stones <= self.columns <= most:
            raise ValueError(
                f"columns out of range: {self.columns} ({self.stones} to {most} for this row)"
            )
        first, _ = self.board.column_and_row(self.line[0])
        for right, row in self.also:
            is_inside = 1 <= row <= self.row and 0 <= first + right < self.columns
            if not is_inside or (row == self.row and 0 <= right < self.stones):
                raise ValueError(f"no place for a further stone: {right},{row}")
        end, edge = self.ends
        if captains(self.position, Color.BLACK)[end] == edge:
            raise ValueError("the stones reach the edge by themselves")

    @property
    def board(self) -> Board:
        """The window as a board, with a row of White's above."""
        return Board(self.columns, self.row + 1)

    @property
    def line(self) -> list[Cell]:
        """The cells of the stones side by side, above the middle of the window's lowest row."""
        middle = (self.columns - self.stones + self.row) // 2
        first = min(middle, self.columns - self.stones)
        return [self.board.at(first + i, 1) for i in range(self.stones)]

    @property
    def others(self) -> list[Cell]:
        """The cells of the further stones."""
        board = self.board
        first, _ = board.column_and_row(self.line[0])
        return [board.at(first + right, self.row + 1 - row) for right, row in self.also]

    @property
    def position(self) -> Position:
        """The position with only these stones and White's row above."""
        board = self.board
        stones = board.only(*self.line, *self.others)
        return Position(board, stones, board.only(*range(board.columns)), Color.WHITE)

    @property
    def ends(self) -> tuple[Cell, Point]:
        """The first stone, and the edge below."""
        return self.line[0], self.board.edges(Color.BLACK)[1]

    @property
    def name(self) -> str:
        """Name that its templates share: the row and the stones."""
        further = "".join(f"-{right}.{row}" for right, row in self.also)
        return f"row{self.row}-{self.stones}{further}".replace("--", "-m")


# Find the minimal edge templates of some stones in a row, in a window of the board.
#
# A carrier that contains a template is valid, so the minimal valid carriers are
# enumerated like minimal hitting sets: a new template must lack a cell of each
# template known so far. The search tries all ways to lack such cells. If the rest
# of the window is still valid, it is shrunk to a new template; else that way is
# closed.
#
# The carriers that H-search finds in the whole window come first. If the window is
# too large for complete play, there may be time for no others; each carrier can
# still be played out, as it is smaller.

_WAYS = Limits(shrinking=True), Limits()


class TemplateSearch:
    """The search for all minimal templates of a window.

    Holds state: another search can resume from `progress` at any time, `on_progress` is called
    whenever that has changed, and `is_complete` is set when all templates are found.
    """

    def __init__(
        self,
        window: TemplateWindow,
        *,
        budget: int | None = None,
        progress: "FindProgress | None" = None,
        ask: CarrierJudge | None = None,
    ) -> None:
        """Prepare, to resume an earlier search if its progress is given.

        The `budget` bounds how many positions complete play of carriers may visit. Whether
        each stone is needed has its own bound, `MOST_POSITIONS`. A solver to `ask` about a
        carrier comes first. Raise ValueError when there is none, and the window is too large
        for complete play.
        """
        board = window.board
        self.window = window
        self.budget = budget
        self._ask = ask
        self.is_complete = False
        self.on_progress: Callable[[], object] = lambda: None
        self._black = board.only(*window.line, *window.others)
        self._white = board.only(*range(board.columns))
        self._cells = ~(self._black | self._white)
        self._is_stuck = False
        self._game: JoinGame | None = None
        if ask is None or self._cells.count() + 1 < MOST_POINTS:
            self._game = JoinGame(window.position, Color.BLACK, window.ends, self._cells)
        self.progress = progress or FindProgress.start(window)
        self._carriers = list(self.progress.carriers)
        self._failures = list(self.progress.failures)
        self._before = self.progress.positions

    @property
    def positions(self) -> int:
        """Number of positions visited, earlier searches included."""
        return self._before + self._nodes

    def run(self) -> Iterator[Template]:
        """Yield the templates, one of each pair of mirror images; set `is_complete` in the end.

        Those of an earlier search come first. Templates that would hold with one stone
        fewer, its cell empty, are left out if complete play decides that.
        """
        for index in range(len(self._carriers)):
            yield from self._if_new(index)
        waiting = list(self.progress.waiting)
        is_at_start = self.progress.waiting == FindProgress.start(self.window).waiting
        for index in self._shrink_fulls() if is_at_start else ():
            self._proceed((), waiting)
            yield from self._if_new(index)
        while waiting:
            place = self._step(waiting)
            if self._is_spent and place is None:
                return
            self._proceed(self._failures, waiting)
            if place is not None:
                yield from self._if_new(place)
        self.is_complete = True

    def _proceed(
        self, failures: Sequence[CellSet], waiting: Sequence[tuple[CellSet, CellSet]]
    ) -> None:
        """Set the progress, and call `on_progress`."""
        carriers = tuple(self._carriers)
        self.progress = FindProgress(carriers, tuple(failures), tuple(waiting), self.positions)
        self.on_progress()

    def _shrink_fulls(self) -> Iterator[int]:
        """Shrink H-search's fulls to minimal carriers; yield the index of each in `_carriers`."""
        edge = self.window.board.edges(Color.BLACK)[1]
        position = self.window.position
        stores = (closure(position, Color.BLACK, limits) for limits in _WAYS)
        fulls = [full for store in stores for full in store.fulls(self.window.line[0], edge)]
        for full in sorted(fulls, key=lambda full: full.carrier.count()):
            if any(subset(carrier, full.carrier) for carrier in self._carriers):
                continue
            carrier = self._shrink(full.carrier)
            if carrier is not None:
                self._carriers.append(carrier)
                yield len(self._carriers) - 1

    def _step(self, waiting: list[tuple[CellSet, CellSet]]) -> int | None:
        """Try the last way that waits. Return the index of the carrier that this finds, if any."""
        board = self.window.board
        lacking, core = waiting[-1]
        carrier = next((t for t in self._carriers if not count_and(t, lacking)), None)
        place = None
        if carrier is None:
            carrier = self._new(self._cells & ~lacking)
            if carrier is None and self._is_spent:
                return None
            if carrier is not None:
                place = len(self._carriers)
                self._carriers.append(carrier)
        waiting.pop()
        for cell in carrier.search(1) if carrier is not None else ():
            if not core[cell]:
                waiting.append((lacking | board.only(cell), core))
                core = core | board.only(cell)
        return place

    def _if_new(self, place: int) -> Iterator[Template]:
        """Yield the template of a carrier, unless it is a mirror image or a stone is idle."""
        carrier = self._carriers[place]
        if self._mirror(carrier) not in self._carriers[:place] and self._needs_all_stones(carrier):
            yield self._template(carrier)

    @property
    def _is_spent(self) -> bool:
        return self._is_stuck or (self.budget is not None and self._nodes >= self.budget)

    @property
    def _nodes(self) -> int:
        return 0 if self._game is None else self._game.nodes

    def _new(self, cells: CellSet) -> CellSet | None:
        """Return a minimal valid carrier inside some cells; None if they are not valid."""
        if any(subset(cells, failure) for failure in self._failures):
            return None
        carrier = self._valid(cells)
        if carrier is None:
            if not self._is_spent:
                self._failures.append(cells)
            return None
        return self._shrink(carrier)

    def _shrink(self, carrier: CellSet) -> CellSet | None:
        """Return a minimal carrier inside a valid one; None if the budget does not suffice."""
        for cell in carrier.search(1):
            if carrier[cell]:
                carrier = self._valid(carrier & ~self.window.board.only(cell)) or carrier
        return None if self._is_spent else carrier

    def _valid(self, cells: CellSet) -> CellSet | None:
        """Return a valid carrier inside some cells; None if there is none or the budget ends."""
        answer = None if self._ask is None else self._ask(cells)
        if answer is not None and not answer.joined:
            return None
        if answer is not None and answer.connection is not None:
            return answer.connection.carrier
        if self._game is None:  # too large for complete play: only the solver could decide
            self._is_stuck = True
            return None
        remaining = None if self.budget is None else max(0, self.budget - self._game.nodes)
        outcome = self._game.play(cells, budget=remaining)
        return outcome.cells if outcome.joined else None

    def _needs_all_stones(self, carrier: CellSet) -> bool:
        """Return whether no stone could be an empty cell of the carrier instead.

        A stone counts as needed if complete play does not decide that.
        """
        board, line, others = self.window.board, self.window.line, self.window.others
        for stone in (*line, *others):
            end = next((cell for cell in line if cell != stone), None)
            if end is None:
                continue
            rest = self._black & ~board.only(stone)
            position = Position(board, rest, self._white, Color.WHITE)
            ends, cells = (end, board.edges(Color.BLACK)[1]), carrier | board.only(stone)
            try:
                game = JoinGame(position, Color.BLACK, ends, cells)
            except ValueError:  # too large for complete play
                continue
            if game.play(budget=MOST_POSITIONS).joined:
                return False
        return True

    def _mirror(self, carrier: CellSet) -> CellSet | None:
        """Return a carrier reversed along the edge.

        None if that leaves the window, or the stones are not their own mirror image.
        """
        board, others = self.window.board, self.window.others
        cells = [self._mirror_cell(cell) for cell in carrier.search(1)]
        if None in cells or {self._mirror_cell(stone) for stone in others} != set(others):
            return None
        return board.only(*(cell for cell in cells if cell is not None))

    def _mirror_cell(self, cell: Cell) -> Cell | None:
        """Return where a cell lies when the stones in line are reversed along the edge."""
        board, line = self.window.board, self.window.line
        (first, row), (last, _) = board.column_and_row(line[0]), board.column_and_row(line[-1])
        column, height = board.column_and_row(cell)
        image = first + last + row - column - height
        return board.at(image, height) if 0 <= image < board.columns else None

    def _template(self, carrier: CellSet) -> Template:
        """Return the template of a carrier, on a board no wider than needed."""
        board = self.window.board
        cells = [board.column_and_row(cell) for cell in carrier.search(1)]
        stones = [board.column_and_row(stone) for stone in self._black.search(1)]
        columns = [column for column, _ in (*cells, *stones)]
        small = Board(max(columns) - min(columns) + 1, board.rows)
        left = min(columns)
        own = small.only(*(small.at(column - left, row) for column, row in stones))
        area = small.only(*(small.at(column - left, row) for column, row in cells))
        position = Position(small, own, ~(own | area), Color.WHITE)
        end, row = board.column_and_row(self.window.line[0])
        ends = small.at(end - left, row), small.edges(Color.BLACK)[1]
        return Template(self.window.name, position, *ends, area)


# Progress of a search for templates, as text that can be read again.

SCHEMA = "hsearch/template-search/1"


@dataclass(frozen=True, slots=True)
class FindProgress:
    """Progress of a search.

    carriers   the minimal carriers so far, mirror images among them
    failures   cells in which there is no valid carrier
    waiting    the ways still to be tried, the last one first: cells that a carrier
               must lack, and cells that it must keep
    positions  how many positions complete play has visited
    """

    carriers: tuple[CellSet, ...]
    failures: tuple[CellSet, ...]
    waiting: tuple[tuple[CellSet, CellSet], ...]
    positions: int = 0

    @classmethod
    def start(cls, window: TemplateWindow) -> "FindProgress":
        """Return the progress at the start of a search."""
        nothing = window.board.only()
        return cls((), (), ((nothing, nothing),))


def write(progress: FindProgress, window: TemplateWindow) -> str:
    """Return progress as text, from which a search can resume."""
    names = window.board.names
    thing = {
        "schema": SCHEMA,
        "window": asdict(window),
        "positions": progress.positions,
        "found": [names(carrier) for carrier in progress.carriers],
        "closed": [names(cells) for cells in progress.failures],
        "waiting": [[names(cells) for cells in pair] for pair in progress.waiting],
    }
    return strict.write(thing | {"sha256": _digest(thing)}) + "\n"


@dataclass(frozen=True, slots=True)
class _Written:
    """The fields of a progress text."""

    schema: str
    window: dict[str, int | list[list[int]]]
    positions: strict.Count
    found: list[list[str]]
    closed: list[list[str]]
    waiting: list[tuple[list[str], list[str]]]
    sha256: str


def read(text: str | bytes, window: TemplateWindow) -> FindProgress:
    """Return the progress of a search of this window.

    Raise ValueError when the text is damaged, not a progress, or of another window.
    """
    try:
        thing = strict.read(text, _Written)
    except ValueError as error:
        raise ValueError(f"not a search for templates: {error}") from None
    if thing.schema != SCHEMA:
        raise ValueError(f"not a search for templates: schema: {thing.schema[:40]!r}")
    if thing.window != strict.read(strict.write(asdict(window)), dict[str, Any]):
        raise ValueError("a search with other options: window")
    content = strict.read(text, dict[str, Any])
    del content["sha256"]
    if thing.sha256 != _digest(content):
        raise ValueError("damaged: sha256 is not that of the rest")
    cells_of = window.board.named
    carriers = tuple(cells_of(names) for names in thing.found)
    if any(not carrier.any() or not subset(carrier, window.position.empty) for carrier in carriers):
        raise ValueError("damaged: a carrier without a cell, or with a stone")
    return FindProgress(
        carriers,
        tuple(cells_of(names) for names in thing.closed),
        tuple((cells_of(lacking), cells_of(core)) for lacking, core in thing.waiting),
        thing.positions,
    )


def _digest(thing: dict[str, Any]) -> str:
    return hashlib.sha256(strict.write(thing).encode()).hexdigest()


# Ladders along an edge to an escape, as families of any length.
#
# A stone whose way to the edge is blocked on one side ladders along the edge until
# it meets another stone, the escape. For each distance between the two the window
# is shrunk to a minimal carrier, always in the same order. If each next length
# repeats one column and changes nothing else, the lengths are a family, defined by
# its first member and that column. A member of any length is made by repeating the
# column, and examined like every other template before it is used.

HIGHEST = 3  # complete play takes too long in the windows of higher ladders
LONGEST = 19  # the widest boards
BEYOND = 2  # columns of the window behind the escape
SHOWN = 3  # consecutive members that must form a family


def first_miss(family: Family) -> int | None:
    """Return how many more columns the first member has that H-search misses; None if up to 19."""
    shortest = family.first.position.board.columns
    for more in range(LONGEST - shortest + 1):
        it = family.member(more)
        if not closure(it.alone, it.color, Limits(templates=False)).has_full(*it.ends):
            return more
    return None


def families(row: int, escape: int, longest: int) -> list[Family]:
    """Return the families of a stone on a row whose escape lies on another, up to a length.

    At most one is found for each pair of rows; a row is counted from the edge.
    """
    members = [member(row, escape, length) for length in range(1, longest + 1)]
    for place in range(len(members) - SHOWN + 1):
        first, *rest = members[place : place + SHOWN]
        if first is None:
            continue
        for column in range(first.position.board.columns):
            family = Family(first, column)
            if not first.carrier.any() or _column_has_stones(first, column):
                continue
            if all(
                other is not None and family.member(more).carrier == other.carrier
                for more, other in enumerate(rest, start=1)
            ):
                return [family]
    return []


def member(row: int, escape: int, length: int) -> Template | None:
    """Return a minimal template of a stone with this many columns up to its escape.

    None if the stone does not reach the edge, or does so without the escape.
    """
    before = row - 2
    board = Board(before + length + 2 + BEYOND, row + 1)
    stone = board.at(before, 1)
    other = board.at(before + length + 1, row + 1 - escape)
    obstacles = [board.at(x, y) for y in range(1, row) for x in range(before - y + 1)]
    white = board.only(*range(board.columns), *obstacles) & ~board.only(stone)
    own = board.only(stone, other)
    ends = stone, board.edges(Color.BLACK)[1]
    position = Position(board, own, white, Color.WHITE)
    game = JoinGame(position, Color.BLACK, ends, position.empty)
    carrier = _shrink(game, position.empty, board)
    alone = replace(position, black=board.only(stone))
    if (
        carrier is None
        or JoinGame(alone, Color.BLACK, ends, carrier | board.only(other)).play().joined
    ):
        return None
    final = Position(board, own, ~(own | carrier), Color.WHITE)
    return Template(f"ladder{row}-{escape}", final, *ends, carrier)


def _shrink(game: JoinGame, cells: CellSet, board: Board) -> CellSet | None:
    """Return a minimal carrier inside some cells, by leaving out those far from the stone first."""
    if not game.play(cells).joined:
        return None
    by_column = sorted(cells.search(1), key=board.column_and_row, reverse=True)
    for cell in by_column:
        less = cells & ~board.only(cell)
        if game.play(less).joined:
            cells = less
    return cells


def _column_has_stones(template: Template, column: int) -> bool:
    board = template.position.board
    stones = template.position.black.search(1)
    return any(board.column_and_row(stone)[0] == column for stone in stones)
