"""Policies as tables: the attempts of a player in each information state, and their text.

A policy is exact: its chances are fractions. Without an entry for an information state, it
attempts the cell of the view, or else the first possible cell of a fixed order. Only information
states that the policy can reach need an entry. The text has a line an information state, and a
line a view::

    : b1 2 a2 1         at first, b1 with chance 2/3 and a2 with 1/3
    b1 : b2 1           after a stone at b1
    b1 b2x ? : a2 1     after a stone at b1, a collision at b2, and the sound of a collision
    any b1 b2x : c1 1   whenever b1 is own and b2 was found, and no other line fits
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import lcm

from hsearch.formats.error import quote
from hsearch.hex import Board, Cell, Color, cells_in
from hsearch.hex.board import cells_by_name
from player.dark import rules as information
from player.dark.rules import DarkRules, History, View, own_symbol
from player.dark.tree import Floats, GameTree, cells_of

ExactChances = dict[Cell, Fraction]
DECIMALS = 10**12
TOTAL = 10**12  # weight of the root of a plan in whole numbers
SURE = Fraction(1)
ANY = "any"  # the first word of a view's line
LONGEST_NAME = 9
_WEIGHT = re.compile(r"0{0,99}[1-9][0-9]{0,3999}")


class PolicyError(ValueError):
    """A text that is not a policy."""


@dataclass(frozen=True, slots=True)
class TabularPolicy:
    """The policy of one player.

    rules    the game
    color    the player
    order    without an entry in `chances` or `views`, the first possible cell of these
    chances  by information state: cells with positive chances that sum to 1
    views    by view: the cell to attempt without an entry in `chances`
    """

    rules: DarkRules
    color: Color
    order: tuple[Cell, ...]
    chances: Mapping[History, ExactChances]
    views: Mapping[View, Cell] = field(default_factory=dict)

    def at(self, history: History) -> ExactChances:
        """Return the chances to attempt each cell in an information state."""
        if history in self.chances:
            return self.chances[history]
        view = information.view(history)
        if view in self.views:
            return {self.views[view]: SURE}
        stones = view.own | view.known
        return {next(cell for cell in self.order if not stones >> cell & 1): SURE}


def of_plan(
    tree: GameTree, color: Color, plan: Floats, *, limit: int | None = None
) -> TabularPolicy:
    """Return the policy of a plan, its chances rounded; see `round_chances`."""
    side, chances = tree.sides[color], {}
    for j, history in enumerate(side.history):
        reach, first = plan[side.parent[j]], side.first[j]
        if reach > 0:
            shares = plan[first : first + side.count[j]] / reach
            chances[history] = round_chances(
                dict(zip(cells_of(side, j), shares, strict=True)), limit
            )
    return TabularPolicy(tree.rules, color, tuple(tree.rules.board.cells), chances)


def round_chances(shares: Mapping[Cell, float], limit: int | None) -> ExactChances:
    """Return fractions near the shares, without zeros; they sum to 1.

    limit  the largest denominator before they are scaled; None for decimals
    """
    near = {
        cell: round(float(x) * DECIMALS)
        if limit is None
        else Fraction(float(x)).limit_denominator(limit)
        for cell, x in shares.items()
    }
    total = sum(near.values())
    return {cell: Fraction(chance, total) for cell, chance in near.items() if chance > 0}


def whole_shares(weight: int, chances: Mapping[Cell, float], *, least: int = 1) -> dict[Cell, int]:
    """Return the shares of a weight among cells by their chances, in whole numbers.

    A cell that would get less than `least` gets nothing; the likeliest takes the rest.
    """
    best = max(chances, key=lambda cell: chances[cell])
    parts = {cell: int(weight * float(chance)) for cell, chance in chances.items()}
    others = {cell: part for cell, part in parts.items() if part >= least and cell != best}
    return {best: weight - sum(others.values())} | others


def write(policy: TabularPolicy) -> str:
    """Return a policy as text, a line an information state and a line a view."""
    board = policy.rules.board
    lines = []
    for history in sorted(policy.chances, key=lambda h: (len(h), h)):
        chances = policy.chances[history]
        common = lcm(*(chance.denominator for chance in chances.values()))
        words = [f"{board.name(c)} {chance * common}" for c, chance in sorted(chances.items())]
        lines.append(f"{information.write(board, history)} : {' '.join(words)}".strip() + "\n")
    lines += [
        f"{' '.join((ANY, _view(board, view)))}: {board.name(cell)} 1\n"
        for view, cell in sorted(
            policy.views.items(), key=lambda item: (item[0].own, item[0].known)
        )
    ]
    return "".join(lines)


def _view(board: Board, view: View) -> str:
    """Return a view as text, with a blank after each cell."""
    symbols = [own_symbol(cell, placed=True) for cell in cells_in(view.own)]
    symbols += [own_symbol(cell, placed=False) for cell in cells_in(view.known)]
    return "".join(f"{information.write(board, (symbol,))} " for symbol in symbols)


def read(
    rules: DarkRules, color: Color, order: tuple[Cell, ...], lines: Mapping[int, str]
) -> TabularPolicy:
    """Return the policy in lines by number in a file; raise PolicyError at a bad line."""
    chances: dict[History, ExactChances] = {}
    views: dict[View, Cell] = {}
    for number, line in lines.items():
        of_view = line.split(maxsplit=1)[:1] == [ANY]
        try:
            history, entry = _entry(rules.board, line.replace(ANY, "", 1) if of_view else line)
            if of_view:
                view, cell = information.view(history), _of_view(history, entry)
        except ValueError as error:
            raise PolicyError(f"line {number}: {error}: {quote(line, 60)}") from None
        if view in views if of_view else history in chances:
            text = quote(line, 60)
            raise PolicyError(f"line {number}: a second entry of one history: {text}")
        if of_view:
            views[view] = cell
        else:
            chances[history] = entry
    return TabularPolicy(rules, color, order, chances, views)


def _of_view(history: History, entry: ExactChances) -> Cell:
    """Return the one cell of a view's line; raise ValueError at sounds or several cells."""
    if any(symbol < 0 for symbol in history) or len(entry) != 1:
        raise ValueError("a view has stones only, and one cell")
    return next(iter(entry))


