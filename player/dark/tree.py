"""The whole game of Dark Hex as parallel arrays.

One pass over all histories numbers the information sets, parents before
children, and the *sequences* of each player: an information set and a cell;
number 0 is the empty sequence. A complete history ends with one sequence of each
player, and each pair of sequences ends at most one history, so the payoffs are a
sparse matrix with one entry a complete history. Koller, Megiddo and von Stengel
(1996).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsearch.hex import Color, cells_in
from player.dark import methods
from player.dark.rules import Base, DarkRules, History, Mask, heard_symbol, own_symbol

if TYPE_CHECKING:
    from scipy import sparse

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Plans: TypeAlias = tuple[Floats, Floats]
SparseRows: TypeAlias = tuple[Integers, Integers, Floats]
# A player within a history: own stones, stones found, node of the trie, last sequence.
Past: TypeAlias = tuple[Mask, Mask, int, int]


class PerfectRecallError(ValueError):
    """An information set that two pasts lead to, or that offers two sets of cells."""


@dataclass(frozen=True, slots=True)
class PlayerTree:
    """One player's side of a game, as arrays by information set or by sequence.

    parent   by set: the player's last sequence before it
    first    by set: its first sequence; the others are consecutive
    count    by set: the number of its sequences
    own      by set: the player's stones, a bit a cell
    known    by set: the opponent's stones that the player has found
    set_of   by sequence: its information set; -1 for the empty sequence
    cell     by sequence: the cell attempted; -1 for the empty sequence
    history  by set: the information state
    """

    parent: Integers
    first: Integers
    count: Integers
    own: Integers
    known: Integers
    set_of: Integers
    cell: Integers
    history: tuple[History, ...]

    @property
    def sets(self) -> tuple[Integers, Integers, Integers]:
        """The three arrays that kernels sweep over."""
        return self.parent, self.first, self.count

    @property
    def sequences(self) -> int:
        """The number of sequences, the empty one included."""
        return len(self.cell)

    def uniform_policy(self) -> Floats:
        """Return the uniform policy, with 1 at the empty sequence."""
        policy = np.ones(self.sequences)
        policy[1:] = 1 / self.count[self.set_of[1:]]
        return policy


@dataclass(frozen=True, slots=True)
class GameTree:
    """A game: both sides, and the complete histories.

    rules     the game
    sides     Black's information sets and sequences, and White's
    ends      by complete history: the last sequence of Black and of White
    outcome   by complete history: 1 if Black won, -1 if White
    payoff    by player: the sparse matrix of payoffs, by own sequence and the other's, in
              compressed rows: start of each row, columns, entries
    nodes     the number of histories
    """

    rules: DarkRules
    sides: tuple[PlayerTree, PlayerTree]
    ends: tuple[Integers, Integers]
    outcome: Integers
    payoff: tuple[SparseRows, SparseRows]
    nodes: int

    @property
    def matrix(self) -> "sparse.csr_array":
        """The payoff to Black, by Black's sequence and White's."""
        from scipy import sparse  # noqa: PLC0415 - every player loads this file, few build a tree

        start, column, entry = self.payoff[0]
        return sparse.csr_array((entry, column, start), shape=self.shape)

    @property
    def shape(self) -> tuple[int, int]:
        """The number of sequences of Black and of White."""
        return self.sides[0].sequences, self.sides[1].sequences


def build(rules: DarkRules) -> GameTree:
    """Return the tree of a game. Raise GameTooLargeError, before any is stored, if it is large."""
    if not methods.is_tree_small(rules):
        raise methods.too_large(rules, f"{methods.MAX_NODES:,} fit")
    builder = _Builder(rules)
    builder.visit(Color.BLACK, (0, 0, 0, 0), (0, 0, 0, 0))
    return builder.tree()


class _Growing:
    """One side during the walk: a trie of histories, and growing lists."""

    def __init__(self) -> None:
        self.children: dict[tuple[int, int], int] = {}
        self.trie_parent, self.trie_symbol = [-1], [0]
        self.set_at: dict[int, int] = {}
        self.node: list[int] = []
        self.parent: list[int] = []
        self.first: list[int] = []
        self.legal: list[list[int]] = []
        self.own: list[int] = []
        self.known: list[int] = []
        self.set_of, self.cell = [-1], [-1]

    def step(self, node: int, symbol: int) -> int:
        """Return the node of the trie after another one and a symbol."""
        key = node, symbol
        if key not in self.children:
            self.children[key] = len(self.trie_parent)
            self.trie_parent.append(node)
            self.trie_symbol.append(symbol)
        return self.children[key]

    def information_set(self, past: Past, legal: list[int]) -> int:
        """Return the number of a history's information set; add it if it is missing."""
        own, known, node, sequence = past
        if node in self.set_at:
            j = self.set_at[node]
            if self.parent[j] != sequence or self.legal[j] != legal:
                raise PerfectRecallError(f"history {self.history(node)} has two pasts")
            return j
        j = self.set_at[node] = len(self.node)
        self.node.append(node)
        self.parent.append(sequence)
        self.first.append(len(self.cell))
        self.legal.append(legal)
        self.own.append(own)
        self.known.append(known)
        self.set_of.extend([j] * len(legal))
        self.cell.extend(legal)
        return j

    def history(self, node: int) -> History:
        """Return the symbols on the path to a node of the trie."""
        symbols = []
        while node:
            symbols.append(self.trie_symbol[node])
            node = self.trie_parent[node]
        return tuple(reversed(symbols))

    def side(self) -> PlayerTree:
        """Return the finished arrays."""
        counts = [len(legal) for legal in self.legal]
        lists = self.parent, self.first, counts, self.own, self.known, self.set_of, self.cell
        parent, first, count, own, known, set_of, cell = (np.array(x, np.int64) for x in lists)
        history = tuple(map(self.history, self.node))
        return PlayerTree(parent, first, count, own, known, set_of, cell, history)


