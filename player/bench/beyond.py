"""Rows for what goes beyond the AND and OR rules: templates and must-play deduction."""

from collections.abc import Callable, Iterator
from functools import partial

from hsearch.board import Color
from hsearch.closure import Limits, closure
from hsearch.deduction import Deduction, Depth
from hsearch.library import Template, shipped_templates
from hsearch.position import Position
from hsearch.template import Examination
from player.bench.measure import BenchRow, Tally

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
