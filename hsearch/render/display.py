"""How positions and games display themselves: a board with a caption, and a picture."""

from hsearch.formats import diagram
from hsearch.hex import Color, Game, Position
from hsearch.hex.game import moves_at_cursor
from hsearch.hex.tree import TurnUnknownError
from hsearch.render import svg
from hsearch.render import text as lines


def text(value: Position | Game) -> str:
    """Return the board, with the last stone in brackets, and a caption with the turn."""
    game, position, is_known = _current(value)
    moves = moves_at_cursor(game)
    board = lines.plain(lines.board(position, lines.Marks(last=game.last_cell())))
    below = diagram.write_caption(game, moves, position, turn_is_known=is_known)
    return "\n".join(part for part in (heading(game, moves), f"{board}\n", below) if part)


def picture(value: Position | Game) -> str:
    """Return the board as SVG."""
    game, position, _ = _current(value)
    title = heading(game, moves_at_cursor(game))
    return svg.write(position, lines.Marks(last=game.last_cell()), title=title)


def heading(game: Game, moves: int) -> str:
    """Return the names of Black and White after `moves` moves of a game, with a dash between."""
    names = (game.player(color, moves) for color in Color)
    return " - ".join(name for name in names if name)


def _current(value: Position | Game) -> tuple[Game, Position, bool]:
    """Return a game, its current position, and whether it is known who is to move there."""
    if isinstance(value, Position):
        return Game.of_position(value), value, True
    try:
        return value, value.position(), True
    except TurnUnknownError:
        return value, value.position(turn=Color.BLACK), False
