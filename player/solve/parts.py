"""Proofs of parts, and the one proof that they make.

Whoever proves a position need not prove again what another proof proves: it
stands in the new one as a line that names the part, and `merge` writes the
lines of the part in its place, each position once. All but what names the positions
stays on the disk meanwhile, however long the proofs are.
"""

import hashlib
import shutil
import tempfile
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from hsearch.board import Board, Color
from hsearch.cells import CellSet
from hsearch.files import strict
from hsearch.files.whole import whole
from hsearch.position import Position
from player.solve.proof_line import NoProofError, Numbered, object_of
from player.solve.verify import InOrder, verify_file


@dataclass(frozen=True, slots=True)
class ProvedPart:
    """A win that is proved elsewhere.

    start    the position, with the loser to move
    winner   who wins there
    carrier  the empty cells that the proof needs: the loser may have all others
    """

    start: Position
    winner: Color
    carrier: CellSet


def read_part(
    path: Path,
    *,
    in_order: InOrder = map,
    on_progress: Callable[[int, int], object] = lambda _done, _lines: None,
) -> ProvedPart:
    """Check the proof in a file and return what it proves.

    Raise ProofError as `verify_file` does, and OSError when the file cannot be read.
    """
    proved = verify_file(path, in_order=in_order, on_progress=on_progress)
    return ProvedPart(proved.start, proved.winner, proved.carrier)


def merge(text: str, parts: Sequence[Path], path: Path) -> int:
    """Write a proof that refers to parts, by their place in the list, into a file with their lines.

    Return how many lines there are below the first. Raise ProofError when a part does not prove
    what the proof takes from it, and OSError, naming it, when a file cannot be read or written.
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
        with whole(path) as file:
            file.write(f"{strict.write(first)}\n".encode())
            shutil.copyfileobj(payload, file)
    return merging.count


class _Merging:
    """The lines written so far, by what they are about. Holds state."""

    def __init__(self, board: Board, file: IO[bytes], parts: Sequence[Path]) -> None:
        self.count = 0
        self._board, self._file, self._parts = board, file, parts
        self._numbers: dict[bytes, int] = {}  # of positions
        self._roots: dict[int, int] = {}  # of parts

    def add(self, line: dict[str, Any], numbers: "array[int]") -> int:
        """Write a line whose references are to `numbers`, unless its position is there.

        Return its number.
        """
        key = self._key(line)
        if "part" in line:
            number = self._add_part(line["part"])
            if self._numbers.get(key) != number:
                raise NoProofError(f"{self._parts[line['part']]} proves another position")
            return number
        if key in self._numbers:
            return self._numbers[key]
        if "filled" in line:
            line["filled"] = numbers[line["filled"] - 1]
        for reply in line.get("replies", {}).values():
            reply[1] = numbers[reply[1] - 1]
        self._file.write(f"{strict.write(line)}\n".encode())
        self.count += 1
        self._numbers[key] = self.count
        return self.count

    def _add_part(self, which: int) -> int:
        """Write the lines of a part, the first time; return the number of what it proves."""
        if which not in self._roots:
            path, numbers = self._parts[which], array("q")
            with path.open("rb") as file:
                head = object_of(1, file.readline())
                for number, line in enumerate(file, 2):
                    with Numbered(number):
                        numbers.append(self.add(object_of(number, line), numbers))
            self._roots[which] = numbers[head["root"] - 1]
        return self._roots[which]

    def _key(self, line: dict[str, Any]) -> bytes:
        """Return what tells the position of a line from others, in 16 bytes."""
        stones = [sorted(map(self._board.cell, line[color])) for color in ("black", "white")]
        return hashlib.blake2b(repr(stones).encode(), digest_size=16).digest()
