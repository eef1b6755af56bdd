"""A position and a game as people want to see them: a board and a line below it."""

from hsearch.formats import diagram
from hsearch.hex.board import Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from hsearch.hex.tree import TurnUnknownError
from hsearch.render import svg
from hsearch.render import text as lines
from hsearch.render.text import Marks


def text(value: Position | Game) -> str:
    """Return the board, the stone played last in brackets, and a line on whose turn it is."""
    game, position, is_known = _seen(value)
    moves = _moves(game)
    board = lines.plain(lines.board(position, Marks(last=game.last_cell())))
    below = diagram.write_caption(game, moves, position, turn_is_known=is_known)
    return "\n".join(part for part in (heading(game, moves), f"{board}\n", below) if part)


def picture(value: Position | Game) -> str:
    """Return the board as SVG."""
    game, position, _ = _seen(value)
    return svg.write(position, Marks(last=game.last_cell()), title=heading(game, _moves(game)))


def _moves(game: Game) -> int:
    """Return after how many moves a game stands."""
    return len(game.moves) if game.cursor is None else game.cursor


def heading(game: Game, moves: int) -> str:
    """Return the names of who has Black and White after some moves of a game, in that order."""
    names = (game.player(color, moves) for color in Color)
    return " - ".join(name for name in names if name)


def _seen(value: Position | Game) -> tuple[Game, Position, bool]:
    """Return a game, where it stands, and whether it is known who is to move there."""
    if isinstance(value, Position):
        return Game.of_position(value), value, True
    try:
        return value, value.position(), True
    except TurnUnknownError:
        return value, value.position(turn=Color.BLACK), False
