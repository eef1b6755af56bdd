"""Edge templates: a stone is joined to an edge inside a carrier, though the opponent moves first.

In a suite a template is an entry with the keys `stone`, `edge` and `carrier`;
without `carrier` it is all the empty cells.
"""

from dataclasses import dataclass, replace

from hsearch.board import EDGE_NAMES, Cell, Color, Point
from hsearch.cells import CellSet
from hsearch.formats import FormatError
from hsearch.formats.error import quoted
from hsearch.formats.suite import SuiteEntry
from hsearch.position import Position, captains


@dataclass(frozen=True, slots=True)
class Template:
    """A shape that is claimed to be an edge template; `hsearch.template` tells whether it is one.

    id        its name
    position  a board with it; what lies outside the carrier is of no use
    stone     the stone to be joined
    edge      the edge to join it to
    carrier   the empty cells to do it in
    """

    id: str
    position: Position
    stone: Cell
    edge: Point
    carrier: CellSet

    def __post_init__(self) -> None:
        """Raise ValueError when stone, edge and carrier do not fit each other."""
        board, color = self.position.board, self.position.color_at(self.stone)
        name = board.name(self.stone)
        if color is None:
            raise ValueError(f"no stone on {name!r}")
        if self.edge not in board.edges(color):
            raise ValueError(f"{board.name(self.edge)!r} is no edge of {color.word}")
        full = self.carrier & ~self.position.empty
        if full.any():
            raise ValueError(f"the carrier has stones on {' '.join(board.names(full))!r}")
        if not self.carrier.any():
            raise ValueError("the carrier has no cell")
        named = captains(self.position, color)
        if named[self.stone] == named[self.edge]:
            raise ValueError(f"{name!r} hangs together with {board.name(self.edge)} already")

    @property
    def color(self) -> Color:
        """The player whose template it is."""
        color = self.position.color_at(self.stone)
        assert color is not None  # noqa: S101 - checked when it was made
        return color

    @property
    def ends(self) -> tuple[Point, Point]:
        """The stone and the edge."""
        return self.stone, self.edge

    @property
    def alone(self) -> Position:
        """The position in which the opponent has all cells outside the carrier."""
        rest = self.position.empty & ~self.carrier
        if self.color is Color.BLACK:
            return replace(self.position, white=self.position.white | rest)
        return replace(self.position, black=self.position.black | rest)

    def without(self, *cells: Cell) -> "Template":
        """Return the template with a smaller carrier."""
        return replace(self, carrier=self.carrier & ~self.position.board.only(*cells))


def template_of(entry: SuiteEntry) -> Template:
    """Return the template that a suite's entry describes.

    Raise FormatError when it lacks a stone or an edge, or when they do not fit.
    """
    position = entry.game.position(turn=entry.game.recorded_turn() or Color.WHITE)
    stone = _only_value(entry, "stone")
    edge = _only_value(entry, "edge").lower()
    if edge not in EDGE_NAMES:
        raise FormatError(f"edge of {entry.id}: {quoted(edge)} is no edge", line=entry.line)
    carrier = entry.cells("carrier") if entry.values("carrier") else position.empty
    try:
        cell = position.board.cell(stone)
        return Template(entry.id, position, cell, position.board.point(edge), carrier)
    except ValueError as error:
        raise FormatError(f"{entry.id}: {error}", line=entry.line) from None


def _only_value(entry: SuiteEntry, key: str) -> str:
    values = entry.values(key)
    if len(values) != 1 or not values[0]:
        how = f"says no {key}" if not values else f"says more than one {key}"
        message = f"{entry.id} {how}; a template has one (key or option --{key})"
        raise FormatError(message, line=entry.line)
    return values[0]
