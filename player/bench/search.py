"""Rows of the benchmark for the search: nodes a second, nodes to a depth, and one look.

What takes the time of a node is seen by comparing rows: the closures of both
players, both circuits, and the rest. A search that is told to stop ends with the
look under way; the longest is that at a root, from scratch.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count, cycle, islice

from hsearch.board import Board
from hsearch.closure import Limits
from hsearch.position import Position
from player.bench.measure import BenchRow, Tally
from player.engine.strength import defaults
from player.ordering import weak_links
from player.search import SearchSettings, search
from player.search.line import SearchPosition

NODES = 20  # looked at in each position, for the rate

Positions = Callable[[], Iterable[Position]]


def search_rows(positions: Positions) -> Iterator[BenchRow]:
    """Return the rows: to compare orderings, compare the nodes of two rows."""
    undecided = partial(_undecided, positions)
    yield BenchRow(
        "node/11x11/london/M20K4",
        undecided,
        _look_around,
        {"scratch": partial(_look_around, incremental=False)},
        done=NODES,
    )
    yield BenchRow(
        "node/11x11/london/closures", partial(_lines, undecided), _close_around, done=NODES
    )
    yield BenchRow("node/11x11/london/circuits", partial(_closed, undecided), _weigh, done=NODES)
    for side in (11, 14, 19):
        yield BenchRow(f"look/{side}x{side}/walk", partial(_walk, Board(side, side)), _look)
    for depth, widths in ((2, (20, 15)), (3, (20, 15, 10))):
        searches = {
            ordering: partial(
                _search, SearchSettings(depth=depth, widths=widths, ordering=ordering)
            )
            for ordering in ("weak_links", "center")
        }
        rivals: dict[str, dict[str, Callable[[Position], object]]] = {
            "weak_links": {"center": searches["center"]},
            "center": {},
        }
        for ordering, work in searches.items():
            yield BenchRow(
                f"search/11x11/london/depth{depth}/{ordering}",
                undecided,
                work,
                rivals[ordering],
                passes=2,
            )


def _undecided(positions: Positions) -> list[Position]:
    """Return the positions that a look does not decide: the others need no search."""
    return [
        p for p in positions() if SearchPosition(p, Limits(), weak_links).probe().winner is None
    ]


def _lines(positions: Positions) -> list[SearchPosition]:
    return [SearchPosition(position, Limits(), weak_links) for position in positions()]


def _closed(positions: Positions) -> list[SearchPosition]:
    """Return lines whose connections are found: what is left of a look are the circuits."""
    lines = _lines(positions)
    for line in lines:
        line.probe()
    return lines


def _close_around(line: SearchPosition) -> Tally:
    """Find what `_look_around` finds, connections only; both players' at each position."""
    chains = 0
    for move in islice(cycle(line.probe().moves), NODES - 1):
        line.play(move)
        for side in line.sides.values():
            side.close()
            chains += side.has_chain
        line.undo()
    return {"nodes": NODES, "chains": chains}


def _weigh(line: SearchPosition) -> Tally:
    for _ in range(NODES):
        evaluation, _ = line.weigh()
    return {"nodes": NODES, "thousandths": round(1000 * evaluation)}


def _walk(board: Board) -> Iterator[Position]:
    """Yield every fifth position of a game in which weak links are played, not always the first."""
    position, limits = Position.of(board), Limits(M=4, K=3)
    for move in count():
        view = SearchPosition(position, limits, weak_links).probe()
        if view.winner is not None:
            return
        if move % 5 == 0:
            yield position
        position = position.play(view.moves[3 * move % 7 % len(view.moves)])


def _look(position: Position) -> Tally:
    """Look at a root, with the limits that a player has on this board."""
    view = SearchPosition(position, defaults(position.board).limits, weak_links).probe()
    return {"looks": 1, "moves": len(view.moves)}


def _look_around(position: Position, *, incremental: bool = True) -> Tally:
    """Look at the positions after the best moves: closures of both players, both circuits.

    The best move comes again after the last, so that all positions get as many looks.
    """
    line = SearchPosition(position, Limits(), weak_links, incremental=incremental)
    open_ones = 0
    for move in islice(cycle(line.probe().moves), NODES - 1):
        line.play(move)
        open_ones += line.probe().winner is None
        line.undo()
    return {"nodes": NODES, "open": open_ones}


def _search(settings: SearchSettings, position: Position) -> Tally:
    counts = search(position, settings).counts
    return {"nodes": counts.closures, "hits": counts.hits, "cutoffs": counts.cutoffs}
