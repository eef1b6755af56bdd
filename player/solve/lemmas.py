"""Lemmas: decided positions that decide others.

If a player wins with some stones, inside some empty cells, although the opponent moves
first, the same win works in every position in which the player has these stones and the
opponent has none of the cells: the rest of the board does not matter, and more stones of
the player never hurt. That is a *lemma*. If one of the stones is missing, the player wins
by moving there: a threat, so the opponent's moves outside it lose. A lemma also holds
after half a turn of the board and, on a square board, for the other player on the
mirrored board, where the players' edges change places.

R. Hayward and others (Solving 7x7 Hex, 2004) apply the proof against one move to the
other moves of the same position; lemmas apply it to all positions of a search.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hsearch.connect.inferior import dead_rings
from hsearch.hex import Board, Cell
from hsearch.hex.board import rotate_cells, word_count
from player.kernels import solving as kernel

MOST = 100_000
MIRRORED = 4  # most stones of a lemma that is stored for the other player too


@dataclass(frozen=True, slots=True)
class LemmaVerdict:
    """What lemmas prove of a position, from the view of the player to move.

    is_won   whether that player wins; None if no lemma decides it
    carrier  the empty cells that the winner needs
    first    the winning move; None if none is needed
    common   if open: the cells in all known threats of the opponent
    union    the union of the threats that reduced `common`
    """

    is_won: bool | None
    carrier: int
    first: Cell | None
    common: int
    union: int


@dataclass(frozen=True, slots=True, eq=False)
class LemmaMark:
    """The lemmas of both players at some time.

    counts     how many lemmas each player had learned
    forgotten  how many of them had been dropped
    columns    the arrays that hold the others; later lemmas stand behind them
    """

    counts: tuple[int, int]
    forgotten: tuple[int, ...]
    columns: tuple[NDArray[np.int64], ...]


class Lemmas:
    """The lemmas of both players in a search. Holds state.

    When a player has `most`, the older half is dropped. Kernels apply and reduce them;
    `tests/support/plain_lemmas.py` has the rule in plain Python.
    """

    def __init__(self, board: Board, most: int = MOST) -> None:
        """Start without lemmas."""
        self.counts = (0, 0)
        self._board = board
        self._most = max(2, most)
        self._width = word_count(board.size)
        self._columns = [np.zeros((2 * self._width, kernel.BLOCK), np.int64) for _ in range(2)]
        self._selection = np.zeros(kernel.BLOCK, np.int64)
        self._forgotten = [0, 0]

    def prepare(self) -> None:
        """Compile the kernels."""
        self.learn(0, 0, 0)
        self.ask(0, (0, 0), 0)

    def learn(self, owner: int, stones: int, carrier: int) -> None:
        """Store that a player wins with these stones inside a carrier, the opponent to move.

        The half turn is stored too. So are, on a square board, the mirror images for the other
        player, unless the lemma needs so many stones that they would hardly ever apply.
        """
        rows = self._row(stones), self._row(carrier & ~stones)
        kernel.reduce(self._board.columns, self._board.size, owner, dead_rings(), *rows)
        lemma = _number(rows[0]), _number(rows[1])
        self._add_both(owner, *lemma)
        if self._board.columns == self._board.rows and lemma[0].bit_count() <= MIRRORED:
            self._add_both(1 - owner, *map(self._mirror, lemma))

    def _add_both(self, owner: int, stones: int, cells: int) -> None:
        """Store a lemma and its half turn, or only one if they are equal."""
        rotation = tuple(rotate_cells(self._board, each) for each in (stones, cells))
        for lemma in dict.fromkeys(((stones, cells), rotation)):
            self._add(owner, np.concatenate([self._row(each) for each in lemma]))

    def mark(self) -> LemmaMark:
        """Return a mark of the present lemmas, for `restore`; it copies none of them."""
        return LemmaMark(self.counts, tuple(self._forgotten), tuple(self._columns))

    def restore(self, mark: LemmaMark) -> None:
        """Return to the lemmas of a mark: drop those learned since, and put dropped ones back."""
        self.counts = mark.counts
        self._forgotten, self._columns = list(mark.forgotten), list(mark.columns)

    def since(self, counts: tuple[int, int]) -> bytes:
        """Return the lemmas learned since these counts, as bytes.

        `hear` of another process reads them.
        """
        parts = []
        for owner, count in enumerate(counts):
            first, end = self._from(owner, count)
            parts += [np.int64(end - first).tobytes(), self._columns[owner][:, first:end].tobytes()]
        return b"".join(parts)

    def hear(self, batch: bytes) -> None:
        """Store lemmas that `since` returned for the same board."""
        rows, at = np.frombuffer(batch, np.int64), 0
        for owner in (0, 1):
            count, height = int(rows[at]), 2 * self._width
            end = at + 1 + height * count
            for lemma in rows[at + 1 : end].reshape(height, count).T:
                self._add(owner, lemma)
            at = end

    def ask(
        self, turn: int, stones: tuple[int, int], common: int, since: tuple[int, int] = (0, 0)
    ) -> LemmaVerdict:
        """Return what follows for a position from the lemmas learned since the counts `since`.

        `common` are the cells in all threats of the opponent that are known already.
        """
        sets = [self._row(each) for each in stones]
        overlap, union, carrier = self._row(common), self._row(0), self._row(0)
        for owner in (turn, 1 - turn):
            lemmas, (first, end) = self._columns[owner], self._from(owner, since[owner])
            if first == end:
                continue
            own, selection = sets[owner], self._selection
            count = kernel.sift(lemmas, first, end, own, sets[1 - owner], selection)
            room = overlap, union, carrier, selection
            lacking, last = kernel.consult(lemmas, own, owner == turn, *room, count)
            if lacking < 2:
                move = int(last) if lacking else None
                return LemmaVerdict(owner == turn, _number(carrier), move, common, 0)
        return LemmaVerdict(None, 0, None, _number(overlap), _number(union))

    def _from(self, owner: int, since: int) -> tuple[int, int]:
        """Return the columns, first and end, of a player's lemmas learned since a count."""
        dropped_count = self._forgotten[owner]
        return max(0, since - dropped_count), self.counts[owner] - dropped_count

    def _add(self, owner: int, lemma: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        columns, count = self._columns[owner], self.counts[owner] - self._forgotten[owner]
        if count >= self._most:
            half = count // 2
            newer = columns[:, half:count]
            columns = self._columns[owner] = np.zeros_like(columns)  # a mark may hold the old ones
            columns[:, : count - half] = newer
            self._forgotten[owner] += half
            count -= half
        elif count == columns.shape[1]:
            columns = self._columns[owner] = np.concatenate([columns, np.zeros_like(columns)], 1)
            self._selection = np.zeros(max(columns.shape[1], self._selection.size), np.int64)
        columns[:, count] = lemma
        counts = list(self.counts)
        counts[owner] += 1
        self.counts = counts[0], counts[1]

    def _mirror(self, cells: int) -> int:
        """Return cells of a square board after columns and rows change places."""
        bits = format(cells, f"0{self._board.size}b")
        side = self._board.columns
        return int("".join(bits[column::side] for column in range(side)), 2)

    def _row(self, cells: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.frombuffer(bytearray(cells.to_bytes(8 * self._width, "little")), np.int64)


def _number(row: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> int:
    return int.from_bytes(row.tobytes(), "little")
