"""What local knowledge proves that the two rules leave open, over games of engines.

    python -m player.bench.local_gains ROWS.jsonl ...

ROWS are what `hsearch tournament` writes. Of the first games, each second
position from the seventh move on is analyzed.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hsearch.analysis import Analysis
from hsearch.board import Board
from hsearch.decomposition import Knowledge
from hsearch.files import strict
from hsearch.position import Position
from hsearch.strategy import check

GAMES, FIRST, STEP = 40, 7, 2


@dataclass(frozen=True, slots=True)
class _Head:
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class _Row:
    moves: list[str]


def positions(files: list[str]) -> Iterator[Position]:
    """Yield the positions of the games of some files of rows."""
    played = (game for file in files for game in games(Path(file)))
    for board, moves in islice(played, GAMES):
        position = Position.of(board)
        for number, move in enumerate(moves, start=1):
            position = position.play(board.cell(move))
            if number >= FIRST and number % STEP:
                yield position


def games(path: Path) -> Iterator[tuple[Board, list[str]]]:
    """Yield the games of a file without a swap, each with its board."""
    first, *lines = path.read_text().splitlines()
    head = strict.read(first, _Head)
    for line in lines:
        moves = strict.read(line, _Row).moves
        if not any("swap" in move for move in moves):
            yield Board(head.columns, head.rows), moves


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