class _Builder:
    """The walk over all histories. A million take seconds, because states are plain tuples."""

    def __init__(self, rules: DarkRules) -> None:
        self._rules = rules
        self._sides = (_Growing(), _Growing())
        self._ends: tuple[list[int], list[int], list[int]] = ([], [], [])
        self._nodes = 0
        self._legal: dict[Mask, list[int]] = {}  # lists of cells by mask

    def visit(self, turn: Color, mover: Past, waiting: Past) -> None:
        """Visit the histories from one on, given the pasts of its mover and of the other player."""
        self._nodes += 1
        rules, opponent, legal = self._rules, turn.opponent, self._legal
        stones, known, node, _ = mover
        theirs, hits, hearer, before = waiting
        mine, other = self._sides[turn], self._sides[opponent]
        free = rules.full & ~(stones | known)
        if free not in legal:
            legal[free] = list(cells_in(free))
        j = mine.information_set(mover, legal[free])
        for sequence, cell in enumerate(legal[free], mine.first[j]):
            bit = 1 << cell
            placed = not theirs & bit
            if placed and rules.connects(turn, stones | bit):
                self._end(turn, sequence, before)
                continue
            after = mine.step(node, own_symbol(cell, placed=placed))
            heard = heard_symbol(rules.noise, cell, placed=placed)
            listener = hearer if heard is None else other.step(hearer, heard)
            there = theirs, hits, listener, before
            if placed:
                self.visit(opponent, there, (stones | bit, known, after, sequence))
                continue
            here = stones, known | bit, after, sequence
            if rules.base is Base.CLASSIC:
                self.visit(turn, here, there)
            else:
                self.visit(opponent, there, here)

    def _end(self, winner: Color, sequence: int, others: int) -> None:
        """Add a complete history: the last sequences of the winner and of the other."""
        self._nodes += 1
        ends = (sequence, others) if winner is Color.BLACK else (others, sequence)
        for column, entry in zip(self._ends, (*ends, 1 - 2 * winner), strict=True):
            column.append(entry)

    def tree(self) -> GameTree:
        """Return the finished tree."""
        sides = (self._sides[0].side(), self._sides[1].side())
        black, white, outcome = (np.array(each, np.int64) for each in self._ends)
        return of_ends(self._rules, sides, (black, white, outcome), nodes=self._nodes)


def of_ends(
    rules: DarkRules,
    sides: tuple[PlayerTree, PlayerTree],
    ends: tuple[Integers, Integers, Integers],
    *,
    nodes: int = 0,
) -> GameTree:
    """Return the tree with these complete histories: both last sequences, and 1 or -1."""
    from scipy import sparse  # noqa: PLC0415

    black, white, outcome = ends
    shape = sides[0].sequences, sides[1].sequences
    matrix = sparse.csr_array((outcome.astype(np.float64), (black, white)), shape=shape)
    payoff = _rows(matrix), _rows(sparse.csr_array(-matrix.T))
    return GameTree(rules, sides, (black, white), outcome, payoff, nodes)


def cells_of(side: PlayerTree, j: int) -> list[int]:
    """Return the cells that may be attempted in an information set."""
    first = int(side.first[j])
    return [int(cell) for cell in side.cell[first : first + int(side.count[j])]]


def _rows(matrix: "sparse.csr_array") -> SparseRows:
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data
