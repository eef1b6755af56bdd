"""Connections between two points, and the rules that derive them.

The AND and OR rules are Anshelevich's. Three go beyond them: the must-play rule;
known templates, which have no premises; and fill-in, which carries a connection
from a board with regions filled back to the original board. Each is defined here
once, in short plain Python. The kernels execute AND and OR, and the tests compare
both with brute force. `conclude` replays one step of a derivation, with its premises
in the positions that `where_premises_hold` returns.

Anshelevich: The game of Hex: an automatic theorem proving approach to game
programming (2000), and A hierarchical approach to computer Hex (2002).
"""

import enum
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_, or_

from bitarray.util import any_and, subset

from hsearch.hex import Board, Cell, CellSet, Color, Point, Position, captains
from hsearch.hex.board import EDGE_NAMES
from hsearch.hex.face import expect


class Rule(enum.StrEnum):
    """Rule that derived a connection; the value is the word used in all output."""

    ADJACENT = "adjacent"
    AND = "and"
    OR = "or"
    MUSTPLAY = "mustplay"
    TEMPLATE = "template"
    FILL_IN = "fill-in"


@dataclass(frozen=True, slots=True)
class Fill:
    """A region filled with the stones of the player whose groups enclose it.

    color   the player
    groups  the groups around it, by their captains: one or two
    cells   the empty cells of the region
    join    the full that joins two groups inside the region; None for one group
    since   how many regions were filled before the groups were named and joined;
            regions filled later share no cell with the join

    `hsearch.connect.inferior` proves that filling it does not change who wins.
    """

    color: Color
    groups: tuple[Point, ...]
    cells: CellSet
    join: "Connection | None" = field(default=None, repr=False)
    since: int = 0

    def applied(self, position: Position) -> Position:
        """Return a position with the empty cells of the region filled."""
        cells = self.cells & position.empty
        if self.color is Color.BLACK:
            return replace(position, black=position.black | cells)
        return replace(position, white=position.white | cells)


@dataclass(frozen=True, slots=True)
class Connection:
    """A strategy that joins two points, whatever the opponent does.

    x, y      the points, x < y; a group is named by its captain
    carrier   the empty cells the strategy needs, ends excluded
    key       the cell to play first; None if the opponent may move first
    rule      how the connection was derived
    premises  the connections it was derived from
    fills     regions that were filled, one after the other, before the first
              premise was derived; the other premises join the groups around them

    Two connections are equal if they have the same ends, carrier and key.

    >>> import hsearch
    >>> position = hsearch.Position.of(3, black="b2")
    >>> bridge = hsearch.closure(position, "black").fulls("b2", "north")[0]
    >>> print(bridge.named(position.board))
    A full of b2 and north, in 2 empty cells: b1 c1.
    """

    x: Point
    y: Point
    carrier: CellSet
    key: Cell | None = None
    rule: Rule = field(default=Rule.ADJACENT, compare=False)
    premises: tuple["Connection", ...] = field(default=(), compare=False, repr=False)
    fills: tuple[Fill, ...] = field(default=(), compare=False, repr=False)

    def __repr__(self) -> str:
        cells = " ".join(map(str, self.carrier.search(1)))
        key = "" if self.key is None else f", key={self.key}"
        return f"<Connection {self.x}-{self.y}, carrier {{{cells}}}{key}, by {self.rule.value}>"

    def __str__(self) -> str:
        x, y = (self._end(point) for point in self.ends)
        count = self.carrier.count()
        inside = f"in {count} empty cell{'' if count == 1 else 's'}"
        if self.key is None:
            return f"A full connection of {x} and {y}, {inside}."
        return f"A semi connection of {x} and {y}, {inside}, which starts at cell {self.key}."

    def named(self, board: Board) -> str:
        """Return the connection in words, with the names of a board's cells.

        Raise ValueError if it belongs to a board of another size.
        """
        names = self.record(board)
        start = "" if self.key is None else f", from {names['key']}"
        cells = f": {names['carrier']}" if names["cells"] else ""
        count = f"{names['cells']} empty cell{'' if names['cells'] == 1 else 's'}"
        return f"A {names['kind']} of {names['x']} and {names['y']}{start}, in {count}{cells}."

    def record(self, board: Board) -> dict[str, str | int | None]:
        """Return the connection as one row of a table, with the names of a board's cells.

        x, y     its ends
        kind     `full` or `semi`
        key      the cell to play first; None for a full
        cells    how many cells the carrier has
        carrier  their names, separated by spaces
        rule     how it was derived

        Raise ValueError if it belongs to a board of another size.
        """
        expect("board", board, Board, "a board, as position.board is one")
        if len(self.carrier) != board.size:
            cells = len(self.carrier)
            raise ValueError(f"a connection on a board of {cells} cells does not belong to {board}")
        return {
            "x": board.name(self.x),
            "y": board.name(self.y),
            "kind": self.kind,
            "key": None if self.key is None else board.name(self.key),
            "cells": self.carrier.count(),
            "carrier": board.text(self.carrier),
            "rule": self.rule.value,
        }

    def _end(self, point: Point) -> str:
        """Return the name of an edge or the number of a cell, whose name needs the board."""
        size = len(self.carrier)
        return f"cell {point}" if point < size else EDGE_NAMES[point - size]

    @property
    def is_full(self) -> bool:
        """Whether the opponent may move first (a *full*, not a *semi* connection)."""
        return self.key is None

    @property
    def kind(self) -> str:
        """`full` or `semi`."""
        return "full" if self.is_full else "semi"

    @property
    def first_move(self) -> Cell:
        """The key of a semi. Raise ValueError for a full, which has none."""
        if self.key is None:
            raise ValueError(f"{self!r} has no first move: it is a full connection")
        return self.key

    @property
    def ends(self) -> tuple[Point, Point]:
        """The two points it joins."""
        return self.x, self.y

    def other_end(self, end: Point) -> Point:
        """Return the end that is not `end`."""
        return self.y if end == self.x else self.x


