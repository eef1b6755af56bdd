"""Records of games in a folder, which several events may share.

A name has what the event is called, a mark of all that decides its games, and the
number of the game, as in `tournament-3f2a9c1b-00012.sgf`: no event writes over the
records of another, and one that goes on knows its own.
"""

import dataclasses
import hashlib
from pathlib import Path

from hsearch.files import strict
from hsearch.files.whole import free_name, write_whole
from player.tournament.event import Event

MARK = 8  # digits of the mark


def record_path(folder: Path, event: Event, game: int) -> Path:
    """Return where the record of a game is kept."""
    decides = strict.write(dataclasses.asdict(event)).encode()
    mark = hashlib.sha256(decides).hexdigest()[:MARK]
    return folder / f"{event.name}-{mark}-{game:05}.sgf"


def keep_record(path: Path, record: str) -> None:
    """Write the record of a game.

    By the clock a game that is played again may be another one: the first stays, and
    this one is numbered. Raise OSError, naming the file, when it cannot be written.
    """
    is_other = path.is_file() and path.read_bytes() != record.encode()
    write_whole(free_name(path) if is_other else path, record)
