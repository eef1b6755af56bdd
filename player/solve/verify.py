"""Check a written proof by the rules of Hex, of connections and of regions alone."""

import io
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from pathlib import Path
from typing import BinaryIO

from hsearch.formats.error import quote
from hsearch.formats.files import decompress
from hsearch.hex import Board, CellSet, Color, Position, winner
from hsearch.render.text import quantity
from player.solve import proof_line
from player.solve.proof_line import NoProofError, ProofError

# The claim of a line, which does not depend on the rest of the board.
#
# The winner has some stones and wins inside some empty cells, although the loser
# moves first and has all other cells. So the claim settles every position in which the
# winner has these stones and the loser has none of the cells: more stones of the winner
# do no harm. Only stones and cells connected to an edge of the winner count, since the
# winning chain consists of these. A claim whose stones and cells contain no path between
# the winner's edges is false: the loser, with all other cells, has a chain already.


@dataclass(frozen=True, slots=True)
class Claim:
    """Stones that the winner has, and empty cells that the win needs."""

    stones: CellSet
    cells: CellSet

    @classmethod
    def of(cls, board: Board, winner: Color, stones: CellSet, carrier: CellSet) -> "Claim":
        """Return the claim of a won position, from the winner's stones and the carrier."""
        component = _flood_from_edge(board, winner, stones | carrier)
        return cls(stones & component, carrier & component)

    def joins_edges(self, board: Board, winner: Color) -> bool:
        """Return whether the stones and cells contain a path between the winner's edges."""
        second = board.edges(winner)[1]
        component = _flood_from_edge(board, winner, self.stones | self.cells)
        return any(board.contains(component, cell) for cell in board.neighbors(second))

    def settles(self, own: CellSet, other: CellSet) -> bool:
        """Return whether the claim settles a position, given the stones of winner and loser."""
        return not ((self.stones & ~own).any() or (self.cells & other).any())


def _flood_from_edge(board: Board, winner: Color, cells: CellSet) -> CellSet:
    """Return the cells that are connected to the winner's first edge inside `cells`.

    `hsearch.hex.board` floods whole numbers; the checker shares no code with the solver.
    """
    visited, waiting = set(), [board.edges(winner)[0]]
    while waiting:
        for point in board.neighbors(waiting.pop()):
            if point not in visited and board.contains(cells, point):
                visited.add(point)
                waiting.append(point)
    return board.only(*visited)


# The checker.

SCHEMA = "hsearch/proof/3"

BATCH = 16  # lines that one call checks, perhaps in another process
LONGEST = 16_000_000  # bytes of a line
MOST_LINES = 100_000_000

CheckedBatch = list[proof_line.CheckedLine | ProofError]
# Applies a function to batches of lines and yields its results in order, as `map` does.
InOrder = Callable[
    [Callable[[proof_line.Batch], CheckedBatch], Iterable[proof_line.Batch]], Iterable[CheckedBatch]
]


@dataclass(frozen=True, slots=True)
class Verified:
    """What a checked proof proves, and its length.

    position     the position that is proved
    winner       who wins it
    positions    number of lines below the head
    connections  number of connections derived in them
    start        the position after the winner's first move: the loser is to move
    carrier      the empty cells that the winner needs there
    """

    position: Position
    winner: Color
    positions: int
    connections: int
    start: Position
    carrier: CellSet

    def __str__(self) -> str:
        """Return in words who is proved to win which position."""
        position, first = self.position, self.position.turn.title
        counts = " and ".join(f"{position.stones(color).count()} {color.word}" for color in Color)
        stones = f"with {counts} stones" if (position.black | position.white).any() else "empty"
        return (
            f"The proof holds: {self.winner.title} wins this position of {position.board}, "
            f"{stones}, {first} to move."
        )

    @property
    def extent(self) -> str:
        """The length of the proof, in words."""
        steps = quantity(self.connections, "derived connection")
        return f"{quantity(self.positions, 'position')}, {steps}"


def verify(text: str, on_line: Callable[[], object] = lambda: None) -> Verified:
    """Check a proof. Raise ProofError naming the first line that does not hold.

    That is a NoProofError when the text does not have the form of a proof. `on_line` is called
    before each line below the head, and may raise to end the check.
    """
    lines = io.BytesIO(text.encode()).readlines()  # as of a file: other line ends are blanks

    def count_lines() -> Iterator[bytes]:
        for line in lines[1:]:
            on_line()
            yield line

    return _verify(lines[:1], count_lines(), map, at_a_time=1)


def verify_file(path: Path) -> Verified:
    """Check the proof in a file line by line, without holding all of it.

    Raise ProofError as `verify` does, and OSError when the file cannot be read.
    """
    with path.open("rb") as file:
        return verify_stream(file)


def read_position(path: Path) -> Position:
    """Return the position that the head of a proof names, without checking the proof.

    Raise NoProofError when the file has no such head, and OSError when it cannot be read.
    """
    with path.open("rb") as file:
        _, position, _ = _read_head(list(itertools.islice(_lines(decompress(file)), 1)))
    return position


