"""Find the minimal edge templates of some stones in a row, in a window of the board.

A carrier that holds a template is valid, so the minimal valid carriers are
looked for as in the enumeration of minimal hitting sets: what a new template
looks like, it must lack a cell of each template known so far. All ways to lack
such cells are gone through; if what is left of the window is still valid, it
is shrunk to a new template, else that way is closed.

What H-search joins in the whole window comes first. In windows too large for
complete play that may be all there is time for; a carrier that was found can
still be played out, for it is smaller.
"""

from collections.abc import Iterator

from bitarray.util import count_and, subset

from hsearch.board import Board, Cell, Color
from hsearch.cells import CellSet
from hsearch.closure import Limits, closure
from hsearch.deduction import JoinGame
from hsearch.deduction.exhaustive import MOST_POINTS
from hsearch.library import Template
from hsearch.position import Position
from hsearch.template.examination import Ask
from hsearch.template.progress import FindProgress
from hsearch.template.window import TemplateWindow

_WAYS = Limits(shrinking=True), Limits()


class TemplateSearch:
    """The search for all minimal templates of a window.

    Holds state: `progress` is where another search can go on, at any time, and
    `is_complete` says whether all templates are found.
    """

    def __init__(
        self,
        window: TemplateWindow,
        *,
        budget: int | None = None,
        progress: FindProgress | None = None,
        ask: Ask | None = None,
    ) -> None:
        """Prepare, to go on from an earlier search if its progress is given.

        The `budget` bounds how many positions complete play may visit. A solver to `ask`
        about a carrier comes first. Raise ValueError when there is none, and the window is
        too large for complete play.
        """
        board = window.board
        self.window = window
        self.budget = budget
        self._ask = ask
        self.is_complete = False
        self._black = board.only(*window.line, *window.others)
        self._white = board.only(*range(board.columns))
        self._cells = ~(self._black | self._white)
        self._is_stuck = False
        self._game: JoinGame | None = None
        if ask is None or self._cells.count() + 1 < MOST_POINTS:
            self._game = JoinGame(window.position, Color.BLACK, window.ends, self._cells)
        self.progress = progress or FindProgress.start(window)
        self._found = list(self.progress.found)
        self._closed = list(self.progress.closed)
        self._before = self.progress.positions

    @property
    def positions(self) -> int:
        """Number of positions visited, earlier searches included."""
        return self._before + self._nodes

    def run(self) -> Iterator[Template]:
        """Yield the templates, one of each pair of mirror images; set `is_complete` in the end.

        Those of an earlier search come first. Left out are those that would hold
        with a stone less, its cell empty.
        """
        for known in range(len(self._found)):
            yield from self._if_new(known)
        waiting = list(self.progress.waiting)
        for derived in self._derived() if not self._found else ():
            self.progress = FindProgress(tuple(self._found), (), tuple(waiting), self.positions)
            yield from self._if_new(derived)
        while waiting:
            place = self._step(waiting)
            if self._is_spent and place is None:
                return
            self.progress = FindProgress(
                tuple(self._found), tuple(self._closed), tuple(waiting), self.positions
            )
            if place is not None:
                yield from self._if_new(place)
        self.is_complete = True

    def _derived(self) -> Iterator[int]:
        """Shrink what H-search finds to minimal carriers; yield where they were put."""
        edge = self.window.board.edges(Color.BLACK)[1]
        position = self.window.position
        stores = (closure(position, Color.BLACK, limits) for limits in _WAYS)
        fulls = [full for store in stores for full in store.fulls(self.window.line[0], edge)]
        for full in sorted(fulls, key=lambda full: full.carrier.count()):
            if any(subset(known, full.carrier) for known in self._found):
                continue
            known = self._shrunk(full.carrier)
            if known is not None:
                self._found.append(known)
                yield len(self._found) - 1

    def _step(self, waiting: list[tuple[CellSet, CellSet]]) -> int | None:
        """Go through what comes first. Return the place of a carrier that this has found."""
        board = self.window.board
        lacking, kept = waiting[-1]
        known = next((t for t in self._found if not count_and(t, lacking)), None)
        place = None
        if known is None:
            known = self._new(self._cells & ~lacking)
            if known is None and self._is_spent:
                return None
            if known is not None:
                place = len(self._found)
                self._found.append(known)
        waiting.pop()
        for cell in known.search(1) if known is not None else ():
            if not kept[cell]:
                waiting.append((lacking | board.only(cell), kept))
                kept = kept | board.only(cell)
        return place

    def _if_new(self, place: int) -> Iterator[Template]:
        """Yield the template of a carrier, but for mirror images and idle stones."""
        known = self._found[place]
        if self._mirror(known) not in self._found[:place] and self._needs_all_stones(known):
            yield self._template(known)

    @property
    def carriers(self) -> tuple[CellSet, ...]:
        """All minimal carriers found so far, mirror images among them."""
        return tuple(self._found)

    @property
    def _is_spent(self) -> bool:
        return self._is_stuck or (self.budget is not None and self._nodes >= self.budget)

    @property
    def _nodes(self) -> int:
        return 0 if self._game is None else self._game.nodes

    def _new(self, cells: CellSet) -> CellSet | None:
        """Return a minimal valid carrier inside some cells; None if they are not valid."""
        if any(subset(cells, closed) for closed in self._closed):
            return None
        used = self._valid(cells)
        if used is None:
            if not self._is_spent:
                self._closed.append(cells)
            return None
        return self._shrunk(used)

    def _shrunk(self, used: CellSet) -> CellSet | None:
        """Return a minimal carrier inside a valid one; None if the budget does not suffice."""
        for cell in used.search(1):
            if used[cell]:
                used = self._valid(used & ~self.window.board.only(cell)) or used
        return None if self._is_spent else used

    def _valid(self, cells: CellSet) -> CellSet | None:
        """Return the cells that suffice among some; None if they do not, or the budget does not."""
        said = None if self._ask is None else self._ask(cells)
        if said is not None and not said.joined:
            return None
        if said is not None and said.connection is not None:
            return said.connection.carrier
        if self._game is None:  # too large for complete play: only the solver could say more
            self._is_stuck = True
            return None
        left = None if self.budget is None else max(0, self.budget - self._game.nodes)
        outcome = self._game.play(cells, budget=left)
        return outcome.cells if outcome.joined else None

    def _needs_all_stones(self, carrier: CellSet) -> bool:
        """Return whether each stone is needed, other than as an empty cell of the carrier."""
        board, line, others = self.window.board, self.window.line, self.window.others
        for stone in (*line, *others):
            end = next((cell for cell in line if cell != stone), None)
            if end is None:
                continue
            rest = self._black & ~board.only(stone)
            position = Position(board, rest, self._white, Color.WHITE)
            ends, cells = (end, board.edges(Color.BLACK)[1]), carrier | board.only(stone)
            if JoinGame(position, Color.BLACK, ends, cells).play().joined:
                return False
        return True

    def _mirror(self, carrier: CellSet) -> CellSet | None:
        """Return a carrier reversed along the edge.

        None if that leaves the window, or the stones are not their own mirror image.
        """
        board, others = self.window.board, self.window.others
        cells = [self._turned(cell) for cell in carrier.search(1)]
        if None in cells or {self._turned(stone) for stone in others} != set(others):
            return None
        return board.only(*(cell for cell in cells if cell is not None))

    def _turned(self, cell: Cell) -> Cell | None:
        """Return where a cell lies when the stones in line are reversed along the edge."""
        board, line = self.window.board, self.window.line
        (first, row), (last, _) = board.column_and_row(line[0]), board.column_and_row(line[-1])
        column, height = board.column_and_row(cell)
        turned = first + last + row - column - height
        return board.at(turned, height) if 0 <= turned < board.columns else None

    def _template(self, carrier: CellSet) -> Template:
        """Return the template of a carrier, on a board no wider than needed."""
        board = self.window.board
        cells = [board.column_and_row(cell) for cell in carrier.search(1)]
        stones = [board.column_and_row(stone) for stone in self._black.search(1)]
        columns = [column for column, _ in (*cells, *stones)]
        small = Board(max(columns) - min(columns) + 1, board.rows)
        left = min(columns)
        own = small.only(*(small.at(column - left, row) for column, row in stones))
        needed = small.only(*(small.at(column - left, row) for column, row in cells))
        position = Position(small, own, ~(own | needed), Color.WHITE)
        end, row = board.column_and_row(self.window.line[0])
        ends = small.at(end - left, row), small.edges(Color.BLACK)[1]
        return Template(self.window.name, position, *ends, needed)
