"""A book of attempts: the part of a game that double oracle has looked at, and beyond it.

Beyond the book a player attempts the cell that decides most often. Best responses to
the policy of a book are found by search over beliefs, in a kernel.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.hex.board import Cell, Color
from hsearch.kernels import stop
from player.dark.rules import Base, DarkRules, History, Mask, Noise, heard_symbol, own_symbol
from player.dark.tree import Floats, Integers, PlayerTree
from player.kernels import dark_book
from player.kernels.dark_belief import DECISION, TOO_LONG, respond

# Attempts of a player of whom nothing better is known: the cell that decides most often.
#
# Each unknown cell is taken to be the opponent's with chance 1/2. The cell that
# then most often decides who connects is a good attempt almost anywhere (Peres,
# Schramm, Sheffield and Wilson 2007). A double oracle begins with such policies,
# and plays so wherever it has not looked yet: an opponent who leaves what was
# looked at then gains little by it.

MOST_CELLS = 12  # beyond, a row a view takes too much memory
VARIED = 0.1  # how much more often a cell must decide to come first in any case

Orders = NDArray[np.int8]


class Fallback:
    """The orders in which a player attempts cells by view, as `player.kernels.dark_book` says.

    On large boards one order stands for all views, from the center outward.
    """

    def __init__(self, rules: DarkRules, color: Color) -> None:
        """Find how often each cell decides in each view."""
        center = center_first(rules)
        rank = np.zeros(len(center))
        rank[center] = np.arange(len(center))
        self._worth = -rank[None, :]
        if rules.board.size <= MOST_CELLS:
            # Of equals, and there are many by symmetry, the one nearest to the center.
            self._worth = pivots(rules, color) - rank / 1e6
        self.orders = _descending(self._worth)

    def varied(self, rng: np.random.Generator) -> Orders:
        """Return other orders, in which cells that decide nearly as often come as they may."""
        return _descending(self._worth + VARIED * rng.random(self._worth.shape))


def _descending(worth: Floats) -> Orders:
    return np.argsort(-worth, axis=1, kind="stable").astype(np.int8)


def pivots(rules: DarkRules, color: Color) -> Floats:
    """Return by view and cell how likely the cell decides; -1 where it is not unknown."""
    cells = rules.board.size
    wins = np.zeros((3,) * cells)
    # One axis a cell, the first cell last: 0 unknown, 1 own, 2 the opponent's.
    masks = np.arange(1 << cells)
    corner = np.array([rules.connects(color, int(mask)) for mask in masks], float)
    wins[(slice(1, 3),) * cells] = corner.reshape((2,) * cells)[(slice(None, None, -1),) * cells]
    for axis in range(cells):
        digits = np.moveaxis(wins, axis, 0)
        digits[0] = (digits[1] + digits[2]) / 2
    result = np.full((*wins.shape, cells), -1.0)
    for cell in range(cells):
        axis = cells - 1 - cell
        digits = np.moveaxis(wins, axis, 0)
        np.moveaxis(result, axis, 0)[0, ..., cell] = digits[1] - digits[2]
    return result.reshape(-1, cells)


def center_first(rules: DarkRules) -> Integers:
    """Return the cells, those near the center first."""
    board = rules.board

    def distance(cell: int) -> tuple[int, int]:
        column, row = board.column_and_row(cell)
        across, down = 2 * column - board.columns + 1, 2 * row - board.rows + 1
        return across**2 + down**2 + across * down, cell

    return np.array(sorted(board.cells, key=distance), np.int64)


# The book.
#
# A *node* is a history that ends in its player's turn; it allows some cells. A
# policy of a book chooses among them, and where a game leaves the book, it
# attempts cells in an order that depends on the view, as above. Books
# grow by best responses, and never lose a policy: a node that is put where play
# used to leave the book also allows the cell that was attempted there.

COLLISION = 2  # the first digit of a code


class Book:
    """The nodes of one player, first the empty history; grows by `add`.

    above        slot of the parent (its number times the cells, plus a cell)
                 and the code of what was seen since; see `player.kernels.dark_book`
    views        own stones, and found ones
    """

    def __init__(self, rules: DarkRules, orders: Orders) -> None:
        """Start with the policy that attempts cells in `orders`."""
        self._rules, self.orders = rules, orders
        self._cells = rules.board.size
        self._child: dict[tuple[int, int], int] = {}
        self.above: list[tuple[int, int]] = [(-2, 0)]
        self.views: list[tuple[Mask, Mask]] = [(0, 0)]
        self._allowed = np.zeros((1, self._cells), np.bool_)
        self._allowed[0, self.fall_back(0, 0)] = True

    def __len__(self) -> int:
        return len(self.above)

    def add(self, rows: Integers, turn: list[Cell]) -> int:
        """Allow what a response attempts, with its cells mapped by `turn`.

        rows  in preorder: code seen since the last attempt, cell, and the
              number of rows from here on

        Return the number of attempts that were not allowed before.
        """
        news = 0
        path: list[tuple[int, int, bool]] = []  # end, slot, whether the slot is new
        for i, (code, cell, size) in enumerate(rows.tolist()):
            while path and i >= path[-1][0]:
                path.pop()
            node = self._node(path[-1][1], self._turned(code, turn), path[-1][2]) if path else 0
            is_new = not self._allowed[node, turn[cell]]
            self._allowed[node, turn[cell]] = True
            news += is_new
            path.append((i + size, node * self._cells + turn[cell], is_new))
        return news

    def table(self) -> tuple[Integers, Integers]:
        """Return the children of slots as kernels take them: keys and values."""
        keys, values = empty_table(len(self))
        pairs = np.array(self.above[1:], np.int64).reshape(-1, 2)
        dark_book.tabulate(pairs, keys, values)
        return keys, values

    def mask(self) -> np.ndarray:
        """Return which cells each node allows."""
        return self._allowed[: len(self)].copy()

    def fall_back(self, own: Mask, known: Mask) -> Cell:
        """Return what is attempted where there is no node."""
        return int(dark_book.fall_back(self.orders, np.uint64(own), np.uint64(known)))

    def side(self) -> PlayerTree:
        """Return the restricted game of this player; nodes are its information sets."""
        mask = self.mask()
        count = mask.sum(axis=1)
        first = 1 + np.concatenate([[0], np.cumsum(count)[:-1]])
        sequence = self.sequences()
        parent = np.array([sequence[slot] if slot >= 0 else 0 for slot, _ in self.above])
        node_of, cell = np.nonzero(mask)
        start = np.array([-1])
        nothing = np.zeros(len(self), np.int64)
        return PlayerTree(
            parent, first, count, nothing, nothing,
            np.concatenate([start, node_of]), np.concatenate([start, cell]), (),
        )  # fmt: skip

    def sequences(self) -> Integers:
        """Return the sequence of each slot in `side`; 0 where it is not allowed."""
        mask = self.mask().ravel()
        return np.where(mask, np.cumsum(mask), 0)

    def chances(self, policy: Floats) -> Floats:
        """Return a policy of `side` as kernels take it, by node and cell."""
        mask = self.mask()
        result = np.zeros(mask.shape)
        result[mask] = policy[1:]
        return result

    def plan(self, policy: Floats) -> Floats:
        """Return a policy by node and cell as a plan: how likely each attempt comes by its own.

        A policy of fewer nodes is one of the book as it was.
        """
        above = np.array(self.above[: len(policy)], np.int64).reshape(-1, 2)
        plan = np.zeros_like(policy)
        dark_book.realize(above, policy, plan)
        return plan

    def grown(self, policy: Floats) -> Floats:
        """Return a policy of the book as it was as one of all its nodes, by node and cell."""
        before = len(policy)
        result = np.zeros((len(self), self._cells))
        result[:before] = policy
        for node in range(before, len(self)):
            result[node, self.fall_back(*self.views[node])] = 1.0
        return result

    def history(self, node: int) -> History:
        """Return the information state of a node."""
        symbols: list[int] = []
        base = self._cells + 2
        while node:
            slot, code = self.above[node]
            heard: list[int] = []
            while code >= base:
                code, digit = divmod(code, base)
                cell = max(digit - 2, 0)
                symbol = heard_symbol(self._rules.noise, cell, placed=False)
                heard.extend([] if symbol is None else [symbol])
            node, cell = divmod(slot, self._cells)
            symbols[:0] = [own_symbol(cell, placed=code == 1), *reversed(heard)]
        return tuple(symbols)

    def restore(self, above: Integers, mask: np.ndarray) -> None:
        """Take up the nodes of another book, given as arrays.

        Raise ValueError at a node that no book has: kernels would look beyond their arrays.
        """
        nodes: list[tuple[int, int]] = [(slot, code) for slot, code in above.tolist()]
        self._child, self.views = {}, [(0, 0)]
        for node, (slot, code) in enumerate(nodes):
            if node:
                is_after = 0 <= slot < node * self._cells and bool(mask.flat[slot])
                if not is_after or not self._is_code(code) or (slot, code) in self._child:
                    raise ValueError(f"node {node} of a book follows none")
                self._child[slot, code] = node
                self.views.append(self._view(slot, code))
            elif (slot, code) != (-2, 0):
                raise ValueError("a book begins with another node")
            taken = self.views[node][0] | self.views[node][1]
            allowed = map(int, np.flatnonzero(mask[node]))
            if not mask[node].any() or any(taken >> cell & 1 for cell in allowed):
                raise ValueError(f"node {node} of a book allows what cannot be attempted")
        self.above, self._allowed = nodes, mask.copy()

    def _is_code(self, code: int) -> bool:
        """Return whether a player may have seen this since an attempt."""
        base, sounds = self._cells + 2, range(2, self._cells + 2)
        if self._rules.noise is not Noise.FLASH:
            sounds = range(1, 1 + (self._rules.noise is Noise.NOISY))
        if code >= dark_book.KEYS:
            return False
        while code >= base:
            code, digit = divmod(code, base)
            if digit not in sounds:
                return False
        return code in {1, COLLISION}

    def _node(self, slot: int, code: int, new: bool) -> int:  # noqa: FBT001 - internal
        """Return the node after a slot and a code, a new one if need be."""
        key = slot, code
        if key not in self._child:
            number = self._child[key] = len(self)
            self.above.append(key)
            self.views.append(self._view(slot, code))
            if number == len(self._allowed):
                self._allowed = np.concatenate([self._allowed, np.zeros_like(self._allowed)])
            if not new:
                self._allowed[number, self.fall_back(*self.views[number])] = True
        return self._child[key]

    def _view(self, slot: int, code: int) -> tuple[Mask, Mask]:
        """Return the view after a slot and a code."""
        node, cell = divmod(slot, self._cells)
        own, known = self.views[node]
        if dark_book.begins_with(code, self._cells + 2) == COLLISION:
            return own, known | 1 << cell
        return own | 1 << cell, known

    def _turned(self, code: int, turn: list[Cell]) -> int:
        """Return a code with the cells of its flashes mapped."""
        if self._rules.noise is not Noise.FLASH:
            return code
        base, result, scale = self._cells + 2, 0, 1
        while code >= base:
            code, digit = divmod(code, base)
            result += scale * (2 + turn[digit - 2])
            scale *= base
        return result + scale * code


def empty_table(nodes: int) -> tuple[Integers, Integers]:
    """Return keys and values of an empty table for this many nodes."""
    size = 1 << (2 * nodes).bit_length()
    return np.full(size, -1), np.zeros(size, np.int64)


def restricted(
    books: tuple[Book, Book], game: tuple[np.ndarray, np.ndarray]
) -> tuple[Integers, Integers, Integers]:
    """Return the ends of all games between two books: sequences of both, and 1 or -1."""
    (keys0, values0), (keys1, values1) = books[0].table(), books[1].table()
    allowed, orders = (books[0].mask(), books[1].mask()), (books[0].orders, books[1].orders)
    room, number = 1 << 14, -1
    while number < 0:
        room *= 4
        out = np.zeros((room, 3), np.int64)
        number = dark_book.terminals(game, (keys0, keys1), (values0, values1), allowed, orders, out)
    ends = []
    for color in Color:
        slot = out[:number, color]  # negative for a player who has not moved
        ends.append(np.where(slot >= 0, books[color].sequences()[np.maximum(slot, 0)], 0))
    return ends[0], ends[1], out[:number, 2]


# Best responses to the policy of a book, by search over beliefs in a kernel.

ROOM = 1 << 14  # worlds at first; as many as it takes later
MOST_ROOM = 1 << 22  # of a search whose steps are limited
NO_LIMIT = 1 << 62
LONGER = 16  # a response may have as many times more attempts

# A book as `player.kernels.dark_book` takes it.
Arrays: TypeAlias = tuple[Integers, Integers, Floats, Orders]


class TooLongError(ValueError):
    """A policy to which a response takes longer to find than it may."""


@dataclass(frozen=True, slots=True)
class BeliefResponse:
    """A best response: the weight it wins, and its policy in preorder, see `Book.add`."""

    chance: float
    rows: Integers


class BeliefSearch:
    """The search in one game."""

    def __init__(self, rules: DarkRules) -> None:
        """Write down the rules for the kernels."""
        self.game = game(rules)
        self.room = ROOM

    def respond(
        self,
        book: Arrays,
        color: Color,
        tries: Orders,
        slack: float = 0.0,
        *,
        most: int | None = None,
    ) -> BeliefResponse:
        """Return a best response of `color` to the opponent's book.

        tries  breaks ties
        slack  what attempts may win less than the best, and be there nevertheless
        most   worlds that may be looked at, one as often as it is; None stands for any number

        Raise TooLongError where these, or a bounded memory, do not suffice.
        """
        while True:
            room = self.room
            worlds = np.zeros((room, 3), np.int64), np.zeros((room, 2), np.uint64), np.zeros(room)
            codes, out = np.zeros(room, np.int64), np.zeros((LONGER * room, 3), np.int64)
            decisions = np.zeros(2 * tries.shape[1] + 2, DECISION)
            chance, length = respond(
                self.game,
                book,
                int(color),
                worlds,
                codes,
                tries,
                slack,
                decisions,
                out,
                NO_LIMIT if most is None else most,
                stop.address(),
            )
            stop.check(late=True)
            if length == TOO_LONG or (most is not None and room > MOST_ROOM):
                raise TooLongError(f"a check of this policy takes more than {most:,} steps")
            if length >= 0:
                return BeliefResponse(chance, out[:length].copy())
            self.room *= 2


def game(rules: DarkRules) -> tuple[Any, ...]:
    """Return the rules as the kernels of beliefs take them."""
    masks = range(1 << rules.board.size)
    connected = [[rules.connects(color, mask) for mask in masks] for color in Color]
    numbers = [rules.board.size, rules.base is Base.ABRUPT, list(Noise).index(rules.noise)]
    return np.array(connected), np.array(numbers, np.int64)
