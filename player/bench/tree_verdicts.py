"""Whether what the tree proves is what the solver says, on random positions of 7x7.

    python -m player.bench.tree_verdicts 250

Compared are the root and every move that is decided. It prints how many there were,
and each difference; there must be none.
"""

import sys

import numpy as np

from hsearch.board import Board
from hsearch.position import Position, winner
from player.solve import Solver
from player.tree import TreeSearch, TreeSettings

BOARD = Board(7, 7)
STONES = (4, 16)  # from, to
SETTINGS = TreeSettings(simulations=400, look_at=8, expand_at=2)


def main(count: int) -> None:
    """Compare the verdicts on this many positions."""
    solver, roots, moves, differences = Solver(BOARD), 0, 0, 0
    for number in range(count):
        position = _drawn(np.random.default_rng((0, number)))
        found = TreeSearch(position, SETTINGS).run(np.random.default_rng(number))
        said = [(position.play(it.cell), it.winner) for it in found.candidates]
        for each, won_by in [(position, found.winner), *said]:
            if won_by is None:
                continue
            roots, moves = roots + (each is position), moves + (each is not position)
            if solver.outcome(each) is not won_by:
                differences += 1
                print(f"position {number}: {won_by} is said to win\n{each}")  # noqa: T201
    print(f"{count} positions: {roots} roots and {moves} moves decided, {differences} differ")  # noqa: T201


def _drawn(generator: np.random.Generator) -> Position:
    """Return a position of stones by turns on random cells, that nobody has won."""
    while True:
        position = Position.of(BOARD)
        for cell in generator.permutation(BOARD.size)[: generator.integers(*STONES)].tolist():
            position = position.play(cell)
        if winner(position) is None:
            return position


if __name__ == "__main__":
    main(int(sys.argv[1]))
