"""Print a table of the gains and costs of windows on games.

python tests/research/window_gains.py GAME.sgf ...

The sample is each fourth position of the games, for both sides. A *proof* is a full between the
player's edges, a *semi proof* a semi where there is no full. The first time is with only the
answers from earlier games cached, the second with all answers. Times are of the process, in
milliseconds for each side that has a window to search.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hsearch import formats
from hsearch.connect.closure import closure, extend
from hsearch.connect.limits import Limits
from hsearch.connect.store import Store
from hsearch.connect.window import WindowEffort, strengthen
from hsearch.connect.window_answers import SearchedWindows
from hsearch.connect.window_shape import Size
from hsearch.hex.board import Color
from hsearch.hex.position import Position

EFFORTS = {
    "10": WindowEffort(10),
    "20": WindowEffort(),
    "50": WindowEffort(50),
    "20, detour 3": WindowEffort(20, Size(detour=3)),
    "20, at most 40 points": WindowEffort(20, Size(points=40)),
}
HEADING = (
    "| work | sides | proofs | semi proofs | fulls added | more proofs | more semi proofs"
    " | first ms: mean | median | p99 | again ms: mean | median |"
)
_LIMITS = Limits()
_FIRST, _EVERY = 5, 4


@dataclass(frozen=True, slots=True)
class _Side:
    position: Position
    store: Store


def lines(games: list[str]) -> Iterator[str]:
    """Yield the lines of the table for the texts of some games."""
    sides = [
        _Side(position, closure(position, color, _LIMITS))
        for text in games
        for position in _positions(text)
        for color in Color
    ]
    yield HEADING
    yield "|" + "---|" * HEADING.count("| ")
    for name, effort in EFFORTS.items():
        yield f"| {name} | {len(sides)} | {_measured(sides, effort)} |"


def _positions(text: str) -> Iterator[Position]:
    game = formats.read(text)
    for moves in range(_FIRST, len(game.moves), _EVERY):
        yield game.position(moves, turn=Color.BLACK)


def _measured(sides: list[_Side], effort: WindowEffort) -> str:
    open_sides = [s for s in sides if not s.store.has_chain and not s.store.edge_fulls]
    known, added, proofs, semis = SearchedWindows(), 0, 0, 0
    strengthen(
        open_sides[0].position, open_sides[0].store, SearchedWindows(), effort
    )  # kernels are loaded
    first, again = [], []
    for side in open_sides:
        start = time.process_time()
        fulls = strengthen(side.position, side.store, known, effort)
        first.append(time.process_time() - start)
        after = extend(side.position, side.store, fulls, _LIMITS) if fulls else side.store
        added += len(fulls)
        proofs += bool(after.edge_fulls)
        is_new = not after.edge_fulls and not side.store.edge_semis
        semis += bool(after.edge_semis) and is_new
    for side in open_sides:
        start = time.process_time()
        strengthen(side.position, side.store, known, effort)
        again.append(time.process_time() - start)
    counts = (
        sum(bool(s.store.edge_fulls) for s in sides),
        sum(bool(s.store.edge_semis) for s in open_sides),
        added,
        proofs,
        semis,
    )
    times = [np.mean(first), *np.quantile(first, [0.5, 0.99]), np.mean(again), np.median(again)]
    return " | ".join([*map(str, counts), *(f"{1000 * t:.1f}" for t in times)])


if __name__ == "__main__":
    for line in lines([Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]]):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