def adjacent(x: Point, y: Point, board: Board) -> Connection:
    """Return the full connection of two points that touch; its carrier is empty."""
    return Connection(min(x, y), max(x, y), board.only())


def and_rule(
    first: Connection, second: Connection, via: Point, board: Board, *, empty: bool
) -> Connection | None:
    """Join two fulls that share the end `via`; the kernel is in `hsearch.kernels.and_rule`.

    Across the player's own stones the result is full. Across an empty cell it
    is semi, with that cell as its key. Return None if the rule does not apply:
    a premise is not a full, both have the same ends, the carriers share cells,
    or one of them holds an end of the other.
    """
    x, y = first.other_end(via), second.other_end(via)
    is_disjoint = not any_and(first.carrier, second.carrier)
    if not (first.is_full and second.is_full and is_disjoint) or x == y:
        return None
    carrier = first.carrier | second.carrier
    if any(board.contains(carrier, point) for point in (x, y, via)):
        return None
    carrier, key = (carrier | board.only(via), via) if empty else (carrier, None)
    return Connection(min(x, y), max(x, y), carrier, key, Rule.AND, (first, second))


def or_rule(*semis: Connection) -> Connection | None:
    """Join semis with the same ends into a full; the kernel is in `hsearch.kernels.or_rule`.

    Return None unless no cell is in all carriers: then the opponent cannot break
    all of them with one stone. The carriers need not be disjoint in pairs, but none
    may hold an end.
    """
    ends = {semi.ends for semi in semis}
    if len(ends) != 1 or any(semi.is_full for semi in semis):
        return None
    if reduce(and_, (semi.carrier for semi in semis)).any():
        return None
    carrier = reduce(or_, (semi.carrier for semi in semis))
    (x, y), size = semis[0].ends, len(carrier)
    if (x < size and carrier[x]) or (y < size and carrier[y]):
        return None
    return Connection(x, y, carrier, None, Rule.OR, semis)


def few_of(semis: Iterable[Connection]) -> Iterator[Connection]:
    """Yield each semi that shrinks the intersection of those before: OR needs no others."""
    common: CellSet | None = None
    for semi in semis:
        if common is None or not subset(common, semi.carrier):
            common = semi.carrier if common is None else common & semi.carrier
            yield semi


