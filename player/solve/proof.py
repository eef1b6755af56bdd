"""Written proofs: why a player wins, with a reply to every move, down to connections."""

import hashlib
import shutil
import tempfile
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hsearch.connect import Connection, Fill, Limits, fill_regions, inferior, regions
from hsearch.connect.closure import closure
from hsearch.connect.store import Store
from hsearch.formats import files, strict
from hsearch.hex import Board, Cell, CellSet, Color, Position, winner
from hsearch.hex.board import from_words, to_words, word_count
from player.kernels.solving import BLOCK, sift
from player.solve.proof_line import NoProofError, Numbered, object_of
from player.solve.verify import SCHEMA, Claim, Verified, verify_file

# Parts: proofs that a larger proof refers to, and how they are merged.
#
# A proof need not repeat what another file proves: one line names that part, and
# `merge` later puts the part's lines in its place, each distinct line once. The lines
# of parts stay on disk; only their digests and numbers are in memory.


@dataclass(frozen=True, slots=True)
class ProvedPart:
    """A win that another proof proves.

    start    the position, with the loser to move
    winner   who wins there
    carrier  the empty cells that the proof needs; the loser may have all others
    """

    start: Position
    winner: Color
    carrier: CellSet


def read_part(path: Path) -> ProvedPart:
    """Check the proof in a file and return what it proves.

    Raise ProofError as `verify_file` does, and OSError when the file cannot be read.
    """
    return part_of(verify_file(path))


def part_of(proof: Verified) -> ProvedPart:
    """Return what a checked proof proves, as a part of others."""
    return ProvedPart(proof.start, proof.winner, proof.carrier)


def merge(text: str, parts: Sequence[Path], path: Path) -> int:
    """Write a proof into a file, with the lines of `parts` in place of references to them.

    A reference is an index of `parts`. Return the number of lines below the head. Raise ProofError
    when a part proves another position, and OSError when a file cannot be read or written.
    """
    head, *lines = text.encode().splitlines()
    first = object_of(1, head)
    with tempfile.TemporaryFile() as payload:
        merging = _Merging(Board(first["columns"], first["rows"]), payload, parts)
        numbers = array("q")
        for number, line in enumerate(lines, 2):
            with Numbered(number):
                numbers.append(merging.add(object_of(number, line), numbers))
        first |= {"root": numbers[first["root"] - 1], "lines": merging.count}
        payload.seek(0)
        with files.whole_or_xz(path) as file:
            file.write(f"{strict.write(first)}\n".encode())
            shutil.copyfileobj(payload, file)
    return merging.count


class _Merging:
    """The lines written so far, each once. Holds state.

    Two lines about one position may make different claims, and other lines may need either: only
    identical lines are merged.
    """

    def __init__(self, board: Board, file: IO[bytes], parts: Sequence[Path]) -> None:
        self.count = 0
        self._board, self._file, self._parts = board, file, parts
        self._numbers: dict[bytes, int] = {}  # of lines, by their digest
        self._roots: dict[int, tuple[int, list[list[Cell]]]] = {}  # of parts: line, and stones

    def add(self, line: dict[str, Any], numbers: "array[int]") -> int:
        """Write a line unless it is there, and return its number.

        `numbers` has the merged number of each earlier line of the same proof.
        """
        if "part" in line:
            number, stones = self._add_part(line["part"])
            if stones != self._stones_of(line):
                raise NoProofError(f"{self._parts[line['part']]} proves another position")
            return number
        if "filled" in line:
            line["filled"] = numbers[line["filled"] - 1]
        for reply in line.get("replies", {}).values():
            reply[1] = numbers[reply[1] - 1]
        text = f"{strict.write(line)}\n".encode()
        key = _digest(text)
        if key not in self._numbers:
            self._file.write(text)
            self.count += 1
            self._numbers[key] = self.count
        return self._numbers[key]

    def _add_part(self, which: int) -> tuple[int, list[list[Cell]]]:
        """Write the lines of a part once; return the line that proves it, and its stones.

        The line may be about another position: its claim settles that of the part.
        """
        if which not in self._roots:
            path, numbers = self._parts[which], array("q")
            with path.open("rb") as stream:
                file = files.decompress(stream)
                head = object_of(1, file.readline())
                for number, line in enumerate(file, 2):
                    with Numbered(number):
                        numbers.append(self.add(object_of(number, line), numbers))
            if head["first"] is not None:
                head[head["winner"]].append(head["first"])
            self._roots[which] = numbers[head["root"] - 1], self._stones_of(head)
        return self._roots[which]

    def _stones_of(self, line: dict[str, Any]) -> list[list[Cell]]:
        """Return the stones of a line, or those of a part after its first move."""
        return [sorted(map(self._board.cell, line[color])) for color in ("black", "white")]


def _digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16).digest()


