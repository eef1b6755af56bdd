"""Words of a command to colors, points and numbers."""

import math
import re
from dataclasses import dataclass

from hsearch.board import Board, Cell, Color, Point
from player.gtp import CommandError

COLORS = {
    "b": Color.BLACK,
    "black": Color.BLACK,
    "red": Color.BLACK,
    "w": Color.WHITE,
    "white": Color.WHITE,
    "blue": Color.WHITE,
}


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a command, counted from 0; a failure counts them from 1.

    words  as they were sent
    board  the board that points are on
    """

    words: tuple[str, ...]
    board: Board

    def __len__(self) -> int:
        return len(self.words)

    def color(self, place: int) -> Color:
        """Return the color that an argument is."""
        color = COLORS.get(self.words[place].lower())
        if color is None:
            raise self._wrong(place, "color")
        return color

    def point(self, place: int) -> Point:
        """Return the point that an argument is: a cell or an edge."""
        try:
            return self.board.point(self.words[place])
        except ValueError as error:
            raise self._wrong(place, "point", str(error)) from None

    def cell(self, place: int) -> Cell:
        """Return the cell that an argument is."""
        try:
            return self.board.cell(self.words[place])
        except ValueError as error:
            raise self._wrong(place, "cell", str(error)) from None

    def count(self, place: int, most: int = 1_000_000) -> int:
        """Return the whole number, from 0 on, that an argument is."""
        word = self.words[place]
        if not re.fullmatch(r"[0-9]{1,9}", word, re.ASCII) or int(word) > most:
            raise self._wrong(place, "0 or 1" if most == 1 else f"number from 0 to {most}")
        return int(word)

    def seconds(self, place: int) -> float:
        """Return the time, finite and not negative, that an argument is."""
        try:
            seconds = float(self.words[place])
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds <= 1e9:
            raise self._wrong(place, "time in seconds")
        return seconds

    def _wrong(self, place: int, kind: str, detail: str | None = None) -> CommandError:
        shown = repr(self.words[place][:30]) if detail is None else detail
        return CommandError(f"argument {place + 1} must be {kind}: {shown}")
