"""Rows for finding and explaining connections, and a table of what each switch gains."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from hsearch.analysis.circuit import circuits
from hsearch.connect import NO_DEPTH, Connection, Depth, Limits, plain, window, window_answers
from hsearch.connect import closure as engine
from hsearch.connect.closure import closure
from hsearch.connect.deduction import Deduction, deduce
from hsearch.connect.library import Template, closure_templates
from hsearch.connect.store import Store
from hsearch.hex import Board, Cell, Color, Point, Position
from hsearch.kernels.circuit import Links
from hsearch.strategy.explain import explain
from hsearch.strategy.reply import reply
from hsearch.strategy.template import Examination
from hsearch.strategy.template_search import LONGEST
from player.cli import bench_measure
from player.cli.bench_measure import BenchRow, PositionSide, Rivals, Tally

NAIVE = 7  # largest side for the naive closure, which takes seconds on larger boards
ONE_REPLY = Depth(1, searches=50)
EVERY = 3  # windows are measured at every third position of a game


def connection_rows() -> Iterator[BenchRow]:
    """Yield the rows, from the closure of one player to the circuits of both."""
    london = partial(bench_measure.suite_sides, bench_measure.LONDON)
    yield from _closure_rows(london)
    yield from _update_rows()
    yield BenchRow("strategy/11x11/london/reply", _intrusions, _count_reply, passes=20)
    yield BenchRow("strategy/11x11/london/explain", _wins, _count_explanation, passes=20)
    yield from _template_rows(london)
    yield from _window_rows()
    yield BenchRow(
        "circuit/11x11/london/both",
        lambda: [_with_links(position) for position in bench_measure.london_suite()],
        _count_circuits,
        {"numpy": _solve_densely},
        passes=20,
    )


# Closures from scratch.


def _closure_rows(london: Callable[[], list[PositionSide]]) -> Iterator[BenchRow]:
    for size in range(5, 15):
        empty = partial(bench_measure.suite_sides, f"empty-{size}")
        rivals: Rivals = {"naive": lambda side: plain.plain_closure(*side)} if size <= NAIVE else {}
        passes = 5 if rivals else 20
        yield BenchRow(f"closure/{size}x{size}/empty/M20K4", empty, _close, rivals, passes)
    empty, shrinking = (
        partial(bench_measure.suite_sides, "empty-11"),
        partial(_close, shrinking=True),
    )
    rivals = {"mk": lambda side: closure(*side)}
    yield BenchRow("closure/11x11/empty/shrinking", empty, shrinking, rivals, passes=20)
    yield BenchRow("closure/11x11/london/shrinking", london, shrinking, rivals)
    yield BenchRow("closure/11x11/london/M20K4", london, _close)
    games, large = bench_measure.london_positions, lambda: [Position.of(Board(19, 19))]
    for name, positions, passes in (
        ("11x11/london-games", games, 3),
        ("19x19/empty", large, 5),
    ):
        sides = partial(_sides, positions)
        yield BenchRow(f"closure/{name}/M20K4", sides, _close, passes=passes)


def _sides(positions: Callable[[], list[Position]]) -> list[PositionSide]:
    return bench_measure.sides(positions())


def _close(side: PositionSide, *, shrinking: bool = False) -> Tally:
    counts = closure(*side, Limits(shrinking=shrinking)).counts
    return {
        "full": counts.full,
        "semi": counts.semi,
        "and_tries": counts.and_tries,
        "or_tries": counts.or_tries,
    }


# Updates: one more stone of the owner or the opponent in the London games, and its undo.


class _Stone(NamedTuple):
    """A stone to add to a player's connections, and the position after it."""

    side: engine.Side
    cell: Cell
    own: bool
    color: Color
    after: Position


def _update_rows() -> Iterator[BenchRow]:
    for name, own in (("own-stone", True), ("opponent-stone", False)):
        yield BenchRow(
            f"update/11x11/london/{name}",
            partial(_stones, own=own),
            _count_update,
            {"scratch": lambda stone: closure(stone.after, stone.color)},
            passes=10,
        )


