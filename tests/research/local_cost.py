"""Measure the cost of `local` on the London games, and the templates that windows join.

    python tests/research/local_cost.py

The first table covers the positions of both games that stones have not decided: the winner and the
must-play region, in milliseconds of processor time, with all windows of a first pass cached. The
second covers the shipped templates, and the ladders to 19 columns, alone on their boards: how many
have a full between stone and edge, and how many steps `check` derives again.
"""

import statistics
import sys
import time
from collections.abc import Iterator

from solver_switches import GAMES

from hsearch import formats
from hsearch.analysis.analysis import ConnectionAnalysis
from hsearch.connect.closure import closure, extend
from hsearch.connect.limits import Knowledge, Limits
from hsearch.connect.window import strengthen
from hsearch.connect.window_answers import SearchedWindows
from hsearch.formats.files import find_shipped
from hsearch.hex.position import Position, winner
from hsearch.strategy.check import check
from player.cli.bench_connections import BenchSide, ladders, templates

PASSES = 3


def positions() -> Iterator[Position]:
    """Yield the positions of the London games that are not over."""
    for name in GAMES:
        path = find_shipped(f"games/london-2000-{name}.sgf")
        assert path is not None
        game = formats.load(path)
        found = (game.position(moves) for moves in range(len(game.moves) + 1))
        yield from (position for position in found if winner(position) is None)


def milliseconds(position: Position, knowledge: Knowledge) -> float:
    """Return the time of the fastest of some analyses."""
    spent = []
    for _ in range(PASSES):
        start = time.process_time()
        analysis = ConnectionAnalysis(position, knowledge=knowledge)
        _ = analysis.winner, analysis.mustplay
        spent.append(1000 * (time.process_time() - start))
    return min(spent)


def joined(sides: list[BenchSide]) -> tuple[int, int, int]:
    """Return how many the rules join, how many windows join, and the steps derived again."""
    by_rules = with_windows = steps = 0
    for side in sides:
        store = closure(side.position, side.color)
        by_rules += store.has_full(*side.ends)
        found = strengthen(side.position, store, SearchedWindows())
        store = extend(side.position, store, found, Limits())
        fulls = list(store.fulls(*side.ends))
        with_windows += bool(fulls)
        steps += check(side.position, side.color, *fulls)
    return by_rules, with_windows, steps


def main() -> None:
    """Print both tables."""
    asked = list(positions())
    write = sys.stdout.write
    write(f"| {len(asked)} positions | ms: mean | median |\n|---|---|---|\n")
    medians = {}
    for knowledge in (Knowledge.RULES, Knowledge.LOCAL):
        for position in asked:
            milliseconds(position, knowledge)
        spent = [milliseconds(position, knowledge) for position in asked]
        medians[knowledge] = statistics.median(spent)
        write(f"| `{knowledge}` | {statistics.mean(spent):.1f} | {medians[knowledge]:.1f} |\n")
    write(f"\n{medians[Knowledge.LOCAL] / medians[Knowledge.RULES]:.2f} times\n")
    write("\n| | in all | by the rules | with windows | steps derived again |\n")
    write("|---|---|---|---|---|\n")
    for name, sides in (("templates", templates()), ("ladders", ladders())):
        write(f"| {name} | {len(sides)} | {' | '.join(map(str, joined(sides)))} |\n")


if __name__ == "__main__":
    main()