def show(policy: TabularPolicy) -> str:
    """Return a policy as a tree, each history below the one it continues."""
    board = policy.rules.board
    lines = []
    for history in sorted(policy.chances):
        above = [history[:n] for n in range(len(history)) if history[:n] in policy.chances]
        more = information.write(board, history[len(above[-1]) :] if above else history)
        chances = policy.chances[history]
        cells = ", ".join(
            f"{board.name(c)} {float(100 * x):.1f}%" if x < 1 else board.name(c)
            for c, x in sorted(chances.items(), key=lambda item: (-item[1], item[0]))
        )
        lines.append(f"{'  ' * len(above)}{more or 'start'}: {cells}\n")
    if policy.views:
        lines.append(f"elsewhere, by view: {len(policy.views):,} cells\n")
    return "".join(lines)


def cell_of(board: Board, name: str) -> Cell:
    """Return the cell of a name in a file. Raise ValueError, which quotes long names in part."""
    cell = cells_by_name(board).get(name)
    if cell is not None:
        return cell
    if len(name) > LONGEST_NAME:
        raise ValueError(f"not a cell: {quote(name)}")
    return board.cell(name)


def _entry(board: Board, line: str) -> tuple[History, ExactChances]:
    text, separator, rest = line.partition(":")
    words = rest.split()
    if not separator or not words or len(words) % 2:
        raise ValueError("not HISTORY : CELL WEIGHT ...")
    history = information.read(board, text)
    weights: dict[Cell, int] = {}
    view = information.view(history)
    stones = view.own | view.known
    # Else a cell could be own and found, and the kernels have no row for such a view.
    if stones.bit_count() < sum(symbol >= 0 for symbol in history):
        raise ValueError("a cell is attempted twice")
    for name, weight in zip(words[::2], words[1::2], strict=True):
        cell = cell_of(board, name)
        if not _WEIGHT.fullmatch(weight):
            raise ValueError(f"{quote(weight)} is not a positive whole number")
        if cell in weights or stones >> cell & 1:
            raise ValueError(f"{quote(name)} cannot be attempted, or is listed twice")
        weights[cell] = int(weight)
    total = sum(weights.values())
    return history, {cell: _share(weight, total) for cell, weight in weights.items()}


@lru_cache(maxsize=1000)
def _share(weight: int, total: int) -> Fraction:
    """Return a share: a file repeats the same few a hundred thousand times."""
    return Fraction(weight, total)
