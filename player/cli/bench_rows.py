"""The rows of the benchmark, in the order in which they are printed."""

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from hsearch import formats
from hsearch.analysis.circuit import FullLinks, circuits
from hsearch.connect.closure import Side, closure
from hsearch.connect.connection import Connection
from hsearch.connect.limits import Limits
from hsearch.connect.plain import plain_closure
from hsearch.formats import suite
from hsearch.hex.board import Board, Cell, Color
from hsearch.hex.game import Game
from hsearch.hex.position import Position
from hsearch.strategy.explain import explain
from hsearch.strategy.reply import reply
from player.cli import bench_engine
from player.cli.bench_board import board_rows
from player.cli.bench_engine import (
    beyond_rows,
    net_rows,
    review_rows,
    search_rows,
    solving_rows,
    tree_rows,
    window_rows,
)
from player.cli.bench_games import classic_rows, dark_rows, filling_rows
from player.cli.bench_measure import BenchRow, Tally

GAMES = ("london-2000-queenbee-hexy", "london-2000-hexy-queenbee")
LONDON = ("queenbee-hexy", "hexy-queenbee")  # starts of the names of their positions
M20K4 = Limits()
SMALL = 7  # the naive closure takes seconds on larger boards

Sides = list[tuple[Position, Color]]


class _Stone(NamedTuple):
    """A stone to add to a player's connections, and the position then."""

    side: Side
    cell: Cell
    own: bool
    color: Color
    after: Position


def rows() -> list[BenchRow]:
    """Return all rows."""
    return [
        *_closure_rows(),
        *_update_rows(),
        *_strategy_rows(),
        *beyond_rows(partial(_suite, LONDON)),
        *window_rows(_games),
        *_circuit_rows(),
        *filling_rows(partial(_positions, "empty-11")),
        *search_rows(_london),
        *tree_rows(_london),
        *net_rows(),
        *classic_rows(_london),
        *dark_rows(),
        *solving_rows(),
        *review_rows(_london_games),
        *board_rows(_london_games),
        *_start_rows(),
    ]


def switch_suites() -> dict[str, list[bench_engine.BenchSide]]:
    """Return the sides on which the switches beyond AND and OR are compared."""
    small = (p for p, color in _suite("") if color is Color.BLACK and p.board.size <= 121)
    return {
        "bench.txt, to 11x11": bench_engine.edge_to_edge(small),
        "both London games": bench_engine.edge_to_edge(_games()),
        "templates": bench_engine.templates(),
        "ladders": bench_engine.ladders(),
    }


def _closure_rows() -> Iterator[BenchRow]:
    for size in range(5, 15):
        rivals: dict[str, Callable[[Any], object]] = {}
        if size <= SMALL:
            rivals["naive"] = _naive
        name = f"closure/{size}x{size}/empty/M20K4"
        passes = 5 if rivals else 20  # the naive closure takes seconds
        yield BenchRow(name, partial(_suite, f"empty-{size}"), _count_closure, rivals, passes)
    yield BenchRow(
        "closure/11x11/empty/shrinking",
        partial(_suite, "empty-11"),
        partial(_count_closure, limits=Limits(shrinking=True)),
        {"mk": lambda side: closure(*side)},
        passes=20,
    )
    yield BenchRow(
        "closure/11x11/london/shrinking",
        partial(_suite, LONDON),
        partial(_count_closure, limits=Limits(shrinking=True)),
        {"mk": lambda side: closure(*side)},
    )
    yield BenchRow("closure/11x11/london/M20K4", partial(_suite, LONDON), _count_closure)
    yield BenchRow(
        "closure/11x11/london-games/M20K4", lambda: _sides(_games()), _count_closure, passes=3
    )
    yield BenchRow(
        "closure/19x19/empty/M20K4", lambda: _sides([Position.of(Board(19, 19))]), _count_closure
    )


def _update_rows() -> Iterator[BenchRow]:
    """One more stone of the London games, of the owner or of the opponent, and its undo."""
    for name, own in (("own-stone", True), ("opponent-stone", False)):
        yield BenchRow(
            f"update/11x11/london/{name}",
            partial(_stones, own=own),
            _count_update,
            {"scratch": lambda stone: closure(stone.after, stone.color)},
            passes=10,
        )


def _strategy_rows() -> Iterator[BenchRow]:
    """Ask what the winners of the London games hold: a reply to each intrusion, and why."""
    yield BenchRow("strategy/11x11/london/reply", _intrusions, _count_reply, passes=20)
    yield BenchRow("strategy/11x11/london/explain", _wins, _count_explanation, passes=20)


