"""Captured sets of three and four cells, by the table of `derive_captured`.

The solver does without them: of 400 positions of its way through 6x6 one had
such a set.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hsearch.board import Board, Color
from hsearch.cells import CellSet, from_number, to_number
from hsearch.inferior.derive_captured import Step, turns
from hsearch.position import Position

FILE = Path(__file__).with_name("captured.txt")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A set of cells, and what has to lie around it, as steps from its first cell."""

    captured: tuple[Step, ...]
    own: tuple[Step, ...]
    opponent: tuple[Step, ...]

    def turned(self) -> Iterator["Pattern"]:
        """Yield the pattern as the turns and reflections of the board put it."""
        parts = (self.captured, self.own, self.opponent)
        ways = zip(*(turns(cell) for part in parts for cell in part), strict=True)
        for cells in ways:
            at = len(self.captured), len(self.captured) + len(self.own)
            yield Pattern(cells[: at[0]], cells[at[0] : at[1]], cells[at[1] :])


def read(text: str) -> list[Pattern]:
    """Return the patterns of a table: one a line, with comments between."""
    found = []
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        parts: dict[str, list[Step]] = {"captured": [], "own": [], "opponent": []}
        steps: list[Step] = []
        for word in line.split():
            if word in parts:
                steps = parts[word]
            else:
                right, down = word.split(",")
                steps.append((int(right), int(down)))
        found.append(Pattern(*map(tuple, parts.values())))
    return found


@cache
def patterns() -> tuple[Pattern, ...]:
    """Return the patterns of the shipped table, turned in all ways."""
    table = read(FILE.read_text(encoding="ascii"))
    return tuple({turned: None for pattern in table for turned in pattern.turned()})


@dataclass(frozen=True, slots=True)
class Captured:
    """A set of empty cells, whose they are, and the stones of theirs that make them so."""

    cells: CellSet
    owner: Color
    own: CellSet


def captured_set(position: Position) -> Captured | None:
    """Return a set that a player has captured; None if there is none."""
    stones = [to_number(position.stones(color)) for color in Color]
    occupied = stones[0] | stones[1]
    for owner in Color:
        own, opponent = stones[owner], stones[owner.opponent]
        for cells, ours, theirs in placed(position.board, owner):
            if not (cells & occupied or ours & ~own or theirs & ~opponent):
                size = position.board.size
                return Captured(from_number(cells, size), owner, from_number(ours, size))
    return None


@cache
def placed(board: Board, owner: Color) -> tuple[tuple[int, int, int], ...]:
    """Return where the patterns fit on a board: the set, own and opponent's stones, as bits.

    What lies beyond the board is an edge, and has to be the right player's; the
    place beyond an obtuse corner is nobody's.
    """
    found: dict[tuple[int, int, int], None] = {}
    for pattern in patterns():
        for cell in board.cells:
            column, row = board.column_and_row(cell)
            parts = [
                _bits_of(board, [(column + right, row + down) for right, down in steps], wanted)
                for steps, wanted in (
                    (pattern.captured, None),
                    (pattern.own, owner),
                    (pattern.opponent, owner.opponent),
                )
            ]
            if None not in parts:
                found[parts[0] or 0, parts[1] or 0, parts[2] or 0] = None
    return tuple(found)


def _bits_of(board: Board, places: list[Step], wanted: Color | None) -> int | None:
    """Return the cells of some places; None if an edge among them is not the wanted player's."""
    bits = 0
    for column, row in places:
        beside, beyond = not 0 <= column < board.columns, not 0 <= row < board.rows
        if not beside and not beyond:
            bits |= 1 << board.at(column, row)
        elif (beside and beyond) or wanted is not (Color.WHITE if beside else Color.BLACK):
            return None
    return bits
