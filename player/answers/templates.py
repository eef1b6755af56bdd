"""Edge templates as entries of a suite, and verdicts on them in words and as JSON objects."""

from collections.abc import Iterator
from typing import Any

from hsearch.connect.library import Template
from hsearch.formats import suite
from hsearch.render.text import quantity
from hsearch.strategy import template as place
from hsearch.strategy.template import Examination, TemplateVerdict
from player.answers.objects import position_object

BEYOND = "the solver had no answer in its time, and there are too many cells to play them out"


def heading(template: Template) -> str:
    """Return the name of a template, its ends, and the size of its carrier."""
    x, y = map(template.position.board.name, template.ends)
    cells = quantity(template.carrier.count(), "cell")
    return f"{template.id}: {template.color.word} {x} to {y}, {cells}"


def suite_entry(template: Template, name: str, *, found: bool) -> str:
    """Return a template as an entry of a suite, with whether H-search finds it."""
    board = template.position.board
    x, y = map(board.name, template.ends)
    fields = {
        "source": "hsearch template find",
        "turn": template.color.opponent.word,
        "stone": x,
        "edge": y,
        "carrier": board.text(template.carrier),
        "found": "yes" if found else "no",
    }
    return suite.write(name, template.position, fields)


def statements(template: Template, verdict: TemplateVerdict) -> Iterator[str]:
    """Yield whether a template is valid and how that is proved, and whether it is minimal."""
    yield f"valid    {_valid(template, verdict)}"
    if verdict.valid:
        yield f"minimal  {_minimal(template, verdict)}"


def _valid(template: Template, verdict: TemplateVerdict) -> str:
    name = template.position.board.name
    if verdict.valid is None:
        cells = " ".join(map(name, verdict.intrusions))
        reason = f"these first moves are still to be played out: {cells}"
        return f"unknown: {BEYOND if verdict.is_beyond else reason}"
    if not verdict.valid:
        moves = " ".join(name(cell) for _, cell in verdict.refutation)
        return f"no: {template.color.opponent.word} cuts with {moves}"
    if verdict.by_solver:
        return "yes, by the solver, whose moves are must-play steps"
    if verdict.replies is None:
        return "yes, by complete play"
    if verdict.replies == 0:
        return "yes, by the rules AND and OR"
    depth = "one reply" if verdict.replies == 1 else f"{verdict.replies} replies"
    return f"yes, by must-play deduction, {depth} deep"


def _minimal(template: Template, verdict: TemplateVerdict) -> str:
    name = template.position.board.name
    if verdict.suffices is not None:
        names = " or ".join(map(name, verdict.superfluous))
        rest = "; not all cells were tried" if verdict.omissions else ""
        cells = template.position.board.text(verdict.suffices)
        return f"no: {names} can be spared; these suffice: {cells}{rest}"
    if verdict.omissions:
        why = f"{BEYOND}; " if verdict.is_beyond else ""
        return f"unknown: {why}still to be tried without {' '.join(map(name, verdict.omissions))}"
    return "yes: no cell can be spared"


def template_object(examination: Examination) -> dict[str, Any]:
    """Return a verdict as a JSON object."""
    template, verdict = examination.template, examination.verdict
    board = template.position.board
    rule = None if verdict.connection is None else verdict.connection.rule.value
    return {
        "schema": "hsearch/template/1",
        "id": template.id,
        "position": position_object(template.position),
        "color": template.color.word,
        "stone": board.name(template.stone),
        "edge": board.name(template.edge),
        "carrier": board.names(template.carrier),
        "valid": verdict.valid,
        "minimal": verdict.minimal,
        "rule": rule,
        "replies": verdict.replies,
        "refutation": [board.name(cell) for _, cell in verdict.refutation],
        "superfluous": board.names(board.only(*verdict.superfluous)),
        "suffices": None if verdict.suffices is None else board.names(verdict.suffices),
        "resume": place.write(examination),
        "searches": verdict.searches,
        "positions": verdict.positions,
    }
