"""Rows for reviews: the London games at quick, what many small games take, and one at normal."""

from collections.abc import Callable, Iterator
from functools import partial

from hsearch.game import Game
from player.bench.measure import BenchRow, Tally
from player.experiment.self_play import SelfPlay
from player.review import EFFORTS, review

SMALL = 8


def review_rows(london: Callable[[], list[Game]]) -> Iterator[BenchRow]:
    """Yield a row for whole games of 11x11 at quick, one for small games at quick and normal."""
    yield BenchRow("review/11x11/london/quick", london, partial(_count, effort="quick"), passes=3)
    for effort in ("quick", "normal"):
        yield BenchRow(f"review/7x7/{effort}", _small, partial(_count, effort=effort), passes=2)


def _small() -> list[Game]:
    play = SelfPlay("hexy:level=2", (7,), seed=1)
    return [play.game(number) for number in range(SMALL)]


def _count(game: Game, effort: str) -> Tally:
    reviewed = review(game, EFFORTS[effort])
    return {
        "moves": len(reviewed.moves),
        "proved": sum(state.winner is not None for state in reviewed.states),
        "mistakes": sum(move.is_mistake for move in reviewed.moves),
        "nodes": reviewed.nodes,
    }
