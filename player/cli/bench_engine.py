"""Gains and costs of each switch beyond AND and OR: a table.

The switches stand one by one: known templates, shrinking intersections,
must-play deduction by depth. A *proof* is a full between the player's edges, for a
template between its stone and its edge. Deduction looks only there, and only
where H-search has none.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count, cycle, islice

import numpy as np

from hsearch.connect.closure import closure
from hsearch.connect.deduction import Deduction, Depth, deduced
from hsearch.connect.library import Template, shipped_templates
from hsearch.connect.limits import Limits
from hsearch.connect.store import Store
from hsearch.connect.window import strengthen
from hsearch.connect.window_answers import SearchedWindows
from hsearch.hex.board import Board, Color, Point
from hsearch.hex.frame import Frame
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from hsearch.strategy.template import Examination
from hsearch.strategy.template_search import LONGEST
from player.cli.bench_measure import BenchRow, Tally
from player.engine.hexy import defaults
from player.engine.self_play import SelfPlay
from player.evaluate.ordering import weak_links
from player.net.int8 import Int8Evaluator, is_installed
from player.net.net import Evaluator, random_net
from player.search.alphabeta import search
from player.search.line import SearchPosition
from player.search.settings import SearchSettings
from player.search.tree import TreeSearch, TreeSettings
from player.solve.budget import Techniques
from player.solve.job import Worker
from player.solve.job_tree import JobTree
from player.solve.solver import Solver, from_the_center, winning_openings
from player.study.examine import review_game
from player.study.review import EFFORTS

SEARCHES = 100  # most H-searches of one deduction
DEPTHS = (1, 2, 3)
HEADING = "| positions | sides | switch | full | semi | proofs | semi proofs | ms a side | p99 |"


@dataclass(frozen=True, slots=True)
class BenchSide:
    """A player in a position, and the two points that are to be joined."""

    position: Position
    color: Color
    ends: tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Switch:
    """A way to search for connections, by name."""

    name: str
    limits: Limits
    depth: Depth


_ALONE = Depth(0)
SWITCHES = (
    Switch("none", Limits(), _ALONE),
    Switch("templates", Limits(templates=True), _ALONE),
    Switch("shrinking", Limits(shrinking=True), _ALONE),
    *(Switch(f"deduction {n}", Limits(), Depth(n, SEARCHES)) for n in DEPTHS),
    Switch("deduction 1, templates", Limits(templates=True), Depth(1, SEARCHES)),
)


def edge_to_edge(positions: Iterable[Position]) -> list[BenchSide]:
    """Return both players of positions, with the edges to be joined."""
    return [BenchSide(p, color, p.board.edges(color)) for p in positions for color in Color]


def templates() -> list[BenchSide]:
    """Return the templates that come with the program, each alone on its board."""
    return _alone(known.template for known in shipped_templates())


def ladders() -> list[BenchSide]:
    """Return the ladders of all lengths that a board of 19 columns has room for."""
    return _alone(
        member
        for known in shipped_templates()
        if known.family is not None
        for member in known.members(LONGEST)
    )


def _alone(templates: Iterable[Template]) -> list[BenchSide]:
    return [BenchSide(it.alone, it.color, it.ends) for it in templates]


def lines(suites: dict[str, list[BenchSide]], report: Callable[[str], None]) -> Iterator[str]:
    """Yield the lines of the table; `report` hears what is worked on."""
    yield HEADING
    yield "|" + "---|" * HEADING.count("| ")
    for name, sides in suites.items():
        for switch in SWITCHES:
            report(f"{name}, {switch.name}")
            yield f"| {name} | {len(sides)} | {switch.name} | {_measured(sides, switch)} |"


def _measured(sides: list[BenchSide], switch: Switch) -> str:
    """Return the counts and the times of a switch."""
    counts, seconds = np.zeros(4, np.int64), []
    closure(sides[0].position, sides[0].color, switch.limits)  # the kernels are loaded
    for side in sides:
        start = time.perf_counter()
        store = closure(side.position, side.color, switch.limits)
        full = store.has_full(*side.ends)
        if not full:
            found = deduced(side.position, store, side.ends, switch.limits, switch.depth)
            full = found is not None
        seconds.append(time.perf_counter() - start)
        semi = not full and store.has_semi(*side.ends)
        counts += (store.counts.full, store.counts.semi, full, semi)
    times = 1000 * np.quantile(seconds, [0.5, 0.99])
    return " | ".join([*map(str, counts.tolist()), *(f"{t:.2f}" for t in times)])


# Rows for what goes beyond the AND and OR rules: templates and must-play deduction.

Sides = list[tuple[Position, Color]]

_WITH_TEMPLATES = Limits(templates=True)
_ONE_REPLY = Depth(1, searches=50)


def beyond_rows(london: Callable[[], Sides]) -> Iterator[BenchRow]:
    """Yield the rows; those on positions of the London games take them from `london`."""
    yield BenchRow(
        "templates/11x11/london/M20K4",
        london,
        partial(_count_with, limits=_WITH_TEMPLATES),
        {"without": lambda side: closure(*side)},
    )
    yield BenchRow(
        "deduction/11x11/london/1-reply",
        london,
        _count_deduced,
        {"closure": lambda side: closure(*side)},
        passes=2,
    )
    yield BenchRow("template/examine", _templates, _count_examined, passes=3)


def _templates() -> list[Template]:
    return [known.template for known in shipped_templates()]


def _count_with(side: tuple[Position, Color], limits: Limits) -> Tally:
    store = closure(*side, limits)
    counts, proved = store.counts, store.has_full(*side[0].board.edges(side[1]))
    return {"full": counts.full, "semi": counts.semi, "proofs": int(proved)}


def _count_deduced(side: tuple[Position, Color]) -> Tally:
    """Look for a full between a player's edges."""
    position, color = side
    deduction = Deduction(color, _ONE_REPLY, Limits())
    full = deduction.full(position, *position.board.edges(color))
    return {"proofs": int(full is not None), "searches": deduction.searches}