def _stones(*, own: bool) -> Iterator[_Stone]:
    for position in bench_measure.london_suite():
        cell = next(iter(circuits(position).weak_links))[0]
        for color in Color:
            side = engine.Side(position, color, Limits())
            stone = color if own else color.opponent
            place = cell if color is Color.BLACK else position.board.transpose(cell)
            yield _Stone(side, place, own, color, position.put(cell, stone))


def _count_update(stone: _Stone) -> Tally:
    stone.side.advance(stone.cell, own=stone.own)
    counts = stone.side.tries()
    stone.side.undo()
    return counts


# Replies and explanations: the full connections between edges in the London games.


def _wins() -> Iterator[tuple[Position, Color, Connection]]:
    """Yield the smallest full connection between a player's edges, wherever there is one."""
    for position, color in bench_measure.sides(bench_measure.london_positions()):
        fulls = closure(position, color).edge_fulls
        if fulls:
            yield position, color, fulls[0]


def _intrusions() -> Iterator[tuple[Connection, Cell]]:
    for _, _, full in _wins():
        for cell in full.carrier.search(1):
            yield full, cell


def _count_reply(intrusion: tuple[Connection, Cell]) -> Tally:
    answer = reply(*intrusion)
    return {"held": 0 if answer is None else len(answer.fulls)}


def _count_explanation(win: tuple[Position, Color, Connection]) -> Tally:
    why = explain(*win)
    return {
        "arguments": len(why.arguments),
        "cases": sum(len(argument.cases) for argument in why.arguments),
    }


# Templates and must-play deduction, which go beyond the AND and OR rules.


def _template_rows(london: Callable[[], list[PositionSide]]) -> Iterator[BenchRow]:
    rivals: Rivals = {"without": lambda side: closure(*side)}
    yield BenchRow("templates/11x11/london/M20K4", london, _count_templates, rivals)
    rivals = {"closure": lambda side: closure(*side)}
    yield BenchRow("deduction/11x11/london/1-reply", london, _count_deduced, rivals, passes=2)
    yield BenchRow("template/examine", _templates, _count_examined, passes=3)


def _count_templates(side: PositionSide) -> Tally:
    store = closure(*side, Limits(templates=True))
    counts, proved = store.counts, store.has_full(*side[0].board.edges(side[1]))
    return {"full": counts.full, "semi": counts.semi, "proofs": int(proved)}


def _count_deduced(side: PositionSide) -> Tally:
    """Count the fulls that deduction finds between a player's edges, and its searches."""
    position, color = side
    deduction = Deduction(color, ONE_REPLY, Limits())
    full = deduction.full(position, *position.board.edges(color))
    return {"proofs": int(full is not None), "searches": deduction.searches}


def _templates() -> list[Template]:
    return [entry.template for entry in closure_templates()]


def _count_examined(template: Template) -> Tally:
    verdict = Examination(template).run()
    return {"minimal": int(verdict.minimal is True), "positions": verdict.positions}


# Windows: what they add to a closure, with no answer remembered and with all of them.

SideClosure = tuple[Position, Store]


def _window_rows() -> Iterator[BenchRow]:
    rivals: Rivals = {"closure": lambda pair: closure(pair[0], pair[1].color)}
    yield BenchRow("windows/11x11/london-games/cold", _open, _count_cold, rivals, passes=2)
    warm = partial(_count_windows, window_answers.SearchedWindows())
    yield BenchRow("windows/11x11/london-games/warm", _open, warm, rivals, passes=10)


def _open() -> list[SideClosure]:
    """Return the closures that do not join the edges, so that windows may add something."""
    sides = bench_measure.sides(bench_measure.london_positions()[::EVERY])
    pairs = ((position, closure(position, color)) for position, color in sides)
    return [it for it in pairs if not it[1].has_chain and not it[1].edge_fulls]


def _count_cold(pair: SideClosure) -> Tally:
    windows = window_answers.SearchedWindows()
    return _count_windows(windows, pair) | {"searched": windows.searches}


def _count_windows(windows: window_answers.SearchedWindows, pair: SideClosure) -> Tally:
    return {"found": len(window.strengthen(*pair, windows))}


# Circuits of both players.


def _with_links(position: Position) -> tuple[Position, Links, Links]:
    black, white = (Links(*closure(position, color).full_links()) for color in Color)
    return position, black, white


