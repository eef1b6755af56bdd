"""Rows of the benchmark for the search: nodes a second, and nodes to a depth."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import cycle, islice

from hsearch.closure import Limits
from hsearch.position import Position
from player.bench.measure import Counts, Row
from player.ordering import weak_links
from player.search import Settings, search
from player.search.line import Line

NODES = 20  # looked at in each position, for the rate

Positions = Callable[[], Iterable[Position]]


def search_rows(positions: Positions) -> Iterator[Row]:
    """Return the rows: to compare orderings, compare the nodes of two rows."""
    undecided = partial(_undecided, positions)
    yield Row(
        "node/11x11/london/M20K4",
        undecided,
        _look_around,
        {"scratch": partial(_look_around, incremental=False)},
        done=NODES,
    )
    for depth, widths in ((2, (20, 15)), (3, (20, 15, 10))):
        for ordering in ("weak_links", "center"):
            yield Row(
                f"search/11x11/london/depth{depth}/{ordering}",
                undecided,
                partial(_search, Settings(depth=depth, widths=widths, ordering=ordering)),
                passes=2,
            )


def _undecided(positions: Positions) -> list[Position]:
    """Return the positions that a look does not decide: the others need no search."""
    return [p for p in positions() if Line(p, Limits(), weak_links).look().winner is None]


def _look_around(position: Position, *, incremental: bool = True) -> Counts:
    """Look at the positions after the best moves: closures of both players, both circuits.

    The best move comes again after the last, so that all positions get as many looks.
    """
    line = Line(position, Limits(), weak_links, incremental=incremental)
    open_ones = 0
    for move in islice(cycle(line.look().moves), NODES - 1):
        line.play(move)
        open_ones += line.look().winner is None
        line.undo()
    return {"nodes": NODES, "open": open_ones}


def _search(settings: Settings, position: Position) -> Counts:
    counts = search(position, settings).counts
    return {"nodes": counts.closures, "hits": counts.hits, "cutoffs": counts.cutoffs}
