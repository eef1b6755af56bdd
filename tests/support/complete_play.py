"""Whether a connection holds, by the complete play of the program."""

from hsearch.connect.connection import Connection
from hsearch.connect.exhaustive import JoinGame
from hsearch.hex.board import Color
from hsearch.hex.position import Position


def holds(position: Position, color: Color, connection: Connection) -> bool:
    """Return whether a connection holds, by complete play inside its carrier.

    The owner starts a semi with its key. Raise ValueError if the carrier is
    too large for complete play.
    """
    game = JoinGame(position, color, connection.ends, connection.carrier)
    if connection.key is None:
        return bool(game.play().joined)
    key = position.board.only(connection.key)
    return bool(game.play(connection.carrier & ~key, key).joined)