def _count_examined(template: Template) -> Tally:
    verdict = Examination(template).run()
    return {"minimal": int(verdict.minimal is True), "positions": verdict.positions}


# Rows for windows: what they add to a closure, with nothing remembered and with everything.

_EVERY = 3  # each third move of a game is enough


@dataclass(frozen=True, slots=True)
class _Side:
    position: Position
    store: Store


def window_rows(games: Callable[[], Iterable[Position]]) -> Iterator[BenchRow]:
    """Yield the rows, on positions of the London games."""
    sides = partial(_sides, games)
    rivals: dict[str, Callable[[_Side], object]] = {
        "closure": lambda side: closure(side.position, side.store.color)
    }
    yield BenchRow("windows/11x11/london-games/cold", sides, _count_cold, rivals, passes=2)
    count = partial(_count, SearchedWindows())
    yield BenchRow("windows/11x11/london-games/warm", sides, count, rivals, passes=10)


def _sides(games: Callable[[], Iterable[Position]]) -> list[_Side]:
    """Return the sides that may have something to ask."""
    chosen = ((p, color) for p in islice(games(), 0, None, _EVERY) for color in Color)
    sides = (_Side(position, closure(position, color)) for position, color in chosen)
    return [side for side in sides if not side.store.has_chain and not side.store.edge_fulls]


def _count_cold(side: _Side) -> Tally:
    known = SearchedWindows()
    return {"found": len(strengthen(side.position, side.store, known)), "searched": known.searched}


def _count(known: SearchedWindows, side: _Side) -> Tally:
    return {"found": len(strengthen(side.position, side.store, known))}


# Rows of the benchmark for the search: nodes a second, nodes to a depth, and one look.
#
# What takes the time of a node is seen by comparing rows: the closures of both
# players, both circuits, and the rest. A search that is told to stop ends with the
# look under way; the longest is that at a root, from scratch.

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


# Rows for the solver: all openings of a board, from an empty table each time.

SIDES = (4, 5, 6)


def solving_rows() -> Iterator[BenchRow]:
    """Yield a row a board; the rivals are two threads, jobs, and the search without techniques."""
    for side in SIDES:
        yield BenchRow(
            f"solve/{side}x{side}/openings",
            partial(_boards, side),
            _solving_count,
            {
                "two-workers": partial(_solve, workers=2),
                "one-worker-by-jobs": _solve_by_jobs,
                "without-widening": partial(_solve, without="widening"),
                "without-fill-in": partial(_solve, without="fill-in"),
            },
            passes=2,
        )


