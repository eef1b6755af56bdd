"""Rows for windows: what they add to a closure, with nothing remembered and with everything."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

from hsearch.board import Color
from hsearch.closure import closure
from hsearch.position import Position
from hsearch.store import Store
from hsearch.window import SearchedWindows, strengthen
from player.bench.measure import BenchRow, Tally

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
