"""Print a table of the worth of each of the solver's techniques on the London games.

    python tests/research/solver_switches.py [POSITIONS]

The sample is every third move of both games from 16 on, each with an empty table and at most
POSITIONS positions searched, 300 by default. A cell gives the positions searched and the processor
seconds, or a dash if they did not suffice. Positions that are solved at once, or not even with all
techniques, are omitted.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace

from hsearch import formats
from hsearch.connect.limits import Limits
from hsearch.formats.files import find_shipped
from hsearch.hex.position import Position
from player.solve.budget import NAMES, Techniques
from player.solve.solver import LIMITS, Solver

GAMES = ("queenbee-hexy", "hexy-queenbee")
FIRST, EVERY = 16, 3


def asked() -> dict[str, Position]:
    """Return the positions by game number and move."""
    found: dict[str, Position] = {}
    for number, name in enumerate(GAMES, 1):
        path = find_shipped(f"games/london-2000-{name}.sgf")
        assert path is not None
        game = formats.load(path)
        for moves in range(FIRST, len(game.moves), EVERY):
            found[f"{number}/{moves}"] = game.position(moves)
    return found


def switches() -> Iterator[tuple[str, Limits, Techniques]]:
    """Yield all techniques, then all but one or with other limits."""
    every = Techniques()
    yield "all", LIMITS, every
    for name in NAMES:
        yield f"without {name}", LIMITS, every.without([name])
    yield "M=20", replace(LIMITS, M=20), every
    yield "no templates", replace(LIMITS, templates=False), every


def main() -> None:
    """Print the table."""
    most = int(sys.argv[1]) if sys.argv[1:] else 300
    positions = asked()
    columns: list[str] = []
    for name, limits, techniques in switches():
        cells = {}
        for key, position in positions.items():
            if columns and key not in columns:
                continue
            solver = Solver(position.board, limits=limits, techniques=techniques)
            start = time.process_time()
            answer = solver.solve(position, nodes=most)
            seconds = time.process_time() - start
            cells[key] = "-" if answer.winner is None else f"{answer.nodes}, {seconds:.2f}"
        if not columns:
            unsolved = [key for key, cell in cells.items() if cell == "-"]
            columns = [key for key, cell in cells.items() if cell[:2] not in {"-", "1,"}]
            sys.stdout.write(f"not in {most} positions: {' '.join(unsolved)}\n\n")
            sys.stdout.write(
                f"| game/move | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}\n"
            )
        sys.stdout.write(f"| {name} | {' | '.join(cells[key] for key in columns)} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
