"""Edge templates: single ones, families of any length, those shipped, and their placements."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.formats import FormatError, find_shipped, suite
from hsearch.formats.error import quote
from hsearch.hex import MAX_SIDE, Board, Cell, CellSet, Color, Point, Position, captains
from hsearch.hex.board import EDGE_NAMES, column_number, to_words, word_count
from hsearch.hex.face import expect_range
from hsearch.hex.position import subgame

# Edge templates: a stone is joined to an edge inside a carrier even if the opponent moves first.
#
# In a suite a template is an entry with the keys `stone`, `edge` and `carrier`.
# Without `carrier`, all empty cells are the carrier.


@dataclass(frozen=True, slots=True)
class Template:
    """A shape that is claimed to be an edge template; see `hsearch.strategy.template`.

    id        its name
    position  a board with it; the empty cells outside the carrier are not used
    stone     the stone to be joined
    edge      the edge to join it to
    carrier   the empty cells inside which they are joined
    color     the owner of the stone
    """

    id: str
    position: Position
    stone: Cell
    edge: Point
    carrier: CellSet
    color: Color = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raise ValueError when stone, edge and carrier contradict each other."""
        board, color = self.position.board, self.position.color_at(self.stone)
        name = board.name(self.stone)
        if color is None:
            raise ValueError(f"no stone on {name!r}")
        if self.edge not in board.edges(color):
            raise ValueError(f"{board.name(self.edge)!r} is not an edge of {color.word}")
        stones = self.carrier & ~self.position.empty
        if stones.any():
            raise ValueError(f"the carrier has stones on {board.text(stones)!r}")
        if not self.carrier.any():
            raise ValueError("the carrier has no cell")
        captain_of = captains(self.position, color)
        if captain_of[self.stone] == captain_of[self.edge]:
            raise ValueError(f"{name!r} is joined to {board.name(self.edge)} by stones already")
        object.__setattr__(self, "color", color)

    @property
    def ends(self) -> tuple[Point, Point]:
        """The stone and the edge."""
        return self.stone, self.edge

    @property
    def alone(self) -> Position:
        """The position in which the opponent has all cells outside the carrier."""
        return subgame(self.position, self.color, self.carrier)

    def without(self, *cells: Cell) -> "Template":
        """Return the template with a smaller carrier."""
        return replace(self, carrier=self.carrier & ~self.position.board.only(*cells))


def template_of(entry: suite.SuiteEntry) -> Template:
    """Return the template that a suite's entry describes.

    Raise FormatError when it lacks a stone or an edge, or when they contradict each other.
    """
    position = entry.game.position(turn=entry.game.recorded_turn() or Color.WHITE)
    stone = _only_value(entry, "stone")
    edge = _only_value(entry, "edge").lower()
    if edge not in EDGE_NAMES:
        raise FormatError(f"edge of {entry.id}: {quote(edge)} is not an edge", line=entry.line)
    carrier = entry.cells("carrier") if entry.values("carrier") else position.empty
    try:
        cell = position.board.cell(stone)
        return Template(entry.id, position, cell, position.board.point(edge), carrier)
    except ValueError as error:
        raise FormatError(f"{entry.id}: {error}", line=entry.line) from None


def _only_value(entry: suite.SuiteEntry, key: str) -> str:
    values = entry.values(key)
    if len(values) != 1 or not values[0]:
        how = f"has no {key}" if not values else f"has more than one {key}"
        message = f"{entry.id} {how}; a template has one (key or option --{key})"
        raise FormatError(message, line=entry.line)
    return values[0]


# Families of templates: one for every length, made by repeating a column.


