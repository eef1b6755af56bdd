"""One line of a written proof, checked as far as it can be by itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any

from hsearch.board import Board, Color
from hsearch.cells import CellSet
from hsearch.connection import Connection, Fill, Rule, filled
from hsearch.files import strict
from hsearch.position import Position, winner
from hsearch.strategy import check, check_fills

# The board, the winner, and lines with the number of the first.
Batch = tuple[Board, Color, int, Sequence[bytes]]


class ProofError(ValueError):
    """A proof that does not hold, at its first step that does not."""


class NoProofError(ProofError):
    """A text that is no proof at all: not of this form, or something is missing."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A line above that must be about these stones; what it needs is needed, and `reply`."""

    number: object
    black: CellSet
    white: CellSet
    reply: CellSet


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """A line whose connections and regions hold, but for the lines that it refers to.

    needed      cells of which each is one way to win
    references  further such ways, by lines above
    joins       what filled regions need besides
    left        cells that one of the ways must leave out; None where there is one way alone
    connections how many were derived again
    """

    black: CellSet
    white: CellSet
    needed: tuple[CellSet, ...]
    references: tuple[Reference, ...]
    joins: CellSet
    left: CellSet | None
    connections: int


def checked_batch(batch: Batch) -> list[CheckedLine | ProofError]:
    """Check lines as far as each can be by itself; an error ends the list."""
    board, won_by, first, lines = batch
    found: list[CheckedLine | ProofError] = []
    for number, text in enumerate(lines, first):
        try:
            line = object_of(number, text)
            with Numbered(number):
                found.append(_Check(board, won_by).line(line))
        except ProofError as error:
            return [*found, error]
    return found


class _Check:
    """Checks a line by itself."""

    def __init__(self, board: Board, won_by: Color) -> None:
        self._board = board
        self._won_by = won_by

    def line(self, line: dict[str, Any]) -> CheckedLine:
        """Derive the connections of a line again, and look at its regions."""
        position = position_of(self._board, line, self._won_by.opponent)
        if "part" in line:
            raise NoProofError("a part proves this, which is to be merged first")
        connections = self._connections(line["steps"])
        if "fills" in line:
            return self._filled(position, line, connections)
        count = check(position, self._won_by, *connections)
        if "joined" in line:
            needed = (self._joined(position, line["joined"], connections),)
            return self._checked(position, count, needed=needed)
        threats = [self._edge_to_edge(_numbered(connections, n)) for n in line["threats"]]
        references = [
            self._reply(position, move, reply, number)
            for move, (reply, number) in line["replies"].items()
        ]
        return self._checked(position, count, needed=threats, to=references, left=position.empty)

    def _checked(
        self,
        position: Position,
        count: int,
        *,
        needed: Sequence[CellSet] = (),
        to: Sequence[Reference] = (),
        left: CellSet | None = None,
    ) -> CheckedLine:
        stones, nothing = (position.black, position.white), self._board.only()
        return CheckedLine(*stones, tuple(needed), tuple(to), nothing, left, count)

    def _filled(
        self, position: Position, line: dict[str, Any], connections: list[Connection]
    ) -> CheckedLine:
        """Check that regions may be filled; what is left then is a line above."""
        fills = [
            Fill(
                color_of(color),
                tuple(map(self._board.point, groups.split())),
                self._board.named(cells),
                None if join is None else _numbered(connections, join),
                _whole(since),
            )
            for color, groups, cells, join, since in line["fills"]
        ]
        count = check_fills(position, self._won_by, fills)
        after, nothing = filled(position, fills)[-1], self._board.only()
        below = Reference(line["filled"], after.black, after.white, nothing)
        joins = [f.join.carrier for f in fills if f.color is self._won_by and f.join is not None]
        checked = self._checked(position, count, to=[below])
        return replace(checked, joins=reduce(or_, joins, nothing))

    def _reply(self, position: Position, move: str, reply: str, number: object) -> Reference:
        cell = self._board.cell(reply)
        after = position.play(self._board.cell(move)).play(cell)
        return Reference(number, after.black, after.white, self._board.only(cell))

    def _joined(self, position: Position, number: object, connections: list[Connection]) -> CellSet:
        if number is None:
            if winner(position) is not self._won_by:
                raise ProofError(f"{self._won_by.word} has no chain")
            return self._board.only()
        full = _numbered(connections, number)
        if not full.is_full:
            raise ProofError("the edges are joined only if the winner moves first")
        return self._edge_to_edge(full)

    def _edge_to_edge(self, connection: Connection) -> CellSet:
        if connection.ends != self._board.edges(self._won_by):
            ends = " to ".join(map(self._board.name, connection.ends))
            raise ProofError(f"joins {ends}, not the winner's edges")
        return connection.carrier

    def _connections(self, steps: Iterable[list[Any]]) -> list[Connection]:
        """Return the connections of a line, none of them derived again yet."""
        found: list[Connection] = []
        for rule, x, y, carrier, key, premises in steps:
            found.append(
                Connection(
                    self._board.point(x),
                    self._board.point(y),
                    self._board.named(carrier),
                    None if key is None else self._board.cell(key),
                    Rule(rule),
                    tuple(_numbered(found, premise) for premise in premises),
                )
            )
        return found


class Numbered:
    """Names the line to whatever goes wrong in it."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, KeyError):
            raise NoProofError(f"line {self._number}: lacks {error}") from None
        if isinstance(error, (ValueError, TypeError, AttributeError)):
            kind_of = NoProofError if isinstance(error, NoProofError) else ProofError
            raise kind_of(f"line {self._number}: {error}") from None


def object_of(number: int, line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line; raise NoProofError, naming the line, when it is none."""
    try:
        thing = strict.read(line, Any)
    except ValueError as error:
        raise NoProofError(f"line {number}: {error}") from None
    if not isinstance(thing, dict):
        raise NoProofError(f"line {number}: no JSON object")
    return thing


def position_of(board: Board, line: dict[str, Any], turn: Color) -> Position:
    """Return the stones of a line."""
    return Position.of(board, black=line["black"], white=line["white"], turn=turn)


def color_of(word: object) -> Color:
    """Return the color of a word; raise ProofError when it is none."""
    for color in Color:
        if word == color.word:
            return color
    raise ProofError(f"not a color: {word!r}")


def _whole(number: object) -> int:
    if not isinstance(number, int) or number < 0:
        raise ProofError(f"no number of regions: {number!r}")
    return number


def _numbered(connections: list[Connection], number: object) -> Connection:
    if not isinstance(number, int) or not 0 <= number < len(connections):
        raise ProofError(f"refers to step {number!r}, which is not above")
    return connections[number]
