"""An evaluator, a player by a function, and a player by a class: what `hsearch` takes by name."""

from hsearch import Choice
from player.engine.player import Rationale


def spread(position):
    """Return in how many columns White has stones, less in how many rows Black has."""
    board = position.board
    rows = {board.column_and_row(cell)[1] for cell in position.black}
    columns = {board.column_and_row(cell)[0] for cell in position.white}
    return len(columns) - len(rows)


def center(position, generator):
    """Return an empty cell that is closest to the center of the board, by chance among equals."""
    board = position.board

    def distance(cell):
        column, row = board.column_and_row(cell)
        return abs(2 * column + 1 - board.columns) + abs(2 * row + 1 - board.rows)

    least = min(map(distance, position.empty))
    return generator.choice([cell for cell in position.empty if distance(cell) == least])


class Mirror:
    """Answer each move on the cell across the center, if it is empty; else play the center."""

    name = "mirror"

    def prepare(self, board):
        """Begin a game; what takes long is done here, before any clock runs."""
        self.board = board

    def choose(self, game, terms, generator):
        """Return a move: `terms.seconds` is the time for it, None if there is no limit."""
        position = game.position()
        last = game.last_cell()
        across = None if last is None else self.board.rotate(last)
        cell = across if across in position.empty else center(position, generator)
        return Choice(int(cell), Rationale(f"{self.board.name(cell)}, across from the last move."))

    def close(self):
        """Release what the player holds, such as a process."""
