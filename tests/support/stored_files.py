"""All formats that the program writes and reads again: a file of each, and its reader.

Add each new format here. `test_stored_files.py` damages each of them, and fails if a module writes
files and is neither in `FORMATS` nor in `FOR_OTHERS`.
"""

from functools import partial
from pathlib import Path

from stored_caches import CACHES
from stored_dark import DARK
from stored_format import StoredFormat
from stored_games import GAMES, TEXTS
from stored_learned import LEARNED
from stored_nets import NETS
from stored_rows import ROWS
from stored_solved import SOLVED

from hsearch import formats
from hsearch.hex.board import Board
from player.evaluate.chance import read as read_model
from player.search.opening_estimates import read_balanced, write_balanced
from player.search.openings import ChartError, load_chart, write
from player.search.openings import read as read_chart


def _made_list(path: Path) -> None:
    path.write_text(write_balanced(3, [("a1 b2", 0.1), ("c1 b2", 0.25)], "a command"))


OPENINGS: tuple[StoredFormat, ...] = (
    StoredFormat(
        "map of openings",
        ("player/cli/openings",),
        lambda path: path.write_text(write(load_chart(4))),
        lambda path: read_chart(path.read_text(encoding="utf-8")),
        (ChartError, UnicodeDecodeError),
    ),
    StoredFormat(
        "list of openings",
        ("player/cli/openings",),
        _made_list,
        partial(read_balanced, board=Board(3, 3)),
        (ValueError,),
    ),
)

MODELS: tuple[StoredFormat, ...] = (
    StoredFormat(
        "model of chances",
        ("player/evaluate/chance", "player/cli/chance"),
        lambda path: path.write_bytes(formats.find_shipped("chance.json").read_bytes()),
        lambda path: read_model(path.read_text(encoding="utf-8")),
        (ValueError,),
    ),
)

FORMATS: tuple[StoredFormat, ...] = (
    *ROWS,
    *SOLVED,
    *DARK,
    *GAMES,
    *TEXTS,
    *OPENINGS,
    *MODELS,
    *LEARNED,
    *NETS,
    *CACHES,
)

# Modules whose files the program never reads (pictures, curves), or that all others use.
FOR_OTHERS: dict[str, str] = {
    "hsearch/kernels/folder": "the one that writes for the folder of kernels; a file for its lock",
    "hsearch/formats/files": "the one that writes for all",
    "hsearch/formats/npz": "the same for files of arrays",
    "player/console/screen": "the one that writes for commands",
    "player/console/question": "a proof, which is listed",
    "player/gtp/solving": "a proof, which is listed",
    "player/cli/dark": "a picture",
    "player/console/output": "pictures",
    "player/cli/review": "a picture, a page; records and proofs, which are listed",
    "player/work/statistics": "a picture",
}