def _boards(side: int) -> list[Board]:
    return [Board(side, side)]


def _solving_count(board: Board) -> Tally:
    solver = Solver(board)
    return {"wins": winning_openings(solver).count(), "nodes": solver.nodes}


def _solve(board: Board, *, workers: int = 1, without: str | None = None) -> None:
    techniques = Techniques().without([] if without is None else [without])
    winning_openings(Solver(board, workers=workers, techniques=techniques))


def _solve_by_jobs(board: Board) -> None:
    tree, worker = JobTree(board), Worker(board, memory=1000)
    for cell in from_the_center(board):
        position = Position.of(board).play(cell)
        while (job := tree.next_job([position])) is not None:
            tree.keep(worker.run(job))


# Rows on best-first search: simulations alone, and with looks by H-search.

MANY, FEW = 20_000, 1_000


def tree_rows(london: Callable[[], Iterable[Position]]) -> Iterator[BenchRow]:
    """Yield the rows; `london` gives positions of famous games."""
    alone, looking = TreeSettings(simulations=MANY, look_at=None), TreeSettings(simulations=FEW)
    yield BenchRow("tree/11x11/simulations", _opened, partial(_grow, settings=alone), done=MANY)
    yield BenchRow("tree/11x11/london/looks", london, partial(_grow, settings=looking), passes=3)


def _opened() -> list[Position]:
    board = Board(11, 11)
    return [Position.of(board).play(board.cell("a10"))]


def _grow(position: Position, settings: TreeSettings) -> Tally:
    """Grow a tree from a seed, and count what its best move and its looks came to."""
    found = TreeSearch(position, settings).run(np.random.default_rng(0))
    best = found.best
    return {"visits": 0 if best is None else best.visits, "looks": found.looks}


# Rows on nets: evaluations of a position by the kernel, with weights at random.

TIMES = 100

AnyEvaluator = Evaluator | Int8Evaluator


def net_rows() -> Iterator[BenchRow]:
    """Yield a row for each shape of net, and where the extra `fast` is, one in eight bits."""
    for blocks, channels in ((4, 32), (6, 64)):
        name = f"net/11x11/{blocks}x{channels}"
        yield BenchRow(name, partial(_nets, Evaluator, blocks, channels), _ask, done=TIMES)
        if is_installed():
            nets = partial(_nets, Int8Evaluator, blocks, channels)
            yield BenchRow(f"{name}/int8", nets, _ask, done=TIMES)


def _nets(kind: type[AnyEvaluator], blocks: int, channels: int) -> list[AnyEvaluator]:
    return [kind(random_net(blocks, channels, np.random.default_rng(0)), Board(11, 11))]


def _ask(evaluator: AnyEvaluator) -> Tally:
    """Ask many times; count what the last bits of a sum cannot change."""
    position = Position.of(evaluator.board, black="a10 f6", white="d8", turn=Color.WHITE)
    stones = Frame.of(position, Color.BLACK).stones.copy()
    for _ in range(TIMES):
        policy, value = evaluator.advise(stones, position.turn)
    return {"best": int(policy.argmax()), "percent": round(100 * value)}


# Rows for reviews: the London games at quick, what many small games take, and one at normal.

SMALL = 8


def review_rows(london: Callable[[], list[Game]]) -> Iterator[BenchRow]:
    """Yield a row for whole games of 11x11 at quick, one for small games at quick and normal."""
    yield BenchRow(
        "review/11x11/london/quick", london, partial(_review_count, effort="quick"), passes=3
    )
    for effort in ("quick", "normal"):
        yield BenchRow(
            f"review/7x7/{effort}", _small, partial(_review_count, effort=effort), passes=2
        )


def _small() -> list[Game]:
    play = SelfPlay("hexy:level=2", (7,), seed=1)
    return [play.game(number) for number in range(SMALL)]


def _review_count(game: Game, effort: str) -> Tally:
    reviewed = review_game(game, EFFORTS[effort])
    return {
        "moves": len(reviewed.moves),
        "proved": sum(state.winner is not None for state in reviewed.states),
        "mistakes": sum(move.is_mistake for move in reviewed.moves),
        "nodes": reviewed.nodes,
    }
