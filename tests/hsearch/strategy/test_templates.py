"""Edge templates: which of them the AND and OR rules find alone."""

import pytest

from hsearch import formats
from hsearch.connect.closure import closure
from hsearch.connect.limits import Limits
from hsearch.formats import suite
from hsearch.hex.board import Color

TEMPLATES = suite.read(formats.find_shipped("templates/edge.txt").read_text())


def between(template, **limits):
    """Return the fulls and semis between a template's ends, and its carrier."""
    position = template.game.position()
    store = closure(position, Color.BLACK, Limits.none(**limits))
    (stone,) = template.cells("stone").search(1)
    (edge,) = template.values("edge")
    ends = stone, position.board.point(edge)
    return store.fulls(*ends), store.semis(*ends), template.cells("carrier")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda entry: entry.id)
def test_the_rules_find_exactly_the_templates_listed_as_found(template):
    """Either the template is found with exactly its carrier, or no full is found."""
    fulls, semis, carrier = between(template)
    found = template.values("found") == ["yes"]

    assert [full.carrier for full in fulls] == ([carrier] if found else [])
    assert [len(fulls)] == list(map(int, template.values("fulls")))
    assert [len(semis)] == list(map(int, template.values("semis")))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda entry: entry.id)
def test_the_edge_as_pivot_finds_no_further_template(template):
    """With the edge as pivot, dk4-8 has one more semi; no verdict changes."""
    fulls, semis, _ = between(template, edge_pivot=True)
    more = template.id == "dk4-8"

    assert [len(fulls)] == list(map(int, template.values("fulls")))
    assert len(semis) == int(template.values("semis")[0]) + more
