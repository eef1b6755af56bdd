"""All fillings of a position counted in whole numbers: the slow twin of `exact`.

It keeps the same frontier as `player.kernels.frontier`, in plain dictionaries.
A frontier is a tuple: for each column 0 for a black cell, "W" or "E" for a white
one that hangs on that edge, else a number that its chain alone has.
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from hsearch.board import Cell, Color
from hsearch.position import Position
from player.fillings.shares import black_share

Frontier = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class FillingCounts:
    """Number of fillings, of those Black wins, and of those in which a cell is critical."""

    fillings: int
    black: int
    critical: Mapping[Cell, int]


def count(position: Position, *, balanced: bool = False) -> FillingCounts:
    """Count all fillings of a position, or those whose colors alternate, exactly.

    The work grows with about the third power of 3 a column: quick to 6x6. Each
    number of fillings holds one for each number of black cells, side by side: a black
    cell moves it on by `step` bits. `balanced` picks the right ones in the end.
    """
    board, empty = position.board, position.empty.count()
    step = empty + 1 if balanced else 0  # bits enough for 2 ** empty fillings
    black = 1 << step
    reached: list[dict[Frontier, int]] = [{(0,) * board.columns: 1}]
    for cell in board.cells:
        later: dict[Frontier, int] = defaultdict(int)
        weight = black if position.empty[cell] else 1
        for frontier, ways in reached[-1].items():
            for color in _colors(position, cell):
                onward = _place(frontier, cell % board.columns, color)
                if onward is not None:
                    later[onward] += ways * (weight if color is Color.BLACK else 1)
        reached.append(later)
    # How many ways of coloring the rest Black wins, from each frontier; a lost one is None.
    won: dict[Frontier | None, int] = dict.fromkeys(reached[-1], 1)
    critical = {}
    for cell in reversed(board.cells):
        won[None] = 0
        weight = black if position.empty[cell] else 1
        earlier: dict[Frontier | None, int] = {}
        turns = 0
        for frontier, ways in reached[cell].items():
            by_color = [won.get(_place(frontier, cell % board.columns, c), 0) for c in Color]
            earlier[frontier] = sum(
                by_color[color] * (weight if color is Color.BLACK else 1)
                for color in _colors(position, cell)
            )
            turns += ways * (by_color[Color.BLACK] - by_color[Color.WHITE])
        if position.empty[cell]:
            critical[cell] = turns * black + turns  # the cell is black, or it is white
        won = earlier
    blacks = black_share(position) if balanced else 0
    fillings = math.comb(empty, blacks) if balanced else 2**empty
    picked = {cell: _part(number, step, blacks) for cell, number in sorted(critical.items())}
    return FillingCounts(fillings, _part(sum(won.values()), step, blacks), picked)


def _part(number: int, step: int, blacks: int) -> int:
    """Return the part of a number of fillings that has this many black cells."""
    return number >> step * blacks & (1 << step) - 1 if step else number


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
