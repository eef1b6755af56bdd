"""All fillings of a position counted in whole numbers: the slow twin of `exact`.

It keeps the same frontier as `player.kernels.frontier`, in plain dictionaries.
A frontier is a tuple: for each column 0 for a black cell, "W" or "E" for a white
one that hangs on that edge, else a number that its chain alone has.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from hsearch.board import Cell, Color
from hsearch.position import Position

Frontier = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many fillings there are, how many Black wins, and in how many a cell is critical."""

    fillings: int
    black: int
    critical: Mapping[Cell, int]


def count(position: Position) -> Counts:
    """Count all fillings of a position, exactly.

    The work grows with about the third power of 3 a column: quick to 6x6.
    """
    board = position.board
    reached: list[dict[Frontier, int]] = [{(0,) * board.columns: 1}]
    for cell in board.cells:
        later: dict[Frontier, int] = defaultdict(int)
        for frontier, ways in reached[-1].items():
            for color in _colors(position, cell):
                onward = _place(frontier, cell % board.columns, color)
                if onward is not None:
                    later[onward] += ways
        reached.append(later)
    # How many ways of coloring the rest Black wins, from each frontier; a lost one is None.
    won: dict[Frontier | None, int] = dict.fromkeys(reached[-1], 1)
    critical = {}
    for cell in reversed(board.cells):
        won[None] = 0
        earlier: dict[Frontier | None, int] = {}
        turns = 0
        for frontier, ways in reached[cell].items():
            by_color = [won.get(_place(frontier, cell % board.columns, c), 0) for c in Color]
            earlier[frontier] = sum(by_color[color] for color in _colors(position, cell))
            turns += ways * (by_color[Color.BLACK] - by_color[Color.WHITE])
        if position.empty[cell]:
            critical[cell] = 2 * turns
        won = earlier
    fillings: int = 2 ** position.empty.count()
    return Counts(fillings, sum(won.values()), dict(sorted(critical.items())))


def _colors(position: Position, cell: Cell) -> tuple[Color, ...]:
    color = position.color_at(cell)
    return tuple(Color) if color is None else (color,)


def _place(frontier: Frontier, column: int, color: Color) -> Frontier | None:
    """Return the frontier after one more cell; None if White has joined west and east."""
    if color is Color.BLACK:
        return _renumbered((*frontier[:column], 0, *frontier[column + 1 :]))
    touched = {chain for chain in frontier[max(0, column - 1) : column + 2] if chain}
    if column == 0:
        touched.add("W")
    if column == len(frontier) - 1:
        touched.add("E")
    if {"W", "E"} <= touched:
        return None
    own = next((chain for chain in ("W", "E") if chain in touched), -1)
    merged = [own if chain in touched else chain for chain in frontier]
    merged[column] = own
    return _renumbered(tuple(merged))


def _renumbered(frontier: Frontier) -> Frontier:
    names: dict[int | str, int | str] = {0: 0, "W": "W", "E": "E"}
    return tuple(names.setdefault(chain, len(names)) for chain in frontier)