@dataclass(frozen=True, slots=True)
class Family:
    """Templates that differ by how often a column is repeated.

    first   the shortest member
    column  the column that is repeated
    """

    first: Template
    column: int

    def member(self, more: int) -> Template:
        """Return the member in which the column comes this many times more than in the first.

        If its board would be too wide, free columns at the left and then columns at the
        right are cut off. Raise ValueError if `more` is negative.
        """
        expect_range("length", more, 0)
        first = self.first
        board = first.position.board
        area = (first.carrier | first.position.black).search(1)
        free = min(board.column_and_row(cell)[0] for cell in area)
        left = min(free, max(0, board.columns + more - MAX_SIDE))
        right = max(0, board.columns + more - left - MAX_SIDE)
        longer = Board(board.columns + more - left - right, board.rows)

        def stretch(cells: CellSet) -> CellSet:
            places = [board.column_and_row(cell) for cell in cells.search(1)]
            near = [(x, y) for x, y in places if x <= self.column]
            far = [(x + more, y) for x, y in places if x > self.column]
            middle = [(x + i + 1, y) for x, y in places if x == self.column for i in range(more)]
            return longer.only(*(longer.at(x - left, y) for x, y in (*near, *far, *middle)))

        carrier, own = stretch(first.carrier), stretch(first.position.black)
        position = Position(longer, own, ~(own | carrier), Color.WHITE)
        x, y = board.column_and_row(first.stone)
        stone = longer.at((x if x <= self.column else x + more) - left, y)
        return Template(first.id, position, stone, longer.edges(Color.BLACK)[1], carrier)


def family_of(entry: suite.SuiteEntry) -> Family | None:
    """Return the family that a suite's entry describes; None if it has no key `repeat`.

    Raise FormatError when it is not a template of Black, or `repeat` does not name a
    column without stones.
    """
    values = entry.values("repeat")
    if not values:
        return None
    first, (name, *more) = template_of(entry), values
    board = first.position.board
    column = column_number(name) if name.isascii() and name.isalpha() and name.islower() else -1
    stones = first.position.stones(first.color).search(1)
    is_free = all(board.column_and_row(stone)[0] != column for stone in stones)
    if more or not 0 <= column < board.columns or not is_free or first.color is not Color.BLACK:
        raise FormatError(f"{entry.id}: {quote(name)} is not a column to repeat", line=entry.line)
    return Family(first, column)


# The templates that come with the program, in `positions/templates`.

FILES = ("edge", "found", "ladders")
LARGE = "large"  # not given to closures: the solver finds these as fast


@dataclass(frozen=True, slots=True)
class KnownTemplate:
    """A template that is proved to be one.

    template    the template
    source      where it comes from
    is_found    whether H-search finds it by the AND and OR rules, at any length
    family      the templates made by repeating a column of it, if any
    first_miss  in a family, how many more columns the first member has that H-search misses
    names       its usual names
    """

    template: Template
    source: str
    is_found: bool
    family: Family | None = None
    first_miss: int = 0
    names: tuple[str, ...] = ()

    def members(self, columns: int, start: int = 0) -> Iterator[Template]:
        """Yield the template, or the members of its family that fit a board of this width.

        `start` is the least number of additional columns.
        """
        if self.family is None:
            yield self.template
            return
        for more in range(start, columns - self.width + 1):
            yield self.family.member(more)

    @property
    def name(self) -> str:
        """The first of its names, else its id."""
        return next(iter(self.names), self.template.id)

    @property
    def width(self) -> int:
        """Number of columns that it spans."""
        board = self.template.position.board
        cells = self.template.position.stones(self.template.color) | self.template.carrier
        columns = [board.column_and_row(cell)[0] for cell in cells.search(1)]
        return max(columns) - min(columns) + 1


def closure_templates() -> tuple[KnownTemplate, ...]:
    """Return the templates that closures may be given, in the order of `FILES`."""
    return tuple(entry for name in FILES for entry in templates_in(name))


def all_templates() -> tuple[KnownTemplate, ...]:
    """Return all templates that come with the program, the large ones last."""
    return (*closure_templates(), *templates_in(LARGE))


@cache
def templates_in(name: str) -> tuple[KnownTemplate, ...]:
    """Return the templates of one of the files; none if the file is missing."""
    file = find_shipped(f"templates/{name}.txt")
    entries = () if file is None else suite.read(file.read_text(encoding="utf-8"))
    return tuple(map(_read_template, entries))


def _read_template(entry: suite.SuiteEntry) -> KnownTemplate:
    return KnownTemplate(
        template_of(entry),
        " ".join(entry.values("source")),
        entry.values("found") == ["yes"],
        family_of(entry),
        int(next(iter(entry.values("missed")), "0")),
        tuple(entry.values("name")),
    )


