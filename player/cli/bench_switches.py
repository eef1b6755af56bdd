"""`hsearch bench --switches`: what each switch beyond AND and OR gains and costs, as a table.

The switches stand one by one: known templates, shrinking intersections,
must-play deduction by depth. A *proof* is a full between the player's edges, for a
template between its stone and its edge. Deduction looks only there, and only
where H-search has none.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from hsearch.connect.closure import closure
from hsearch.connect.deduction import Depth, deduced
from hsearch.connect.library import Template, shipped_templates
from hsearch.connect.limits import Limits
from hsearch.hex.board import Color, Point
from hsearch.hex.position import Position
from hsearch.strategy.template_search import LONGEST
from player.cli.bench_measure import london_positions, suite_positions

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


def suites() -> dict[str, list[BenchSide]]:
    """Return the sides on which the switches are compared, by the name of the suite."""
    small = (position for position in suite_positions("") if position.board.size <= 121)
    return {
        "bench.txt, to 11x11": _edge_to_edge(small),
        "both London games": _edge_to_edge(london_positions()),
        "templates": templates(),
        "ladders": ladders(),
    }


def _edge_to_edge(positions: Iterable[Position]) -> list[BenchSide]:
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
            deduction = deduced(side.position, store, side.ends, switch.limits, switch.depth)
            full = deduction is not None
        seconds.append(time.perf_counter() - start)
        semi = not full and store.has_semi(*side.ends)
        counts += (store.counts.full, store.counts.semi, full, semi)
    times = 1000 * np.quantile(seconds, [0.5, 0.99])
    return " | ".join([*map(str, counts.tolist()), *(f"{t:.2f}" for t in times)])