# Writing a proof by the moves of a solver.
#
# A proof is text, one JSON object a line. The head has the position, the winner, the winner's
# first move, and the number of the line that settles the rest. Each other line is a position
# with the loser to move, and has one of four reasons for the win:
#
#     joined            the winner's edges are joined already
#     threats, replies  each empty cell lies outside the carrier of a threat, or outside
#                       the cells that the winner needs after a reply
#     fills, filled     a line above settles the position in which enclosed regions are filled
#                       and the loser is given cells that do not help them
#     part              another proof proves it; `merge` puts its lines here
#
# `steps` derive the connections of the line, each from earlier steps. A line refers only to
# lines above it whose claims settle the position meant (`player.solve.verify`).

LIMITS = Limits(M=100, semis=40, K=4)  # high, as long fulls enclose regions
PLAIN_LIMITS = Limits(M=20, K=4)
_STORES_KEPT = 4  # both players', before and after the last fill-in


class UnprovedError(ValueError):
    """A claimed win cannot be proved: the table that was read is wrong."""


class Oracle(Protocol):
    """Decides positions, as the solver does."""

    def outcome(self, position: Position) -> Color:
        """Return who wins, or has won."""
        ...

    def winning_move(self, position: Position) -> Cell | None:
        """Return a winning move of the player to move; None if there is none."""
        ...


def write(
    solver: Oracle,
    position: Position,
    *,
    fills_regions: bool = True,
    parts: Sequence[ProvedPart] = (),
    on_reply: Callable[[int], object] = lambda _count: None,
) -> str:
    """Return a proof of the winner of a position, by the solver's moves.

    Without `fills_regions`, play inside each region is spelled out move by move, which
    can make the proof very long. Positions that `parts` prove become references, which
    `merge` has to resolve. `on_reply` is called with the number of each reply before it is
    looked for, and may raise an exception to end the writing. Raise UnprovedError when a win
    that the solver claims cannot be proved.
    """
    won_by = solver.outcome(position)
    writing = _Writing(solver, position.board, won_by, parts, on_reply, fills_regions=fills_regions)
    first = None
    start = position
    if position.turn is won_by and winner(position) is None:
        first = writing.reply(position)
        start = position.play(first)
    elif position.turn is won_by:
        start = Position(position.board, position.black, position.white, won_by.opponent)
    root = writing.line(start)
    head = {
        "schema": SCHEMA,
        **stones_object(position),
        "columns": position.board.columns,
        "rows": position.board.rows,
        "turn": position.turn.word,
        "winner": won_by.word,
        "first": None if first is None else position.board.name(first),
        "root": root,
        "lines": len(writing.lines),
    }
    return "\n".join(strict.write(line) for line in (head, *writing.lines)) + "\n"


def stones_object(position: Position) -> dict[str, Any]:
    """Return the stones of a position as fields of a proof line."""
    names = position.board.names
    return {"black": names(position.black), "white": names(position.white)}


