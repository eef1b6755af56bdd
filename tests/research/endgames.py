"""Measure how early the tree and the solver prove the winner, and how the tree plays there.

    python tests/research/endgames.py GAMES SECONDS ROWS.jsonl ...

ROWS are files that `hsearch tournament` writes. The sample is the first GAMES of each file without
a swap, and in each game every third position from a tenth of the board on, until H-search decides
two in a row at once. The tree with the shipped net and a solver with an empty table each have
SECONDS of processor time. It prints, by the share of filled cells, how many positions the solver
settles in an eighth, a quarter, half and all of its time, how many the tree proves, and in how
many of those that the mover is thus proved to win the tree's move loses.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from played import Played, games

from hsearch.hex.position import Position, winner
from player.evaluate.int8 import is_installed
from player.evaluate.net import load_net
from player.search.settings import defaults
from player.search.tree import TreeFindings, TreeSearch, net_alone
from player.solve.solver import Solver
from player.work.clock import Clock, counting

FROM, STEP, IN_A_ROW, WIDTH = 0.1, 3, 2, 0.05
PARTS = (8, 4, 2, 1)
COUNTED = ("is_proved", "is_won", "is_lost")
LONGER = 15  # seconds for the solver to decide whether a move loses


@dataclass(frozen=True, slots=True)
class _Tried:
    """A position: the seconds until it was solved, if it was, and the tree's result."""

    filled: float
    seconds: float | None
    is_proved: bool
    is_won: bool
    is_lost: bool


def main(count: int, seconds: float, files: list[str]) -> None:
    """Print the table."""
    tried: dict[int, list[_Tried]] = defaultdict(list)
    with counting(Clock.PROCESSOR):
        for file in files:
            for game in islice(games(Path(file)), count):
                for each in _tried(game, seconds):
                    tried[int(each.filled / WIDTH)].append(each)
    parts = "  ".join(f"in {seconds / part:g} s" for part in PARTS)
    print(f"filled     positions  solved {parts}  the tree proves  won  its move loses")  # noqa: T201
    for number, rows in sorted(tried.items()):
        within = [
            sum(row.seconds is not None and row.seconds <= seconds / part for row in rows)
            for part in PARTS
        ]
        sums = len(rows), *within, *(sum(getattr(row, name) for row in rows) for name in COUNTED)
        print(f"{number * WIDTH:.2f}-{(number + 1) * WIDTH:.2f}", *sums, sep="  ")  # noqa: T201


def _tried(game: Played, seconds: float) -> Iterator[_Tried]:
    decided = 0
    for stones, position in enumerate(game.positions()):
        if stones < FROM * position.board.size or stones % STEP:
            continue
        if winner(position) is not None or decided == IN_A_ROW:
            return
        found = _searched(position, seconds)
        decided = 0 if found.simulations else decided + 1
        if found.simulations:
            yield _try(position, found, seconds)


def _searched(position: Position, seconds: float) -> TreeFindings:
    net = load_net()
    assert net is not None
    limits = defaults(position.board).limits
    settings = net_alone(net, int8=is_installed(), limits=limits)
    return TreeSearch(position, settings).run(np.random.default_rng(0), seconds=seconds)


def _try(position: Position, found: TreeFindings, seconds: float) -> _Tried:
    solver = Solver(position.board, memory=200)
    solver.prepare()
    answer = solver.solve(position, seconds=seconds)
    is_won, is_lost = answer.winner is position.turn, False
    if is_won and found.winner is None and found.best is not None:
        after = solver.solve(position.play(found.best.cell), seconds=LONGER)
        is_lost = after.winner is position.turn.opponent
    return _Tried(
        1 - position.empty.count() / position.board.size,
        None if answer.winner is None else answer.seconds,
        found.winner is not None,
        is_won,
        is_lost,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:])
