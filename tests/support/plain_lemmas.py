"""Lemmas in plain Python: when one applies, and what it can spare."""

from dataclasses import dataclass

import numpy as np

from hsearch.connect.inferior import dead_rings
from hsearch.connect.store import layout
from hsearch.hex.board import Color, cells_in, flood_from_edge
from hsearch.kernels import inferior


@dataclass(frozen=True, slots=True)
class Lemma:
    """The owner has the stones and wins inside the cells, although the opponent moves first.

    Sets of cells are numbers, one bit a cell. These two are disjoint.
    """

    owner: int
    stones: int
    cells: int

    def lacks(self, own, other):
        """Return the stones that the owner lacks; None if the opponent has a stone in the way."""
        if (self.stones | self.cells) & other:
            return None
        return self.stones & ~own

    def needed(self, board):
        """Return the lemma without what the owner can spare if the opponent has the rest.

        Spared are stones and cells that are not connected to an edge of the
        owner, stones that are dead, and cells that are dead or captured by the
        opponent.
        """
        lemma, before = self, None
        while lemma != before:
            before = lemma
            reached = flood_from_edge(board, Color(self.owner), lemma.stones | lemma.cells)
            lemma = Lemma(self.owner, lemma.stones & reached, lemma.cells & reached)
            for cell in cells_in(lemma.stones):
                ring = inferior.ring_of(board.columns, lemma.alone(board), cell)
                if dead_rings()[ring]:
                    lemma = Lemma(self.owner, lemma.stones & ~(1 << cell), lemma.cells)
            position = lemma.alone(board)
            filled, costs = (
                np.zeros_like(position),
                np.zeros((board.size, len(layout(board.size).words)), np.int64),
            )
            inferior.fill_in(board.columns, position, dead_rings(), filled, costs)
            theirs = (inferior.DEAD, 2 - self.owner)
            spared = sum(1 << cell for cell in board.cells if filled[cell] in theirs)
            lemma = Lemma(self.owner, lemma.stones, lemma.cells & ~spared)
        return lemma

    def alone(self, board):
        """Return the position, in codes of kernels, in which the opponent has the rest."""
        codes = (
            1 + self.owner
            if self.stones >> cell & 1
            else 0
            if self.cells >> cell & 1
            else 2 - self.owner
            for cell in board.cells
        )
        return np.fromiter(codes, np.int8, board.size)


def known(made, owner):
    """Return the lemmas of a player in a store."""
    width, (first, end) = made._width, made._from(owner, 0)  # noqa: SLF001 - in words of the kernel
    columns = made._columns[owner][:, first:end].T  # noqa: SLF001
    return [Lemma(owner, _number(each[:width]), _number(each[width:])) for each in columns]


def _number(words):
    return int.from_bytes(words.tobytes(), "little")