class _Writing:
    """The lines written so far. Holds state."""

    def __init__(
        self,
        solver: Oracle,
        board: Board,
        won_by: Color,
        parts: Sequence[ProvedPart],
        on_reply: Callable[[int], object],
        *,
        fills_regions: bool,
    ) -> None:
        self._on_reply, self._replies = on_reply, 0
        self.lines: list[dict[str, Any]] = []
        self._fills_regions = fills_regions
        self._limits = LIMITS if fills_regions else PLAIN_LIMITS
        self._solver = solver
        self._won_by = won_by
        self._parts = {part.start: (number, part.carrier) for number, part in enumerate(parts)}
        self._settled = _Settled(board, won_by)
        self._stores: dict[tuple[Position, Color], Store] = {}  # the latest last

    def reply(self, position: Position) -> int:
        """Return a winning move of the winner, who is to move."""
        self._replies += 1
        self._on_reply(self._replies)
        semis = self._closure(position, self._won_by).edge_semis
        if semis and semis[0].key is not None:
            return semis[0].key
        move = self._solver.winning_move(position)
        if move is None or not position.is_legal(move):
            raise UnprovedError(f"{self._won_by.word} has no winning move where one was claimed")
        return move

    def line(self, position: Position) -> int:
        """Return the number, from 1, of a line that settles a position, the loser to move."""
        return self._line(position)[0]

    def _line(self, position: Position) -> tuple[int, CellSet]:
        earlier = self._settled.find(position)
        if winner(position) is self._won_by.opponent:
            raise UnprovedError(f"{self._won_by.word} has lost where a win was claimed")
        if earlier is None:
            entry, carrier = self._entry(position)
            self.lines.append(stones_object(position) | entry)
            self._settled.add(position, carrier)
            return len(self.lines), carrier
        return earlier

    def _entry(self, position: Position) -> tuple[dict[str, Any], CellSet]:
        board = position.board
        if position in self._parts:
            part, carrier = self._parts[position]
            return {"part": part}, carrier
        if winner(position) is self._won_by:
            return {"steps": [], "joined": None}, board.only()
        steps = _Steps(board)
        store = self._closure(position, self._won_by)
        if store.edge_fulls:
            full = store.edge_fulls[0]
            return {"joined": steps.number(full), "steps": steps.lines}, full.carrier
        fills = self._fills(position) if self._fills_regions else ()
        if fills:
            return self._fill_entry(position, fills)
        remaining, carrier = position.empty, board.only()
        threats = []
        for semi in store.edge_semis:
            if (remaining & ~semi.carrier).any():
                remaining, carrier = remaining & semi.carrier, carrier | semi.carrier
                threats.append(steps.number(semi))
        replies: dict[str, Any] = {}
        while remaining.any():
            move = next(remaining.search(1))
            after = position.play(move)
            reply = self.reply(after)
            number, needs = self._line(after.play(reply))
            needs = needs | board.only(reply)
            remaining, carrier = remaining & needs, carrier | needs
            replies[board.name(move)] = [board.name(reply), number]
        return {"threats": threats, "replies": replies, "steps": steps.lines}, carrier

    def _closure(self, position: Position, color: Color) -> Store:
        """Return a player's connections, from a small cache of recent closures."""
        key = position, color
        store = self._stores.pop(key, None) or closure(position, color, self._limits)
        self._stores[key] = store
        if len(self._stores) > _STORES_KEPT:
            del self._stores[next(iter(self._stores))]
        return store

    def _fills(self, position: Position) -> tuple[Fill, ...]:
        """Return the fills: dead and captured cells for the loser if any, else regions.

        Giving the loser dead cells, and cells that they have captured, needs no proof.
        """
        filling, loser = inferior.fill_in(position), self._won_by.opponent
        cells = filling.dead | filling.captured(loser)
        if cells.any():
            return (Fill(loser, (), cells),)
        return regions.decompose(position, self._closure).fills

    def _fill_entry(
        self, position: Position, fills: tuple[Fill, ...]
    ) -> tuple[dict[str, Any], CellSet]:
        """Return the fields and the carrier of a position that is won after some fills."""
        board, steps, sides = position.board, _Steps(position.board), []
        number, carrier = self._line(fill_regions(position, fills)[-1])
        for fill in fills:
            join = None
            if fill.color is self._won_by and fill.join is not None:
                join, carrier = steps.number(fill.join), carrier | fill.join.carrier
            sides.append(
                [
                    fill.color.word,
                    board.text(fill.groups),
                    board.text(fill.cells),
                    join,
                    fill.since,
                ]
            )
        return {"fills": sides, "filled": number, "steps": steps.lines}, carrier


class _Settled:
    """Claims of lines, a column each: the words of the stones, then of the cells. Holds state."""

    def __init__(self, board: Board, won_by: Color) -> None:
        self._won_by, self._width = won_by, word_count(board.size)
        self._columns = np.zeros((2 * self._width, BLOCK), np.int64)
        self._selection = np.zeros(BLOCK, np.int64)
        self._count = 0

    def add(self, position: Position, carrier: CellSet) -> None:
        """Record the next line: its position, and the cells that the winner needs there."""
        if self._count == self._columns.shape[1]:
            self._columns = np.concatenate([self._columns, np.zeros_like(self._columns)], 1)
            self._selection = np.zeros(self._columns.shape[1], np.int64)
        own = position.stones(self._won_by)
        claim = Claim.of(position.board, self._won_by, own, carrier)
        self._columns[:, self._count] = *self._words(claim.stones), *self._words(claim.cells)
        self._count += 1

    def find(self, position: Position) -> tuple[int, CellSet] | None:
        """Return the line that settles a position by the fewest empty cells, and these cells.

        Return None if no line settles it.
        """
        own = self._words(position.stones(self._won_by))
        other = self._words(position.stones(self._won_by.opponent))
        count = sift(self._columns, 0, self._count, own, other, self._selection)
        near = self._columns[:, self._selection[:count]].T
        stones, needs = near[:, : self._width], near[:, self._width :]
        lines = np.flatnonzero(~(stones & ~own).any(axis=1))
        if not len(lines):
            return None
        lacking = needs[lines] & ~own
        best = np.unpackbits(lacking.view(np.uint8), axis=1).sum(axis=1).argmin()
        cells = from_words(lacking[best].view(np.uint64), position.board.size)
        return int(self._selection[lines[best]]) + 1, cells

    def _words(self, cells: CellSet) -> NDArray[np.int64]:
        return to_words(cells, self._width).view(np.int64)


class _Steps:
    """The derivations of a line, premises first. Holds state."""

    def __init__(self, board: Board) -> None:
        self.lines: list[list[Any]] = []
        self._board = board
        self._numbers: dict[int, int] = {}

    def number(self, connection: Connection) -> int:
        """Return the number of the step that derives a connection, from 0."""
        if id(connection) not in self._numbers:
            premises = [self.number(premise) for premise in connection.premises]
            names, key = self._board.names, connection.key
            self.lines.append(
                [
                    connection.rule.value,
                    *map(self._board.name, connection.ends),
                    " ".join(names(connection.carrier)),
                    None if key is None else self._board.name(key),
                    premises,
                ]
            )
            self._numbers[id(connection)] = len(self.lines) - 1
        return self._numbers[id(connection)]
