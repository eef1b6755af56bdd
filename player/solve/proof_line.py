"""One line of a written proof, checked as far as possible without the other lines.

A proof may come from anyone, so the form of a line is checked first: exactly the fields of its
kind, of their types, and each set of cells as the program writes it, in lower case, row by row,
none twice. Then its steps are checked. `docs/reference/proof-format.md` has what a line asserts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import ge, or_
from typing import Any, TypeVar

import msgspec

from hsearch.connect import Connection, Fill, Rule, fill_regions
from hsearch.formats import strict
from hsearch.formats.error import quote
from hsearch.formats.strict import Count
from hsearch.hex import Board, Cell, CellSet, Color, Point, Position, winner
from hsearch.hex.board import cell_set, cells_by_name
from hsearch.strategy.check import check, check_fills

# The board, the winner, the number of the first line, and the lines.
Batch = tuple[Board, Color, int, Sequence[bytes]]

# Rules of steps. A template would have to be played out, and fill-in is a kind of line.
RULES = {rule.value: rule for rule in (Rule.ADJACENT, Rule.AND, Rule.OR, Rule.MUSTPLAY)}
MOST_WORK = 100_000  # most premises of all steps of a line, for each position that it checks

# A step: its rule, its ends, its carrier, its key, and its premises by their place among the steps.
StepFields = tuple[str, str, str, str, str | None, list[Count]]
# A region: its color, the groups around it, its cells, the step that joins two groups, and how
# many regions were filled before the groups were joined.
Region = tuple[str, str, str, Count | None, Count]


class ProofHead(msgspec.Struct, forbid_unknown_fields=True):
    """The first line: what is proved, and how many lines follow."""

    schema: str
    columns: int
    rows: int
    black: list[str]
    white: list[str]
    turn: str
    winner: str
    first: str | None
    root: Count
    lines: Count


class PositionLine(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of all other lines: a position with the loser to move, and derivations."""

    black: list[str]
    white: list[str]
    steps: list[StepFields]


class JoinedLine(PositionLine):
    """The winner's edges are joined, by a chain or by a step that is a full."""

    joined: Count | None


class AnsweredLine(PositionLine):
    """Each move of the loser misses a threat, or the cells that the winner needs after a reply."""

    threats: list[Count]
    replies: dict[str, tuple[str, Count]]


class FilledLine(PositionLine):
    """Regions may be filled, and a line above settles the filled position."""

    fills: list[Region]
    filled: Count


T = TypeVar("T")


class ProofError(ValueError):
    """A proof that does not hold, at the first fault."""


class NoProofError(ProofError):
    """A text that is not a proof at all: not of this form, or something is missing."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A line above, which has to settle these stones; its cells and `reply` are needed."""

    number: int
    black: CellSet
    white: CellSet
    reply: CellSet


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """A line whose connections and regions hold, while its references are unchecked.

    needs       the carrier of each way to win
    references  further ways to win, by lines above
    joins       cells that the filled regions need as well
    dangers     cells each of which some way must avoid; None if there is only one way
    connections number of connections that were derived again
    """

    black: CellSet
    white: CellSet
    needs: tuple[CellSet, ...]
    references: tuple[Reference, ...]
    joins: CellSet
    dangers: CellSet | None
    connections: int


def check_batch(batch: Batch) -> list[CheckedLine | ProofError]:
    """Check lines, each without the others; an error ends the list."""
    board, won_by, first, lines = batch
    results: list[CheckedLine | ProofError] = []
    for number, text in enumerate(lines, first):
        try:
            line = object_of(number, text)
            with Numbered(number):
                results.append(_Check(board, won_by).line(line))
        except ProofError as error:
            return [*results, error]
    return results


