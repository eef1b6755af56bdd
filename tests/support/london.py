"""The two games that won Hexy its gold medal, and their quick reviews."""

import pickle
from functools import cache
from pathlib import Path

from filelock import FileLock

from hsearch import formats
from hsearch.hex.board import Color
from player.study.examine import review_game
from player.study.review import EFFORTS, Review

GAMES = {"london-2000-queenbee-hexy": Color.BLACK, "london-2000-hexy-queenbee": Color.WHITE}


@cache
def game(name):
    return formats.read(formats.find_shipped(f"games/{name}.sgf").read_bytes())


@cache
def quick_review(folder: Path, name: str) -> Review:
    """Return the review of a game, with its proofs; made once per shared folder."""
    path = folder / f"{name}.review"
    with FileLock(f"{path}.lock"):
        if not path.exists():
            reviewed = review_game(game(name), EFFORTS["quick"], proofs=True)
            path.write_bytes(pickle.dumps(reviewed))
        return pickle.loads(path.read_bytes())  # noqa: S301 - written above
