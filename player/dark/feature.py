"""Features of an information set and a cell, for regressors of regrets.

A feature matrix is sparse, one row a sequence; the row of the empty sequence
is empty. *Aggregations* have a single 1 in a row: sequences with the same
features share one number.
"""

from collections.abc import Callable, Hashable, Iterable

import numpy as np
from scipy import sparse

from player.dark.rules import DarkRules
from player.dark.tree import PlayerTree


def by_sequence(_: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Tell all sequences apart: a table."""
    return _aggregation(range(side.sequences - 1))


def by_view(_: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Tell the view and the cell, and forget the order."""
    return _aggregation(
        (side.own[j], side.known[j], cell)
        for j, cell in zip(side.set_of[1:], side.cell[1:], strict=True)
    )


def by_stones(_: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Tell the own stones and the cell, and forget what was found."""
    return _aggregation(
        (side.own[j], cell) for j, cell in zip(side.set_of[1:], side.cell[1:], strict=True)
    )


def by_turn(_: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Tell the number of own attempts and the cell."""
    return _aggregation(
        (sum(symbol >= 0 for symbol in side.history[j]), cell)
        for j, cell in zip(side.set_of[1:], side.cell[1:], strict=True)
    )


def by_window(rules: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Tell what the view shows at the cell's neighbors, and the cell: overlapping tiles."""
    around = [
        sum(1 << p for p in rules.board.neighbors(cell) if not rules.board.is_edge(p))
        for cell in rules.board.cells
    ]
    return _aggregation(
        (side.own[j] & around[cell], side.known[j] & around[cell], cell)
        for j, cell in zip(side.set_of[1:], side.cell[1:], strict=True)
    )


def tiles(rules: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Put the aggregations by stones, turn and window side by side."""
    parts = [make(rules, side) for make in (by_stones, by_turn, by_window)]
    return sparse.csr_array(sparse.hstack(parts))


def linear(rules: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Give each cell one weight, and one for each own and each found stone."""
    return _products(rules, side, pairs=False)


def pair(rules: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Give each cell the weights of `linear`, and one for each pair of stones."""
    return _products(rules, side, pairs=True)


def binary(rules: DarkRules, side: PlayerTree) -> sparse.csr_array:
    """Give the cell, whether each cell is mine, found or unknown, and the turn."""
    bits = _stone_bits(rules, side)
    unknown = 1 - bits[:, : rules.board.size] - bits[:, rules.board.size :]
    cells = np.eye(rules.board.size)[side.cell[1:]]
    attempts = np.array([sum(symbol >= 0 for symbol in history) for history in side.history])
    turns = np.eye(attempts.max() + 1)[attempts]
    columns = [cells, *(each[side.set_of[1:]] for each in (bits, unknown, turns))]
    matrix = np.hstack(columns)
    return sparse.csr_array(np.vstack([np.zeros(matrix.shape[1]), matrix]))


FEATURES: dict[str, Callable[[DarkRules, PlayerTree], sparse.csr_array]] = {
    "sequence": by_sequence,
    "view": by_view,
    "tiles": tiles,
    "linear": linear,
    "pair": pair,
    "binary": binary,
}


def _aggregation(keys: Iterable[Hashable]) -> sparse.csr_array:
    """Return one column for each different key; the empty sequence has none."""
    numbers: dict[Hashable, int] = {}
    columns = [numbers.setdefault(key, len(numbers)) for key in keys]
    rows = np.arange(1, 1 + len(columns))
    shape = 1 + len(columns), len(numbers)
    return sparse.csr_array((np.ones(len(columns)), (rows, columns)), shape=shape)


def _stone_bits(rules: DarkRules, side: PlayerTree) -> np.ndarray:
    """Return, by set, whether each cell holds an own stone, and then a found one."""
    cells = np.arange(rules.board.size)
    masks = (side.own, side.known)
    return np.hstack([(mask[:, None] >> cells & 1).astype(float) for mask in masks])


def _products(rules: DarkRules, side: PlayerTree, *, pairs: bool) -> sparse.csr_array:
    bits = _stone_bits(rules, side)
    columns = [np.ones((len(bits), 1)), bits]
    if pairs:
        first, second = np.triu_indices(bits.shape[1], 1)
        columns.append(bits[:, first] * bits[:, second])
    state = np.hstack(columns)[side.set_of[1:]]
    rows, width = len(state), state.shape[1]
    start = side.cell[1:, None] * width + np.arange(width)
    matrix = sparse.csr_array(
        (state.ravel(), (np.repeat(np.arange(1, 1 + rows), width), start.ravel())),
        shape=(1 + rows, rules.board.size * width),
    )
    matrix.eliminate_zeros()
    return matrix