class _Check:
    """Checks a line without the others."""

    def __init__(self, board: Board, won_by: Color) -> None:
        self._board = board
        self._won_by = won_by

    def line(self, thing: dict[str, Any]) -> CheckedLine:
        """Derive the connections of a line again, and check its regions."""
        line = _line_of(thing)
        position = position_of(self._board, line.black, line.white, self._won_by.opponent)
        if winner(position) is self._won_by.opponent:
            raise ProofError(f"{self._won_by.opponent.word} has won this position by a chain")
        connections = self._connections(line.steps)
        if isinstance(line, FilledLine):
            return self._check_fills(position, line, connections)
        count = check(position, self._won_by, *connections, most=MOST_WORK)
        if isinstance(line, JoinedLine):
            needs = (self._check_join(position, line.joined, connections),)
            return self._record(position, count, needs=needs)
        threats = [self._edge_to_edge(_find_step(connections, n)) for n in line.threats]
        references = [
            self._reply(position, move, reply, number)
            for move, (reply, number) in line.replies.items()
        ]
        return self._record(position, count, needs=threats, to=references, dangers=position.empty)

    def _record(
        self,
        position: Position,
        count: int,
        *,
        needs: Sequence[CellSet] = (),
        to: Sequence[Reference] = (),
        dangers: CellSet | None = None,
    ) -> CheckedLine:
        stones, nothing = (position.black, position.white), self._board.only()
        return CheckedLine(*stones, tuple(needs), tuple(to), nothing, dangers, count)

    def _check_fills(
        self, position: Position, line: FilledLine, connections: list[Connection]
    ) -> CheckedLine:
        """Check that regions may be filled; refer to a line above for the filled position."""
        if len(line.fills) > self._board.size:
            raise ProofError(f"more than {self._board.size} regions")
        fills = [
            Fill(
                color_of(color),
                tuple(point_of(self._board, name) for name in _words(groups)),
                cells_of(self._board, _words(cells)),
                None if join is None else _find_step(connections, join),
                since,
            )
            for color, groups, cells, join, since in line.fills
        ]
        count = check_fills(position, self._won_by, fills, most=MOST_WORK)
        after, nothing = fill_regions(position, fills)[-1], self._board.only()
        below = Reference(line.filled, after.black, after.white, nothing)
        joins = [f.join.carrier for f in fills if f.color is self._won_by and f.join is not None]
        record = self._record(position, count, to=[below])
        return replace(record, joins=reduce(or_, joins, nothing))

    def _reply(self, position: Position, move: str, reply: str, number: int) -> Reference:
        cell = cell_of(self._board, reply)
        after = position.play(cell_of(self._board, move)).play(cell)
        return Reference(number, after.black, after.white, self._board.only(cell))

    def _check_join(
        self, position: Position, number: int | None, connections: list[Connection]
    ) -> CellSet:
        if number is None:
            if winner(position) is not self._won_by:
                raise ProofError(f"{self._won_by.word} has no chain")
            return self._board.only()
        full = _find_step(connections, number)
        if not full.is_full:
            raise ProofError("the edges are joined only if the winner moves first")
        return self._edge_to_edge(full)

    def _edge_to_edge(self, connection: Connection) -> CellSet:
        if connection.ends != self._board.edges(self._won_by):
            ends = " to ".join(map(self._board.name, connection.ends))
            raise ProofError(f"joins {ends}, not the winner's edges")
        return connection.carrier

    def _connections(self, steps: Iterable[StepFields]) -> list[Connection]:
        """Return the connections that a line states, not yet derived again."""
        connections: list[Connection] = []
        for rule, x, y, carrier, key, premises in steps:
            if rule not in RULES:
                raise NoProofError(f"not a rule of steps: {quote(rule)}")
            connections.append(
                Connection(
                    point_of(self._board, x),
                    point_of(self._board, y),
                    cells_of(self._board, _words(carrier)),
                    None if key is None else cell_of(self._board, key),
                    RULES[rule],
                    tuple(_find_step(connections, premise) for premise in premises),
                )
            )
        return connections


class Numbered:
    """Puts the number of the line before the message of an error inside."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ValueError):
            kind_of = NoProofError if isinstance(error, NoProofError) else ProofError
            raise kind_of(f"line {self._number}: {error}") from None


HINT = "; a proof is what `solve --proof` writes"


def object_of(number: int, line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line; raise NoProofError, naming the line, if it is not one."""
    try:
        thing = strict.read(line, Any)
    except ValueError as error:
        hint = HINT if number == 1 else ""
        raise NoProofError(f"line {number}: {error}{hint}") from None
    if not isinstance(thing, dict):
        raise NoProofError(f"line {number}: not a JSON object")
    return thing


def convert(thing: dict[str, Any], kind: type[T]) -> T:
    """Return a JSON object as a kind of line; raise NoProofError, naming the field that differs."""
    try:
        return strict.convert(thing, kind)
    except ValueError as error:
        raise NoProofError(str(error)) from None


def _line_of(thing: dict[str, Any]) -> JoinedLine | AnsweredLine | FilledLine:
    if "part" in thing:
        raise NoProofError("a part proves this, which is to be merged first")
    if "joined" in thing:
        return convert(thing, JoinedLine)
    if "filled" in thing:
        return convert(thing, FilledLine)
    return convert(thing, AnsweredLine)


def position_of(board: Board, black: Sequence[str], white: Sequence[str], turn: Color) -> Position:
    """Return the position of some stones. Raise NoProofError when a cell has two."""
    try:
        return Position(board, cells_of(board, black), cells_of(board, white), turn)
    except NoProofError:
        raise
    except ValueError as error:
        raise NoProofError(str(error)) from None


def cells_of(board: Board, names: Sequence[str]) -> CellSet:
    """Return the set of some cells. Raise NoProofError unless they are named row by row."""
    by_name = cells_by_name(board)
    cells = [by_name[name] if name in by_name else cell_of(board, name) for name in names]
    if any(map(ge, cells, cells[1:])):
        raise NoProofError(f"cells not in order, row by row: {quote(' '.join(names))}")
    return cell_set(cells, board.size)


def cell_of(board: Board, name: str) -> Cell:
    """Return the cell of a name. Raise NoProofError unless it is written as in `Board.name`."""
    cell = cells_by_name(board).get(name)
    if cell is None:
        raise _nameless(board, name)
    return cell


def point_of(board: Board, name: str) -> Point:
    """Return the point of a name. Raise NoProofError unless it is written as in `Board.name`."""
    point = _points(board).get(name)
    if point is None:
        raise _nameless(board, name)
    return point


def _nameless(board: Board, name: str) -> NoProofError:
    return NoProofError(f"not a cell or an edge of the {board} board: {quote(name)}")


@cache
def _points(board: Board) -> dict[str, Point]:
    """Return all points of a board by their names."""
    return cells_by_name(board) | {
        board.name(edge): edge for color in Color for edge in board.edges(color)
    }


def _words(text: str) -> list[str]:
    return text.split(" ") if text else []


def color_of(word: str) -> Color:
    """Return the color of a word; raise NoProofError when it names none."""
    try:
        return Color.named(word)
    except ValueError:
        raise NoProofError(f"not a color: {quote(word)}") from None


def _find_step(connections: list[Connection], number: int) -> Connection:
    if number >= len(connections):
        raise ProofError(f"refers to step {number}, which is not above")
    return connections[number]
