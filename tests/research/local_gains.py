"""Count proofs by local knowledge in positions that the two rules leave open, by each part.

    python tests/research/local_gains.py [--each] ROWS.jsonl ...

ROWS are files that `hsearch tournament` writes. The sample is a position from each of the first 31
games of a file, with a sixth or a quarter of the board filled. The time is processor time, with
windows cached from a first pass; `check` derives all steps of the proofs again. With --each, the
sample is each second position of their first 40 games together, from nine stones on, without
repeats, and only `rules` and `local` are compared.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from played import games, sample

from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect.closure import closure
from hsearch.connect.limits import Knowledge, Limits
from hsearch.connect.regions import decompose, local_connections, local_limits
from hsearch.connect.store import Store
from hsearch.hex.board import Color
from hsearch.hex.position import Position
from hsearch.strategy.check import check

GAMES, FIRST, STEP = 40, 9, 2
_LIMITS = Limits()
Connections = Callable[[Position, Color], Store]


def each_second(paths: Iterable[Path]) -> Iterator[Position]:
    """Yield each second position of the first games of some files."""
    played = chain.from_iterable(map(games, paths))
    for game in islice(played, GAMES):
        yield from islice(game.positions(), FIRST, None, STEP)


def usual(position: Position, color: Color) -> Store:
    """Return a player's connections by the two rules under the usual limits."""
    return closure(position, color, _LIMITS)


def wider(position: Position, color: Color) -> Store:
    """Return a player's connections with more fulls for each pair, and with templates."""
    return closure(position, color, local_limits(_LIMITS))


def by_connections(connections: Connections) -> Callable[[Position], bool]:
    """Return a test of whether a player's connections prove a winner."""

    def is_proved(position: Position) -> bool:
        return _decides({color: connections(position, color) for color in Color}, position)

    return is_proved


def by_regions(connections: Connections) -> Callable[[Position], bool]:
    """Return the same test with the regions that either player encloses filled."""

    def is_proved(position: Position) -> bool:
        return _decides(decompose(position, connections).stores, position)

    return is_proved


def by_analysis(knowledge: Knowledge) -> Callable[[Position], bool]:
    """Return a test of whether the analysis proves a winner."""

    def is_proved(position: Position) -> bool:
        return ConnectionAnalysis(position, knowledge=knowledge).winner is not None

    return is_proved


ASKED = {
    "the two rules": by_connections(usual),
    "more fulls a pair, templates": by_connections(wider),
    "these and windows": by_connections(local_connections(_LIMITS)),
    "these and regions": by_regions(wider),
    **{f"`{knowledge}`": by_analysis(knowledge) for knowledge in Knowledge},
}


def steps(position: Position, knowledge: Knowledge) -> int:
    """Derive again the connections of the players' edges; return the number of steps."""
    analysis = ConnectionAnalysis(position, knowledge=knowledge)
    if analysis.chain is not None:
        return 0
    known = ((color, analysis.edge_connection(color)) for color in Color)
    return sum(check(position, color, found) for color, found in known if found is not None)


def _decides(stores: dict[Color, Store], position: Position) -> bool:
    """Return whether a player has won: by a chain, a full, or the mover's semi."""
    return any(
        store.has_chain or store.edge_fulls or (store.edge_semis and color is position.turn)
        for color, store in stores.items()
    )


def spent(positions: list[Position], is_proved: Callable[[Position], bool]) -> list[float]:
    """Return the milliseconds for each position."""
    found = []
    for position in positions:
        start = time.process_time()
        is_proved(position)
        found.append(1000 * (time.process_time() - start))
    return found


def main() -> None:
    """Print a line for each kind of knowledge."""
    is_each = "--each" in sys.argv
    names = [Path(name) for name in sys.argv[1:] if name != "--each"]
    positions = list(each_second(names)) if is_each else [game.position() for game in sample(names)]
    write = sys.stdout.write
    write(f"| {len(positions)} positions | proved | ms: mean | median |\n|{'---|' * 4}\n")
    for name in ("`rules`", "`local`") if is_each else ASKED:
        proved = list(map(ASKED[name], positions))
        took = [0.0] if is_each else spent(positions, ASKED[name])
        mean, median = statistics.mean(took), statistics.median(took)
        write(f"| {name} | {sum(proved)} | {mean:.1f} | {median:.1f} |\n")
        sys.stdout.flush()
    for knowledge in (Knowledge.LOCAL,) if is_each else (Knowledge.LOCAL, Knowledge.ALL):
        count = sum(steps(position, knowledge) for position in positions)
        write(f"\n{knowledge}: {count} steps derived again\n")


if __name__ == "__main__":
    main()
