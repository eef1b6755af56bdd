"""Where a game at the terminal is kept: in its own record, and in files that a person names."""

from pathlib import Path

import click

from hsearch.files.whole import free_name
from hsearch.game import Game
from player.console.errors import FailedError
from player.console.screen import write_file


class KeptGame:
    """What of a game lies in files. Holds state."""

    def __init__(self, record: Path, began: Game) -> None:
        """Keep a game in `record` when it ends; so much of it may be there already."""
        self.record = record
        self._began = began
        self._saved: Game | None = None

    def remember(self, path: Path, game: Game) -> None:
        """Note that a file holds the game, but not the one that will be written over."""
        self._saved = None if path.resolve() == self.record.resolve() else game

    def set_aside(self, game: Game, text: str) -> None:
        """Save a game that another takes the place of, unless a file holds it already."""
        if game.moves and game != self._saved:
            path = free_name(self.record)
            write_file(path, text)
            click.echo(f"The game before is saved as {path}.")

    def keep(self, game: Game, text: str) -> bool:
        """Save a game at its end, or say why not; return whether it was saved."""
        if not game.moves and len(game.main_line) == 1:
            return False  # not even a bid, or a coin
        if game.nodes == self._began.nodes:
            is_there = self.record.exists()
            click.echo(f"Nothing was played{f': {self.record} is as it was' * is_there}.")
            return False
        try:
            write_file(self.record, text)
        except FailedError as error:
            click.echo(f"The game could not be saved: {error.message}", err=True)
            click.echo(text, nl=False)
            return False
        return True
