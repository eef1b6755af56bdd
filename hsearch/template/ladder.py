"""Ladders along an edge to an escape, as families of any length.

A stone whose way to the edge is blocked on one side goes along the edge until
it meets another stone, the escape. For each length between the two the window
is shrunk to a minimal carrier, always in the same order. If from one length to
the next a column comes twice and nothing else changes, the lengths are a
family: its first member and that column say all of it. A member of any length
is made by repeating the column, and examined like every other template before
it is used.
"""

from dataclasses import replace

from hsearch.board import Board, Cell, Color
from hsearch.cells import CellSet
from hsearch.closure import Limits, closure
from hsearch.deduction import JoinGame
from hsearch.library import Family, Template
from hsearch.position import Position

HIGHEST = 3  # complete play takes too long in the windows of higher ladders
LONGEST = 19  # the widest boards
BEYOND = 2  # columns of the window behind the escape
SHOWN = 3  # members that have to continue each other


def first_missed(family: Family) -> int | None:
    """Return the first length, as repetitions more, that H-search misses; None to 19 columns."""
    shortest = family.first.position.board.columns
    for more in range(LONGEST - shortest + 1):
        it = family.member(more)
        if not closure(it.alone, it.color, Limits(templates=False)).has_full(*it.ends):
            return more
    return None


def families(row: int, escape: int, longest: int) -> list[Family]:
    """Return the families of a stone on a row whose escape lies on another, up to a length.

    At most one is found for each pair of rows; a row is counted from the edge.
    """
    members = [member(row, escape, length) for length in range(1, longest + 1)]
    for place in range(len(members) - SHOWN + 1):
        first, *rest = members[place : place + SHOWN]
        if first is None:
            continue
        for column in range(first.position.board.columns):
            family = Family(first, column)
            if not first.carrier.any() or _column_has_stones(first, column):
                continue
            if all(
                other is not None and family.member(more).carrier == other.carrier
                for more, other in enumerate(rest, start=1)
            ):
                return [family]
    return []


def member(row: int, escape: int, length: int) -> Template | None:
    """Return a minimal template of a stone with this many columns up to its escape.

    None if the stone does not reach the edge, or does so without the escape.
    """
    before = row - 2
    board = Board(before + length + 2 + BEYOND, row + 1)
    stone = board.at(before, 1)
    other = board.at(before + length + 1, row + 1 - escape)
    blocked = [board.at(x, y) for y in range(1, row) for x in range(before - y + 1)]
    white = board.only(*range(board.columns), *blocked) & ~board.only(stone)
    own = board.only(stone, other)
    ends = stone, board.edges(Color.BLACK)[1]
    position = Position(board, own, white, Color.WHITE)
    game = JoinGame(position, Color.BLACK, ends, position.empty)
    carrier = _shrunk(game, position.empty, board)
    alone = replace(position, black=board.only(stone))
    if (
        carrier is None
        or JoinGame(alone, Color.BLACK, ends, carrier | board.only(other)).play().joined
    ):
        return None
    taken = Position(board, own, ~(own | carrier), Color.WHITE)
    return Template(f"ladder{row}-{escape}", taken, *ends, carrier)


def _shrunk(game: JoinGame, cells: CellSet, board: Board) -> CellSet | None:
    """Return what is left when no cell can be spared, trying those far from the stone first."""
    if not game.play(cells).joined:
        return None
    by_column = sorted(cells.search(1), key=lambda cell: _place(cell, board), reverse=True)
    for cell in by_column:
        less = cells & ~board.only(cell)
        if game.play(less).joined:
            cells = less
    return cells


def _place(cell: Cell, board: Board) -> tuple[int, int]:
    return board.column_and_row(cell)


def _column_has_stones(template: Template, column: int) -> bool:
    board = template.position.board
    stones = template.position.black.search(1)
    return any(board.column_and_row(stone)[0] == column for stone in stones)
