"""Connections beyond AND and OR as strategies: followed, re-derived later, and explained."""

import numpy as np
import pytest
from following import holds_here, play_out

from hsearch.connect.closure import closure
from hsearch.connect.connection import Rule
from hsearch.connect.deduction import Deduction
from hsearch.connect.library import closure_templates
from hsearch.connect.limits import Depth, Limits
from hsearch.hex.board import Board, Color
from hsearch.hex.position import Position, captains
from hsearch.strategy.explain import explain
from hsearch.strategy.reply import follow

MISSED = [
    next(known.members(19, known.first_miss)) for known in closure_templates() if not known.is_found
]
BY_NAME = pytest.mark.parametrize("template", MISSED, ids=lambda template: template.id)


def deduced():
    """Yield positions of 4x4 with fulls that use must-play deduction."""
    generator = np.random.default_rng(3)
    board = Board(4, 4)
    for _ in range(10):
        cells = generator.permutation(16)[: generator.integers(2, 8)].tolist()
        position = Position(board, board.only(*cells[::2]), board.only(*cells[1::2]))
        deduction = Deduction(Color.BLACK, Depth(2, 300), Limits())
        points = sorted(set(captains(position, Color.BLACK).values()))
        for x in points:
            for y in points:
                full = deduction.full(position, x, y) if x < y else None
                if full is not None and any(p.rule is Rule.MUSTPLAY for p in full.premises):
                    yield position, full


def test_must_play_connections_withstand_any_intrusions():
    """After every intrusion the rest checks, and at the end the points are joined."""
    generator = np.random.default_rng(4)
    followed = 0
    for position, full in deduced():
        start = follow(position, Color.BLACK, full)
        for intrusion in full.carrier.search(1):
            after = start.intrude(intrusion)
            holds_here(after)
            while after.carrier.any():
                after = after.intrude(int(generator.choice(list(after.carrier.search(1)))))
                holds_here(after)
            followed += 1

    assert followed > 10


@BY_NAME
def test_a_preloaded_template_can_be_followed(template):
    """A template has replies even if it was preloaded as a fact."""
    generator = np.random.default_rng(5)
    store = closure(template.alone, template.color, Limits(templates=True))
    full = next(f for f in store.fulls(*template.ends) if f.rule is Rule.TEMPLATE)
    start = follow(template.alone, template.color, full)

    holds_here(start)
    for greedy in (False, True):
        for _ in range(10):
            assert play_out(start, generator, greedy=greedy)


@BY_NAME
def test_the_explanation_of_a_template_answers_every_intrusion(template):
    """The explanation has cases that answer every intrusion."""
    store = closure(template.alone, template.color, Limits(templates=True))
    full = next(f for f in store.fulls(*template.ends) if f.rule is Rule.TEMPLATE)
    explanation = explain(template.alone, template.color, full)

    assert dict(explanation.replies).keys() == set(full.carrier.search(1))
    assert explanation.arguments
    assert all(argument.cases for argument in explanation.arguments)
    assert not explanation.arguments[0].cases[-1].left.any()
