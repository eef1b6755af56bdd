"""The checker: it re-derives what the kernels found, and nothing else."""

from dataclasses import replace

import pytest
from hypothesis import given
from strategies import limits, positions

from hsearch import formats
from hsearch.board import Board, Color
from hsearch.closure import closure
from hsearch.connection import Rule
from hsearch.formats import suite
from hsearch.position import Position
from hsearch.strategy import CheckError, check

BENCH = suite.read(formats.shipped("bench.txt").read_text())
MIDDLE_GAMES = [entry for entry in BENCH if not entry.id.startswith("empty")]


@pytest.mark.slow
@given(positions(max_side=8, stones=".....BW"), limits())
def test_premises_re_derive_every_connection(position, limits):
    """Each connection follows from its premises by the plain rules, down to touching points."""
    for color in Color:
        connections = list(closure(position, color, limits))

        assert check(position, color, *connections) >= len(connections)


@pytest.mark.slow
@pytest.mark.parametrize("entry", MIDDLE_GAMES, ids=lambda entry: entry.id)
def test_every_connection_of_the_london_games_checks(entry):
    """Thousands of derivations of a real game, which small boards do not call for."""
    position = entry.game.position()
    for color in Color:
        connections = list(closure(position, color))

        assert check(position, color, *connections) >= len(connections)


def winning_full():
    """Return a position and a full of many steps between Black's edges."""
    position = Position.of(Board(5, 5), black="c3")
    return position, closure(position, Color.BLACK).edge_fulls[0]


def tampered(full):
    """Return what a careless or dishonest prover might hand in."""

    def without_first_cell(connection):
        board = Board(5, 5)
        cells = list(connection.carrier.search(1))
        return replace(connection, carrier=board.only(*cells[1:]))

    cell = next(full.carrier.search(1))
    first, *others = sorted(full.premises, key=lambda p: -p.carrier.count())
    return {
        "a cell less": without_first_cell(full),
        "another rule": replace(full, rule=Rule.OR if full.rule is Rule.AND else Rule.AND),
        "no reason": replace(full, rule=Rule.ADJACENT, premises=()),
        "a premise less": replace(full, premises=tuple(others)),
        "a premise twice": replace(full, premises=(first, first)),
        "a false premise": replace(full, premises=(without_first_cell(first), *others)),
        "another end": replace(full, x=0),
        "a key": replace(full, key=cell),
    }


FAULTS = (
    "a cell less",
    "another rule",
    "no reason",
    "a premise less",
    "a premise twice",
    "a false premise",
    "another end",
    "a key",
)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_tampered_derivation_is_refused(fault):
    """The checker names the first step that does not hold."""
    position, full = winning_full()

    with pytest.raises(CheckError, match=r"does not follow: .* by the rule"):
        check(position, Color.BLACK, tampered(full)[fault])


def test_a_derivation_for_another_position_is_refused():
    """An opponent stone in the carrier breaks it."""
    position, full = winning_full()
    intrusion = next(full.carrier.search(1))

    with pytest.raises(CheckError):
        check(position.put(intrusion, Color.WHITE), Color.BLACK, full)
