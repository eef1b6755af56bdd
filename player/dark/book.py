"""A book of attempts: the part of a game that double oracle has explored, with a fallback.

Outside the book a player attempts the cell that decides most often. A kernel finds best
responses to the policy of a book by search over beliefs.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.hex import Cell, Color
from hsearch.kernels import stop
from player.dark.rules import Base, DarkRules, History, Mask, Noise, heard_symbol, own_symbol
from player.dark.tree import Floats, Integers, PlayerTree
from player.kernels import dark_book
from player.kernels.dark_belief import DECISION, TOO_LONG, Opponent, Worlds, respond

# The fallback: attempt the cell that decides most often.
#
# Each unknown cell is taken to be the opponent's with chance 1/2. The cell that
# then most often decides who connects is a good attempt almost anywhere (Peres,
# Schramm, Sheffield and Wilson 2007). A double oracle starts with such policies,
# and plays them wherever it has not explored: an opponent who leaves the
# explored part then gains little.

MOST_CELLS = 12  # the largest board with a row a view; beyond, these take too much memory
VARIED = 0.1  # cells whose values differ by less may change places

Orders = NDArray[np.int8]


class Fallback:
    """The orders in which a player attempts cells by view, see `player.kernels.dark_book`.

    On large boards one order stands for all views, from the center outward.
    """

    def __init__(self, rules: DarkRules, color: Color) -> None:
        """Compute how often each cell decides in each view."""
        center = center_first(rules)
        rank = np.zeros(len(center))
        rank[center] = np.arange(len(center))
        self._worth = -rank[None, :]
        if rules.board.size <= MOST_CELLS:
            # Ties are frequent by symmetry: the cell nearest to the center comes first.
            self._worth = pivots(rules, color) - rank / 1e6
        self.orders = _descending(self._worth)

    def shuffle(self, rng: np.random.Generator) -> Orders:
        """Return orders in which cells that decide almost equally often are shuffled."""
        return _descending(self._worth + VARIED * rng.random(self._worth.shape))


def _descending(worth: Floats) -> Orders:
    return np.argsort(-worth, axis=1, kind="stable").astype(np.int8)


def pivots(rules: DarkRules, color: Color) -> Floats:
    """Return by view and cell the chance that the cell decides; -1 for a known cell."""
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
    """Return the cells, from the center outward."""
    board = rules.board

    def distance(cell: int) -> tuple[int, int]:
        column, row = board.column_and_row(cell)
        across, down = 2 * column - board.columns + 1, 2 * row - board.rows + 1
        return across**2 + down**2 + across * down, cell

    return np.array(sorted(board.cells, key=distance), np.int64)


# The book.
#
# A *node* is a history that ends in its player's turn; it allows some cells. A
# policy of a book chooses among these; where a game leaves the book, it attempts
# cells in an order that depends on the view, as above. Books grow by best
# responses and keep all their policies: a new node where play used to leave the
# book also allows the cell of the fallback.

COLLISION = 2  # the first digit of a code


class Book:
    """The nodes of one player, the empty history first; grows by `add`.

    above        by node: the slot of its parent (number times cells, plus cell), and
                 the code of what was observed since; see `player.kernels.dark_book`
    views        by node: own stones, and found stones
    """

    def __init__(self, rules: DarkRules, orders: Orders) -> None:
        """Start with the policy that attempts cells in `orders`."""
        self._rules, self.orders = rules, orders
        self._cells = rules.board.size
        self._child: dict[tuple[int, int], int] = {}
        self.above: list[tuple[int, int]] = [(-2, 0)]
        self.views: list[tuple[Mask, Mask]] = [(0, 0)]
        self._mask = np.zeros((1, self._cells), np.bool_)
        self._mask[0, self.fall_back(0, 0)] = True

    def __len__(self) -> int:
        return len(self.above)

    def add(self, rows: Integers, turn: list[Cell]) -> int:
        """Allow the attempts of a response, with its cells mapped by `turn`.

        rows  in preorder: the code observed since the last attempt, the cell, and
              the number of rows of the subtree

        Return the number of attempts that were not allowed before.
        """
        news = 0
        path: list[tuple[int, int, bool]] = []  # end, slot, whether the slot is new
        for i, (code, cell, size) in enumerate(rows.tolist()):
            while path and i >= path[-1][0]:
                path.pop()
            node = (
                self._node(path[-1][1], self._map_flashes(code, turn), path[-1][2]) if path else 0
            )
            is_new = not self._mask[node, turn[cell]]
            self._mask[node, turn[cell]] = True
            news += is_new
            path.append((i + size, node * self._cells + turn[cell], is_new))
        return news

    def table(self) -> tuple[Integers, Integers]:
        """Return the hash table from slots to children, for kernels: keys and values."""
        return hash_table(np.array(self.above, np.int64).reshape(-1, 2))

    def mask(self) -> np.ndarray:
        """Return, by node, which cells it allows."""
        return self._mask[: len(self)].copy()

    def fall_back(self, own: Mask, known: Mask) -> Cell:
        """Return the cell to attempt where there is no node."""
        return int(dark_book.fall_back(self.orders, np.uint64(own), np.uint64(known)))

    def side(self) -> PlayerTree:
        """Return this player's side of the restricted game; its information sets are the nodes."""
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
        """Return a policy of `side` by node and cell, for kernels."""
        mask = self.mask()
        result = np.zeros(mask.shape)
        result[mask] = policy[1:]
        return result

    def plan(self, policy: Floats) -> Floats:
        """Return the realization plan of a policy by node and cell.

        A policy with fewer nodes belongs to an earlier state of the book.
        """
        above = np.array(self.above[: len(policy)], np.int64).reshape(-1, 2)
        plan = np.zeros_like(policy)
        dark_book.realize(above, policy, plan)
        return plan

    def extend_policy(self, policy: Floats) -> Floats:
        """Return a policy of an earlier book as a policy of all nodes, by node and cell."""
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
            sounds: list[int] = []
            while code >= base:
                code, digit = divmod(code, base)
                cell = max(digit - 2, 0)
                symbol = heard_symbol(self._rules.noise, cell, placed=False)
                sounds.extend([] if symbol is None else [symbol])
            node, cell = divmod(slot, self._cells)
            symbols[:0] = [own_symbol(cell, placed=code == 1), *reversed(sounds)]
        return tuple(symbols)

    def restore(self, above: Integers, mask: np.ndarray) -> None:
        """Set the nodes from arrays.

        Raise ValueError at an impossible node: kernels would read outside their arrays.
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
            stones = self.views[node][0] | self.views[node][1]
            cells = map(int, np.flatnonzero(mask[node]))
            if not mask[node].any() or any(stones >> cell & 1 for cell in cells):
                raise ValueError(f"node {node} of a book allows what cannot be attempted")
        self.above, self._mask = nodes, mask.copy()

    def _is_code(self, code: int) -> bool:
        """Return whether a player may observe this code after an attempt."""
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
        """Return the node after a slot and a code; add it if it is missing."""
        key = slot, code
        if key not in self._child:
            number = self._child[key] = len(self)
            self.above.append(key)
            self.views.append(self._view(slot, code))
            if number == len(self._mask):
                self._mask = np.concatenate([self._mask, np.zeros_like(self._mask)])
            if not new:
                self._mask[number, self.fall_back(*self.views[number])] = True
        return self._child[key]

    def _view(self, slot: int, code: int) -> tuple[Mask, Mask]:
        """Return the view after a slot and a code."""
        node, cell = divmod(slot, self._cells)
        own, known = self.views[node]
        if dark_book.begins_with(code, self._cells + 2) == COLLISION:
            return own, known | 1 << cell
        return own | 1 << cell, known

    def _map_flashes(self, code: int, turn: list[Cell]) -> int:
        """Return a code with the cells of its flashes mapped by `turn`."""
        if self._rules.noise is not Noise.FLASH:
            return code
        base, result, scale = self._cells + 2, 0, 1
        while code >= base:
            code, digit = divmod(code, base)
            result += scale * (2 + turn[digit - 2])
            scale *= base
        return result + scale * code


def hash_table(above: Integers) -> tuple[Integers, Integers]:
    """Return the table from slots and codes to nodes; `above`, int64[n, 2], is that of `Book`."""
    size = 1 << (2 * len(above)).bit_length()
    keys, values = np.full(size, -1), np.zeros(size, np.int64)
    dark_book.tabulate(above[1:], keys, values)
    return keys, values


def list_ends(
    books: tuple[Book, Book], game: tuple[np.ndarray, np.ndarray]
) -> tuple[Integers, Integers, Integers]:
    """Return the ends of all games between two books: sequences of both, and 1 or -1."""
    (keys0, values0), (keys1, values1) = books[0].table(), books[1].table()
    masks, orders = (books[0].mask(), books[1].mask()), (books[0].orders, books[1].orders)
    room, number = 1 << 14, -1
    while number < 0:
        room *= 4
        out = np.zeros((room, 3), np.int64)
        number = dark_book.terminals(game, (keys0, keys1), (values0, values1), masks, orders, out)
    ends = []
    for color in Color:
        slot = out[:number, color]  # negative for a player who has not moved
        ends.append(np.where(slot >= 0, books[color].sequences()[np.maximum(slot, 0)], 0))
    return ends[0], ends[1], out[:number, 2]


# Best responses to the policy of a book, by search over beliefs in a kernel.

ROOM = 1 << 14  # worlds at first; doubled as often as needed
MOST_ROOM = 1 << 22  # worlds of a search with limited steps
NO_LIMIT = 1 << 62
LONGER = 16  # rows of a response per world

# A book as `player.kernels.dark_book` takes it.
BookArrays: TypeAlias = tuple[Integers, Integers, Floats, Orders]


class TooLongError(ValueError):
    """A policy whose best response takes longer to find than is allowed."""


@dataclass(frozen=True, slots=True)
class BeliefResponse:
    """A best response: the weight it wins, and its policy in preorder, see `Book.add`."""

    chance: float
    rows: Integers


class BeliefSearch:
    """The search for responses in one game."""

    def __init__(self, rules: DarkRules) -> None:
        """Prepare the rules for the kernels."""
        self.game = game(rules)
        self.room = ROOM

    def respond(
        self,
        book: BookArrays,
        color: Color,
        tries: Orders,
        slack: float = 0.0,
        *,
        most: int | None = None,
    ) -> BeliefResponse:
        """Return a best response of `color` to the opponent's book.

        tries  the orders of the cells, which break ties
        slack  include attempts that win up to this much less than the best
        most   the number of worlds that may be examined, repeats included; None for any number

        Raise TooLongError if these, or a bounded memory, do not suffice.
        """
        while True:
            room = self.room
            worlds = Worlds(
                np.zeros((room, 3), np.int64),
                np.zeros((room, 2), np.uint64),
                np.zeros(room),
                np.zeros(room, np.int64),
            )
            out = np.zeros((LONGER * room, 3), np.int64)
            decisions = np.zeros(2 * tries.shape[1] + 2, DECISION)
            chance, length = respond(
                Opponent(self.game, book, int(color)),
                worlds,
                tries,
                slack,
                decisions,
                out,
                NO_LIMIT if most is None else most,
                stop.address(),
            )
            stop.check(late=True)
            if length >= 0:
                return BeliefResponse(chance, out[:length].copy())
            if length == TOO_LONG or (most is not None and room >= MOST_ROOM):
                raise TooLongError(f"a check of this policy takes more than {most:,} steps")
            self.room *= 2


def game(rules: DarkRules) -> tuple[Any, ...]:
    """Return the rules, for the kernels of beliefs."""
    masks = range(1 << rules.board.size)
    joins = [[rules.connects(color, mask) for mask in masks] for color in Color]
    numbers = [rules.board.size, rules.base is Base.ABRUPT, list(Noise).index(rules.noise)]
    return np.array(joins), np.array(numbers, np.int64)
