"""A game or a position to text: `write`, the other way from `read`."""

from typing import Literal, TypeAlias, get_args

from hsearch.formats import diagram, hexboard, hexworld, moves, sgf
from hsearch.game import Game
from hsearch.position import Position

Written: TypeAlias = Literal["sgf", "hexworld", "hexboard", "diagram", "moves"]
WRITTEN: tuple[str, ...] = get_args(Written)


def write(value: Game | Position, format: str = "sgf") -> str:  # noqa: A002 - as of `read`
    """Return a game, or a position, as a text of a format, one of `WRITTEN`.

    A hexboard and a diagram show where the game stands, and a diagram does not say
    who is to move. Raise ValueError when there is no such format, or it cannot say it.
    """
    if format not in WRITTEN:
        raise ValueError(f"no format {format!r} to write, but: {', '.join(WRITTEN)}")
    if format in {"hexboard", "diagram"}:
        position = value if isinstance(value, Position) else value.position()
        drawn = hexboard.write(position) if format == "hexboard" else diagram.write(position)
        return drawn.rstrip("\n") + "\n"
    game = Game.of_position(value) if isinstance(value, Position) else value
    written = {"sgf": sgf.write, "hexworld": hexworld.write, "moves": moves.write}[format](game)
    return written.rstrip("\n") + "\n"
