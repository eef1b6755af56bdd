"""A book of attempts: the part of a game that double oracle has looked at.

A *node* is a history that ends in its player's turn; it allows some cells. A
policy of a book chooses among them, and where a game leaves the book, it
attempts cells in an order that depends on the view; see `player.dark.fallback`. Books
grow by best responses, and never lose a policy: a node that is put where play
used to leave the book also allows the cell that was attempted there.
"""

import numpy as np

from hsearch.board import Cell, Color
from player.dark.fallback import Orders
from player.dark.information import History, heard_symbol, own_symbol
from player.dark.kernels import book as dark_book
from player.dark.kernels import ends as dark_ends
from player.dark.rules import DarkRules, Mask, Noise
from player.dark.tree import Floats, Integers, PlayerTree

COLLISION = 2  # the first digit of a code


class Book:
    """The nodes of one player, first the empty history; grows by `add`.

    above        slot of the parent (its number times the cells, plus a cell)
                 and the code of what was seen since; see `player.dark.kernels.book`
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
        """Take up the nodes of another book, given as arrays."""
        self.above = [(int(slot), int(code)) for slot, code in above]
        self._allowed = mask.copy()
        self._child = {key: node for node, key in enumerate(self.above) if node}
        self.views = [(0, 0)]
        for slot, code in self.above[1:]:
            self.views.append(self._view(slot, code))

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
        number = dark_ends.terminals(game, (keys0, keys1), (values0, values1), allowed, orders, out)
    ends = []
    for color in Color:
        slot = out[:number, color]  # negative for a player who has not moved
        ends.append(np.where(slot >= 0, books[color].sequences()[np.maximum(slot, 0)], 0))
    return ends[0], ends[1], out[:number, 2]