def _count_circuits(links: tuple[Position, Links, Links]) -> Tally:
    both = circuits(*links)
    finite = [r for r in (both.black.resistance, both.white.resistance) if np.isfinite(r)]
    return {"links": links[1].a.size + links[2].a.size, "milliohm": round(1000 * sum(finite))}


def _solve_densely(links: tuple[Position, Links, Links]) -> None:
    """Solve two dense systems of the same size with numpy, without the time to assemble them."""
    cells = links[0].board.size
    system = np.eye(cells) * cells + 1
    for _ in range(2):
        np.linalg.solve(system, np.ones(cells))


# Switches: what each method beyond the AND and OR rules gains and costs.
#
# The methods are tried one by one, and two together: known templates, shrinking intersections,
# must-play deduction by depth. A *proof* is a full between the player's edges, or between
# stone and edge of a template. Deduction is tried only for this pair, where H-search has none.

SEARCHES = 100  # most H-searches of one deduction
DEPTHS = (1, 2, 3)
HEADING = "| positions | sides | switch | full | semi | proofs | semi proofs | ms a side | p99 |"


@dataclass(frozen=True, slots=True)
class BenchSide:
    """A player in a position, and the two points to join."""

    position: Position
    color: Color
    ends: tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Switch:
    """A way to search for connections, by name."""

    name: str
    limits: Limits
    depth: Depth


SWITCHES = (
    Switch("none", Limits(), NO_DEPTH),
    Switch("templates", Limits(templates=True), NO_DEPTH),
    Switch("shrinking", Limits(shrinking=True), NO_DEPTH),
    *(Switch(f"deduction {n}", Limits(), Depth(n, SEARCHES)) for n in DEPTHS),
    Switch("deduction 1, templates", Limits(templates=True), Depth(1, SEARCHES)),
)


def switch_suites() -> dict[str, list[BenchSide]]:
    """Return the sides on which the switches are compared, by the name of the suite."""
    small = (
        position for position in bench_measure.suite_positions("") if position.board.size <= 121
    )
    return {
        "bench.txt, to 11x11": _edge_to_edge(small),
        "both London games": _edge_to_edge(bench_measure.london_positions()),
        "templates": templates(),
        "ladders": ladders(),
    }


def _edge_to_edge(positions: Iterable[Position]) -> list[BenchSide]:
    """Return both players of each position, with the edges to join."""
    return [BenchSide(p, color, p.board.edges(color)) for p in positions for color in Color]


def templates() -> list[BenchSide]:
    """Return the shipped templates, each alone on its board."""
    return _alone(entry.template for entry in closure_templates())


def ladders() -> list[BenchSide]:
    """Return the ladders of every length that fits a board of 19 columns."""
    return _alone(
        member
        for entry in closure_templates()
        if entry.family is not None
        for member in entry.members(LONGEST)
    )


def _alone(templates: Iterable[Template]) -> list[BenchSide]:
    return [BenchSide(it.alone, it.color, it.ends) for it in templates]


def switch_lines(
    suites: dict[str, list[BenchSide]], report: Callable[[str], None]
) -> Iterator[str]:
    """Yield the lines of the table; `report` is called with the name of each row before it."""
    yield HEADING
    yield "|" + "---|" * HEADING.count("| ")
    for name, sides in suites.items():
        for switch in SWITCHES:
            report(f"{name}, {switch.name}")
            yield f"| {name} | {len(sides)} | {switch.name} | {_measure(sides, switch)} |"


def _measure(sides: list[BenchSide], switch: Switch) -> str:
    """Return the counts and the times of a switch."""
    counts, seconds = np.zeros(4, np.int64), []
    closure(sides[0].position, sides[0].color, switch.limits)  # loads the kernels
    for side in sides:
        start = time.perf_counter()
        store = closure(side.position, side.color, switch.limits)
        full = store.has_full(*side.ends)
        if not full:
            deduction = deduce(side.position, store, side.ends, switch.limits, switch.depth)
            full = deduction is not None
        seconds.append(time.perf_counter() - start)
        semi = not full and store.has_semi(*side.ends)
        counts += (store.counts.full, store.counts.semi, full, semi)
    times = 1000 * np.quantile(seconds, [0.5, 0.99])
    return " | ".join([*map(str, counts.tolist()), *(f"{t:.2f}" for t in times)])
