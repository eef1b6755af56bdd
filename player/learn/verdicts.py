"""Whether what the tree proves is what the solver says."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hsearch.board import Board
from hsearch.position import Position, winner
from player.solve import Solver
from player.tree import TreeSearch, TreeSettings

FULLEST = 0.33  # of the board


@dataclass(frozen=True, slots=True)
class ComparedVerdict:
    """A position, who is proved to win by the tree, and whether the solver says the same."""

    position: Position
    is_root: bool
    is_same: bool


def verdicts(
    board: Board, settings: TreeSettings, positions: int
) -> Iterator[list[ComparedVerdict]]:
    """Yield, of random positions, what the tree proves: at the root, and of every move."""
    solver = Solver(board)
    for number in range(positions):
        position = _drawn(board, np.random.default_rng((0, number)))
        found = TreeSearch(position, settings).run(np.random.default_rng(number))
        after = [(position.play(each.cell), each.winner) for each in found.candidates]
        yield [
            ComparedVerdict(each, each is position, solver.outcome(each) is won_by)
            for each, won_by in [(position, found.winner), *after]
            if won_by is not None
        ]


def _drawn(board: Board, generator: np.random.Generator) -> Position:
    """Return a position of stones by turns on random cells, that nobody has won."""
    while True:
        stones = generator.integers(board.size // 12, round(FULLEST * board.size))
        position = Position.of(board)
        for cell in generator.permutation(board.size)[:stones].tolist():
            position = position.play(cell)
        if winner(position) is None:
            return position
