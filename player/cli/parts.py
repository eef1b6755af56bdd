"""Proofs of parts for `hsearch solve --parts`."""

from dataclasses import dataclass
from pathlib import Path

from hsearch.board import Board
from hsearch.position import Position
from player.console.errors import InputError, unreadable, writing
from player.console.progress import working
from player.console.screen import write_file
from player.solve import ProofError, ProvedPart, Solver, merge, read_part, write_proof


@dataclass(frozen=True, slots=True)
class Parts:
    """The proofs of a folder, and what each of them proves."""

    paths: tuple[Path, ...] = ()
    known: tuple[ProvedPart, ...] = ()

    def write_proof(self, solver: Solver, position: Position, path: Path) -> int:
        """Write the proof of a position, with that of the parts it takes; return its positions."""
        text = write_proof(solver, position, parts=self.known)
        if not self.paths:
            write_file(path, text)
            return text.count("\n") - 1
        with writing(path):
            return merge(text, self.paths, path)


def read_parts(folder: Path | None, board: Board) -> Parts:
    """Check the proofs NAME.proof in a folder, in the order of their names.

    Raise InputError, naming the file, when one does not hold or is of another board.
    """
    paths = () if folder is None else tuple(sorted(folder.glob("*.proof")))
    if folder is not None and not paths:
        raise InputError(f"{folder}: no proofs there, as NAME.proof")
    known = []
    with working("verify", len(paths), unit="proofs") as work:
        for done, path in enumerate(paths, 1):
            try:
                part = read_part(path)
            except ProofError as error:
                raise InputError(f"{path}: {error}") from error
            except OSError as error:
                raise unreadable(path, error) from error
            if part.start.board != board:
                here, there = (f"{one.columns}x{one.rows}" for one in (board, part.start.board))
                raise InputError(f"{path}: a proof for {there}, not {here}")
            known.append(part)
            work.done(done)
    return Parts(paths, tuple(known))