def _circuit_rows() -> Iterator[BenchRow]:
    yield BenchRow(
        "circuit/11x11/london/both",
        lambda: [_wired(position) for position in _london()],
        _count_circuits,
        {"numpy": _solve_densely},
        passes=20,
    )


def _positions(start: str) -> list[Position]:
    return [position for position, color in _suite(start) if color is Color.BLACK]


def _start_rows() -> Iterator[BenchRow]:
    game = str(formats.shipped(f"games/{GAMES[0]}.sgf"))
    yield BenchRow("start/help", lambda: [["--help"]], _start)
    yield BenchRow("start/analyze", lambda: [["analyze", game, "--move", "30", "--json"]], _start)


def _count_closure(side: tuple[Position, Color], limits: Limits = M20K4) -> Tally:
    counts = closure(*side, limits).counts
    return {
        "full": counts.full,
        "semi": counts.semi,
        "and_tries": counts.and_tries,
        "or_tries": counts.or_tries,
    }


def _naive(side: tuple[Position, Color]) -> None:
    plain_closure(*side)


def _stones(*, own: bool) -> Iterator[_Stone]:
    for position in _london():
        cell = next(iter(circuits(position).weak_links))[0]
        for color in Color:
            side = Side(position, color, Limits())
            stone = color if own else color.opponent
            framed = cell if color is Color.BLACK else position.board.transpose(cell)
            yield _Stone(side, framed, own, color, position.put(cell, stone))


def _count_update(stone: _Stone) -> Tally:
    stone.side.advance(stone.cell, own=stone.own)
    counts = stone.side.tries()
    stone.side.undo()
    return counts


def _count_circuits(wired: tuple[Position, FullLinks, FullLinks]) -> Tally:
    both = circuits(*wired)
    finite = [r for r in (both.black.resistance, both.white.resistance) if np.isfinite(r)]
    return {"links": wired[1].a.size + wired[2].a.size, "milliohm": round(1000 * sum(finite))}


def _solve_densely(wired: tuple[Position, FullLinks, FullLinks]) -> None:
    """Solve two systems of as many unknowns as numpy would, assembly not counted."""
    cells = wired[0].board.size
    system = np.eye(cells) * cells + 1
    for _ in range(2):
        np.linalg.solve(system, np.ones(cells))


def _count_reply(intrusion: tuple[Connection, Cell]) -> Tally:
    answer = reply(*intrusion)
    return {"held": 0 if answer is None else len(answer.held)}


def _count_explanation(win: tuple[Position, Color, Connection]) -> Tally:
    why = explain(*win)
    return {
        "arguments": len(why.arguments),
        "cases": sum(len(argument.cases) for argument in why.arguments),
    }


def _start(arguments: list[str]) -> Tally:
    """Run the command in a process of its own."""
    command = [sys.executable, "-m", "player.cli", *arguments]
    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603 - ours
    return {"lines": done.stdout.count(b"\n")}


def _sides(positions: Iterable[Position]) -> Sides:
    return [(position, color) for position in positions for color in Color]


def _wins() -> Iterator[tuple[Position, Color, Connection]]:
    """Yield the smallest full connection between the edges wherever there is one."""
    for position, color in _sides(_games()):
        fulls = closure(position, color).edge_fulls
        if fulls:
            yield position, color, fulls[0]


def _intrusions() -> Iterator[tuple[Connection, Cell]]:
    for _, _, full in _wins():
        for cell in full.carrier.search(1):
            yield full, cell


def _wired(position: Position) -> tuple[Position, FullLinks, FullLinks]:
    black, white = (FullLinks(*closure(position, color).full_links()) for color in Color)
    return position, black, white


def _text(path: str) -> str:
    file = formats.shipped(path)
    if file is None:
        raise RuntimeError(f"missing in this installation: positions/{path}")
    return file.read_text()


def _suite(start: str | tuple[str, ...]) -> Sides:
    """Return both sides of the positions of `bench.txt` whose names start so."""
    entries = suite.read(_text("bench.txt"))
    return _sides(entry.game.position() for entry in entries if entry.id.startswith(start))


def _london() -> list[Position]:
    return [position for position, color in _suite(LONDON) if color is Color.BLACK]


def _london_games() -> list[Game]:
    return [formats.read(_text(f"games/{name}.sgf")) for name in GAMES]


def _games() -> Iterator[Position]:
    for game in _london_games():
        for moves in range(len(game.moves) + 1):
            yield game.position(moves)
