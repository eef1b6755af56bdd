"""What local knowledge proves that the two rules leave open, over games of engines.

    python -m player.bench.local_gains ROWS.jsonl ...

ROWS are what `hsearch tournament` writes. Of the first games, each second
position from the seventh move on is analyzed.
"""

import json
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from hsearch.analysis import Analysis
from hsearch.board import Board
from hsearch.decomposition import Knowledge
from hsearch.position import Position
from hsearch.strategy import check

GAMES, FIRST, STEP = 40, 7, 2


def positions(files: list[str]) -> Iterator[Position]:
    """Yield the positions of the games of some files of rows."""
    for line in islice((line for file in files for line in _games(Path(file))), GAMES):
        position = Position.of(Board(line["columns"], line["rows"]))
        for number, move in enumerate(line["moves"], start=1):
            position = position.play(position.board.cell(move))
            if number >= FIRST and number % STEP:
                yield position


def _games(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the games of a file, each with the board of its head."""
    head, *lines = (json.loads(line) for line in path.read_text().splitlines())
    board = {"columns": head["columns"], "rows": head["rows"]}
    for line in lines:
        if "swap" not in " ".join(line["moves"]):
            yield board | line


def main() -> None:
    """Print a line for each knowledge: how many positions are proved, checked, and the time."""
    asked = list(positions(sys.argv[1:]))
    for knowledge in Knowledge:
        start, proved, steps = time.process_time(), 0, 0
        for position in asked:
            analysis = Analysis(position, knowledge=knowledge)
            proved += analysis.winner is not None
        seconds = time.process_time() - start
        for position in asked if knowledge is not Knowledge.RULES else ():
            analysis = Analysis(position, knowledge=knowledge)
            for color in set(analysis.stores):
                connection = analysis.edge_connection(color)
                if connection is not None and analysis.chain is None:
                    steps += check(position, color, connection)
        print(  # noqa: T201 - it is a program
            f"{knowledge}: {proved} of {len(asked)} proved, "
            f"{1000 * seconds / len(asked):.1f} ms a position, {steps} steps checked",
            flush=True,
        )


if __name__ == "__main__":
    main()