def mustplay_rule(
    full: Connection, x: Point, y: Point, key: Cell, position: Position, color: Color
) -> Connection | None:
    """Return the semi that starts at `key`, given a full of the position after that move.

    The full joins the groups that hold `x` and `y` in that position. Return None
    if it is not a full or joins other points, or if its carrier holds an end.
    """
    captain_of = captains(position.put(key, color), color)
    carrier = full.carrier | position.board.only(key)
    ends = {captain_of.get(x), captain_of.get(y)}
    if not full.is_full or ends != set(full.ends) or key in {x, y}:
        return None
    if position.board.contains(carrier, x) or position.board.contains(carrier, y):
        return None
    return Connection(min(x, y), max(x, y), carrier, key, Rule.MUSTPLAY, (full,))


def fill_regions(position: Position, fills: Iterable[Fill]) -> list[Position]:
    """Return a position before the regions are filled, and after each of them."""
    boards = [position]
    for fill in fills:
        boards.append(fill.applied(boards[-1]))
    return boards


def fill_in_rule(inner: Connection, fills: Iterable[Fill], color: Color) -> Connection | None:
    """Return what a connection of edges on the filled board implies for the original board.

    Its owner also needs the fulls that join the groups around their own regions.
    Return None if those carriers share cells, or a join is not a full.
    """
    fills = tuple(fills)
    joins = tuple(fill.join for fill in fills if fill.color is color and fill.join is not None)
    carrier = inner.carrier
    for join in joins:
        if (carrier & join.carrier).any() or not join.is_full:
            return None
        carrier = carrier | join.carrier
    premises = (inner, *joins)
    return Connection(inner.x, inner.y, carrier, inner.key, Rule.FILL_IN, premises, fills=fills)


def where_premises_hold(position: Position, color: Color, step: Connection) -> list[Position]:
    """Return the position in which each premise of a step holds, in order."""
    if step.rule is Rule.FILL_IN:
        boards = fill_regions(position, step.fills)
        joins = (fill for fill in step.fills if fill.color is color and fill.join is not None)
        return [boards[-1], *(boards[fill.since] for fill in joins if fill.since < len(boards))]
    if step.rule is Rule.MUSTPLAY and step.key is not None and position.is_legal(step.key):
        position = position.put(step.key, color)
    return [position] * len(step.premises)


def conclude(
    step: Connection, premises: Sequence[Connection], position: Position, color: Color
) -> Connection | None:
    """Apply the rule of a step to other premises; return None if it does not apply.

    They have the order of the step's own premises, and may be stronger. A step
    without premises is returned unchanged.
    """
    match step.rule, premises:
        case Rule.AND, (first, second) if len(_common_ends(first, second)) == 1:
            (via,), board = _common_ends(first, second), position.board
            return and_rule(first, second, via, board, empty=position.is_legal(via))
        case Rule.OR, _:
            return or_rule(*premises)
        case Rule.MUSTPLAY, (full,) if step.key is not None and position.is_legal(step.key):
            return mustplay_rule(full, step.x, step.y, step.key, position, color)
        case Rule.FILL_IN, (inner, *joins):
            rest = iter(joins)
            fills = [
                replace(fill, join=next(rest)) if fill.color is color and fill.join else fill
                for fill in step.fills
            ]
            return fill_in_rule(inner, fills, color)
        case Rule.ADJACENT | Rule.TEMPLATE, ():
            return step
    return None


def steps_of(connection: Connection) -> list[Connection]:
    """Return the connections of a derivation, each once: the derived one, and all behind it."""
    steps, visited = [connection], {id(connection)}
    for step in steps:
        # The owner's joins are premises, too; the opponent's are listed only here.
        joins = (fill.join for fill in step.fills if fill.join is not None)
        for each in (*step.premises, *joins):
            if id(each) not in visited:
                visited.add(id(each))
                steps.append(each)
    return steps


def _common_ends(first: Connection, second: Connection) -> set[Point]:
    return set(first.ends) & set(second.ends)