# The known templates in all their placements on a board, as rows for the kernels.
#
# A template may be shifted along its edge, reversed, and rotated by 180 degrees to
# the other edge. The frame is the one in which the owner joins the first two
# edges, so White's board is transposed.

Offset: TypeAlias = tuple[int, int]  # column, and height above the row at the edge


@cache
def placements(columns: int, rows: int) -> NDArray[np.int64]:
    """Return the placements of the templates that H-search misses, once each.

    `preload` in `hsearch.kernels.closure` takes the rows.
    """
    board = Board(columns, rows)
    entries = [entry for entry in closure_templates() if not entry.is_found]
    templates = [
        template for entry in entries for template in entry.members(columns, entry.first_miss)
    ]
    distinct_rows = {row: None for template in templates for row in place_template(template, board)}
    width = word_count(board.size + 2)
    table = np.zeros((len(distinct_rows), 2 + 2 * width), np.int64)
    for row, (end, edge, stones, carrier) in zip(table, distinct_rows, strict=True):
        row[:2] = end, edge
        row[2 : 2 + width] = to_words(stones, width).view(np.int64)
        row[2 + width :] = to_words(carrier, width).view(np.int64)
    return table


def place_template(
    template: Template, board: Board
) -> Iterator[tuple[Cell, Point, CellSet, CellSet]]:
    """Yield each placement of a template: its end, edge, further stones and carrier.

    On the board the end may be an empty cell, which counts as the owner's. The
    template must be Black's at the south edge, as all shipped ones are.
    """
    north, south = board.edges(Color.BLACK)
    for end, stones, carrier in both_ways(template):
        places = [*end, *stones, *carrier]
        left = min(column for column, _ in places)
        wide = max(column for column, _ in places) - left
        if max(height for _, height in places) >= board.rows:
            continue
        for shift in range(-left, board.columns - wide - left):
            parts = [_cells(part, shift, board) for part in (end, stones, carrier)]
            for edge in (south, north):
                yield parts[0][0], edge, board.only(*parts[1]), board.only(*parts[2])
                parts = [[board.rotate(cell) for cell in part] for part in parts]


def large_template(
    position: Position, color: Color, ends: tuple[Point, Point], cells: CellSet
) -> tuple[KnownTemplate, CellSet] | None:
    """Return a large template that joins two ends inside some empty cells, and its carrier there.

    None if there is none, or not exactly one end is an edge.
    """
    board = position.board
    x, y = sorted(ends)  # edges come last
    if board.is_edge(x) or not board.is_edge(y):
        return None
    frame = board if color is Color.BLACK else board.transposed
    place = int if color is Color.BLACK else frame.transpose
    captain_of = captains(position, color)
    for entry in templates_in(LARGE):
        for end, edge, _, places in place_template(entry.template, frame):
            if place(edge) == y and captain_of.get(place(end)) == captain_of[x]:
                carrier = board.only(*map(place, places.search(1)))
                if not (carrier & ~cells).any():
                    return entry, carrier
    return None


def both_ways(template: Template) -> Iterator[tuple[list[Offset], list[Offset], list[Offset]]]:
    """Yield the end, the other stones and the carrier: as given, then reversed along the edge."""
    board = template.position.board
    stones = template.position.black & ~board.only(template.stone)
    parts = [[template.stone], stones.search(1), template.carrier.search(1)]
    end, others, carrier = ([offset(cell, board) for cell in part] for part in parts)
    yield end, others, carrier
    yield _mirror(end), _mirror(others), _mirror(carrier)


def offset(cell: Cell, board: Board) -> Offset:
    """Return the column of a cell, and its height above the row at the south edge."""
    column, row = board.column_and_row(cell)
    return column, board.rows - 1 - row


def _mirror(places: list[Offset]) -> list[Offset]:
    """Mirror places along the edge; a row further up lies half a cell further right."""
    return [(height - column, height) for column, height in places]


def _cells(places: list[Offset], shift: int, board: Board) -> list[Cell]:
    return [board.at(column + shift, board.rows - 1 - height) for column, height in places]
