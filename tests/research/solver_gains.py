"""Count positions of played games that the solver settles, by technique.

    python tests/research/solver_gains.py SECONDS ROWS.jsonl ...
    python tests/research/solver_gains.py --positions MOST ROWS.jsonl ...

The sample is that of `local_gains`, and each position starts with an empty table. SECONDS are
processor seconds for each position with all techniques; with --positions, each technique is
switched off in turn, and at most MOST positions are searched.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from played import sample
from processor_time import count_processor_time

from hsearch.connect.limits import Limits
from hsearch.hex.position import Position
from player.solve.budget import Techniques
from player.solve.solver import LIMITS, Solver

_FEW = replace(LIMITS, M=20, templates=False)
_ALL, _NEITHER = Techniques(), ("regions", "lemmas")
PARTS = {
    "M=20": (_FEW, _ALL.without(_NEITHER)),
    "M=100, templates": (LIMITS, _ALL.without(_NEITHER)),
    "these and lemmas": (LIMITS, _ALL.without(["regions"])),
    "these and regions": (LIMITS, _ALL.without(["lemmas"])),
    "all": (LIMITS, _ALL),
}


def line(
    positions: list[Position],
    limits: Limits,
    techniques: Techniques,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
) -> str:
    """Return the number of positions settled, the positions searched for all, and the time."""
    settled = looked = 0
    start = time.process_time()
    for position in positions:
        solver = Solver(position.board, limits=limits, techniques=techniques)
        answer = solver.solve(position, nodes=nodes, seconds=seconds)
        settled += answer.winner is not None
        looked += answer.nodes
    return f"{settled} | {looked} | {time.process_time() - start:.1f} |"


def table(positions: list[Position], most: str | None, seconds: str | None) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"| {len(positions)} positions | settled | looked at | s |"
    yield "|---|---|---|---|"
    parts = PARTS if most else {"all": PARTS["all"]}
    for board in {position.board for position in positions}:
        Solver(board).prepare()
    for name, (limits, techniques) in parts.items():
        for size in sorted({position.board.columns for position in positions}):
            asked = [position for position in positions if position.board.columns == size]
            nodes = None if most is None else int(most)
            limit = None if seconds is None else float(seconds)
            told = line(asked, limits, techniques, nodes=nodes, seconds=limit)
            yield f"| {name}, {size}x{size} | {told}"


def main() -> None:
    """Print the table."""
    count_processor_time()
    by_positions = sys.argv[1] == "--positions"
    most, *names = sys.argv[1 + by_positions :]
    positions = [game.position() for game in sample(map(Path, names))]
    budget = (most, None) if by_positions else (None, most)
    for row in table(positions, *budget):
        sys.stdout.write(row + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
