"""Check a written proof, knowing only the rules of Hex, of connections and of regions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any

from hsearch.board import Board, Color
from hsearch.cells import CellSet
from hsearch.connection import Connection, Fill, Rule, filled
from hsearch.files import strict
from hsearch.position import Position, winner
from hsearch.strategy import check, check_fills

SCHEMA = "hsearch/proof/2"
SCHEMAS = "hsearch/proof/1", SCHEMA  # the first is without filled regions


class ProofError(ValueError):
    """A proof that does not hold, at its first step that does not."""


class NoProofError(ProofError):
    """A text that is no proof at all: not of this form, or something is missing."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a proof proves, and how long it is.

    positions    lines of the proof
    connections  steps of derivations in them
    """

    position: Position
    winner: Color
    positions: int
    connections: int


def verify(text: str, on_line: Callable[[], object] = lambda: None) -> Verified:
    """Check a proof. Raise ProofError naming the first line that does not hold.

    It is a NoProofError when the text has not the form of a proof. `on_line` is called
    before each line; what it raises ends the work.
    """
    head, *lines = _objects(text)
    with _Line(1):
        if head.get("schema") not in SCHEMAS:
            raise NoProofError(f"not a proof of this version: {head.get('schema')!r}")
        board = Board(head["columns"], head["rows"])
        turn, won_by = _color(head["turn"]), _color(head["winner"])
        position = _position(board, head, turn)
        if head["lines"] != len(lines):
            raise ProofError(f"{head['lines']!r} lines should follow, not {len(lines)}")
    checking = _Checking(board, won_by)
    for number, line in enumerate(lines, 2):
        on_line()
        with _Line(number):
            checking.add(line)
    with _Line(1):
        start = position
        if head["first"] is not None:
            if turn is not won_by:
                raise ProofError(f"{won_by.word} moves first, but {turn.word} is to move")
            start = position.play(board.cell(head["first"]))
        elif turn is won_by and winner(position) is None:
            raise ProofError(f"{won_by.word} is to move and no move is told")
        checking.line(head["root"], start)
    return Verified(position, won_by, len(lines), checking.connections)


class _Checking:
    """The lines that hold. Holds state."""

    def __init__(self, board: Board, won_by: Color) -> None:
        self.connections = 0
        self._board = board
        self._won_by = won_by
        self._lines: list[tuple[Position, CellSet]] = []

    def line(self, number: object, expected: Position) -> CellSet:
        """Return what a line above needs, if it is about the expected stones."""
        if not isinstance(number, int) or not 1 <= number <= len(self._lines):
            raise ProofError(f"refers to line {number!r} of those above")
        position, carrier = self._lines[number - 1]
        if (position.black, position.white) != (expected.black, expected.white):
            raise ProofError(f"refers to line {number}, which is another position")
        return carrier

    def add(self, line: dict[str, Any]) -> None:
        """Check a line, and remember what its winner needs."""
        position = _position(self._board, line, self._won_by.opponent)
        connections = self._connections(line["steps"])
        if "fills" in line:
            carrier = self._filled(position, line, connections)
        else:
            self.connections += check(position, self._won_by, *connections)
            if "joined" in line:
                carrier = self._joined(position, line["joined"], connections)
            else:
                carrier = self._answered(position, line, connections)
        self._lines.append((position, carrier))

    def _filled(
        self, position: Position, line: dict[str, Any], connections: list[Connection]
    ) -> CellSet:
        """Return what is needed if regions may be filled, and what is left then is a line above."""
        fills = [
            Fill(
                _color(color),
                tuple(map(self._board.point, groups.split())),
                self._board.named(cells),
                None if join is None else _numbered(connections, join),
                _whole(since),
            )
            for color, groups, cells, join, since in line["fills"]
        ]
        self.connections += check_fills(position, self._won_by, fills)
        carrier = self.line(line["filled"], filled(position, fills)[-1])
        joins = [f.join.carrier for f in fills if f.color is self._won_by and f.join is not None]
        return reduce(or_, joins, carrier)

    def _joined(self, position: Position, number: object, connections: list[Connection]) -> CellSet:
        if number is None:
            if winner(position) is not self._won_by:
                raise ProofError(f"{self._won_by.word} has no chain")
            return self._board.only()
        full = _numbered(connections, number)
        if not full.is_full:
            raise ProofError("the edges are joined only if the winner moves first")
        return self._edge_to_edge(full)

    def _answered(
        self, position: Position, line: dict[str, Any], connections: list[Connection]
    ) -> CellSet:
        needed = [self._edge_to_edge(_numbered(connections, number)) for number in line["threats"]]
        for move, (reply, number) in line["replies"].items():
            cell = self._board.cell(reply)
            after = position.play(self._board.cell(move)).play(cell)
            needed.append(self.line(number, after) | self._board.only(cell))
        unanswered = reduce(and_, needed, position.empty)
        if unanswered.any():
            names = " ".join(self._board.names(unanswered))
            raise ProofError(f"nothing answers a move on {names}")
        return reduce(or_, needed)

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


class _Line:
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


def _objects(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            thing = strict.read(line, Any)
        except ValueError as error:
            raise NoProofError(f"line {number}: {error}") from None
        if not isinstance(thing, dict):
            raise NoProofError(f"line {number}: no JSON object")
        found.append(thing)
    if not found:
        raise NoProofError("line 1: empty")
    return found


def _position(board: Board, line: dict[str, Any], turn: Color) -> Position:
    return Position.of(board, black=line["black"], white=line["white"], turn=turn)


def _color(word: object) -> Color:
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
