"""The two games that won Hexy its gold medal."""

from functools import cache

from hsearch import formats
from hsearch.hex.board import Color

GAMES = {"london-2000-queenbee-hexy": Color.BLACK, "london-2000-hexy-queenbee": Color.WHITE}


@cache
def game(name):
    return formats.read(formats.shipped(f"games/{name}.sgf").read_bytes())