def verify_stream(
    stream: BinaryIO,
    *,
    in_order: InOrder = map,
    on_progress: Callable[[int, int], object] = lambda _done, _lines: None,
) -> Verified:
    """Check a proof from a stream, as `verify_file` does.

    `in_order` applies a function to batches of lines, perhaps in other processes, and yields
    its results in order. `on_progress` is called with the number of lines done and their total.
    An .xz stream is decompressed. At most one line more than the head announces is read, so an
    endless stream is rejected.
    """
    lines = _lines(decompress(stream))
    return _verify(list(itertools.islice(lines, 1)), lines, in_order, on_progress, at_a_time=BATCH)


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream; raise NoProofError at one that is too long or damaged."""
    for number in itertools.count(1):
        try:
            line = stream.readline(LONGEST + 1)
        except ValueError as error:
            raise NoProofError(f"line {number}: {error}") from None
        if len(line) > LONGEST:
            raise NoProofError(f"line {number}: longer than {LONGEST:,} bytes")
        if not line:
            return
        yield line


def _verify(
    first: Sequence[bytes],
    rest: Iterable[bytes],
    in_order: InOrder,
    on_progress: Callable[[int, int], object] = lambda _done, _lines: None,
    *,
    at_a_time: int,
) -> Verified:
    head, position, won_by = _read_head(first)
    board, turn = position.board, position.turn
    whole = _Whole(board, won_by)
    coming = itertools.islice(rest, head.lines + 1)
    for batch in in_order(proof_line.check_batch, _batches(board, won_by, coming, at_a_time)):
        for result in batch:
            if isinstance(result, ProofError):
                raise result
            with proof_line.Numbered(len(whole.lines) + 2):
                whole.add(result)
        on_progress(len(whole.lines), head.lines)
    with proof_line.Numbered(1):
        count = len(whole.lines)
        if count != head.lines:
            total = "more" if count > head.lines else str(count)
            raise ProofError(f"{head.lines} lines should follow, not {total}")
        start = position
        if head.first is not None:
            if turn is not won_by:
                raise ProofError(f"{won_by.word} moves first, but {turn.word} is to move")
            start = position.play(proof_line.cell_of(board, head.first))
        elif turn is won_by and winner(position) is None:
            raise ProofError(f"{won_by.word} is to move and no move is named")
        root = proof_line.Reference(head.root, start.black, start.white, board.only())
        carrier = whole.carrier(root)
    start = Position(board, start.black, start.white, won_by.opponent)
    return Verified(position, won_by, len(whole.lines), whole.connections, start, carrier)


def _read_head(first: Sequence[bytes]) -> tuple[proof_line.ProofHead, Position, Color]:
    """Return the head of a proof, and the position and the winner that it names."""
    if not first:
        raise NoProofError(f"line 1: empty{proof_line.HINT}")
    thing = proof_line.object_of(1, first[0])
    with proof_line.Numbered(1):
        if "schema" not in thing:
            raise NoProofError(f"not a proof: it has no `schema`, which is {SCHEMA} in a proof")
        if thing["schema"] != SCHEMA:
            schema = quote(str(thing["schema"]), 80)
            raise NoProofError(f"not a proof of this version ({SCHEMA}): {schema}")
        head = proof_line.convert(thing, proof_line.ProofHead)
        turn, won_by = proof_line.color_of(head.turn), proof_line.color_of(head.winner)
        return head, proof_line.position_of(_board(head), head.black, head.white, turn), won_by


def _board(head: proof_line.ProofHead) -> Board:
    """Return the board of a proof; raise NoProofError when it or the proof is too large."""
    if head.lines > MOST_LINES:
        raise NoProofError(f"more than {MOST_LINES:,} lines: {head.lines}")
    try:
        return Board(head.columns, head.rows)
    except ValueError as error:
        raise NoProofError(str(error)) from None


def _batches(
    board: Board, won_by: Color, lines: Iterable[bytes], at_a_time: int
) -> Iterator[proof_line.Batch]:
    coming, number = iter(lines), 2
    while batch := list(itertools.islice(coming, at_a_time)):
        yield board, won_by, number, batch
        number += len(batch)


class _Whole:
    """The claims of the lines checked so far. Holds state."""

    def __init__(self, board: Board, won_by: Color) -> None:
        self.connections = 0
        self.lines: list[Claim] = []
        self._board, self._won_by = board, won_by

    def add(self, line: proof_line.CheckedLine) -> None:
        """Add the claim of a line. Raise ProofError unless it follows from earlier lines."""
        needs = [*line.needs, *map(self.carrier, line.references)]
        if line.dangers is not None:
            dangers = reduce(and_, needs, line.dangers)
            if dangers.any():
                names = self._board.text(dangers)
                raise ProofError(f"nothing answers a move on {names}")
        carrier = reduce(or_, needs, line.joins)
        self.connections += line.connections
        own, _ = self._sides(line)
        claim = Claim.of(self._board, self._won_by, own, carrier)
        if not claim.joins_edges(self._board, self._won_by):
            raise ProofError(f"its claim would leave {self._won_by.opponent.word} a chain")
        self.lines.append(claim)

    def carrier(self, to: proof_line.Reference) -> CellSet:
        """Return the cells that the winner needs at a position that an earlier line settles."""
        number = to.number
        if not 1 <= number <= len(self.lines):
            raise ProofError(f"refers to line {number} of those above")
        claim = self.lines[number - 1]
        own, other = self._sides(to)
        if not claim.settles(own, other):
            raise ProofError(f"refers to line {number}, which does not settle this position")
        return (claim.cells & ~own) | to.reply

    def _sides(
        self, stones: proof_line.CheckedLine | proof_line.Reference
    ) -> tuple[CellSet, CellSet]:
        """Return the stones of the winner and of the loser."""
        sides = stones.black, stones.white
        return sides[self._won_by], sides[self._won_by.opponent]
