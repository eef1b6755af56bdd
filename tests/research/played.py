"""Games played by engines, from the rows that `hsearch tournament` writes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from hsearch.formats import strict
from hsearch.hex.board import Board, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from player.engine.results import Row

SAMPLED_GAMES, PARTS = 31, (6, 4)


@dataclass(frozen=True, slots=True)
class Played:
    """A game without a swap; its moves include the opening that it started from."""

    game: Game
    row: Row

    @property
    def winner(self) -> Color:
        """The player who won."""
        return self.row.winner

    def moves_of(self, player: str) -> list[bool]:
        """Return for each move whether a player with `player` in the name chose it."""
        opening = len(self.row.opening.split())
        names = (self.row.black, self.row.white)
        count = len(self.game.moves)
        return [n >= opening and player in names[n % 2] for n in range(count)]

    def positions(self) -> Iterator[Position]:
        """Yield the position before each move, the empty board first."""
        position = Position.of(self.game.board)
        for move in self.game.moves:
            yield position
            if move.cell is not None:
                position = position.play(move.cell)


def games(path: Path) -> Iterator[Played]:
    """Yield the games of a file of rows, in order, without those that have a swap."""
    first, *lines = path.read_text().splitlines()
    head = strict.read(first, _Head)
    board = Board(head.columns, head.rows)
    for row in map(Row.read, lines):
        if not any("swap" in move for move in row.moves):
            yield Played(Game.of(board, (*row.opening.split(), *row.moves)), row)


def sample(paths: Iterable[Path]) -> Iterator[Game]:
    """Yield each file's first games, cut when a sixth or a quarter of the board is filled.

    The shares alternate, a sixth first, and are rounded down.
    """
    for path in paths:
        for played, part in zip(islice(games(path), SAMPLED_GAMES), cycle(PARTS), strict=False):
            yield played.game.cut(played.game.board.size // part)


@dataclass(frozen=True, slots=True)
class _Head:
    columns: int
    rows: int
